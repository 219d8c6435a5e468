/* Exercise 3: inputs and oracle. Filling and verifying cost about a nanosecond an element, because they stand
 * between all timed slices. */
#include <string.h>
#include "grader/exercise/cases.h"
#include "glue.h"

/* Values lie in [-SPAN, SPAN); a third of them is below LOW, a third above HIGH. */
#define SPAN (1 << 20)
#define HIGH (SPAN / 3)
#define LOW  (-HIGH)

static const int32_t extremes[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
enum { EXTREMES = sizeof extremes / sizeof *extremes, MANY = 70001 /* more than 16 bits count */ };

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(int32_t), sizeof(int32_t), PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, call->n * sizeof(int32_t));
}

/* Of `anywhere`: long arrays are of any length, one after the other from 64 to 127, to 255 and so on; also
 * where they are rehearsed as if they were timed. */
enum { SHORT = 64, OCTAVES = 11, OCTAVES_MODELLED = 9 };

static bool allocate_anywhere(struct lab *lab, struct call *call)
{
    if (call->n >= SHORT) {
        const uint64_t octaves = lab->modelled ? OCTAVES_MODELLED : OCTAVES,
                       octave = lab->timed ? draw_below(&lab->draw, octaves) : lab->count++ % octaves,
                       least = (uint64_t)SHORT << octave;
        call->n = least + draw_below(&lab->draw, least);
    }
    return allocate(lab, call);
}

/* The contents are in the buffer: write the argument block, and keep what the oracle needs. */
static void finish(struct call *call, int32_t lo, int32_t hi)
{
    struct clamp_args *args = call->args;
    *args = (struct clamp_args){.values = call->buffer[0], .n = call->n, .lo = lo, .hi = hi};
    if (call->n > 0)
        memcpy(call->shadow, call->buffer[0], call->n * sizeof(int32_t));
}

/* Uniform in [from, from + 2^bits); two values come from one random number. */
static void scatter(struct lab *lab, struct call *call, int32_t from, unsigned bits)
{
    int32_t *values = call->buffer[0];
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    size_t i = 0;
    for (; i + 2 <= call->n; i += 2) {
        uint64_t r = draw_next(&lab->draw);
        values[i] = from + (int32_t)(r & mask);
        values[i + 1] = from + (int32_t)(r >> 32 & mask);
    }
    if (i < call->n)
        values[i] = from + (int32_t)(draw_next(&lab->draw) & mask);
}

static void fill_random(struct lab *lab, struct call *call)
{
    scatter(lab, call, -SPAN, 21);
    finish(call, LOW, HIGH);
}

/* From about -SPAN to about SPAN in random steps. Heights are in 2^-32ths, so that any n has its ramp; two
 * steps come from one random number. */
static void ramp(struct lab *lab, struct call *call)
{
    const uint64_t longest = call->n > 0 ? (UINT64_C(4) * SPAN << 32) / call->n : 0; /* twice the mean step */
    const uint64_t scale = longest >> 32, rest = (longest & UINT32_MAX) / 2;
    const size_t n = call->n;
    int32_t *values = call->buffer[0];
    uint64_t height = 0;
    for (size_t i = 0; i < n; i += 2) {
        uint64_t r = draw_next(&lab->draw);
        uint64_t first = height + (r >> 32) * scale + rest;
        height = first + (r & UINT32_MAX) * scale + rest;
        values[i] = (int32_t)(first >> 32) - SPAN;
        if (i + 1 < n)
            values[i + 1] = (int32_t)(height >> 32) - SPAN;
    }
}

static void fill_sorted(struct lab *lab, struct call *call)
{
    ramp(lab, call);
    finish(call, LOW, HIGH);
}

static void fill_descending(struct lab *lab, struct call *call)
{
    int32_t *values = call->buffer[0];
    ramp(lab, call);
    for (size_t i = 0; i < call->n / 2; i++) {
        int32_t low = values[i];
        values[i] = values[call->n - 1 - i];
        values[call->n - 1 - i] = low;
    }
    finish(call, LOW, HIGH);
}

/* Values and bounds at the ends of int32_t and around 0. */
static void fill_extreme(struct lab *lab, struct call *call)
{
    int32_t *values = call->buffer[0];
    int32_t x = extremes[draw_below(&lab->draw, EXTREMES)], y = extremes[draw_below(&lab->draw, EXTREMES)];
    for (size_t i = 0; i < call->n; i++)
        values[i] = extremes[draw_below(&lab->draw, EXTREMES)];
    finish(call, x < y ? x : y, x < y ? y : x);
}

/* The timed cases, but for one value at an end of int32_t, anywhere: who takes the first ones for all, or
 * looks at some of them, is wrong. */
static void fill_outliers(struct lab *lab, struct call *call)
{
    int32_t *values = call->buffer[0];
    const uint64_t kind = lab->count++;
    if (kind & 1)
        scatter(lab, call, -SPAN, 21);
    else
        ramp(lab, call);
    const int32_t inside = (int32_t)draw_below(&lab->draw, 2);
    if (call->n > 0)
        values[draw_below(&lab->draw, call->n)] = kind & 2 ? INT32_MIN + inside : INT32_MAX - inside;
    finish(call, LOW, HIGH);
}

/* Limits anywhere, far from each other or near; values about one of them, about another number, or anywhere.
 */
static void fill_anywhere(struct lab *lab, struct call *call)
{
    enum { BITS = 32 };
    int32_t *values = call->buffer[0];
    const int64_t one = (int32_t)draw_next(&lab->draw),
                  apart = (int64_t)draw_below(&lab->draw, UINT64_C(1) << draw_below(&lab->draw, BITS + 1)),
                  lo = one + apart > INT32_MAX ? one - apart : one,
                  hi = one + apart > INT32_MAX ? one : one + apart;
    const int32_t from[] = {lo < INT32_MIN ? INT32_MIN : (int32_t)lo, (int32_t)hi,
                            (int32_t)draw_next(&lab->draw)};
    const unsigned shift = (unsigned)draw_below(&lab->draw, BITS);
    for (size_t i = 0; i < call->n; i++) {
        const uint64_t r = draw_next(&lab->draw), which = r & 3;
        const uint32_t any = (uint32_t)(r >> 32), off = any >> shift;
        values[i] = (int32_t)(which == 3 ? any : (uint32_t)from[which] + (r & 4 ? off : 0 - off));
    }
    finish(call, from[0], from[1]);
}

/* lo == hi: every element becomes the same. */
static void fill_point(struct lab *lab, struct call *call)
{
    int32_t at = (int32_t)draw_below(&lab->draw, 9) - 4;
    scatter(lab, call, -8, 4);
    finish(call, at, at);
}

static void fill_inside(struct lab *lab, struct call *call)
{
    scatter(lab, call, -SPAN / 2, 20);
    finish(call, -SPAN / 2, SPAN / 2 - 1);
}

static void fill_above(struct lab *lab, struct call *call)
{
    scatter(lab, call, SPAN, 20);
    finish(call, LOW, HIGH);
}

static void fill_below(struct lab *lab, struct call *call)
{
    scatter(lab, call, -2 * SPAN, 20);
    finish(call, LOW, HIGH);
}

/* lo and hi themselves, and what is next to them. Not in exercise.yml, so `make check` does not ask it: a
 * course may (docs/course.md). */
static void fill_edges(struct lab *lab, struct call *call)
{
    int32_t *values = call->buffer[0];
    for (size_t i = 0; i < call->n; i++)
        values[i] = (draw_below(&lab->draw, 2) ? LOW : HIGH) + (int32_t)draw_below(&lab->draw, 5) - 2;
    finish(call, LOW, HIGH);
}

static int32_t clamped(int32_t value, int32_t lo, int32_t hi)
{
    int32_t v = value < lo ? lo : value;
    return v > hi ? hi : v;
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct clamp_args *args = call->args; /* read-only for the machine */
    const int32_t *before = call->shadow, *after = call->buffer[0];
    const int32_t lo = args->lo, hi = args->hi;
    (void)lab;
    int32_t differs = 0;
    for (size_t i = 0; i < call->n; i++)
        differs |= after[i] ^ clamped(before[i], lo, hi);
    if (!differs)
        return true;
    for (size_t i = 0; i < call->n; i++) {
        int32_t want = clamped(before[i], lo, hi);
        if (after[i] != want)
            return finding(why, "values[%zu] of %zu was %d, lo = %d, hi = %d: expected %d, found %d%s", i,
                           call->n, before[i], lo, hi, want, after[i],
                           after[i] == before[i]                                     ? ", as it was"
                           : want != before[i] && after[i] == (want == hi ? lo : hi) ? ", the other limit"
                                                                                     : "");
    }
    return finding(why, "the values changed while they were looked at");
}

#define CASE(NAME, FILL) CASE_OF(NAME, allocate, FILL)
#define CASE_OF(NAME, ALLOCATE, FILL)                                                                        \
    .name = (NAME), .entry = ENTRY_CLAMP, .args_size = sizeof(struct clamp_args), .allocate = (ALLOCATE),    \
    .fill = (FILL), .verify = verify, .buffers = {"values"}, .reads_whole = 1

static const struct case_def defs[] = {
    {CASE("random", fill_random)},         {CASE("sorted", fill_sorted)},
    {CASE("descending", fill_descending)}, {CASE("extreme", fill_extreme)},
    {CASE("lo-equals-hi", fill_point)},    {CASE("all-inside", fill_inside)},
    {CASE("all-above", fill_above)},       {CASE("all-below", fill_below)},
    {CASE("outliers", fill_outliers)},     {CASE("many", fill_random), .once = true, .elements = MANY},
    {CASE("edges", fill_edges)},           {CASE_OF("anywhere", allocate_anywhere, fill_anywhere)},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
