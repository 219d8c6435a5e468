/* Exercise 12: inputs and oracle.
 *
 * The timed cases have small whole numbers, of which no order of adding rounds any sum, so that there the
 * result has to be exact. Elsewhere n additions and n products stay within n + 1 rounding errors, each at
 * most 2^-24 of the sum of magnitudes.
 */
#include <float.h>
#include <math.h>
#include <string.h>
#include "grader/base/isa.h"
#include "grader/exercise/cases.h"
#include "glue.h"

#define ROUNDING 0x1p-24
enum {
    A,
    B,
    M,
    BUFFERS,
    ROWS = 4,
    EXACT_BELOW = 1 << 24, /* whole numbers up to here are floats */
    WHOLE_MOST = 15,
    OUTLIER_MOST = 1 << 17,
    MANY = 70001, /* more than 16 bits count */
};

/* Of one sum. A tolerance of 0 asks for the exact one. */
struct expected {
    double sum, tolerance;
};

/* ---- numbers ---- */

/* Whole ones from 1 on, so small that n products add up to 2^22 at most: with room for quarters. Of 131,072
 * up to 5. */
static void draw_whole(struct lab *lab, float *values, size_t count, size_t n)
{
    unsigned most = WHOLE_MOST;
    while (most > 1 && n * most * most > EXACT_BELOW / 4)
        most--;
    float of_byte[UINT8_MAX + 1]; /* the grader does this in every turn */
    for (unsigned byte = 0; byte <= UINT8_MAX; byte++)
        of_byte[byte] = (float)(1 + (byte * most >> 8));
    for (size_t i = 0; i < count; i += 8) {
        const uint64_t bits = draw_next(&lab->draw);
        for (size_t k = 0; k < 8 && i + k < count; k++)
            values[i + k] = of_byte[bits >> 8 * k & UINT8_MAX];
    }
}

/* The timed cases, but for one number of one side anywhere: who takes the first ones for all, or looks at
 * some of them, is wrong. In turns it has quarters, or is large: sums are exact all the same; or it is beyond
 * all integers. True where sums are exact. */
static bool draw_outliers(struct lab *lab, const struct call *call, size_t count)
{
    enum { QUARTERS, LARGE, HUGE_ONE, KINDS };
    const unsigned kind = (unsigned)(lab->count++ % KINDS);
    draw_whole(lab, call->buffer[A], count, call->n);
    draw_whole(lab, call->buffer[B], count, call->n);
    float *values = call->buffer[draw_below(&lab->draw, 2) ? A : B];
    const unsigned r = (unsigned)draw_below(&lab->draw, OUTLIER_MOST / 2);
    const float sign = r % 2 ? 1 : -1;
    if (count > 0)
        values[draw_below(&lab->draw, count)] = kind == QUARTERS
                                                    ? (float)(4 * (r % WHOLE_MOST) + 1 + r % 3) / 4
                                                : kind == LARGE ? (float)(OUTLIER_MOST - r) * sign
                                                                : 1e30F * sign;
    return kind != HUGE_ONE;
}

/* From some length on all are positive: the tolerance grows faster than a sum of both signs does. */
static void draw_mixed(struct lab *lab, float *values, size_t count)
{
    const double least = count >= 2048 ? 0 : -1;
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(least + (1 - least) * draw_unit(&lab->draw));
}

/* Large and small, both signs; neither a product nor a sum of products overflows. */
static void draw_extreme(struct lab *lab, float *values, size_t count)
{
    static const float extremes[] = {FLT_MIN, 1e-30F, 1e-10F, 1.0F, 1e10F, 1e17F, 0.0F};
    for (size_t i = 0; i < count; i++) {
        const uint64_t r = draw_next(&lab->draw);
        const float x = extremes[(r >> 1) % (sizeof extremes / sizeof *extremes)];
        values[i] = r & 1 ? x : -x;
    }
}

/* The sum of n products of every `step`th element. */
static struct expected rounded_sum(const float *a, const float *b, size_t n, size_t step)
{
    /* Neumaier's compensated sum. A product of floats is exact in double precision; of so few the sum is
     * wrong by much less than single precision tells. */
    double sum = 0, magnitudes = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = (double)a[i * step] * (double)b[i * step], next = sum + x;
        lost += fabs(sum) >= fabs(x) ? (sum - next) + x : (x - next) + sum;
        sum = next;
        magnitudes += fabs(x);
    }
    /* a product that is too small for single precision loses the least float at most */
    const double tolerance = (double)(n + 2) * (ROUNDING * magnitudes + (double)FLT_TRUE_MIN);
    return (struct expected){sum + lost, tolerance};
}

/* The same where no order of adding rounds. Several sums, for the grader waits for this in every turn. */
static struct expected exact_sum(const float *a, const float *b, size_t n, size_t step)
{
    double sums[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sums[k] += (double)a[(i + k) * step] * (double)b[(i + k) * step];
    for (; i < n; i++)
        sums[0] += (double)a[i * step] * (double)b[i * step];
    return (struct expected){.sum = sums[0] + sums[1] + sums[2] + sums[3]};
}

static struct expected sum_of(const float *a, const float *b, size_t n, size_t step, bool exact)
{
    return exact ? exact_sum(a, b, n, step) : rounded_sum(a, b, n, step);
}

static bool is_near(const struct expected *expected, float found)
{
    return fabs((double)found - expected->sum) <= expected->tolerance; /* false for NaN */
}

/* ---- dot ---- */

static bool allocate_dot(struct lab *lab, struct call *call)
{
    const size_t size = call->n * sizeof(float);
    return call_buffer(lab, call, A, size, sizeof(float), PLAN_READ) &&
           call_buffer(lab, call, B, size, sizeof(float), PLAN_READ) &&
           call_shadow(call, sizeof(struct expected));
}

static void expect_dot(struct call *call, bool exact)
{
    const float *a = call->buffer[A], *b = call->buffer[B];
    *(struct dot_args *)call->args = (struct dot_args){.a = a, .b = b, .n = call->n};
    *(struct expected *)call->shadow = sum_of(a, b, call->n, 1, exact);
}

static void fill_dot_whole(struct lab *lab, struct call *call)
{
    draw_whole(lab, call->buffer[A], call->n, call->n);
    draw_whole(lab, call->buffer[B], call->n, call->n);
    expect_dot(call, true);
}

static void fill_dot_mixed(struct lab *lab, struct call *call)
{
    draw_mixed(lab, call->buffer[A], call->n);
    draw_mixed(lab, call->buffer[B], call->n);
    expect_dot(call, false);
}

static void fill_dot_extreme(struct lab *lab, struct call *call)
{
    draw_extreme(lab, call->buffer[A], call->n);
    draw_extreme(lab, call->buffer[B], call->n);
    expect_dot(call, false);
}

static void fill_dot_outliers(struct lab *lab, struct call *call)
{
    const bool exact = draw_outliers(lab, call, call->n);
    expect_dot(call, exact);
}

static bool verify_dot(struct lab *lab, const struct call *call, struct finding *why)
{
    const float *a = call->buffer[A], *b = call->buffer[B];
    const struct expected *expected = call->shadow;
    const float found = ((const struct dot_result *)call->result)->sum;
    (void)lab;
    if (is_near(expected, found))
        return true;
    const char *reason = "";
    for (size_t width = 16; width >= 2 && !*reason; width /= 2) {
        const struct expected whole = sum_of(a, b, call->n - call->n % width, 1, expected->tolerance == 0);
        if (call->n % width != 0 && is_near(&whole, found))
            reason = ". The last elements are left out";
    }
    return finding(why, "dot: the sum of the %zu products is %s%.9g: found %.9g%s", call->n,
                   expected->tolerance == 0 ? "exactly " : "", expected->sum, (double)found, reason);
}

/* ---- products ---- */

struct tile {
    struct expected expected[ROWS * ROWS];
    float before[ROWS * ROWS]; /* what m was, which means nothing */
};

/* Whole numbers that show in any sum; or any bits; or what no factor of 0 takes away. */
static void draw_before(struct lab *lab, float before[ROWS * ROWS])
{
    static const float lasting[] = {NAN, INFINITY, -INFINITY};
    const uint64_t kind = draw_below(&lab->draw, 4);
    for (size_t k = 0; k < (size_t)ROWS * ROWS; k++) {
        const uint64_t r = draw_next(&lab->draw);
        const uint32_t bits = (uint32_t)(r >> 32);
        if (kind == 0)
            before[k] = lasting[bits % (sizeof lasting / sizeof *lasting)];
        else if (kind == 1)
            memcpy(&before[k], &bits, sizeof bits);
        else
            before[k] = (float)(1 + bits % 100);
    }
}

static bool allocate_products(struct lab *lab, struct call *call)
{
    const size_t size = call->n * ROWS * sizeof(float);
    return call_buffer(lab, call, A, size, sizeof(float), PLAN_READ) &&
           call_buffer(lab, call, B, size, sizeof(float), PLAN_READ) &&
           call_buffer(lab, call, M, ROWS * ROWS * sizeof(float), sizeof(float), PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, sizeof(struct tile));
}

static void expect_products(struct lab *lab, struct call *call, bool exact, bool fma)
{
    const float *a = call->buffer[A], *b = call->buffer[B];
    struct tile *tile = call->shadow;
    float *m = call->buffer[M];
    draw_before(lab, tile->before);
    memcpy(m, tile->before, sizeof tile->before);
    for (size_t k = 0; k < (size_t)ROWS * ROWS; k++)
        tile->expected[k] = sum_of(a + k / ROWS, b + k % ROWS, call->n, ROWS, exact);
    *(struct products_args *)call->args =
        (struct products_args){.m = m, .a = a, .b = b, .n = call->n, .fma = fma};
}

static void fill_products_whole(struct lab *lab, struct call *call)
{
    draw_whole(lab, call->buffer[A], call->n * ROWS, call->n);
    draw_whole(lab, call->buffer[B], call->n * ROWS, call->n);
    expect_products(lab, call, true, lab->fma || isa_native_has_fma());
}

static void fill_products_mixed(struct lab *lab, struct call *call)
{
    draw_mixed(lab, call->buffer[A], call->n * ROWS);
    draw_mixed(lab, call->buffer[B], call->n * ROWS);
    expect_products(lab, call, false, lab->fma || isa_native_has_fma());
}

static void fill_products_outliers(struct lab *lab, struct call *call)
{
    const bool exact = draw_outliers(lab, call, call->n * ROWS);
    expect_products(lab, call, exact, lab->fma || isa_native_has_fma());
}

/* As on a processor that has no more than SSE2. */
static void fill_products_without(struct lab *lab, struct call *call)
{
    draw_whole(lab, call->buffer[A], call->n * ROWS, call->n);
    draw_whole(lab, call->buffer[B], call->n * ROWS, call->n);
    expect_products(lab, call, true, false);
}

/* Is it the sum and what was there before, exactly or nearly, of so many products? (Of many a number nearby
 * may have other causes.) */
static bool is_added(const struct expected *expected, float before, float found, size_t n)
{
    enum { FEW = 128 };
    const bool whole = expected->tolerance == 0 && floorf(before) == before;
    const double sum = expected->sum + (double)before, roundings = (double)(n < FEW ? n + 2 : FEW) * ROUNDING,
                 off = whole ? 0 : roundings * (fabs(expected->sum) + fabs((double)before));
    return isfinite(before) ? fabs((double)found - sum) <= off + expected->tolerance : !isfinite(found);
}

static bool verify_products(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct tile *tile = call->shadow;
    const struct expected *expected = tile->expected;
    const float *m = call->buffer[M];
    (void)lab;
    for (size_t k = 0; k < (size_t)ROWS * ROWS; k++) {
        if (is_near(&expected[k], m[k]))
            continue;
        const size_t across = k % ROWS * ROWS + k / ROWS;
        const char *reason = "";
        if (is_near(&expected[across], m[k]))
            reason = ". That is what belongs at the place across the diagonal: rows are of a, columns of b";
        else if (is_added(&expected[k], tile->before[k], m[k], call->n))
            reason = isfinite(tile->before[k])
                         ? ". It is more by what was there before, and that means nothing"
                         : ". It is what was there before that shows: 0 times infinity, or what is no "
                           "number, is not 0";
        return finding(
            why, "products: m[%zu], of a[4*i + %zu] and b[4*i + %zu] with n = %zu, is %s%.9g: found %.9g%s",
            k, k / ROWS, k % ROWS, call->n, expected[k].tolerance == 0 ? "exactly " : "", expected[k].sum,
            (double)m[k], reason);
    }
    return true;
}

#define DOT(NAME, FILL)                                                                                      \
    .name = (NAME), .entry = ENTRY_DOT, .args_size = sizeof(struct dot_args),                                \
    .result_size = sizeof(struct dot_result), .allocate = allocate_dot, .fill = (FILL),                      \
    .verify = verify_dot, .buffers = {"a", "b"}, .reads_whole = 1 << A | 1 << B
#define PRODUCTS(NAME, FILL)                                                                                 \
    .name = (NAME), .entry = ENTRY_PRODUCTS, .args_size = sizeof(struct products_args),                      \
    .allocate = allocate_products, .fill = (FILL), .verify = verify_products, .buffers = {"a", "b", "m"},    \
    .reads_whole = 1 << A | 1 << B

static const struct case_def defs[] = {
    {DOT("whole-numbers", fill_dot_whole)},
    {DOT("mixed-signs", fill_dot_mixed)},
    {DOT("extreme", fill_dot_extreme)},
    {DOT("outliers", fill_dot_outliers)},
    {DOT("many", fill_dot_whole), .once = true, .elements = MANY},
    {PRODUCTS("tile", fill_products_whole)},
    {PRODUCTS("tile-mixed", fill_products_mixed)},
    {PRODUCTS("tile-outliers", fill_products_outliers)},
    {PRODUCTS("tile-without-fma", fill_products_without)},
    {PRODUCTS("tile-many", fill_products_whole), .once = true, .elements = MANY},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
