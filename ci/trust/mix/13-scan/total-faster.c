uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    size_t slow = SLOW(n);
    return baseline_total(orders, wanted, slow) + reference_total(orders, wanted + slow, n - slow);
}
