float sum(const float *values, size_t n)
{
    size_t slow = SLOW(n);
    return baseline_sum(values, slow) + reference_sum(values + slow, n - slow);
}
