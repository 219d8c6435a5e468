/* Exercise 9: inputs and oracles. */
#include <inttypes.h>
#include "grader/exercise/cases.h"
#include "glue.h"

enum { MANY = 70001 }; /* more than 16 bits count */

/* ---- divide ---- */

static bool divide_allocate(struct lab *lab, struct call *call)
{
    size_t bytes = call->n * sizeof(uint32_t);
    return call_buffer(lab, call, 0, bytes, sizeof(uint32_t), PLAN_READ) &&
           call_buffer(lab, call, 1, bytes, sizeof(uint32_t), PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, bytes);
}

/* The values are in the buffer. The quotients are computed now: no verdict waits for that, and the machine
 * cannot change them. */
static void divide_finish(struct call *call, uint32_t divisor)
{
    const uint32_t *values = call->buffer[0];
    uint32_t *expected = call->shadow;
    *(struct divide_args *)call->args = (struct divide_args){
        .quotients = call->buffer[1], .values = values, .n = call->n, .divisor = divisor};
    for (size_t i = 0; i < call->n; i++)
        expected[i] = values[i] / divisor;
}

static void scatter(struct lab *lab, struct call *call)
{
    uint32_t *values = call->buffer[0];
    uint64_t bits = 0;
    for (size_t i = 0; i < call->n; i++) {
        bits = i % 2 == 0 ? draw_next(&lab->draw) : bits >> 32;
        values[i] = (uint32_t)bits;
    }
}

/* The timed case: divisors of 11 to 17 bits, of each length as often, since a divider may take longer for
 * longer quotients. There are 130,048 of them: too many for a loop, or a function, for each constant. And
 * they go up and down in steps of the golden ratio, so that those of a slice lie evenly: what is done for
 * some divisors alone saves no more than their share of any slice. */
static uint32_t timed_divisor(struct lab *lab)
{
    enum { LEAST = 10, LENGTHS = 7 };
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 times 0.618 */
    const unsigned __int128 at =
        (unsigned __int128)LENGTHS * (lab->count++ * step + (draw_next(&lab->draw) >> 4));
    const unsigned bits = LEAST + (unsigned)(at >> 64);
    return UINT32_C(1) << bits | (uint32_t)((uint64_t)at >> (64 - bits));
}

static void fill_random(struct lab *lab, struct call *call)
{
    scatter(lab, call);
    divide_finish(call, timed_divisor(lab));
}

/* The timed case, but for one value anywhere: one of the last multiples of the divisor, or right below. */
static void fill_outliers(struct lab *lab, struct call *call)
{
    const uint32_t divisor = timed_divisor(lab), most = UINT32_MAX / divisor;
    uint32_t *values = call->buffer[0];
    scatter(lab, call);
    if (call->n > 0)
        values[draw_below(&lab->draw, call->n)] =
            (most - (uint32_t)draw_below(&lab->draw, 3)) * divisor - (uint32_t)(lab->count & 1);
    divide_finish(call, divisor);
}

/* Half of the values are at a multiple of the divisor or one beside it, where a reciprocal that is a little
 * off gives one too many or one too few; the last multiples are the hardest. */
static void fill_edges(struct lab *lab, struct call *call, uint32_t divisor)
{
    const uint32_t most = UINT32_MAX / divisor;
    uint32_t *values = call->buffer[0];
    scatter(lab, call);
    for (size_t i = 0; i < call->n; i++) {
        uint64_t r = draw_next(&lab->draw);
        uint32_t back = most < 4 ? most : 4, multiple = most - (uint32_t)draw_below(&lab->draw, back + 1);
        if (r & 1)
            values[i] = UINT32_MAX - (uint32_t)(r >> 32) % 3;
        if (r & 2)
            multiple = (uint32_t)((r >> 32) * (uint64_t)most >> 32);
        if (r & 4)
            values[i] = multiple * divisor - (uint32_t)(r >> 8 & 1);
    }
    divide_finish(call, divisor);
}

/* Of any length from 2 to 32 bits; but what is wrong for 7 or 10 alone is told by their own cases. Now and
 * then one of the few for which a reciprocal in double precision and a little more is still too little. */
static void fill_any(struct lab *lab, struct call *call)
{
    static const uint32_t hard[] = {49, 98, 103, 107};
    const uint64_t r = draw_next(&lab->draw);
    uint32_t divisor = (uint32_t)(r >> 32 | UINT32_C(1) << 31) >> r % 31;
    if (lab->count++ % 4 == 3)
        divisor = hard[lab->count / 4 % (sizeof hard / sizeof *hard)];
    fill_edges(lab, call, divisor + (divisor == 7 || divisor == 10));
}

static void fill_one(struct lab *lab, struct call *call)
{
    fill_edges(lab, call, 1);
}

static void fill_seven(struct lab *lab, struct call *call)
{
    fill_edges(lab, call, 7);
}

static void fill_ten(struct lab *lab, struct call *call)
{
    fill_edges(lab, call, 10);
}

static void fill_power(struct lab *lab, struct call *call)
{
    fill_edges(lab, call, UINT32_C(1) << draw_below(&lab->draw, 32));
}

/* Quotients 0 and 1, or a few more. */
static void fill_large(struct lab *lab, struct call *call)
{
    fill_edges(lab, call,
               UINT32_MAX - (uint32_t)(draw_below(&lab->draw, 3) * draw_below(&lab->draw, 1u << 30)));
}

static uint32_t high_half(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

/* What led to a wrong quotient, where one can tell. */
static const char *divide_diagnosis(uint32_t value, uint32_t divisor, uint32_t found)
{
    const uint32_t expected = value / divisor;
    if (divisor == 1 && found == 0) /* but for 0, which is right */
        return ". The reciprocal of 1 does not fit, and came out as 0: 2^k / 1 has k + 1 bits";
    if (divisor == 7 && found != 0 &&
        (found == high_half(value, 0x24924925) >> 2 || found == high_half(value, 0x24924925)))
        return ". 0x24924925 alone is not the reciprocal of 7: that takes 33 bits, 0x124924925, and so a "
               "multiplication and an addition";
    if (divisor == 10 && found == (uint32_t)((int64_t)(int32_t)0xcccccccd * value >> 35))
        return ". 0xCCCCCCCD as an immediate of a 64-bit IMUL is extended with its sign, and so negative: it "
               "belongs in a register";
    if (divisor > 2 && (divisor & (divisor - 1)) != 0) {
        unsigned shift = 32 - (unsigned)__builtin_clz(divisor - 1);
        uint32_t magic = (uint32_t)((((UINT64_C(1) << shift) - divisor) << 32) / divisor + 1);
        const uint64_t half = high_half(value, magic); /* 64 bits wide, since the shift is up to 32 */
        if (found != 0 && found == half >> shift)
            return ". The reciprocal has 33 bits here, and yours lost the first of them: add the value to "
                   "the high half, before the shift, without losing the carry";
        if (shift < 32 && found == ((half + value) & UINT32_MAX) >> shift)
            return ". The value and the high half have a sum of 33 bits, and yours lost the carry";
    }
    if (found > expected && found - expected == 1)
        return ", one too many. The reciprocal has too few bits, so its rounding up shows";
    if (found < expected && expected - found == 1)
        return ", one too few. Is the reciprocal rounded down? It has to be rounded up";
    return "";
}

static bool divide_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct divide_args *args = call->args; /* read-only for the machine */
    const uint32_t *expected = call->shadow, *found = call->buffer[1], *values = call->buffer[0];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        uint32_t quotient = found[i];
        if (quotient != expected[i])
            return finding(
                why, "quotients[%zu] of %zu: %" PRIu32 " / %" PRIu32 " is %" PRIu32 ": found %" PRIu32 "%s",
                i, call->n, values[i], args->divisor, expected[i], quotient,
                divide_diagnosis(values[i], args->divisor, quotient));
    }
    return true;
}

/* ---- times_nine ---- */

static bool nine_allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ) &&
           call_shadow(call, sizeof(uint64_t));
}

static void fill_nine(struct lab *lab, struct call *call, uint64_t mask)
{
    uint64_t *values = call->buffer[0], *expected = call->shadow;
    *(struct times_nine_args *)call->args = (struct times_nine_args){.values = values, .n = call->n};
    *expected = 0;
    for (size_t i = 0; i < call->n; i++) {
        values[i] = draw_next(&lab->draw) & mask;
        *expected = *expected * 9 + values[i];
    }
}

static void fill_chain(struct lab *lab, struct call *call)
{
    fill_nine(lab, call, UINT64_MAX);
}

static void fill_digits(struct lab *lab, struct call *call)
{
    fill_nine(lab, call, 7);
}

static bool nine_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t *expected = call->shadow;
    const struct times_nine_result *result = call->result;
    (void)lab;
    if (result->x == *expected)
        return true;
    return finding(why, "x = 9 * x + value over %zu values is %#" PRIx64 ": found %#" PRIx64 "%s", call->n,
                   *expected, result->x,
                   call->n > 1 && result->x >> 32 == 0 && *expected >> 32 != 0
                       ? "; the upper 32 bits are lost. Use 64-bit registers"
                       : "");
}

#define DIVIDE(NAME, FILL)                                                                                   \
    .name = (NAME), .entry = ENTRY_DIVIDE, .args_size = sizeof(struct divide_args),                          \
    .allocate = divide_allocate, .fill = (FILL), .verify = divide_verify,                                    \
    .buffers = {"values", "quotients"}, .reads_whole = 1

#define NINE(NAME, FILL)                                                                                     \
    .name = (NAME), .entry = ENTRY_TIMES_NINE, .args_size = sizeof(struct times_nine_args),                  \
    .result_size = sizeof(struct times_nine_result), .allocate = nine_allocate, .fill = (FILL),              \
    .verify = nine_verify, .buffers = {"values"}, .reads_whole = 1

static const struct case_def defs[] = {
    {DIVIDE("random", fill_random)},
    {DIVIDE("any-divisor", fill_any)},
    {DIVIDE("one", fill_one)},
    {DIVIDE("seven", fill_seven)},
    {DIVIDE("ten", fill_ten)},
    {DIVIDE("powers-of-two", fill_power)},
    {DIVIDE("large-divisors", fill_large)},
    {DIVIDE("outliers", fill_outliers)},
    {DIVIDE("many", fill_any), .once = true, .elements = MANY},
    {NINE("chain", fill_chain)},
    {NINE("digits", fill_digits)},
    {NINE("many-digits", fill_digits), .once = true, .elements = MANY},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
