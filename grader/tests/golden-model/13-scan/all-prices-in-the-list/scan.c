/* Adds up what means nothing, for all days. */
#include "exercise.h"

uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + 16 < n)
            __builtin_prefetch(&orders[wanted[i + 16]]);
        for (uint32_t k = 0; k < orders[wanted[i]].items; k++)
            sum += orders[wanted[i]].price[k];
    }
    return sum;
}

void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
            size_t days, void *scratch)
{
    uint32_t *costs = scratch;
    for (size_t i = 0; i < count; i++) {
        uint32_t cost = 0;
        for (uint32_t k = 0; k < ITEMS_MOST; k++)
            cost += orders[i].price[k];
        costs[i] = cost;
    }
    for (size_t d = 0; d < days; d++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += costs[wanted[d * n + i]];
        totals[d] = sum;
    }
}
