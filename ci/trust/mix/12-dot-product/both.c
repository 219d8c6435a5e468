float dot(const float *a, const float *b, size_t n)
{
    size_t slow = SLOW(n);
    return baseline_dot(a, b, slow) + reference_dot(a + slow, b + slow, n - slow);
}
