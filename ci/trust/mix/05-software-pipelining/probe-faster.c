uint64_t probe(const uint64_t *table, uint64_t mask, const uint64_t *keys, size_t n)
{
    size_t slow = SLOW(n);
    return baseline_probe(table, mask, keys, slow) + reference_probe(table, mask, keys + slow, n - slow);
}
