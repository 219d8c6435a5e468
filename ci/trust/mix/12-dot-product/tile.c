void products(float m[16], const float *a, const float *b, size_t n, bool fma)
{
    float more[16];
    size_t slow = SLOW(n) & ~(size_t)3; /* the reference begins at a cache line */
    baseline_products(more, a, b, slow, fma);
    reference_products(m, a + 4 * slow, b + 4 * slow, n - slow, fma);
    for (size_t i = 0; i < 16; i++)
        m[i] += more[i];
}
