/* Notes how often each order is wanted, and then goes through all that lie in memory, wanted or not: the
 * hardware's prefetcher follows that. */
#include "exercise.h"

enum { MOST = 1 << 17 };

static uint32_t cost(const struct order *order)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < order->items; k++)
        sum += order->price[k];
    return sum;
}

uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    uint16_t times[MOST];
    uint32_t last = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        last = wanted[i] > last ? wanted[i] : last;
    for (size_t i = 0; i <= last; i++)
        times[i] = 0;
    for (size_t i = 0; i < n; i++)
        times[wanted[i]]++;
    for (size_t i = 0; n > 0 && i <= last; i++)
        sum += (uint64_t)times[i] * cost(&orders[i]);
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
