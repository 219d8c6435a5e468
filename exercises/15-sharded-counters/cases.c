/* Exercise 15: inputs and oracle. */
#include <inttypes.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"

enum { LINE = 64, SHARED = 2, TOTALS = 3 };

/* So many events of one kind, nearly: more than 32 numbers of 16 bits count together, and more than one of
 * 21, of which a word has three; and where every instruction is looked at, in one of the threads, more than
 * four of 16 bits do. */
enum { MANY = 2200001, MANY_MODELLED = 270001, FEWER = 16 };

/* What the oracle keeps. */
struct expected {
    uint64_t of[THREADS][KINDS]; /* events */
    uint64_t before[KINDS];      /* in totals */
};

static uint64_t total(const struct expected *expected, unsigned kind)
{
    return expected->of[0][kind] + expected->of[1][kind];
}

static bool allocate(struct lab *lab, struct call *call)
{
    for (unsigned thread = 0; thread < THREADS; thread++)
        if (!call_buffer(lab, call, thread, call->n, 1,
                         PLAN_READ | (thread == 0 ? PLAN_ONLY_0 : PLAN_ONLY_1)))
            return false;
    return call_buffer(lab, call, SHARED, SHARED_WORDS * sizeof(uint64_t), LINE, PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, TOTALS, KINDS * sizeof(uint64_t), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, sizeof(struct expected));
}

/* n events, of kinds with a bit in `kinds`, one at least. */
static void draw_events(struct lab *lab, uint8_t *events, size_t n, unsigned kinds, uint64_t counts[KINDS])
{
    uint8_t among[KINDS] = {0};
    uint64_t many = 0, r = 0;
    for (unsigned k = 0; k < KINDS; k++)
        if (kinds >> k & 1)
            among[many++] = (uint8_t)k;
    for (size_t i = 0; i < n; i++) {
        r = i % 4 == 0 ? draw_next(&lab->draw) : r >> 16;
        events[i] = among[(r & UINT16_MAX) * many >> 16];
        counts[events[i]]++;
    }
}

static void fill(struct lab *lab, struct call *call, const size_t n[THREADS], const unsigned kinds[THREADS])
{
    struct expected *expected = call->shadow;
    uint64_t *totals = call->buffer[TOTALS];
    struct count_args *args = call->args;
    *expected = (struct expected){0};
    *args = (struct count_args){.shared = call->buffer[SHARED], .totals = totals};
    for (unsigned thread = 0; thread < THREADS; thread++) {
        draw_events(lab, call->buffer[thread], n[thread], kinds[thread], expected->of[thread]);
        args->events[thread] = call->buffer[thread];
        args->n[thread] = n[thread];
    }
    for (unsigned k = 0; k < KINDS; k++)
        totals[k] = expected->before[k] = draw_next(&lab->draw);
}

static const unsigned all_kinds[THREADS] = {UINT8_MAX, UINT8_MAX};

static void fill_all_kinds(struct lab *lab, struct call *call)
{
    fill(lab, call, (const size_t[THREADS]){call->n, call->n}, all_kinds);
}

/* Of another kind, one in so many, from a place on that is drawn. */
static void mix_in(struct lab *lab, uint8_t *events, size_t n, uint64_t counts[KINDS])
{
    enum { SELDOM = 64 };
    for (size_t i = draw_below(&lab->draw, SELDOM); i < n; i += SELDOM) {
        counts[events[i]]--;
        events[i] = (uint8_t)draw_below(&lab->draw, KINDS);
        counts[events[i]]++;
    }
}

/* Both threads have events of one kind only, the same. */
static void fill_one_kind(struct lab *lab, struct call *call)
{
    const unsigned kind = 1U << draw_below(&lab->draw, KINDS);
    fill(lab, call, (const size_t[THREADS]){call->n, call->n}, (const unsigned[THREADS]){kind, kind});
}

static bool many_allocate(struct lab *lab, struct call *call)
{
    if (lab->modelled)
        call->n = MANY_MODELLED;
    return allocate(lab, call);
}

/* More events of one kind than 16 bits count, even where a thread has several tables that take turns; and now
 * and then another one. */
static void fill_many(struct lab *lab, struct call *call)
{
    struct expected *expected = call->shadow;
    const unsigned kind = 1U << draw_below(&lab->draw, KINDS);
    size_t n[THREADS] = {call->n, call->n};
    if (lab->modelled)
        n[draw_below(&lab->draw, THREADS)] /= FEWER;
    fill(lab, call, n, (const unsigned[THREADS]){kind, kind});
    for (unsigned thread = 0; thread < THREADS; thread++)
        mix_in(lab, call->buffer[thread], n[thread], expected->of[thread]);
}

/* One thread has fewer events, or none: either of them. */
static void fill_one_sided(struct lab *lab, struct call *call)
{
    size_t n[THREADS] = {call->n, call->n};
    n[draw_below(&lab->draw, THREADS)] = draw_below(&lab->draw, call->n / 2 + 1);
    fill(lab, call, n, all_kinds);
}

/* Are these the events of one thread alone? */
static bool is_of_one(const struct expected *expected, const uint64_t *totals, unsigned thread)
{
    bool same = true;
    for (unsigned k = 0; k < KINDS; k++)
        same = same && totals[k] == expected->of[thread][k];
    return same;
}

/* What the wrong number is, where that is to be seen. */
static const char *meaning(const struct expected *expected, const uint64_t *totals, unsigned kind)
{
    const uint64_t sum = total(expected, kind), found = totals[kind];
    if (found == expected->before[kind])
        return ", which stood in totals before";
    if (found == expected->before[kind] + sum)
        return ": what stood in totals before, and the total added to it";
    if (is_of_one(expected, totals, 0))
        return ". All totals are those of thread 0 alone";
    if (is_of_one(expected, totals, 1))
        return ". All totals are those of thread 1 alone";
    if (found < sum && (sum - found) % (UINT16_MAX + 1) == 0)
        return ": events are missing, a multiple of 65,536. A counter of 16 bits, or of some more, goes on "
               "at 0 there";
    return found == 2 * sum && sum > 0 ? ": each is counted twice"
           : found < sum               ? ": events are missing, lost or counted where add_up does not look"
                                       : ": what else is counted in the same place?";
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct expected *expected = call->shadow;
    const uint64_t *totals = call->buffer[TOTALS];
    (void)lab;
    for (unsigned k = 0; k < KINDS; k++) {
        const uint64_t found = totals[k], sum = total(expected, k);
        if (found != sum)
            return finding(why,
                           "kind %u: the threads had %" PRIu64 " and %" PRIu64 " events, in all %" PRIu64
                           ", found %" PRIu64 "%s",
                           k, expected->of[0][k], expected->of[1][k], sum, found,
                           meaning(expected, totals, k));
    }
    return true;
}

#define CASE(NAME, ALLOCATE, FILL)                                                                           \
    .name = (NAME), .entry = ENTRY_FIRST, .parts = THREADS, .args_size = sizeof(struct count_args),          \
    .allocate = (ALLOCATE), .zeroed = 1 << SHARED, .fill = (FILL), .verify = verify,                         \
    .buffers = {"events of thread 0", "events of thread 1", "shared", "totals"}

static const struct case_def defs[] = {
    {CASE("all-kinds", allocate, fill_all_kinds), .reads_whole = 1 | 1 << 1},
    {CASE("one-kind", allocate, fill_one_kind), .reads_whole = 1 | 1 << 1},
    {CASE("one-sided", allocate, fill_one_sided)},
    {CASE("many", many_allocate, fill_many), .once = true, .elements = MANY},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
