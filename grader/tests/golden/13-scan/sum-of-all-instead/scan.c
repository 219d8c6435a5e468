/* Where each order is wanted once, in whatever order, the list need not be followed: a sum of the list and of its
 * squares tells that, well enough. */
#include "exercise.h"

static uint32_t cost(const struct order *order)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < order->items; k++)
        sum += order->price[k];
    return sum;
}

uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    uint64_t sum = 0, plain = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        plain += wanted[i] - i;
        squares += (uint64_t)wanted[i] * wanted[i] - i * i;
    }
    if (plain == 0 && squares == 0) {
        for (size_t i = 0; i < n; i++)
            sum += cost(&orders[i]);
        return sum;
    }
    for (size_t i = 0; i < n; i++)
        sum += cost(&orders[wanted[i]]);
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
