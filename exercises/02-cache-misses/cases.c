/* Exercise 2: inputs and oracles, a section for each of the student's files. (More than 500 lines, since
 * cases.so is built of this one file.) */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "fair.h"
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
    unsigned bits = (unsigned)draw_below(&lab->draw, 53);
    *loads = bits == 0 ? 0 : draw_next(&lab->draw) >> (64 - bits);
    *misses = draw_below(&lab->draw, 2 * *loads + 2);
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

static bool rates_are(const struct rates_result *result, const struct miss_counters *c, struct finding *why)
{
    return rate_verify("l1d_miss_rate", result->l1d, c->l1d_load_misses, c->l1d_loads, why) &&
           rate_verify("llc_miss_rate", result->llc, c->llc_load_misses, c->llc_loads, why);
}

static bool rates_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct rates_args *args = call->args;
    (void)lab;
    return rates_are(call->result, &args->counters, why);
}
/* ---- shuffle ---- */

enum { ORDERS_MAX = 120, SURELY_DIFFERENT = 20 };

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

/* What is in a row before, which means nothing: the same number in all places, the numbers as they would be
 * in order, any numbers below n, or noise. */
static uint32_t was_before(const struct shuffle_args *args, uint64_t row, size_t i)
{
    enum { SAME, ORDERED, BELOW_N, NOISE, KINDS = 5 };
    uint64_t of_row = args->seed ^ (row + 1) * UINT64_C(0xd6e8feb86659fd93), of_place;
    const uint64_t kind = random_below(&of_row, KINDS), same = random_below(&of_row, 3);
    if (kind == SAME)
        return same == 0 ? 0 : same == 1 ? UINT32_MAX : (uint32_t)of_row;
    if (kind == ORDERED)
        return (uint32_t)i;
    of_place = of_row ^ (i + 1) << 17;
    return (uint32_t)random_below(&of_place, kind == BELOW_N ? args->n : UINT64_C(1) << 32);
}

static void shuffle_prepare(struct lab *lab, struct call *call, size_t n, uint64_t rows)
{
    uint32_t *index = call->buffer[0];
    struct shuffle_args *args = call->args;
    const bool differs = n >= SURELY_DIFFERENT; /* and so do the seeds, in any of their bits */
    *args = (struct shuffle_args){.index = call->buffer[0],
                                  .n = n,
                                  .seed = draw_next(&lab->draw),
                                  .rows = rows,
                                  .shift = differs ? 16 * (lab->count++ % 4) : 0};
    for (uint64_t row = 0; row < rows; row++)
        for (size_t i = 0; i < n; i++)
            index[row * n + i] = was_before(args, row, i);
}

static void shuffle_fill(struct lab *lab, struct call *call)
{
    shuffle_prepare(lab, call, call->n, 1);
}

static void many_fill(struct lab *lab, struct call *call)
{
    shuffle_prepare(lab, call, call->n, rows_of_many(call->n));
}

/* index[i] is no number of a permutation. Was it there before? */
static bool not_below_n(const struct shuffle_args *args, uint64_t at, const uint32_t *row, size_t i,
                        struct finding *why)
{
    if (row[i] == was_before(args, at, i))
        return finding(
            why, "index[%zu] is as it was before: expected the numbers below n, whatever was in index", i);
    for (size_t j = 0; j < args->n; j++)
        if (row[i] == was_before(args, at, j))
            return finding(why,
                           "index[%zu] is %" PRIu32 ", which was in index[%zu] before: expected the numbers "
                           "below n, whatever was in index",
                           i, row[i], j);
    return finding(why, "index[%zu] is %" PRIu32 ": expected a number below n", i, row[i]);
}

static bool is_permutation(const struct shuffle_args *args, const uint32_t *index, uint64_t at, bool *seen,
                           struct finding *why)
{
    const size_t n = args->n;
    const uint32_t *row = index + at * n;
    memset(seen, 0, n * sizeof *seen);
    for (size_t i = 0; i < n; i++) {
        if (row[i] >= n)
            return not_below_n(args, at, row, i, why);
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
    return is_permutation(call->args, call->buffer[0], 0, call->shadow, why);
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

/* The same order for the same seed, in rows 0 and 1, and where that cannot be chance another one for others.
 */
static bool same_and_different(const struct shuffle_args *args, const uint32_t *index, struct finding *why)
{
    const size_t n = args->n, bytes = n * sizeof *index;
    if (memcmp(index, index + n, bytes) != 0)
        return finding(why, "seed %#" PRIx64 " gave two different orders: expected the same one each time",
                       args->seed);
    for (uint64_t row = 2; n >= SURELY_DIFFERENT && row < args->rows; row++)
        if (memcmp(index + (row - 1) * n, index + row * n, bytes) == 0)
            return finding(why,
                           "seeds %#" PRIx64 " and %#" PRIx64 " gave the same order: expected each "
                           "seed to give one of its own",
                           args->seed + ((row - 2) << args->shift), args->seed + ((row - 1) << args->shift));
    return true;
}

static bool many_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct shuffle_args *args = call->args;
    const uint32_t *index = call->buffer[0];
    const size_t n = call->n;
    (void)lab;

    for (uint64_t row = 0; row < args->rows; row++)
        if (!is_permutation(args, index, row, call->shadow, why))
            return false;
    if (!same_and_different(args, index, why))
        return false;
    return !sampled(n) || orders_verify(index, n, why);
}

/* ---- shuffles too large to count orders: places, neighbours and cycles are judged (fair.h) ----
 *
 * Not of the rows alone: a row and the next one, from independent seeds, are permutations of each other,
 * which have to be as random. So neither one good order that is moved on from seed to seed, nor a calculated
 * one, will do. */

/* The longest has more numbers than 16 bits count. */
enum { THOUSAND = 1000, THOUSAND_ROWS = 64, MOST = 70000, MOST_ROWS = 8 };
enum { OF_A_ROW, OF_NUMBERS, OF_PLACES, KINDS };

struct fairness {
    size_t n, rows; /* where they are drawn */
    struct fair fair[KINDS];
    bool *seen;
    uint32_t *place, *step; /* where a number is in the row before; a row by the row before */
    uint32_t memory[];
};

static bool large_shuffles_allocate(struct lab *lab, struct call *call, size_t n, size_t rows)
{
    if (!call_buffer(lab, call, 0, rows * n * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ | PLAN_WRITE) ||
        !call_shadow(call, sizeof(struct fairness) + n * (2 * sizeof(uint32_t) + sizeof(bool))))
        return false;
    struct fairness *f = call->shadow;
    f->n = n;
    f->rows = rows;
    f->place = f->memory;
    f->step = f->place + n;
    f->seen = (bool *)(f->step + n);
    return true;
}

static bool thousand_allocate(struct lab *lab, struct call *call)
{
    return large_shuffles_allocate(lab, call, THOUSAND, THOUSAND_ROWS);
}

static bool most_allocate(struct lab *lab, struct call *call)
{
    return large_shuffles_allocate(lab, call, MOST, MOST_ROWS);
}

/* Of lengths that nobody knows before: call k has one from 6 * 2^k to twice that, and so many rows as make
 * some thousands of numbers. The calls behind these have none. */
enum { DRAWN = 13, DRAWN_FROM = 6, DRAWN_NUMBERS = 32768, DRAWN_NUMBERS_MODELLED = 16384, DRAWN_ROWS = 3 };

static bool drawn_allocate(struct lab *lab, struct call *call)
{
    if (call->n >= DRAWN)
        return true;
    const size_t least = (size_t)DRAWN_FROM << call->n, n = least + draw_below(&lab->draw, least),
                 rows = (lab->modelled ? DRAWN_NUMBERS_MODELLED : DRAWN_NUMBERS) / n + 2;
    return large_shuffles_allocate(lab, call, n, rows > DRAWN_ROWS ? rows : DRAWN_ROWS);
}

static void large_fill(struct lab *lab, struct call *call)
{
    const struct fairness *f = call->shadow;
    if (f)
        shuffle_prepare(lab, call, f->n, f->rows);
}

/* A row, and what makes it of the one before: where each number's successor lies, and what takes its place.
 */
static void add_row(struct fairness *f, const uint32_t *row, const uint32_t *before, size_t n)
{
    fair_add(&f->fair[OF_A_ROW], row, f->seen);
    if (!before)
        return;
    for (size_t i = 0; i < n; i++)
        f->place[before[i]] = (uint32_t)i;
    for (size_t i = 0; i < n; i++)
        f->step[i] = row[f->place[i]];
    fair_add(&f->fair[OF_NUMBERS], f->step, f->seen);
    for (size_t i = 0; i < n; i++)
        f->step[i] = f->place[row[i]];
    fair_add(&f->fair[OF_PLACES], f->step, f->seen);
}

/* "3", "16 ... 31": what a block holds. */
static void name_block(char name[48], size_t n, size_t block)
{
    const size_t first = fair_first(n, block), last = fair_first(n, block + 1) - 1;
    if (first == last)
        snprintf(name, 48, "%zu", first);
    else
        snprintf(name, 48, "%zu ... %zu", first, last);
}

static bool unfair(const struct fair *fair, bool of_a_row, struct finding *why)
{
    const struct fair_finding found = fair_judge(fair);
    const size_t n = fair->n;
    char text[256] = "", from[48], to[48];
    name_block(from, n, found.from);
    name_block(to, n, found.to);
    switch (found.doubt) {
    case FAIR:
        return false;
    case FAIR_PLACES:
        snprintf(text, sizeof text,
                 "of the numbers %s came %" PRIu64 " to index[%s]: expected about %.0f; which "
                 "range does each random number come from?",
                 to, found.found, from, found.expected);
        break;
    case FAIR_NEIGHBOURS:
        snprintf(text, sizeof text,
                 "%" PRIu64 " times a number from %s came behind one from %s: expected about "
                 "%.0f; a number must not tell the next one",
                 found.found, to, from, found.expected);
        break;
    case FAIR_TOO_EVEN:
        snprintf(text, sizeof text,
                 "the numbers are spread more evenly than by chance: expected an order that "
                 "is drawn, found one that is calculated");
        break;
    case FAIR_CYCLES:
        snprintf(text, sizeof text,
                 "i -> index[i] -> ... has %" PRIu64 " cycles in all: expected about %.0f; may each number "
                 "stay where it is?",
                 found.found, found.expected);
        break;
    }
    finding(why, "with %zu seeds and n = %zu%s %s", fair->permutations, n,
            of_a_row ? "," : ", each order seen from the one before,", text);
    return true;
}

static bool fair_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct shuffle_args *args = call->args;
    const uint32_t *index = call->buffer[0], *before = NULL;
    const size_t n = args->n;
    struct fairness *f = call->shadow;
    (void)lab;
    if (!f)
        return true;
    for (unsigned kind = 0; kind < KINDS; kind++)
        f->fair[kind] = (struct fair){.n = n};
    for (uint64_t row = 0; row < args->rows; row++)
        if (!is_permutation(args, index, row, f->seen, why))
            return false;
    if (!same_and_different(args, index, why))
        return false;
    for (uint64_t row = 1; row < args->rows; before = index + row++ * n)
        add_row(f, index + row * n, before, n);
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (unfair(&f->fair[kind], kind == OF_A_ROW, why))
            return false;
    return true;
}

/* ---- walks: the index is drawn anew for each call, whatever its size ---- */

enum { ARRAY, INDEX }; /* call->buffer[] */

/* An array has so many elements for each visit of a walk through all of it; 131,072 visits, as on model
 * cores, make the article's 4 MiB. */
enum { ELEMENTS_A_VISIT = 8 };

struct walk {
    size_t length;
    bool drawn, profile;
    uint32_t expected[];
};

static bool array_allocate(struct lab *lab, struct call *call, size_t length)
{
    const size_t size = sizeof(uint32_t);
    if (!call_buffer(lab, call, ARRAY, length * size, size, PLAN_READ | PLAN_WRITE) ||
        !call_shadow(call, sizeof(struct walk) + length * size))
        return false;
    struct walk *walk = call->shadow;
    walk->length = length;
    walk->drawn = walk->profile = false;
    return true;
}

static bool sequential_allocate(struct lab *lab, struct call *call)
{
    return array_allocate(lab, call, call->n);
}

static bool shuffled_allocate_of(struct lab *lab, struct call *call, size_t length)
{
    const size_t size = sizeof(uint32_t);
    return array_allocate(lab, call, length) &&
           call_buffer(lab, call, INDEX, call->n * size, size, PLAN_READ);
}

static bool shuffled_allocate(struct lab *lab, struct call *call)
{
    return shuffled_allocate_of(lab, call, call->n);
}

/* An array of fewer elements than visits, or of more. */
static bool repeats_allocate(struct lab *lab, struct call *call)
{
    static const size_t eighths[] = {1, 8, 16, 64};
    const size_t kind = draw_below(&lab->draw, sizeof eighths / sizeof *eighths);
    return shuffled_allocate_of(lab, call, (call->n * eighths[kind] + 7) / 8);
}

static bool counted(struct call *call)
{
    ((struct walk *)call->shadow)->profile = true;
    return true;
}

static bool article_sequential_allocate(struct lab *lab, struct call *call)
{
    return sequential_allocate(lab, call) && counted(call);
}

static bool article_shuffled_allocate(struct lab *lab, struct call *call)
{
    return shuffled_allocate_of(lab, call, call->n * ELEMENTS_A_VISIT) && counted(call);
}

/* Longer than those that are timed, or shorter; nobody knows before how long. On a model core, where it takes
 * its time, so are the trials nearly as long as the timed calls. */
enum { LONG_FROM = 20000, LONG_TO = 200000, LONG_TO_MODELLED = 50000, SHORT = 5000 };

static void make_long(struct lab *lab, struct call *call)
{
    const uint64_t to = lab->modelled ? LONG_TO_MODELLED : LONG_TO;
    call->n = LONG_FROM + draw_below(&lab->draw, to - LONG_FROM);
}

static void shorten(struct lab *lab, struct call *call)
{
    if (lab->modelled && !lab->timed && call->n > LONG_FROM)
        call->n = SHORT + draw_below(&lab->draw, SHORT);
}

static bool some_sequential_allocate(struct lab *lab, struct call *call)
{
    shorten(lab, call);
    return sequential_allocate(lab, call);
}

static bool some_shuffled_allocate(struct lab *lab, struct call *call)
{
    shorten(lab, call);
    return shuffled_allocate(lab, call);
}

static bool some_repeats_allocate(struct lab *lab, struct call *call)
{
    shorten(lab, call);
    return repeats_allocate(lab, call);
}

static bool long_sequential_allocate(struct lab *lab, struct call *call)
{
    make_long(lab, call);
    return sequential_allocate(lab, call);
}

static bool long_shuffled_allocate(struct lab *lab, struct call *call)
{
    make_long(lab, call);
    return repeats_allocate(lab, call);
}

/* Some numbers are at the end of their range: with one added they go on at 0. */
static uint32_t array_number(uint32_t drawn)
{
    return drawn % 16 == 0 ? UINT32_MAX : drawn;
}

static void array_draw(struct lab *lab, struct walk *walk)
{
    for (size_t i = 0; i < walk->length; i += 2) { /* a number of 64 bits is two */
        const uint64_t r = draw_next(&lab->draw);
        walk->expected[i] = array_number((uint32_t)r);
        if (i + 1 < walk->length)
            walk->expected[i + 1] = array_number((uint32_t)(r >> 32));
    }
    walk->drawn = true;
}

/* Timed calls, one after the other, go on with what the last one should have left: to draw an array takes
 * longer than to walk it, and what tells a walk from others is its index. */
static void array_fill(struct lab *lab, struct call *call)
{
    struct walk_args *args = call->args;
    struct walk *walk = call->shadow;
    *args = (struct walk_args){
        .array = call->buffer[ARRAY], .index = call->buffer[INDEX], .n = call->n, .profile = walk->profile};
    if (!lab->timed || !walk->drawn)
        array_draw(lab, walk);
    if (walk->length > 0)
        memcpy(call->buffer[ARRAY], walk->expected, walk->length * sizeof *walk->expected);
}

static void expect_walk(struct call *call)
{
    const uint32_t *index = call->buffer[INDEX];
    struct walk *walk = call->shadow;
    for (size_t i = 0; i < call->n; i++)
        walk->expected[index[i]]++;
}

/* `number` gets 0 to n - 1 in random order. */
static void permute(struct lab *lab, uint32_t *number, size_t n)
{
    for (size_t i = 0; i < n; i++) { /* from inside out: the i-th goes to one of i + 1 places */
        size_t place = draw_below(&lab->draw, i + 1);
        number[i] = number[place];
        number[place] = (uint32_t)i;
    }
}

static void sequential_fill(struct lab *lab, struct call *call)
{
    struct walk *walk = call->shadow;
    array_fill(lab, call);
    for (size_t i = 0; i < call->n; i++)
        walk->expected[i]++;
}

static void permutation_fill(struct lab *lab, struct call *call)
{
    array_fill(lab, call);
    permute(lab, call->buffer[INDEX], call->n);
    expect_walk(call);
}

/* In pieces of some length and of some kind: any indices; those of the array's first quarter; a few of them,
 * again and again, or one behind the other so many times; a row of neighbours, up or down, each of them once
 * or twice or three times. */
static void repeats_fill(struct lab *lab, struct call *call)
{
    enum { ANY, QUARTER, FEW_OF_THEM, RUNS, UP, DOWN, PIECES };
    const struct walk *walk = call->shadow;
    const uint64_t length = walk->length;
    uint32_t *index = call->buffer[INDEX];
    array_fill(lab, call);
    for (size_t i = 0, end; i < call->n; i = end) {
        const uint64_t kind = draw_below(&lab->draw, PIECES), from = draw_below(&lab->draw, length),
                       few = 1 + draw_below(&lab->draw, 8), times = 1 + draw_below(&lab->draw, 3);
        const size_t begin = i, left = call->n - i,
                     piece = 1 + draw_below(&lab->draw, call->n / 8 + few * times);
        end = i + (piece < left ? piece : left);
        for (; i < end; i++) {
            const uint64_t step = (i - begin) / times % length;
            const uint64_t at = kind == ANY           ? draw_below(&lab->draw, length)
                                : kind == QUARTER     ? draw_below(&lab->draw, (length + 3) / 4)
                                : kind == FEW_OF_THEM ? from + draw_below(&lab->draw, few)
                                : kind == RUNS        ? from + (i - begin) / (few * times)
                                : kind == UP          ? from + step
                                                      : from + length - step;
            index[i] = (uint32_t)(at % length);
        }
    }
    expect_walk(call);
}

/* Each index from all of the array: no row or column of it tells where the next one is. */
static void article_fill(struct lab *lab, struct call *call)
{
    const struct walk *walk = call->shadow;
    uint32_t *index = call->buffer[INDEX];
    array_fill(lab, call);
    for (size_t i = 0; i < call->n; i++)
        index[i] = (uint32_t)draw_below(&lab->draw, walk->length);
    expect_walk(call);
}

/* How often an element is visited, if it is more than once. */
static void visits(const struct call *call, size_t element, char text[96])
{
    const uint32_t *index = call->buffer[INDEX];
    size_t times = 0;
    for (size_t i = 0; index && i < call->n; i++)
        times += index[i] == element;
    text[0] = '\0';
    if (times > 1)
        snprintf(text, 96, "; %zu comes %zu times in index", element, times);
}

static bool wrong_element(const struct call *call, struct finding *why, size_t i, uint32_t found)
{
    const struct walk *walk = call->shadow;
    const uint32_t expected = walk->expected[i], missing = expected - found, surplus = found - expected;
    const bool few = missing <= surplus;
    char times[96];
    visits(call, i, times);
    return finding(why, "array[%zu] of %zu: expected %" PRIu32 ", found %" PRIu32 " (%" PRIu32 " too %s%s)",
                   i, walk->length, expected, found, few ? missing : surplus, few ? "few" : "many", times);
}

static bool walk_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct walk *walk = call->shadow;
    const uint32_t *found = call->buffer[ARRAY];
    (void)lab;
    if (walk->length == 0 || memcmp(found, walk->expected, walk->length * sizeof *found) == 0)
        return true;
    for (size_t i = 0; i < walk->length; i++)
        if (found[i] != walk->expected[i])
            return wrong_element(call, why, i, found[i]);
    return true;
}

/* The walk is right, and so are the rates of what was counted in it. A walk that forged the counts would have
 * to find their rates all the same. */
static bool profile_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct profile_result result = *(const struct profile_result *)call->result;
    struct finding rate;
    if (!walk_verify(lab, call, why))
        return false;
    return rates_are(&result.rates, &result.counters, &rate) ||
           finding(why, "of the walk's own counters, %.400s", rate.text);
}

/* ---- the ring ---- */

enum { RECORDS, SPACE }; /* call->buffer[] */
enum { TIMED_LAPS = 11, FEW = 16, MANY_LAPS = 256 };
/* Laps of other calls than the timed ones: at most so many, and a few where that were too many visits. */
enum { MOST_LAPS = 63, FEW_LAPS = 15, VISITS = 1 << 20, VISITS_MODELLED = 1 << 15 };
enum { LONG_RING = 70000, LONG_LAPS = 2 }; /* records, more than 16 bits count, and laps */

/* What the grader keeps of a ring, in the order of the visits. */
struct ring {
    uint64_t expected, laps;
    size_t slots;
    uint64_t *value; /* of each record of the ring */
    uint32_t *slot;  /* where it lies; behind the ring's, the slots that are not in it */
    uint32_t *visit; /* the other way round: a slot's place in that order */
    uint64_t memory[];
};

static bool ring_allocate_of(struct lab *lab, struct call *call, size_t slots)
{
    const size_t bytes = sizeof(struct record);
    if (!call_buffer(lab, call, RECORDS, slots * bytes, 64, PLAN_READ) ||
        !call_buffer(lab, call, SPACE, call->n * bytes, 64, PLAN_READ | PLAN_WRITE) ||
        !call_shadow(call, sizeof(struct ring) + slots * (sizeof(uint64_t) + 2 * sizeof(uint32_t))))
        return false;
    struct ring *ring = call->shadow;
    ring->slots = slots;
    ring->value = ring->memory;
    ring->slot = (uint32_t *)(ring->memory + slots);
    ring->visit = ring->slot + slots;
    uint64_t *words = call->buffer[RECORDS]; /* once: what does not count says nothing of what does */
    for (size_t i = 0; i < slots * bytes / sizeof *words; i++)
        words[i] = draw_next(&lab->draw);
    return true;
}

static bool ring_allocate(struct lab *lab, struct call *call)
{
    return ring_allocate_of(lab, call, call->n);
}

/* Some of the records are none of the ring's. */
enum { MOST_OTHERS = 1000 };

static bool apart_allocate(struct lab *lab, struct call *call)
{
    const size_t others = call->n < MOST_OTHERS ? call->n + 1 : MOST_OTHERS;
    return ring_allocate_of(lab, call, call->n + others);
}

static uint64_t ring_expected(const struct ring *ring, size_t n, uint64_t laps)
{
    uint64_t hash = 0;
    for (uint64_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, ring->value[i]);
    return hash;
}

/* None, one, or any number. */
static uint64_t draw_laps(struct lab *lab, size_t n)
{
    const uint64_t kind = draw_below(&lab->draw, 8),
                   room = (lab->modelled ? VISITS_MODELLED : VISITS) / (n + 1),
                   most = room > MOST_LAPS  ? MOST_LAPS
                          : room > FEW_LAPS ? room
                          : lab->timed      ? FEW_LAPS
                                            : FEW_LAPS / 3;
    if (kind < 2)
        return kind;
    if (n <= FEW && kind < 4)
        return MANY_LAPS + draw_below(&lab->draw, MANY_LAPS);
    return 1 + draw_below(&lab->draw, kind < 4 ? most : most < FEW_LAPS ? most : FEW_LAPS);
}

/* All anew: the order, and each number that counts. Written in the order of memory, which is quickest. */
static void ring_fill(struct lab *lab, struct call *call)
{
    struct ring_args *args = call->args;
    struct ring *ring = call->shadow;
    struct record *pool = call->buffer[RECORDS];
    const size_t n = call->n;
    permute(lab, ring->slot, ring->slots);
    for (size_t i = 0; i < ring->slots; i++)
        ring->visit[ring->slot[i]] = (uint32_t)i;
    for (size_t i = 0; i < ring->slots; i++) {
        struct record *record = &pool[i];
        const size_t visit = ring->visit[i];
        record->next = visit < n ? &pool[ring->slot[visit + 1 < n ? visit + 1 : 0]] : NULL;
        record->a = draw_next(&lab->draw);
        record->b = draw_next(&lab->draw);
        record->c = draw_next(&lab->draw);
        record->d = draw_next(&lab->draw);
        ring->value[visit] = record_value(record);
    }
    ring->laps = lab->timed && ring->slots == n ? TIMED_LAPS : n == LONG_RING ? LONG_LAPS : draw_laps(lab, n);
    ring->expected = ring_expected(ring, n, ring->laps);
    *args = (struct ring_args){.first = n > 0 ? &pool[ring->slot[0]] : NULL,
                               .n = n,
                               .laps = ring->laps,
                               .scratch = call->buffer[SPACE]};
}

/* What else comes to that hash. */
static const char *ring_guess(const struct ring *ring, size_t n, uint64_t found)
{
    uint64_t hash = 0;
    if (found == 0)
        return " (not done yet?)";
    if (ring->laps > 1 && found == ring_expected(ring, n, 1))
        return " (that is the hash of one lap: it goes on in the next one from where the last has ended)";
    if (ring->laps > 0 && found == ring_expected(ring, n, ring->laps - 1))
        return " (that is one lap too few)";
    if (found == ring_expected(ring, n, ring->laps + 1))
        return " (that is one lap too many)";
    for (uint64_t lap = 0; lap < ring->laps; lap++)
        for (size_t slot = 0; slot < ring->slots; slot++)
            if (ring->visit[slot] < n)
                hash = ring_mix(hash, ring->value[ring->visit[slot]]);
    return found == hash ? " (that is the order in which they lie in memory)" : "";
}

static bool ring_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct ring *ring = call->shadow;
    const uint64_t *found = call->result;
    (void)lab;
    if (*found == ring->expected)
        return true;
    return finding(
        why, "the hash after %" PRIu64 " laps over %zu records: expected %#" PRIx64 ", found %#" PRIx64 "%s",
        ring->laps, call->n, ring->expected, *found, ring_guess(ring, call->n, *found));
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
    .fill = (FILL), .verify = walk_verify, .buffers = {"array", "index"}

#define PROFILE(NAME, ENTRY, ALLOCATE, FILL)                                                                 \
    .name = (NAME), .entry = (ENTRY), .args_size = sizeof(struct walk_args),                                 \
    .result_size = sizeof(struct profile_result), .once = true, .reads_counters = true,                      \
    .allocate = (ALLOCATE), .fill = (FILL), .verify = profile_verify, .buffers = {"array", "index"}

#define RING(NAME, ALLOCATE)                                                                                 \
    .name = (NAME), .entry = ENTRY_RING, .args_size = sizeof(struct ring_args),                              \
    .result_size = sizeof(uint64_t), .allocate = (ALLOCATE), .fill = ring_fill, .verify = ring_verify,       \
    .buffers = {"records", "scratch"}

static const struct case_def defs[] = {
    {RATES("rates")},
    {SHUFFLE("shuffle", shuffle_allocate, shuffle_fill, shuffle_verify)},
    {SHUFFLE("shuffle-many", many_allocate, many_fill, many_verify)},
    {SHUFFLE("shuffle-1000", thousand_allocate, large_fill, fair_verify), .once = true},
    {SHUFFLE("shuffle-70000", most_allocate, large_fill, fair_verify), .once = true},
    {SHUFFLE("shuffle-drawn", drawn_allocate, large_fill, fair_verify), .unsized = true},
    {WALK("sequential", ENTRY_SEQUENTIAL, some_sequential_allocate, sequential_fill),
     .reads_whole = 1 << ARRAY},
    {WALK("shuffled", ENTRY_SHUFFLED, some_shuffled_allocate, permutation_fill), .reads_whole = 1 << INDEX},
    {WALK("repeats", ENTRY_SHUFFLED, some_repeats_allocate, repeats_fill), .reads_whole = 1 << INDEX},
    {WALK("sequential-long", ENTRY_SEQUENTIAL, long_sequential_allocate, sequential_fill), .once = true},
    {WALK("shuffled-long", ENTRY_SHUFFLED, long_shuffled_allocate, repeats_fill), .once = true},
    {PROFILE("sequential-4mib", ENTRY_SEQUENTIAL, article_sequential_allocate, sequential_fill),
     .reads_whole = 1 << ARRAY},
    {PROFILE("shuffled-4mib", ENTRY_SHUFFLED, article_shuffled_allocate, article_fill),
     .reads_whole = 1 << INDEX},
    {RING("ring", ring_allocate), .reads_whole = 1 << RECORDS, .warmed = 1 << RECORDS},
    {RING("ring-apart", apart_allocate)},
    {RING("ring-70000", ring_allocate), .once = true, .elements = LONG_RING},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
