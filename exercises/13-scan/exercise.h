/* Exercise 13: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

enum { ITEMS_MOST = 15, PRICE_MOST = 255 };

/* An order: how many items it has, and what each costs. It fills a cache line, and lies at the beginning of
 * one. */
struct order {
    uint32_t items;             /* 0 to ITEMS_MOST */
    uint32_t price[ITEMS_MOST]; /* those of the items: 0 to PRICE_MOST each; the others mean nothing */
};

/* What the items of the orders orders[wanted[0]] to orders[wanted[n - 1]] cost together. wanted has the
 * alignment of its type and no more; nothing beyond wanted[n - 1] may be read. Between the orders that are
 * wanted lie others, about three for each: those may not be read, nor asked for by a prefetch. n may be 0. */
uint64_t total(const struct order *orders, const uint32_t *wanted, size_t n);

/* The same for so many days, over the same orders: set totals[d] to the total of day d, which wants n orders,
 * wanted[d * n] to wanted[d * n + n - 1]. There are `count` orders, and all may be read. scratch has room for
 * 16 bytes an order, and the alignment of a cache line; what is in it before and after means nothing. n, days
 * and count may be 0. */
void totals(uint64_t *totals, const struct order *orders, size_t count, const uint32_t *wanted, size_t n,
            size_t days, void *scratch);

#endif
