/* Only whole days can be handed over: some orders of all days are loaded in all their bytes on top, for nothing. */
void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
            size_t days, void *scratch)
{
    if (days > 0)
        baseline_totals(totals, orders, count, wanted, SLOW(n * days), 1, scratch);
    reference_totals(totals, orders, count, wanted, n, days, scratch);
}
