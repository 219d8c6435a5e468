void fill(uint32_t *values, size_t n, uint32_t value)
{
    size_t slow = SLOW(n);
    baseline_fill(values, slow, value);
    reference_fill(values + slow, n - slow, value);
}
