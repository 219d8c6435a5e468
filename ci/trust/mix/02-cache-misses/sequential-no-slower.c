void walk_sequential(uint32_t *array, size_t n)
{
    size_t slow = SLOW(n);
    baseline_walk_sequential(array, slow);
    reference_walk_sequential(array + slow, n - slow);
    for (size_t extra = EXTRA(n) / 2; extra > 0;) { /* there and back */
        size_t now = extra < n ? extra : n;
        baseline_walk_sequential(array, now);
        for (size_t i = 0; i < now; i++)
            array[i]--;
        extra -= now;
    }
}
