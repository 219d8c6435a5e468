/* Exercise 8: inputs and oracles. */
#include <inttypes.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "glue.h"

/* ---- the corrected sum ---- */

static bool corrected_allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(uint16_t), sizeof(uint16_t), PLAN_READ) &&
           call_buffer(lab, call, 1, call->n * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, sizeof(uint64_t));
}

/* Samples, rows or columns: more than 16 bits count. By shape_of() a matrix of TALL numbers has two columns,
 * and one of WIDE numbers has three rows. */
enum { LONG = 70000, WIDE = 3 * LONG + 2, TALL = 2 * LONG + 1 };

/* Samples within mask, set where `set` has a bit. */
static void fill_samples(struct lab *lab, struct call *call, uint32_t offset, uint32_t gain, uint16_t mask)
{
    const uint32_t shift = 1 + (uint32_t)draw_below(&lab->draw, 31);
    uint16_t *samples = call->buffer[0];
    uint64_t sum = 0, r = 0;
    for (size_t i = 0; i < call->n; i++, r >>= 16) {
        if (i % 4 == 0)
            r = draw_next(&lab->draw);
        samples[i] = (uint16_t)(r & mask);
        const uint32_t x = ((uint32_t)samples[i] - offset) * gain;
        sum += x ^ x >> shift;
    }
    *(uint64_t *)call->shadow = sum;
    *(struct corrected_args *)call->args = (struct corrected_args){.samples = samples,
                                                                   .scratch = call->buffer[1],
                                                                   .n = call->n,
                                                                   .offset = offset,
                                                                   .gain = gain,
                                                                   .shift = shift};
}

static void fill_random(struct lab *lab, struct call *call)
{
    const uint32_t offset = (uint32_t)draw_below(&lab->draw, 1 << 16), gain = (uint32_t)draw_next(&lab->draw);
    fill_samples(lab, call, offset, gain, UINT16_MAX);
}

/* A difference below 0, which is a large number modulo 2^32. Offsets up to the largest, all lengths being
 * equally likely; gains of all kinds, 0 as well. */
static void fill_below(struct lab *lab, struct call *call)
{
    const uint32_t highest = UINT32_C(256) << draw_below(&lab->draw, 24),
                   offset = highest | ((uint32_t)draw_next(&lab->draw) & (highest - 1)),
                   any = (uint32_t)draw_next(&lab->draw), gains[] = {1, 0, any, UINT32_C(1) << any % 32};
    fill_samples(lab, call, offset, gains[draw_below(&lab->draw, sizeof gains / sizeof *gains)], 255);
}

/* Offset 0 and gain 1: the shift alone is left. */
static void fill_neutral(struct lab *lab, struct call *call)
{
    fill_samples(lab, call, 0, 1, UINT16_MAX);
}

static bool corrected_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct corrected_args *args = call->args; /* read-only for the machine */
    const uint16_t *samples = call->buffer[0];
    const uint64_t expected = *(const uint64_t *)call->shadow, found = *(const uint64_t *)call->result;
    (void)lab;
    if (found == expected)
        return true;
    uint64_t wide = 0, unshifted = 0;
    for (size_t i = 0; i < call->n; i++) {
        const uint64_t x = ((uint64_t)samples[i] - args->offset) * args->gain;
        wide += x ^ x >> args->shift;
        unshifted += (uint32_t)x;
    }
    return finding(why, "corrected_sum of %zu sample%s: expected %" PRIu64 ", found %" PRIu64 "%s", call->n,
                   call->n == 1 ? "" : "s", expected, found,
                   found == (uint32_t)expected ? ". The sum has 64 bits: yours lost the upper 32"
                   : found == wide             ? ". Each step is modulo 2^32: yours kept the upper bits"
                   : found == unshifted        ? ". The third step, x ^ (x >> shift), is missing"
                   : found == 0 && call->n > 0 ? ": not done yet?"
                                               : "");
}

/* ---- the columns ---- */

enum { TIMED_COLUMNS = 1024, MANY = 1000, STRIP = 16, FIRST_STRIP = 25 };

struct shape {
    size_t rows, columns;
};

/* STRIP of the n that each check has are a strip or two and a rest either way, each rest once (7 has no
 * factor in common with 16). The others have n numbers at most: wide ones and tall ones; of many, some that
 * are several blocks and a rest. When timed a row is 4 KiB, so that what is below each other is as far apart
 * as a page. */
static struct shape shape_of(const struct lab *lab, const struct call *call)
{
    const size_t strip = call->n - FIRST_STRIP;
    if (!lab->timed && strip < STRIP) /* of unsigned numbers: not below it either */
        return (struct shape){.rows = STRIP + 7 * strip % STRIP, .columns = STRIP + strip};
    if (!lab->timed && call->n == MANY) /* a few rows that are longer than those that are timed */
        return (struct shape){.rows = 3, .columns = 3 * MANY + 1};
    const size_t some = lab->timed ? TIMED_COLUMNS : 1 + call->n % (call->n < MANY ? 7 : 70),
                 others = call->n / some;
    return lab->timed || call->n % 2 ? (struct shape){.rows = others, .columns = some}
                                     : (struct shape){.rows = some, .columns = others};
}

static bool columns_allocate(struct lab *lab, struct call *call)
{
    const struct shape shape = shape_of(lab, call);
    return call_buffer(lab, call, 0, shape.rows * shape.columns * sizeof(uint32_t), sizeof(uint32_t),
                       PLAN_READ) &&
           call_buffer(lab, call, 1, shape.columns * sizeof(uint64_t), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, shape.columns * sizeof(uint64_t) + 1);
}

/* Numbers within mask, with the bits of `set`. What is in sums means nothing. */
static void fill_matrix(struct lab *lab, struct call *call, uint32_t mask, uint32_t set)
{
    const size_t columns = shape_of(lab, call).columns, rows = shape_of(lab, call).rows;
    uint32_t *matrix = call->buffer[0];
    uint64_t *sums = call->buffer[1], *expected = call->shadow;
    memset(expected, 0, columns * sizeof *expected);
    for (size_t c = 0; c < columns; c++)
        sums[c] = draw_next(&lab->draw);
    uint64_t two = 0;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            two = c % 2 == 0 ? draw_next(&lab->draw) : two >> 32;
            const uint32_t x = ((uint32_t)two & mask) | set;
            matrix[r * columns + c] = x;
            expected[c] += x;
        }
    *(struct columns_args *)call->args =
        (struct columns_args){.sums = sums, .matrix = matrix, .rows = rows, .columns = columns};
}

static void fill_matrix_random(struct lab *lab, struct call *call)
{
    fill_matrix(lab, call, UINT32_MAX, 0);
}

/* Two of them do not fit into 32 bits. */
static void fill_matrix_large(struct lab *lab, struct call *call)
{
    fill_matrix(lab, call, UINT32_MAX, UINT32_C(1) << 31);
}

/* Columns, but not one row. */
static void fill_no_rows(struct lab *lab, struct call *call)
{
    fill_matrix(lab, call, UINT32_MAX, 0);
    ((struct columns_args *)call->args)->rows = 0;
    memset(call->shadow, 0, shape_of(lab, call).columns * sizeof(uint64_t));
}

static bool columns_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct columns_args *args = call->args; /* read-only for the machine */
    const uint64_t *expected = call->shadow, *found = call->buffer[1];
    (void)lab;
    for (size_t c = 0; c < args->columns; c++) {
        const uint64_t sum = found[c];
        if (sum == expected[c])
            continue;
        return finding(why,
                       "column_sums of %" PRIu64 " rows and %" PRIu64
                       " columns: column %zu has the sum %" PRIu64 ", found %" PRIu64 "%s",
                       args->rows, args->columns, c, expected[c], sum,
                       sum == (uint32_t)expected[c] ? ". It does not fit into 32 bits"
                       : args->rows == 0            ? ". Set the sums to 0 first, even where no row follows"
                                                    : "");
    }
    return true;
}

#define CORRECTED(NAME, FILL)                                                                                \
    .name = (NAME), .entry = ENTRY_CORRECTED, .args_size = sizeof(struct corrected_args),                    \
    .result_size = sizeof(uint64_t), .allocate = corrected_allocate, .fill = (FILL),                         \
    .verify = corrected_verify, .buffers = {"samples", "scratch"}, .reads_whole = 1

#define COLUMNS(NAME, FILL)                                                                                  \
    .name = (NAME), .entry = ENTRY_COLUMNS, .args_size = sizeof(struct columns_args),                        \
    .allocate = columns_allocate, .fill = (FILL), .verify = columns_verify, .buffers = {"matrix", "sums"}

static const struct case_def defs[] = {
    {CORRECTED("samples", fill_random)},
    {CORRECTED("below-offset", fill_below)},
    {CORRECTED("neutral", fill_neutral)},
    {CORRECTED("long", fill_random), .once = true, .elements = LONG},
    {COLUMNS("matrix", fill_matrix_random), .reads_whole = 1, .unsized = true},
    {COLUMNS("large-numbers", fill_matrix_large), .reads_whole = 1, .unsized = true},
    {COLUMNS("no-rows", fill_no_rows), .unsized = true},
    {COLUMNS("wide", fill_matrix_random), .once = true, .elements = WIDE},
    {COLUMNS("tall", fill_matrix_random), .once = true, .elements = TALL},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
