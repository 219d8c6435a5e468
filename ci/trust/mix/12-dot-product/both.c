float dot(const float *a, const float *b, size_t n)
{
    size_t slow = SLOW(n) & ~(size_t)15; /* the reference begins at a cache line */
    return baseline_dot(a, b, slow) + reference_dot(a + slow, b + slow, n - slow);
}
