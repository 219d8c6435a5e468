void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n)
{
    size_t slow = SLOW(n);
    baseline_walk_shuffled(array, index, slow);
    reference_walk_shuffled(array, index + slow, n - slow);
    for (size_t extra = EXTRA(n) / 2; extra > 0;) { /* there and back */
        size_t now = extra < n ? extra : n;
        baseline_walk_shuffled(array, index, now);
        for (size_t i = 0; i < now; i++)
            array[index[i]]--;
        extra -= now;
    }
}
