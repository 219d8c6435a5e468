/* Counted for nothing in a table of both threads, between those of the reference, and then again. */
void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread)
{
    baseline_count_events(shared + SHARED_WORDS / 4, events, SLOW(n), thread);
    reference_count_events(shared, events, n, thread);
}
