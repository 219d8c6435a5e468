/* Exercise 13: inputs and oracles. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"

enum { ORDERS, WANTED, TOTALS_AT, SCRATCH }; /* buffers */

enum {
    LINE = 64,
    DAYS = 16, /* where it is timed */
    MANY_DAYS = 300,
    SHORT = 5000, /* a call that may have so many */
    PACKED = 16,
    PLACES = 4, /* orders in memory for each that is wanted */
    FEW = 3,    /* that are wanted again and again */
};

/* What the order costs. No branch depends on its items, for speed. */
static uint32_t draw_order(struct lab *lab, struct order *order, uint32_t least, uint32_t most)
{
    uint64_t r = draw_next(&lab->draw);
    const uint32_t items = least + (uint32_t)((r >> 32) * (most - least + 1) >> 32);
    const uint32_t wild = 0U - (uint32_t)(r & 1); /* far too large, or as those of other orders are */
    uint32_t sum = 0;
    order->items = items;
    for (unsigned k = 0; k < ITEMS_MOST; k++) {
        if (k % 8 == 0)
            r = draw_next(&lab->draw);
        const uint32_t price = (uint32_t)(r >> k % 8 * 8) & PRICE_MOST, unused = 0U - (k >= items);
        order->price[k] = price ^ (unused & wild); /* where it means nothing */
        sum += price & ~unused;
    }
    return sum;
}

/* And what each costs: a line holds sixteen of these, and one order. */
static void fill_orders(struct lab *lab, struct order *orders, uint32_t *costs, size_t count, uint32_t least,
                        uint32_t most)
{
    for (size_t i = 0; i < count; i++)
        costs[i] = draw_order(lab, &orders[i], least, most);
}

static void shuffle(struct lab *lab, uint32_t *wanted, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t at = draw_below(&lab->draw, i);
        const uint32_t last = wanted[i - 1];
        wanted[i - 1] = wanted[at];
        wanted[at] = last;
    }
}

/* ---- one day ---- */

/* Of n elements: so many orders, each wanted once, and some of them once more. Among them lie three times as
 * many that nobody wants, so that the list has to be followed: who reads what lies in memory, in its order,
 * moves four times as much as is wanted. (With as many it was still fast enough natively.) */
static size_t wanted_of(const struct call *call)
{
    return call->n - call->n / 16;
}

static size_t places_of(const struct call *call)
{
    return PLACES * wanted_of(call);
}

struct total_expected {
    uint64_t total, of_all;
    uint32_t costs[]; /* of all places, and then for each whether it is wanted */
};

static bool *is_wanted(const struct call *call)
{
    return (bool *)(((struct total_expected *)call->shadow)->costs + places_of(call));
}

static bool total_allocate(struct lab *lab, struct call *call)
{
    const size_t places = places_of(call);
    return call_buffer(lab, call, ORDERS, places * sizeof(struct order), LINE, PLAN_READ) &&
           call_buffer(lab, call, WANTED, call->n * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ) &&
           call_shadow(call, sizeof(struct total_expected) + places * (sizeof(uint32_t) + sizeof(bool)));
}

/* An order is a line. */
static bool total_needs(const struct call *call, unsigned buffer, size_t line)
{
    return buffer != ORDERS || is_wanted(call)[line];
}

static void fill_total(struct lab *lab, struct call *call, uint32_t least, uint32_t most)
{
    const size_t places = places_of(call);
    struct order *orders = call->buffer[ORDERS];
    struct total_expected *expected = call->shadow;
    fill_orders(lab, orders, expected->costs, places, least, most);
    expected->of_all = 0;
    for (size_t i = 0; i < places; i++)
        expected->of_all += expected->costs[i];
    *(struct total_args *)call->args =
        (struct total_args){.orders = orders, .wanted = call->buffer[WANTED], .n = call->n};
}

static void want(const struct call *call, size_t i, uint32_t order)
{
    struct total_expected *expected = call->shadow;
    ((uint32_t *)call->buffer[WANTED])[i] = order;
    is_wanted(call)[order] = true;
    expected->total += expected->costs[order];
}

static void want_none(const struct call *call)
{
    ((struct total_expected *)call->shadow)->total = 0;
    memset(is_wanted(call), 0, places_of(call) * sizeof(bool));
}

/* Orders that are drawn, each of them, and more of the same, in any order. */
static void want_drawn(struct lab *lab, struct call *call)
{
    const uint32_t *wanted = call->buffer[WANTED];
    const size_t many = wanted_of(call), places = places_of(call);
    size_t count = 0;
    want_none(call);
    for (uint32_t i = 0; count < many; i++)
        if (draw_below(&lab->draw, places - i) < many - count)
            want(call, count++, i);
    for (; count < call->n; count++)
        want(call, count, wanted[draw_below(&lab->draw, many)]);
    shuffle(lab, call->buffer[WANTED], call->n);
}

static void fill_any(struct lab *lab, struct call *call)
{
    fill_total(lab, call, 0, ITEMS_MOST);
    want_drawn(lab, call);
}

static void fill_empty(struct lab *lab, struct call *call)
{
    fill_total(lab, call, 0, 0);
    want_drawn(lab, call);
}

static void fill_full(struct lab *lab, struct call *call)
{
    fill_total(lab, call, ITEMS_MOST, ITEMS_MOST);
    want_drawn(lab, call);
}

/* The same few orders again and again. */
static void fill_repeats(struct lab *lab, struct call *call)
{
    uint32_t few[FEW] = {0};
    fill_total(lab, call, 0, ITEMS_MOST);
    for (unsigned k = 0; call->n > 0 && k < FEW; k++)
        few[k] = (uint32_t)draw_below(&lab->draw, places_of(call));
    want_none(call);
    for (size_t i = 0; i < call->n; i++)
        want(call, i, few[draw_below(&lab->draw, FEW)]);
}

static bool total_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct total_expected *expected = call->shadow;
    const uint64_t found = *(const uint64_t *)call->result;
    (void)lab;
    return found == expected->total ||
           finding(why, "total: expected %" PRIu64 ", found %" PRIu64 "%s", expected->total, found,
                   found == 0                  ? ": not done yet?"
                   : found == expected->of_all ? ". So much it is with the orders that are not wanted"
                                               : "");
}

/* ---- many days ---- */

/* Of n elements: about n orders are wanted in all. */
struct days {
    size_t count, n, days;
};

static struct days days_of(const struct lab *lab, const struct call *call)
{
    if (lab->timed)
        return (struct days){.count = call->n / 4, .n = call->n / DAYS, .days = DAYS};
    if (call->n % 8 == 7 && call->n < SHORT) { /* more days than where it is timed, and no two alike */
        const size_t days = 1 + DAYS + call->n % MANY_DAYS;
        return (struct days){.count = MANY_DAYS + call->n, .n = 2 + call->n / days, .days = days};
    }
    const size_t days = 1 + call->n % 5;
    return (struct days){.count = call->n ? 1 + call->n / 2 : 0, .n = call->n / days, .days = days};
}

static bool totals_allocate(struct lab *lab, struct call *call)
{
    const struct days of = days_of(lab, call);
    return call_buffer(lab, call, ORDERS, of.count * sizeof(struct order), LINE, PLAN_READ) &&
           call_buffer(lab, call, WANTED, of.n * of.days * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ) &&
           call_buffer(lab, call, TOTALS_AT, of.days * sizeof(uint64_t), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, SCRATCH, of.count * PACKED, LINE, PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, 2 * of.days * sizeof(uint64_t) + of.count * sizeof(uint32_t));
}

static void fill_days(struct lab *lab, struct call *call)
{
    const struct days of = days_of(lab, call);
    struct order *orders = call->buffer[ORDERS];
    uint32_t *wanted = call->buffer[WANTED];
    uint64_t *given = call->buffer[TOTALS_AT], *expected = call->shadow;
    uint32_t *costs = (uint32_t *)(expected + 2 * of.days);
    fill_orders(lab, orders, costs, of.count, 0, ITEMS_MOST);
    for (size_t d = 0; d < of.days; d++) {
        expected[d] = 0;
        given[d] = expected[of.days + d] = draw_next(&lab->draw);
        for (size_t i = 0; i < of.n; i++) {
            wanted[d * of.n + i] = (uint32_t)draw_below(&lab->draw, of.count);
            expected[d] += costs[wanted[d * of.n + i]];
        }
    }
    *(struct totals_args *)call->args = (struct totals_args){.totals = given,
                                                             .orders = orders,
                                                             .wanted = wanted,
                                                             .scratch = call->buffer[SCRATCH],
                                                             .count = of.count,
                                                             .n = of.n,
                                                             .days = of.days};
}

static void fill_no_days(struct lab *lab, struct call *call)
{
    fill_days(lab, call);
    ((struct totals_args *)call->args)->days = 0;
    memcpy(call->shadow, call->buffer[TOTALS_AT], days_of(lab, call).days * sizeof(uint64_t));
}

/* What a day comes to if 15 items of each order count. */
static uint64_t with_all_items(const struct order *orders, const uint32_t *wanted, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t cost = 0; /* as students keep it */
        for (unsigned k = 0; k < ITEMS_MOST; k++)
            cost += orders[wanted[i]].price[k];
        sum += cost;
    }
    return sum;
}

static uint64_t with_costs_of_8_bits(const uint32_t *costs, const uint32_t *wanted, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += costs[wanted[i]] & 255;
    return sum;
}

/* The first day that comes to so much; `days`: none does. */
static size_t day_of(const uint64_t *expected, size_t days, uint64_t sum)
{
    size_t day = 0;
    while (day < days && expected[day] != sum)
        day++;
    return day;
}

static bool totals_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct days of = days_of(lab, call);
    const uint64_t *expected = call->shadow, *given = expected + of.days, *found = call->buffer[TOTALS_AT];
    const uint32_t *costs = (const uint32_t *)(given + of.days);
    for (size_t d = 0; d < of.days; d++) {
        const uint64_t sum = found[d];
        const uint32_t *wanted = (const uint32_t *)call->buffer[WANTED] + d * of.n;
        if (sum != expected[d]) {
            const size_t other = day_of(expected, of.days, sum);
            char of_day[64] = "";
            if (other < of.days && sum > 0)
                snprintf(of_day, sizeof of_day, ". That is the total of day %zu", other);
            return finding(why,
                           "totals of %zu days with %zu orders each: that of day %zu is %" PRIu64
                           ", found %" PRIu64 "%s",
                           of.days, of.n, d, expected[d], sum,
                           other == 0        ? of_day
                           : sum == given[d] ? ", which was there before"
                           : sum == given[d] + expected[d]
                               ? ": what was there before, and the total added to it"
                           : sum == with_all_items(call->buffer[ORDERS], wanted, of.n)
                               ? ". So much it is with the prices behind an order's items"
                           : sum == with_costs_of_8_bits(costs, wanted, of.n)
                               ? ". So much it is if only 8 bits of each order's cost are kept"
                               : of_day);
        }
    }
    return true;
}

/* ---- so many orders that neither a number of 16 bits counts them nor four of 32 bits hold their total ----
 *
 * (Natively. A model core, on which each instruction counts, has too many orders for 16 bits.) */

enum {
    MANY_PLACES = 70000,
    MANY = 4800000,
    MANY_MODELLED = 80000,
    NEAR = 256, /* orders that most of them are among, so that it takes no longer; and */
    FAR = 16,   /* one in so many lies anywhere */
};

struct many_expected {
    uint64_t total;
    uint32_t costs[MANY_PLACES];
};

static size_t many_of(const struct lab *lab)
{
    return lab->modelled ? MANY_MODELLED : MANY;
}

static bool many_allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, ORDERS, MANY_PLACES * sizeof(struct order), LINE, PLAN_READ) &&
           call_buffer(lab, call, WANTED, many_of(lab) * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ) &&
           call_shadow(call, sizeof(struct many_expected));
}

static bool many_totals_allocate(struct lab *lab, struct call *call)
{
    return many_allocate(lab, call) &&
           call_buffer(lab, call, TOTALS_AT, sizeof(uint64_t), sizeof(uint64_t), PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, SCRATCH, MANY_PLACES * PACKED, LINE, PLAN_READ | PLAN_WRITE);
}

/* Nearly as dear as orders can be, or else short. */
static void draw_many(struct lab *lab, struct call *call)
{
    struct order *orders = call->buffer[ORDERS];
    uint32_t *wanted = call->buffer[WANTED];
    struct many_expected *expected = call->shadow;
    const uint32_t near = (uint32_t)draw_below(&lab->draw, MANY_PLACES - NEAR);
    uint64_t r = 0;
    fill_orders(lab, orders, expected->costs, MANY_PLACES, lab->modelled ? 0 : ITEMS_MOST - 1,
                lab->modelled ? 2 : ITEMS_MOST);
    for (size_t i = 0; !lab->modelled && i < MANY_PLACES; i++) {
        for (unsigned k = 0; k < orders[i].items; k++)
            orders[i].price[k] = PRICE_MOST;
        expected->costs[i] = orders[i].items * PRICE_MOST;
    }
    expected->total = 0;
    for (size_t i = 0; i < many_of(lab); i++) {
        r = i % 4 == 0 ? draw_next(&lab->draw) : r >> 16;
        wanted[i] = i % FAR == 0 ? (uint32_t)((r & UINT16_MAX) * MANY_PLACES >> 16) : near + r % NEAR;
        expected->total += expected->costs[wanted[i]];
    }
}

static void fill_many(struct lab *lab, struct call *call)
{
    draw_many(lab, call);
    *(struct total_args *)call->args = (struct total_args){
        .orders = call->buffer[ORDERS], .wanted = call->buffer[WANTED], .n = many_of(lab)};
}

static void fill_many_totals(struct lab *lab, struct call *call)
{
    draw_many(lab, call);
    *(struct totals_args *)call->args = (struct totals_args){.totals = call->buffer[TOTALS_AT],
                                                             .orders = call->buffer[ORDERS],
                                                             .wanted = call->buffer[WANTED],
                                                             .scratch = call->buffer[SCRATCH],
                                                             .count = MANY_PLACES,
                                                             .n = many_of(lab),
                                                             .days = 1};
}

static bool many_is(const struct lab *lab, const struct call *call, uint64_t found, struct finding *why)
{
    const uint64_t expected = ((const struct many_expected *)call->shadow)->total;
    return found == expected ||
           finding(why, "the total of %zu orders, of %d in memory: expected %" PRIu64 ", found %" PRIu64 "%s",
                   many_of(lab), MANY_PLACES, expected, found,
                   found == (uint32_t)expected ? ". So much is left of it in 32 bits"
                   : (uint32_t)found == (uint32_t)expected
                       ? ". So much is left of it in 32 bits, in several sums of so many"
                       : "");
}

static bool many_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    return many_is(lab, call, *(const uint64_t *)call->result, why);
}

static bool many_totals_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    return many_is(lab, call, *(const uint64_t *)call->buffer[TOTALS_AT], why);
}

#define TOTAL(NAME, FILL)                                                                                    \
    .name = (NAME), .entry = ENTRY_TOTAL, .args_size = sizeof(struct total_args),                            \
    .result_size = sizeof(uint64_t), .allocate = total_allocate, .fill = (FILL), .verify = total_verify,     \
    .buffers = {"orders", "wanted"}

#define TOTALS(NAME, FILL)                                                                                   \
    .name = (NAME), .entry = ENTRY_TOTALS, .args_size = sizeof(struct totals_args),                          \
    .allocate = totals_allocate, .fill = (FILL), .verify = totals_verify,                                    \
    .buffers = {"orders", "wanted", "totals", "scratch"}

static const struct case_def defs[] = {
    {TOTAL("any", fill_any), .reads_whole = 1 << ORDERS | 1 << WANTED, .needs_line = total_needs,
     .flushed = 1 << ORDERS, .waits_for_memory = true},
    {TOTAL("empty", fill_empty), .reads_whole = 1 << WANTED},
    {TOTAL("full", fill_full), .reads_whole = 1 << WANTED},
    {TOTAL("repeats", fill_repeats), .reads_whole = 1 << WANTED},
    {.name = "many",
     .entry = ENTRY_TOTAL,
     .args_size = sizeof(struct total_args),
     .result_size = sizeof(uint64_t),
     .once = true,
     .allocate = many_allocate,
     .fill = fill_many,
     .verify = many_verify,
     .buffers = {"orders", "wanted"}},
    {.name = "many-totals",
     .entry = ENTRY_TOTALS,
     .args_size = sizeof(struct totals_args),
     .once = true,
     .allocate = many_totals_allocate,
     .fill = fill_many_totals,
     .verify = many_totals_verify,
     .buffers = {"orders", "wanted", "totals", "scratch"}},
    {TOTALS("days", fill_days), .reads_whole = 1 << WANTED, .flushed = 1 << ORDERS},
    {TOTALS("no-days", fill_no_days)},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
