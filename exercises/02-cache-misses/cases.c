/* Exercise 2: inputs and oracles. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "grader/cases.h"
#include "exercise.h"
#include "glue.h"

/* ---- rates ---- */

static bool rates_allocate(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

/* Loads of any size from none to 2^53; misses up to twice as many, since prefetches may be counted too. */
static void rates_draw(struct lab *lab, uint64_t *loads, uint64_t *misses)
{
    unsigned bits = (unsigned)rng_below(&lab->rng, 53);
    *loads = bits == 0 ? 0 : rng_next(&lab->rng) >> (64 - bits);
    *misses = rng_below(&lab->rng, 2 * *loads + 2);
}

static void rates_fill(struct lab *lab, struct call *call)
{
    struct rates_args *args = call->args;
    struct miss_counters *c = &args->counters;
    rates_draw(lab, &c->l1d_loads, &c->l1d_load_misses);
    rates_draw(lab, &c->llc_loads, &c->llc_load_misses);
    if (call->n < 2) /* no loads at all; and none that reached the last level */
        c->llc_loads = c->llc_load_misses = 0;
    if (call->n == 0)
        c->l1d_loads = c->l1d_load_misses = 0;
}

static bool rate_verify(const char *name, double found, uint64_t misses, uint64_t loads, struct finding *why)
{
    double expected = loads == 0 ? 0 : (double)misses / (double)loads;
    const char *guess = "";
    if (fabs(found - expected) <= 1e-12 * expected)
        return true;
    if (loads > 0 && fabs(found - 100 * expected) <= 1e-10 * expected)
        guess = " (a fraction is asked for, not percent)";
    else if (loads > 0 && found == floor(expected))
        guess = " (not done yet? or a quotient of two integers, which is an integer)";
    return finding(why, "%s with %" PRIu64 " loads and %" PRIu64 " misses: expected %.6g, found %.6g%s", name,
                   loads, misses, expected, found, guess);
}

static bool rates_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct rates_args *args = call->args;
    const struct rates_result *result = call->result;
    const struct miss_counters *c = &args->counters;
    (void)lab;
    return rate_verify("l1d_miss_rate", result->l1d, c->l1d_load_misses, c->l1d_loads, why) &&
           rate_verify("llc_miss_rate", result->llc, c->llc_load_misses, c->llc_loads, why);
}

/* ---- shuffle ---- */

enum { UNTOUCHED = 0xff, ORDERS_MAX = 120, SURELY_DIFFERENT = 20 };

/* For small n so many rows that each of the n! orders comes often enough to be counted. `limit` is what the
 * chi-square statistic of n! - 1 degrees of freedom exceeds once in 10^10 times. */
static const struct {
    uint64_t rows, orders;
    double limit;
} samples[] = {[2] = {4096, 2, 42}, [3] = {9000, 6, 56}, [4] = {6000, 24, 95}, [5] = {6000, 120, 245}};

static bool sampled(size_t n)
{
    return n >= 2 && n < sizeof samples / sizeof *samples;
}

static uint64_t rows_of_many(size_t n)
{
    return sampled(n) ? samples[n].rows : 4;
}

static bool shuffle_allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, call->n);
}

static bool many_allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, rows_of_many(call->n) * call->n * sizeof(uint32_t), sizeof(uint32_t),
                       PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, call->n);
}

static void shuffle_prepare(struct lab *lab, struct call *call, uint64_t rows)
{
    struct shuffle_args *args = call->args;
    *args = (struct shuffle_args){
        .index = call->buffer[0], .n = call->n, .seed = rng_next(&lab->rng), .rows = rows};
    memset(call->buffer[0], UNTOUCHED, rows * call->n * sizeof(uint32_t));
}

static void shuffle_fill(struct lab *lab, struct call *call)
{
    shuffle_prepare(lab, call, 1);
}

static void many_fill(struct lab *lab, struct call *call)
{
    shuffle_prepare(lab, call, rows_of_many(call->n));
}

static bool is_permutation(const uint32_t *row, size_t n, bool *seen, struct finding *why)
{
    memset(seen, 0, n * sizeof *seen);
    for (size_t i = 0; i < n; i++) {
        if (row[i] == UINT32_MAX)
            return finding(why, "index[%zu] is as it was: shuffle has not written it", i);
        if (row[i] >= n)
            return finding(why, "index[%zu] is %" PRIu32 ": expected a number below n", i, row[i]);
        if (seen[row[i]])
            return finding(why,
                           "%" PRIu32 " is in index twice, at index[%zu] for the second time: "
                           "expected each number once",
                           row[i], i);
        seen[row[i]] = true;
    }
    return true;
}

static bool shuffle_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    return is_permutation(call->buffer[0], call->n, call->shadow, why);
}

/* The number of an order among all of n: how many smaller numbers follow each, in the factorial system. */
static size_t order_number(const uint32_t *row, size_t n)
{
    size_t number = 0;
    for (size_t i = 0; i < n; i++) {
        size_t smaller = 0;
        for (size_t j = i + 1; j < n; j++)
            smaller += row[j] < row[i];
        number = number * (n - i) + smaller;
    }
    return number;
}

/* Is each order as likely as the others? Row 0 repeats row 1 and does not count. */
static bool orders_verify(const uint32_t *index, size_t n, struct finding *why)
{
    uint64_t times[ORDERS_MAX] = {0}, most = 0;
    const uint64_t rows = samples[n].rows - 1, orders = samples[n].orders;
    double expected = (double)rows / (double)orders, chi_square = 0;
    size_t at = 0;

    for (uint64_t row = 1; row <= rows; row++)
        times[order_number(index + row * n, n)]++;
    for (size_t i = 0; i < orders; i++) {
        double off = (double)times[i] - expected;
        chi_square += off * off / expected;
    }
    if (chi_square <= samples[n].limit)
        return true;
    for (uint64_t row = 1; row <= rows; row++) {
        uint64_t count = times[order_number(index + row * n, n)];
        if (count > most) {
            most = count;
            at = row;
        }
    }
    char order[64];
    int length = 0;
    for (size_t i = 0; i < n; i++)
        length += snprintf(order + length, sizeof order - (size_t)length, "%s%" PRIu32, i > 0 ? " " : "",
                           index[at * n + i]);
    return finding(why,
                   "with %" PRIu64 " seeds the order `%s` came %" PRIu64
                   " times: expected about %.0f times, like each of the %" PRIu64
                   " orders: which range does each random number come from?",
                   rows, order, most, expected, orders);
}

static bool many_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct shuffle_args *args = call->args;
    const uint32_t *index = call->buffer[0];
    const size_t n = call->n, bytes = n * sizeof *index;
    (void)lab;

    for (uint64_t row = 0; row < args->rows; row++)
        if (!is_permutation(index + row * n, n, call->shadow, why))
            return false;
    if (memcmp(index, index + n, bytes) != 0)
        return finding(why, "seed %#" PRIx64 " gave two different orders: expected the same one each time",
                       args->seed);
    if (n >= SURELY_DIFFERENT)
        for (uint64_t row = 2; row < args->rows; row++)
            if (memcmp(index + (row - 1) * n, index + row * n, bytes) == 0)
                return finding(why,
                               "seeds %#" PRIx64 " and %#" PRIx64 " gave the same order: expected each "
                               "seed to give one of its own",
                               args->seed + row - 2, args->seed + row - 1);
    return !sampled(n) || orders_verify(index, n, why);
}

/* ---- walks, small: an array of its own for each call ---- */

enum walk { ARRAY, INDEX, SCRATCH }; /* call->buffer[] */

static size_t length_same(const struct call *call)
{
    return call->n;
}

static size_t length_sparse(const struct call *call)
{
    return 13 * call->n + 5;
}

static bool walk_allocate(struct lab *lab, struct call *call, size_t length)
{
    size_t n = call->n * sizeof(uint32_t), bytes = length * sizeof(uint32_t);
    return call_buffer(lab, call, ARRAY, bytes, sizeof(uint32_t), PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, INDEX, n, sizeof(uint32_t), PLAN_READ) &&
           call_buffer(lab, call, SCRATCH, n, sizeof(uint32_t), PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, bytes);
}

static bool same_allocate(struct lab *lab, struct call *call)
{
    return walk_allocate(lab, call, length_same(call));
}

static bool sparse_allocate(struct lab *lab, struct call *call)
{
    return walk_allocate(lab, call, length_sparse(call));
}

/* Random numbers, some at the end of their range: they go on at 0. The shadow is what they should become. */
static void array_fill(struct lab *lab, struct call *call, size_t length)
{
    struct walk_args *args = call->args;
    uint32_t *array = call->buffer[ARRAY];
    for (size_t i = 0; i < length; i++) {
        uint64_t r = rng_next(&lab->rng);
        array[i] = r >> 61 == 0 ? UINT32_MAX : (uint32_t)r;
    }
    if (length > 0)
        memcpy(call->shadow, array, length * sizeof *array);
    *args = (struct walk_args){.array = array,
                               .length = length,
                               .index = call->buffer[INDEX],
                               .n = call->n,
                               .scratch = call->buffer[SCRATCH]};
}

static void expect_walk(struct call *call)
{
    const uint32_t *index = call->buffer[INDEX];
    uint32_t *expected = call->shadow;
    for (size_t i = 0; i < call->n; i++)
        expected[index[i]]++;
}

/* `number` gets 0 to n - 1 in random order. */
static void permute(struct lab *lab, uint32_t *number, size_t n)
{
    for (size_t i = 0; i < n; i++) { /* from inside out: the i-th goes to one of i + 1 places */
        size_t place = rng_below(&lab->rng, i + 1);
        number[i] = number[place];
        number[place] = (uint32_t)i;
    }
}

static void sequential_fill(struct lab *lab, struct call *call)
{
    uint32_t *expected = call->shadow;
    array_fill(lab, call, call->n);
    for (size_t i = 0; i < call->n; i++)
        expected[i]++;
}

static void permutation_fill(struct lab *lab, struct call *call)
{
    array_fill(lab, call, call->n);
    permute(lab, call->buffer[INDEX], call->n);
    expect_walk(call);
}

/* Each index at random, mostly from the first quarter: some come often, and parts are not alike. */
static void repeats_fill(struct lab *lab, struct call *call)
{
    uint32_t *index = call->buffer[INDEX];
    array_fill(lab, call, call->n);
    for (size_t i = 0; i < call->n; i++)
        index[i] = (uint32_t)rng_below(&lab->rng, i % 4 ? (call->n + 3) / 4 : call->n);
    expect_walk(call);
}

static void one_element_fill(struct lab *lab, struct call *call)
{
    uint32_t *index = call->buffer[INDEX];
    array_fill(lab, call, call->n);
    uint32_t at = call->n > 0 ? (uint32_t)rng_below(&lab->rng, call->n) : 0;
    for (size_t i = 0; i < call->n; i++)
        index[i] = at;
    expect_walk(call);
}

/* Fewer indices than elements; the first and the last element are among them. */
static void sparse_fill(struct lab *lab, struct call *call)
{
    uint32_t *index = call->buffer[INDEX];
    size_t length = length_sparse(call);
    array_fill(lab, call, length);
    for (size_t i = 0; i < call->n; i++)
        index[i] = i == 0 ? (uint32_t)length - 1 : i == 1 ? 0 : (uint32_t)rng_below(&lab->rng, length);
    expect_walk(call);
}

static bool wrong_element(struct finding *why, size_t i, size_t length, uint32_t expected, uint32_t found)
{
    uint32_t missing = expected - found, surplus = found - expected;
    if (missing <= surplus)
        return finding(why,
                       "array[%zu] of %zu: expected %" PRIu32 ", found %" PRIu32 " (%" PRIu32 " too few)", i,
                       length, expected, found, missing);
    return finding(why, "array[%zu] of %zu: expected %" PRIu32 ", found %" PRIu32 " (%" PRIu32 " too many)",
                   i, length, expected, found, surplus);
}

static bool walk_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct walk_args *args = call->args;
    const uint32_t *expected = call->shadow, *found = call->buffer[ARRAY];
    (void)lab;
    for (size_t i = 0; i < args->length; i++)
        if (found[i] != expected[i])
            return wrong_element(why, i, args->length, expected[i], found[i]);
    return true;
}

/* ---- walks, large: one array for all calls, which stays where it is and counts its visits ----
 *
 * The array is cut into n rows. Window w of the index holds one element of each row, in random order. Which
 * one, that row's order of its columns says: it is the w-th of it. So a call visits a part of the array that
 * lies all over it, and the next call another part. Each row has one of ORDERS random orders, drawn for it
 * alone; as they stay with the grader, only the index tells which elements a call visits, and none of its
 * entries tells of another row. Here a row's order tells what has become of it. */

enum { WINDOWS = 4, ORDERS = 256 };
#define LARGE_LEAST ((size_t)16 << 20)
#define LARGE_MOST  ((size_t)128 << 20)

struct visits {
    size_t length, n, stride, windows; /* stride: elements of a row */
    size_t next;                       /* the window of the next call */
    uint32_t of_window[WINDOWS];
    uint8_t *order;    /* of each row */
    uint32_t *columns; /* of each order */
    uint32_t *row;     /* of each order: a row as it should be */
};

static void draw_windows(struct lab *lab, struct visits *visits, uint32_t *index)
{
    const size_t stride = visits->stride, n = visits->n;
    for (size_t order = 0; order < ORDERS; order++)
        permute(lab, visits->columns + order * stride, stride);
    for (size_t i = 0; i < n; i++)
        visits->order[i] = (uint8_t)rng_below(&lab->rng, ORDERS);
    for (size_t w = 0; w < visits->windows; w++, index += n) {
        permute(lab, index, n);
        for (size_t i = 0; i < n; i++)
            index[i] = (uint32_t)(index[i] * stride + visits->columns[visits->order[index[i]] * stride + w]);
    }
}

static bool large_setup_of(struct lab *lab, size_t wanted, bool has_index)
{
    const size_t n = lab->elements, stride = wanted / n, length = stride * n;
    struct visits *visits = lab_memory(lab, 0, sizeof *visits);
    const size_t windows = lab->modelled ? 1 : WINDOWS; /* a model is asked for one call */
    if (!visits)
        return false;
    *visits = (struct visits){.length = length,
                              .n = n,
                              .stride = stride,
                              .windows = stride < windows ? stride : windows,
                              .order = lab_memory(lab, 1, n),
                              .columns = lab_memory(lab, 2, ORDERS * stride * sizeof(uint32_t)),
                              .row = lab_memory(lab, 3, ORDERS * stride * sizeof(uint32_t))};
    uint32_t *array = lab_shared(lab, ARRAY, length * sizeof(uint32_t), PLAN_READ | PLAN_WRITE);
    uint32_t *index = lab_shared(lab, INDEX, visits->windows * n * sizeof(uint32_t), PLAN_READ);
    uint32_t *scratch = lab_shared(lab, SCRATCH, n * sizeof(uint32_t), PLAN_READ | PLAN_WRITE);
    if (!visits->order || !visits->columns || !visits->row || !array || !index || !scratch)
        return false;
    memset(array, 0, length * sizeof *array); /* it is already: this makes the pages */
    if (has_index)
        draw_windows(lab, visits, index);
    return true;
}

/* A walk in order visits all of the array, and needs no index. */
static bool whole_setup(struct lab *lab)
{
    return large_setup_of(lab, lab->elements, false);
}

/* The article's array of 4 MiB. */
static bool article_setup(struct lab *lab)
{
    const size_t length = (size_t)1 << 20;
    return large_setup_of(lab, lab->elements < length ? length : lab->elements, true);
}

/* Far more than the core's own caches hold, in whole strides. Half of the last-level cache, as a machine
 * often shares that with neighbours: of a larger array it is they who decide how much is there, and what is
 * measured changes with them. A model's is its own: a quarter more than it holds. */
static bool beyond_setup(struct lab *lab)
{
    size_t bytes = lab->cache_bytes / 2;
    bytes = bytes < LARGE_LEAST ? LARGE_LEAST : bytes > LARGE_MOST ? LARGE_MOST : bytes;
    if (lab->modelled)
        bytes = lab->cache_bytes + lab->cache_bytes / 4;
    size_t stride = (bytes / sizeof(uint32_t) + lab->elements - 1) / lab->elements;
    return large_setup_of(lab, stride * lab->elements, true);
}

static bool large_allocate(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

static void large_fill(struct lab *lab, struct call *call)
{
    struct walk_args *args = call->args;
    struct visits *visits = lab->memory[0];
    const uint32_t *index = lab->shared[INDEX];
    size_t w = visits->next;
    visits->next = (w + 1) % visits->windows;
    visits->of_window[w]++;
    *args = (struct walk_args){.array = lab->shared[ARRAY],
                               .length = visits->length,
                               .index = index + w * visits->n,
                               .n = visits->n,
                               .scratch = lab->shared[SCRATCH]};
}

static bool large_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct visits *visits = lab->memory[0];
    const size_t stride = visits->stride, length = visits->length;
    const uint32_t *array = lab->shared[ARRAY];
    (void)call;
    if (stride == 1 && array[0] == visits->of_window[0] &&
        memcmp(array, array + 1, (length - 1) * sizeof *array) == 0)
        return true; /* each element is as the one before: quicker than row by row */
    memset(visits->row, 0, ORDERS * stride * sizeof *visits->row);
    for (size_t at = 0; at < ORDERS * stride; at += stride)
        for (size_t w = 0; w < visits->windows; w++)
            visits->row[at + visits->columns[at + w]] = visits->of_window[w];
    for (size_t i = 0; i < visits->n; i++) {
        const uint32_t *found = array + i * stride, *row = visits->row + visits->order[i] * stride;
        if (memcmp(found, row, stride * sizeof *row) == 0)
            continue;
        for (size_t column = 0; column < stride; column++)
            if (found[column] != row[column])
                return wrong_element(why, i * stride + column, length, row[column], found[column]);
    }
    return true;
}

#define RATES(NAME)                                                                                          \
    .name = (NAME), .entry = ENTRY_RATES, .args_size = sizeof(struct rates_args),                            \
    .result_size = sizeof(struct rates_result), .allocate = rates_allocate, .fill = rates_fill,              \
    .verify = rates_verify

#define SHUFFLE(NAME, ALLOCATE, FILL, VERIFY)                                                                \
    .name = (NAME), .entry = ENTRY_SHUFFLE, .args_size = sizeof(struct shuffle_args),                        \
    .allocate = (ALLOCATE), .fill = (FILL), .verify = (VERIFY), .buffers = {"index"}

#define WALK(NAME, ENTRY, ALLOCATE, FILL)                                                                    \
    .name = (NAME), .entry = (ENTRY), .args_size = sizeof(struct walk_args), .allocate = (ALLOCATE),         \
    .fill = (FILL), .verify = walk_verify, .buffers = {"array", "index", "scratch"}

#define LARGE(NAME, ENTRY, SETUP)                                                                            \
    .name = (NAME), .entry = (ENTRY), .args_size = sizeof(struct walk_args), .once = true, .setup = (SETUP), \
    .allocate = large_allocate, .fill = large_fill, .verify = large_verify

static const struct case_def defs[] = {
    {RATES("rates")},
    {SHUFFLE("shuffle", shuffle_allocate, shuffle_fill, shuffle_verify)},
    {SHUFFLE("shuffle-many", many_allocate, many_fill, many_verify)},
    {WALK("sequential", ENTRY_SEQUENTIAL, same_allocate, sequential_fill)},
    {WALK("shuffled", ENTRY_SHUFFLED, same_allocate, permutation_fill)},
    {WALK("partitioned", ENTRY_PARTITIONED, same_allocate, permutation_fill)},
    {WALK("repeats", ENTRY_PARTITIONED, same_allocate, repeats_fill)},
    {WALK("one-element", ENTRY_PARTITIONED, same_allocate, one_element_fill)},
    {WALK("sparse", ENTRY_PARTITIONED, sparse_allocate, sparse_fill)},
    {LARGE("sequential-4mib", ENTRY_SEQUENTIAL, whole_setup)},
    {LARGE("shuffled-4mib", ENTRY_SHUFFLED, article_setup)},
    {LARGE("beyond-cache", ENTRY_PARTITIONED, beyond_setup)},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
