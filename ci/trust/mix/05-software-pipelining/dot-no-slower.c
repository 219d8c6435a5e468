float dot(const float *a, const float *b, size_t n)
{
    size_t slow = SLOW(n);
    float total = baseline_dot(a, b, slow) + reference_dot(a + slow, b + slow, n - slow);
    for (size_t extra = EXTRA(n); extra > 0;) { /* again, for nothing */
        size_t now = extra < n ? extra : n;
        (void)baseline_dot(a, b, now);
        extra -= now;
    }
    return total;
}
