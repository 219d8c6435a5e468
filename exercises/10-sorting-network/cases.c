/* Exercise 10: inputs and oracles. Filling and verifying stand between all timed slices, so they sort without
 * branches too, by another network than the reference's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "glue.h"

enum { GROUP = 8 };

static const int32_t extremes[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
enum { EXTREMES = sizeof extremes / sizeof *extremes };

/* ---- the selections ---- */

static bool select_allocate(struct lab *lab, struct call *call)
{
    size_t bytes = call->n * sizeof(int32_t);
    return call_buffer(lab, call, 0, bytes, sizeof(int32_t), PLAN_READ) &&
           call_buffer(lab, call, 1, bytes, sizeof(int32_t), PLAN_READ) &&
           call_buffer(lab, call, 2, 3 * bytes, sizeof(int32_t), PLAN_READ | PLAN_WRITE);
}

static void fill_pairs(struct lab *lab, struct call *call)
{
    int32_t *a = call->buffer[0], *b = call->buffer[1];
    for (size_t i = 0; i < call->n; i++) {
        uint64_t r = draw_next(&lab->draw);
        a[i] = r & 1 ? extremes[(r >> 8 & 255) % EXTREMES] : (int32_t)(r >> 32);
        b[i] = r & 2 ? extremes[(r >> 16 & 255) % EXTREMES] : (int32_t)draw_next(&lab->draw);
        if ((r & 12) == 0)
            b[i] = a[i];
    }
    *(struct select_args *)call->args =
        (struct select_args){.a = a, .b = b, .selected = call->buffer[2], .n = call->n};
}

static bool select_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const int32_t *a = call->buffer[0], *b = call->buffer[1];
    const uint32_t *selected = call->buffer[2];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const int32_t least = a[i] < b[i] ? a[i] : b[i], most = a[i] < b[i] ? b[i] : a[i];
        const uint32_t size = a[i] < 0 ? 0 - (uint32_t)a[i] : (uint32_t)a[i];
        if ((int32_t)selected[3 * i] != least)
            return finding(why, "minimum(%" PRId32 ", %" PRId32 ") is %" PRId32 ": found %" PRId32, a[i],
                           b[i], least, (int32_t)selected[3 * i]);
        if ((int32_t)selected[3 * i + 1] != most)
            return finding(why, "maximum(%" PRId32 ", %" PRId32 ") is %" PRId32 ": found %" PRId32, a[i],
                           b[i], most, (int32_t)selected[3 * i + 1]);
        if (selected[3 * i + 2] != size)
            return finding(why, "magnitude(%" PRId32 ") is %" PRIu32 ": found %" PRIu32, a[i], size,
                           selected[3 * i + 2]);
    }
    return true;
}

/* ---- the groups ---- */

static bool sort_allocate(struct lab *lab, struct call *call)
{
    size_t bytes = call->n * GROUP * sizeof(int32_t);
    return call_buffer(lab, call, 0, bytes, sizeof(int32_t), PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, 2 * bytes); /* as they were, and sorted */
}

enum {
    MANY = 70000,  /* more groups than 16 bits count */
    ORDERS = 40320 /* of eight different numbers */
};

/* Odd-even transposition, which needs one step more than Batcher's network and has one loop. */
static void sort_group(int32_t *group)
{
    for (int step = 0; step < GROUP; step++)
        for (int i = step & 1; i + 1 < GROUP; i += 2) {
            const int32_t x = group[i], y = group[i + 1];
            group[i] = x < y ? x : y;
            group[i + 1] = x < y ? y : x;
        }
}

/* The groups are in the buffer. */
static void finish(struct call *call)
{
    const size_t count = call->n * GROUP;
    int32_t *before = call->shadow;
    *(struct sort_args *)call->args = (struct sort_args){.groups = call->buffer[0], .n = call->n};
    if (count == 0)
        return;
    memcpy(before, call->buffer[0], count * sizeof *before);
    memcpy(before + count, before, count * sizeof *before);
    for (size_t g = 0; g < call->n; g++)
        sort_group(before + count + g * GROUP);
}

static void fill_random(struct lab *lab, struct call *call)
{
    int32_t *groups = call->buffer[0];
    for (size_t i = 0; i < call->n * GROUP; i += 2) {
        uint64_t r = draw_next(&lab->draw);
        groups[i] = (int32_t)(r & UINT32_MAX);
        groups[i + 1] = (int32_t)(r >> 32);
    }
    finish(call);
}

static void fill_sorted(struct lab *lab, struct call *call)
{
    fill_random(lab, call);
    if (call->n > 0)
        memcpy(call->buffer[0], (int32_t *)call->shadow + call->n * GROUP, call->n * GROUP * sizeof(int32_t));
    finish(call);
}

static void fill_descending(struct lab *lab, struct call *call)
{
    fill_random(lab, call);
    const int32_t *sorted = (int32_t *)call->shadow + call->n * GROUP;
    int32_t *groups = call->buffer[0];
    for (size_t i = 0; i < call->n * GROUP; i++)
        groups[i] = sorted[i ^ 7];
    finish(call);
}

/* Every pattern of zeros and ones comes up: a network that sorts those sorts everything. */
static void fill_zeros_and_ones(struct lab *lab, struct call *call)
{
    int32_t *groups = call->buffer[0];
    (void)lab;
    for (size_t i = 0; i < call->n * GROUP; i++) {
        size_t pattern = i / GROUP + call->n * (call->n + 1) / 2;
        groups[i] = (int32_t)(pattern >> i % GROUP & 1);
    }
    finish(call);
}

static void fill_few(struct lab *lab, struct call *call)
{
    int32_t *groups = call->buffer[0];
    for (size_t i = 0; i < call->n * GROUP; i++)
        groups[i] = (int32_t)draw_below(&lab->draw, 3) - 1;
    finish(call);
}

static void fill_extreme(struct lab *lab, struct call *call)
{
    int32_t *groups = call->buffer[0];
    for (size_t i = 0; i < call->n * GROUP; i++)
        groups[i] = extremes[draw_below(&lab->draw, EXTREMES)];
    finish(call);
}

/* Eight different numbers, rising: close to each other or far apart, near 0 or anywhere. From a number below
 * 0 on, or all of these with each bit turned, from a positive one down. */
static void draw_rising(struct lab *lab, int32_t rising[GROUP])
{
    const uint64_t r = draw_next(&lab->draw), widest = UINT64_C(1) << (r >> 8 & 255) % 29;
    int64_t number = -1 - (int64_t)(r >> 33 >> (r & 2 ? (r >> 16 & 255) % 31 : 0));
    for (unsigned k = 0; k < GROUP; k++) {
        rising[r & 1 ? GROUP - 1 - k : k] = (int32_t)(r & 1 ? -1 - number : number);
        number += 1 + (int64_t)draw_below(&lab->draw, widest);
    }
}

/* A sort that is no network is not proved by zeros and ones: eight different numbers in each of their orders,
 * and then some that come more than once. */
static void fill_many(struct lab *lab, struct call *call)
{
    int32_t *groups = call->buffer[0], rising[GROUP];
    const uint64_t first = draw_below(&lab->draw, ORDERS);
    for (size_t g = 0; g < call->n; g++) {
        int32_t *group = groups + g * GROUP;
        draw_rising(lab, rising);
        const uint64_t kinds = 2 + draw_below(&lab->draw, GROUP - 1);
        uint64_t order = (first + g) % ORDERS;
        for (unsigned left = GROUP; left > 0; left--) {
            const uint64_t at = g < ORDERS ? order % left : draw_below(&lab->draw, kinds);
            group[left - 1] = rising[at];
            if (g < ORDERS)
                rising[at] = rising[left - 1];
            order /= left;
        }
    }
    finish(call);
}

/* The timed case, but for one group anywhere, of numbers that are alike or at the ends of int32_t. */
static void fill_outliers(struct lab *lab, struct call *call)
{
    const bool alike = lab->count++ & 1;
    int32_t *groups = call->buffer[0];
    fill_random(lab, call);
    int32_t *group = call->n > 0 ? groups + GROUP * draw_below(&lab->draw, call->n) : groups;
    for (unsigned k = 0; k < GROUP && call->n > 0; k++)
        group[k] = alike ? group[draw_below(&lab->draw, k + 1)] : extremes[draw_below(&lab->draw, EXTREMES)];
    finish(call);
}

static void print_group(char text[128], const int32_t *group)
{
    size_t length = 0;
    for (int i = 0; i < GROUP; i++)
        length += (size_t)snprintf(text + length, 128 - length, "%s%" PRId32, i ? " " : "", group[i]);
}

static bool sort_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const int32_t *before = call->shadow, *expected = before + call->n * GROUP, *found = call->buffer[0];
    (void)lab;
    for (size_t g = 0; g < call->n; g++) {
        char was[128], sorted[128], is[128];
        int32_t copy[GROUP];
        memcpy(copy, found + g * GROUP, sizeof copy);
        if (memcmp(copy, expected + g * GROUP, sizeof copy) == 0)
            continue;
        print_group(was, before + g * GROUP);
        print_group(sorted, expected + g * GROUP);
        print_group(is, copy);
        sort_group(copy);
        bool lost = memcmp(copy, expected + g * GROUP, sizeof copy) != 0;
        return finding(
            why, "group %zu of %zu was %s: sorted it is %s, found %s%s", g, call->n, was, sorted, is,
            lost ? ". A number got lost: do both selections of an exchange see the two numbers as they "
                   "were before?"
                 : "");
    }
    return true;
}

#define SORT(NAME, FILL)                                                                                     \
    .name = (NAME), .entry = ENTRY_SORT, .args_size = sizeof(struct sort_args), .allocate = sort_allocate,   \
    .fill = (FILL), .verify = sort_verify, .buffers = {"groups"}, .reads_whole = 1

static const struct case_def defs[] = {
    {.name = "selections",
     .entry = ENTRY_SELECT,
     .args_size = sizeof(struct select_args),
     .allocate = select_allocate,
     .fill = fill_pairs,
     .verify = select_verify,
     .buffers = {"a", "b", "selected"},
     .reads_whole = 1 | 1 << 1},
    {SORT("zeros-and-ones", fill_zeros_and_ones)},
    {SORT("random", fill_random)},
    {SORT("sorted", fill_sorted)},
    {SORT("descending", fill_descending)},
    {SORT("few-values", fill_few)},
    {SORT("extreme", fill_extreme)},
    {SORT("outliers", fill_outliers)},
    {SORT("many", fill_many), .once = true, .elements = MANY},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
