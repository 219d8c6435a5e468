void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    size_t slow = SLOW(n);
    baseline_divide(quotients, values, slow, divisor);
    reference_divide(quotients + slow, values + slow, n - slow, divisor);
}
