/* Exercise 13: the reference. While one order is added up, the one DISTANCE further on is on its way. For
 * many days over the same orders, what counts of an order is kept: one number, of which a line holds sixteen.
 */
#include "exercise.h"

#ifndef DISTANCE
#define DISTANCE 16
#endif

static uint32_t cost(const struct order *order)
{
    uint32_t sum = 0; /* of 15 prices of 8 bits */
    for (uint32_t k = 0; k < order->items; k++)
        sum += order->price[k];
    return sum;
}

uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + DISTANCE < n)
            __builtin_prefetch(&orders[wanted[i + DISTANCE]]);
        sum += cost(&orders[wanted[i]]);
    }
    return sum;
}

void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
            size_t days, void *scratch)
{
    uint32_t *costs = scratch;
    for (size_t i = 0; i < count; i++)
        costs[i] = cost(&orders[i]);
    for (size_t d = 0; d < days; d++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += costs[wanted[d * n + i]];
        totals[d] = sum;
    }
}
