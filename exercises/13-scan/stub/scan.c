/* Exercise 13: scan. Correct, and each order is asked for when it is needed. */
#include "exercise.h"

uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const struct order *order = &orders[wanted[i]];
        for (uint32_t k = 0; k < order->items; k++)
            sum += order->price[k];
    }
    return sum;
}

void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
            size_t days, void *scratch)
{
    (void)count;
    (void)scratch;
    for (size_t d = 0; d < days; d++)
        totals[d] = total(orders, wanted + d * n, n);
}
