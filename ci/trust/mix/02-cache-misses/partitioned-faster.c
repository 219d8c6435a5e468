void walk_partitioned(uint32_t *array, size_t length, const uint32_t *index, size_t n, uint32_t *scratch)
{
    size_t slow = SLOW(n);
    baseline_walk_partitioned(array, length, index, slow, scratch);
    reference_walk_partitioned(array, length, index + slow, n - slow, scratch);
    for (size_t extra = EXTRA(n) / 2; extra > 0;) { /* there and back */
        size_t now = extra < n ? extra : n;
        baseline_walk_partitioned(array, length, index, now, scratch);
        for (size_t i = 0; i < now; i++)
            array[index[i]]--;
        extra -= now;
    }
}
