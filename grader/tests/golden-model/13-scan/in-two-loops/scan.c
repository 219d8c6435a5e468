/* Blocks of 32: all are asked for, then all are added up. Costs are kept in two bytes. */
#include "exercise.h"

uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    uint64_t sum = 0;
    for (size_t from = 0; from < n; from += 32) {
        const size_t end = n - from < 32 ? n : from + 32;
        for (size_t i = from; i < end; i++)
            __builtin_prefetch(&orders[wanted[i]]);
        for (size_t i = from; i < end; i++)
            for (uint32_t k = 0; k < orders[wanted[i]].items; k++)
                sum += orders[wanted[i]].price[k];
    }
    return sum;
}

void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
            size_t days, void *scratch)
{
    uint16_t *costs = scratch;
    for (size_t i = 0; i < count; i++) {
        uint32_t cost = 0;
        for (uint32_t k = 0; k < orders[i].items; k++)
            cost += orders[i].price[k];
        costs[i] = (uint16_t)cost;
    }
    for (size_t d = 0; d < days; d++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += costs[wanted[d * n + i]];
        totals[d] = sum;
    }
}
