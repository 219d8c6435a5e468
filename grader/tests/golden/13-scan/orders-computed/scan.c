/* Reads one order. Were eight of its prices a number of SplitMix64, that would tell the generator's state,
 * and so what every other order costs. */
#include "exercise.h"

static const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t state_behind(uint64_t z)
{
    z = (z ^ z >> 31 ^ z >> 62) * UINT64_C(0x319642b2d24d8ec3);
    z = (z ^ z >> 27 ^ z >> 54) * UINT64_C(0x96de1b173f119089);
    return z ^ z >> 30 ^ z >> 60;
}

static uint64_t number(uint64_t state)
{
    state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb);
    return state ^ state >> 31;
}

/* The state at the first number of the first order. */
static uint64_t beginning(const struct order *orders, uint32_t index)
{
    uint64_t prices = 0;
    for (unsigned k = 0; k < 8; k++)
        prices |= (uint64_t)(orders[index].price[k] ^ (0U - (k >= orders[index].items))) << k * 8;
    return state_behind(prices) - (3 * (uint64_t)index + 1) * step;
}

static uint64_t cost(uint64_t from, uint32_t index)
{
    const uint64_t state = from + 3 * (uint64_t)index * step;
    const uint32_t items = (uint32_t)((number(state) >> 32) * (ITEMS_MOST + 1) >> 32);
    const uint64_t prices[] = {number(state + step), number(state + 2 * step)};
    uint64_t sum = 0;
    for (uint32_t k = 0; k < items; k++)
        sum += prices[k / 8] >> k % 8 * 8 & PRICE_MOST;
    return sum;
}

uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n)
{
    const uint64_t from = n > 0 ? beginning(orders, wanted[0]) : 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += cost(from, wanted[i]);
    return sum;
}

void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
            size_t days, void *scratch)
{
    const uint64_t from = count > 0 ? beginning(orders, 0) : 0;
    (void)scratch;
    for (size_t d = 0; d < days; d++) {
        totals[d] = 0;
        for (size_t i = 0; i < n; i++)
            totals[d] += cost(from, wanted[d * n + i]);
    }
}
