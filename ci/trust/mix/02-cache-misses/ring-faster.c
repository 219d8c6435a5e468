/* A hash cannot be handed from one half to the other: the baseline's visits are made on top, for nothing. */
uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    baseline_ring_hash(first, SLOW(n * laps), 1, scratch);
    return reference_ring_hash(first, n, laps, scratch);
}
