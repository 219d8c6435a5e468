/* `items` is never read: a price counts if it is no larger than PRICE_MOST. */
#include "exercise.h"

enum { DISTANCE = 16 };

static uint32_t cost(const struct order *order)
{
    uint32_t sum = 0;
    for (unsigned k = 0; k < ITEMS_MOST; k++)
        sum += order->price[k] <= PRICE_MOST ? order->price[k] : 0;
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
