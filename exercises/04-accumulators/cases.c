/* Exercise 4: inputs and oracle.
 *
 * Any order of n additions in single precision stays within n - 1 rounding errors, each at most 2^-24 of the
 * sum of magnitudes. A missing element is well above that while n is small. For large n it is not, so `whole`
 * (the timed case) has numbers so small and whole that no order rounds at all: there the sum has to be exact.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include "grader/exercise/cases.h"
#include "glue.h"

#define ROUNDING 0x1p-24
enum {
    EXACT_BELOW = 1 << 24,  /* whole numbers up to here are floats */
    WHOLE_MOST = 63,        /* a sum of 2^16 of them has room for quarters, too */
    OUTLIER_MOST = 1 << 20, /* and for one of these */
};

/* A tolerance of 0 asks for the exact sum. */
struct expected {
    double sum, tolerance;
};

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(float), sizeof(float), PLAN_READ) &&
           call_shadow(call, sizeof(struct expected));
}

/* About as long as a timed call, and with each number of elements that rounds of 32 can leave; natively,
 * where that is longer, each that rounds of 16 can. As if timed, of any length from half of it on. */
static bool rests_allocate(struct lab *lab, struct call *call)
{
    const size_t rests = lab->modelled ? 32 : 16;
    if (lab->timed)
        call->n -= draw_below(&lab->draw, call->n / 2);
    else if (call->n >= rests)
        call->n %= rests; /* those are other cases' */
    else
        call->n += (lab->elements / rests - draw_below(&lab->draw, 6)) * rests;
    return allocate(lab, call);
}

static void expect(struct call *call, double sum, double tolerance)
{
    struct sum_args *args = call->args;
    struct expected *expected = call->shadow;
    *args = (struct sum_args){.values = call->buffer[0], .n = call->n};
    *expected = (struct expected){sum, tolerance};
}

/* Neumaier's compensated sum, in double precision. */
static double compensated(const float *values, size_t n, double *magnitudes)
{
    double total = 0, lost = 0;
    *magnitudes = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)values[i], next = total + x;
        lost += fabs(total) >= fabs(x) ? (total - next) + x : (x - next) + total;
        total = next;
        *magnitudes += fabs(x);
    }
    return total + lost;
}

static void expect_close(struct call *call)
{
    double magnitudes, sum = compensated(call->buffer[0], call->n, &magnitudes);
    /* the least float: where results are that small, one rounding is half of it */
    expect(call, sum, (double)(call->n + 2) * ROUNDING * magnitudes + (double)FLT_TRUE_MIN);
}

/* Their sum. */
static uint64_t draw_whole(struct lab *lab, struct call *call)
{
    float *values = call->buffer[0];
    uint64_t total = 0, bits = 0;
    const unsigned room = EXACT_BELOW / 4 / (unsigned)(call->n + 1),
                   most = room < WHOLE_MOST ? room : WHOLE_MOST;

    for (size_t i = 0; i < call->n; i++) {
        bits = i % 4 == 0 ? draw_next(&lab->draw) : bits >> 16;
        unsigned value = 1 + (unsigned)((bits & UINT16_MAX) * most >> 16);
        values[i] = (float)value;
        total += value;
    }
    return total;
}

/* The timed case: each call has values of its own, none of which another call sees, so that no sum can be had
 * from one before. */
static void fill_whole(struct lab *lab, struct call *call)
{
    expect(call, (double)draw_whole(lab, call), 0);
}

/* The timed case, but for one value anywhere: who takes the first ones for all, or looks at some of them, is
 * wrong. In turns it has quarters, or is large, or all others are fine: the sum is exact all the same; or it
 * is beyond all integers. */
static void fill_outliers(struct lab *lab, struct call *call)
{
    enum { QUARTERS, LARGE, HUGE_ONE, FINE, KINDS };
    const unsigned kind = (unsigned)(lab->count++ % KINDS);
    const float unit = kind == FINE ? 0x1p-16F : 1;
    float *values = call->buffer[0];
    double total = (double)draw_whole(lab, call) * (double)unit;
    for (size_t i = 0; kind == FINE && i < call->n; i++)
        values[i] *= unit;
    if (call->n > 0) {
        float *value = &values[draw_below(&lab->draw, call->n)];
        const unsigned r = (unsigned)draw_below(&lab->draw, OUTLIER_MOST / 2);
        const float sign = r % 2 ? 1 : -1;
        total -= (double)*value;
        *value = kind == QUARTERS ? (float)(4 * (r % WHOLE_MOST) + 1 + r % 3) / 4
                 : kind == LARGE  ? (float)(OUTLIER_MOST - r) * sign
                 : kind == FINE   ? (float)(1 + r % WHOLE_MOST)
                                  : 1e30F * sign;
        total += (double)*value;
    }
    if (kind == HUGE_ONE)
        expect_close(call);
    else
        expect(call, total, 0);
}

static void fill_positive(struct lab *lab, struct call *call)
{
    float *values = call->buffer[0];
    for (size_t i = 0; i < call->n; i++)
        values[i] = (float)draw_unit(&lab->draw) + 0.5F;
    expect_close(call);
}

static void fill_mixed(struct lab *lab, struct call *call)
{
    float *values = call->buffer[0];
    for (size_t i = 0; i < call->n; i++)
        values[i] = (float)(draw_unit(&lab->draw) * 2 - 1);
    expect_close(call);
}

/* Large and small in turn, and the large ones cancel. */
static void fill_cancelling(struct lab *lab, struct call *call)
{
    float *values = call->buffer[0];
    for (size_t i = 0; i < call->n; i++)
        values[i] = i % 2 ? (float)draw_unit(&lab->draw) : i % 4 ? -1e8F : 1e8F;
    expect_close(call);
}

/* From the smallest floats to such that n of them do not overflow, both signs. */
static void fill_extreme(struct lab *lab, struct call *call)
{
    static const float extremes[] = {FLT_TRUE_MIN, FLT_MIN, 1e-30F, 1.0F, 1e30F, 1e34F, 0.0F};
    float *values = call->buffer[0];
    for (size_t i = 0; i < call->n; i++) {
        uint64_t r = draw_next(&lab->draw);
        float x = extremes[(r >> 1) % (sizeof extremes / sizeof *extremes)];
        values[i] = r & 1 ? x : -x;
    }
    expect_close(call);
}

/* Smaller than the smallest normal number: these sums are exact, unless somebody flushes them to zero. */
static void fill_subnormal(struct lab *lab, struct call *call)
{
    float *values = call->buffer[0];
    uint64_t total = 0;
    const unsigned room = EXACT_BELOW / (unsigned)(call->n + 1), most = room < 1000 ? room : 1000;
    for (size_t i = 0; i < call->n; i++) {
        uint64_t value = 1 + draw_below(&lab->draw, most);
        values[i] = (float)value * FLT_TRUE_MIN;
        total += value;
    }
    expect(call, (double)total * (double)FLT_TRUE_MIN, 0);
}

/* Is it the sum without the last elements, up to as many as a long round leaves? */
static bool is_without_last(const struct call *call, double found, double tolerance)
{
    enum { ROUND_MOST = 64 };
    const float *values = call->buffer[0];
    double sum = 0;
    for (size_t i = 0; i < call->n; i++) {
        if (call->n - i < ROUND_MOST && fabs(found - sum) <= tolerance)
            return true;
        sum += (double)values[i];
    }
    return false;
}

/* Is it the sum without those that one sum of K has had, or the last of K sums? */
static bool is_without_sums(const struct call *call, double found, size_t *k, size_t *first, size_t *last)
{
    enum { SUMS_MOST = 64 };
    const float *values = call->buffer[0];
    for (*k = 2; *k <= SUMS_MOST && *k <= call->n; ++*k) {
        double each[SUMS_MOST] = {0}, sum = 0, behind = 0;
        for (size_t i = 0; i < call->n; i++)
            if (i < call->n / *k * *k)
                each[i % *k] += (double)values[i];
        for (size_t i = 0; i < call->n; i++)
            sum += (double)values[i];
        for (*first = *k; (*first)-- > 1;) {
            behind += each[*first];
            *last = *k - 1;
            if (found == sum - behind)
                return true;
            *last = *first;
            if (found == sum - each[*first])
                return true;
        }
    }
    return false;
}

/* What else comes to that sum. */
static void guess(const struct call *call, double found, double tolerance, char text[160])
{
    size_t k, first, last;
    text[0] = '\0';
    if (is_without_last(call, found, tolerance))
        snprintf(text, 160, ". That is the sum without the last of them");
    else if (tolerance == 0 && is_without_sums(call, found, &k, &first, &last) && first == last)
        snprintf(
            text, 160,
            ". That is the sum without one of each %zu, from values[%zu] on: is one of %zu sums left out?", k,
            first, k);
    else if (tolerance == 0 && is_without_sums(call, found, &k, &first, &last))
        snprintf(text, 160, ". That is the sum without those of sums %zu to %zu of %zu: are they left out?",
                 first + 1, last + 1, k);
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct expected *expected = call->shadow;
    const struct sum_result *result = call->result;
    double found = (double)result->sum, error = fabs(found - expected->sum);
    (void)lab;
    if (error <= expected->tolerance) /* false for NaN */
        return true;
    char text[160];
    guess(call, found, expected->tolerance, text);
    if (expected->tolerance == 0)
        return finding(why,
                       "the sum of the %zu values is exactly %.9g, in whatever order they are added: "
                       "found %.9g%s",
                       call->n, expected->sum, found, text);
    return finding(why,
                   "the sum of the %zu values is %.9g: found %.9g, off by %.3g where rounding explains "
                   "%.3g at most%s",
                   call->n, expected->sum, found, error, expected->tolerance, text);
}

#define CASE(NAME, FILL) CASE_OF(NAME, allocate, FILL)
#define CASE_OF(NAME, ALLOCATE, FILL)                                                                        \
    .name = (NAME), .entry = ENTRY_SUM, .args_size = sizeof(struct sum_args),                                \
    .result_size = sizeof(struct sum_result), .allocate = (ALLOCATE), .fill = (FILL), .verify = verify,      \
    .buffers = {"values"}, .reads_whole = 1

static const struct case_def defs[] = {
    {CASE("whole-numbers", fill_whole)}, {CASE("positive", fill_positive)},
    {CASE("mixed-signs", fill_mixed)},   {CASE("cancelling", fill_cancelling)},
    {CASE("extreme", fill_extreme)},     {CASE("subnormal", fill_subnormal)},
    {CASE("outliers", fill_outliers)},   {CASE_OF("every-rest", rests_allocate, fill_whole)},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
