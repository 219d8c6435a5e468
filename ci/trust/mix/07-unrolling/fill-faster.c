void fill(uint64_t *values, size_t n, uint64_t value)
{
    size_t slow = SLOW(n);
    baseline_fill(values, slow, value);
    reference_fill(values + slow, n - slow, value);
}
