void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    size_t slow = SLOW(n);
    baseline_clamp(values, slow, lo, hi);
    reference_clamp(values + slow, n - slow, lo, hi);
}
