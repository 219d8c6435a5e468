/* Exercise 6: inputs and oracle. The kernels' results need every operation, or are counted on a model core;
 * how long they take is for the bounds. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"

/* ---- kernels ---- */

enum {
    RING = 127, /* words that loads go round in, at the most: 1 KiB */
    WAY = TURN / STREAMS,
    SLOTS =
        (int)STREAMS * (WAY + 1) /* a stream's words, with one that stays untouched; a chain has TURN + 1 */
};
_Static_assert(SLOTS > (int)TURN, "room for the chain");

/* Turns, or rows of a table: more than 16 bits count. A model core takes a while for so many turns. One
 * kernel makes them there too, the others natively and under Linux. */
enum { MANY = 70001, MANY_BUT_MODELLED = 70003 };

enum { BUFFER_X, BUFFER_WORDS };

struct expected {
    unsigned streams; /* values that change; 1: of a chain */
    union value before[STREAMS], x[STREAMS];
    uint64_t begun[SLOTS], words[SLOTS]; /* of store and load */
};

static bool allocate_values(struct lab *lab, struct call *call)
{
    if (lab->modelled && call->n == MANY_BUT_MODELLED)
        call->n = 1;
    return call_buffer(lab, call, BUFFER_X, STREAMS * sizeof(union value), sizeof(union value),
                       PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, sizeof(struct expected));
}

static bool allocate_ring(struct lab *lab, struct call *call)
{
    return allocate_values(lab, call) &&
           call_buffer(lab, call, BUFFER_WORDS, RING * sizeof(void *), sizeof(void *), PLAN_READ);
}

static bool allocate_slots(struct lab *lab, struct call *call)
{
    return allocate_values(lab, call) && call_buffer(lab, call, BUFFER_WORDS, SLOTS * sizeof(void *),
                                                     sizeof(void *), PLAN_READ | PLAN_WRITE);
}

/* The argument block, with values that are drawn; `expected` begins as they are. */
static struct expected *begin(struct lab *lab, struct call *call, struct kernel_args **args)
{
    struct expected *expected = call->shadow;
    *args = call->args;
    **args = (struct kernel_args){.x = call->buffer[BUFFER_X], .turns = call->n};
    memset(expected, 0, sizeof *expected);
    for (unsigned i = 0; i < STREAMS; i++)
        (*args)->x[i].word = draw_next(&lab->draw);
    return expected;
}

/* What is expected of the first `streams` values is in expected->x; the others stay. */
static void end(const struct kernel_args *args, struct expected *expected, unsigned streams)
{
    expected->streams = streams;
    memcpy(expected->before, args->x, sizeof expected->before);
    for (unsigned i = streams; i < STREAMS; i++)
        expected->x[i] = expected->before[i];
}

/* Operations on one value. */
static uint64_t steps(const struct call *call, unsigned streams)
{
    return call->n * (uint64_t)TURN / streams;
}

static void fill_add(struct lab *lab, struct call *call, unsigned streams)
{
    struct kernel_args *args;
    struct expected *expected = begin(lab, call, &args);
    args->y.word = draw_next(&lab->draw);
    for (unsigned i = 0; i < streams; i++)
        expected->x[i].word = args->x[i].word + args->y.word * steps(call, streams);
    end(args, expected, streams);
}

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t product = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        if (exponent & 1)
            product *= base;
    return product;
}

static void fill_multiply(struct lab *lab, struct call *call, unsigned streams)
{
    struct kernel_args *args;
    struct expected *expected = begin(lab, call, &args);
    args->y.word = draw_next(&lab->draw) | 1;
    for (unsigned i = 0; i < streams; i++)
        expected->x[i].word = args->x[i].word * power(args->y.word, steps(call, streams));
    end(args, expected, streams);
}

/* Small whole numbers: their sums are exact. */
static void fill_fp_add(struct lab *lab, struct call *call, unsigned streams)
{
    struct kernel_args *args;
    struct expected *expected = begin(lab, call, &args);
    args->y.number = 1 + (double)draw_below(&lab->draw, 1000);
    for (unsigned i = 0; i < STREAMS; i++)
        args->x[i].number = (double)draw_below(&lab->draw, 1000000);
    for (unsigned i = 0; i < streams; i++)
        expected->x[i].number = args->x[i].number + args->y.number * (double)steps(call, streams);
    end(args, expected, streams);
}

/* One cycle of most words of the ring, in a drawn order. Their number is odd, and what is timed is a power of
 * two of loads: x does not come out as it was, and who leaves loads out has to find out how long a lap is. */
static void fill_load(struct lab *lab, struct call *call, unsigned streams)
{
    struct kernel_args *args;
    struct expected *expected = begin(lab, call, &args);
    void **ring = call->buffer[BUFFER_WORDS];
    const unsigned lap = RING - 2 * (unsigned)draw_below(&lab->draw, RING / 8);
    unsigned order[RING] = {0};
    for (unsigned i = 0; i < RING; i++) {
        const unsigned at = (unsigned)draw_below(&lab->draw, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (unsigned i = 0; i < lap; i++)
        ring[order[i]] = &ring[order[(i + 1) % lap]];
    for (unsigned i = 0; i < STREAMS; i++) {
        const uint64_t from = draw_below(&lab->draw, lap);
        args->x[i].pointer = &ring[order[from]];
        expected->x[i].pointer = &ring[order[(from + steps(call, streams)) % lap]];
    }
    end(args, expected, streams);
}

static void fill_store_load(struct lab *lab, struct call *call, unsigned streams)
{
    struct kernel_args *args;
    struct expected *expected = begin(lab, call, &args);
    uint64_t *words = call->buffer[BUFFER_WORDS];
    memcpy(expected->begun, words, sizeof expected->begun);
    memcpy(expected->words, words, sizeof expected->words);
    const unsigned way = TURN / streams;
    for (unsigned i = 0; i < streams; i++) {
        args->x[i].pointer = &words[i * (way + 1)];
        expected->x[i] = args->x[i];
        for (unsigned k = 1; k <= way && call->n > 0; k++)
            expected->words[i * (way + 1) + k] = (uintptr_t)&words[i * (way + 1) + k];
    }
    end(args, expected, streams);
}

enum kind { WORDS, NUMBERS, PLACES };

static bool verify_values(const struct call *call, struct finding *why, enum kind kind)
{
    const struct expected *expected = call->shadow;
    const union value *found = call->buffer[BUFFER_X];
    char what[16] = "x";
    for (unsigned i = 0; i < STREAMS; i++) {
        const union value x = found[i];
        if (x.word == expected->x[i].word)
            continue;
        if (expected->streams > 1)
            snprintf(what, sizeof what, "x[%u]", i);
        const uint64_t further = x.word - expected->x[i].word;
        const char *hint =
            x.word == expected->before[i].word ? ", which is what it was before"
            : kind == PLACES && further % (8 * TURN / STREAMS) == 0 && further <= 8 * TURN * call->n
                ? ", further on: it does not go back at the end of a turn"
                : "";
        if (kind == NUMBERS)
            return finding(why, "%s after %zu turn%s of %d additions: expected %.0f, found %.17g%s", what,
                           call->n, call->n == 1 ? "" : "s", TURN, expected->x[i].number, x.number, hint);
        return finding(why,
                       "%s after %zu turn%s of %d operations: expected %#" PRIx64 ", found %#" PRIx64 "%s",
                       what, call->n, call->n == 1 ? "" : "s", TURN, expected->x[i].word, x.word, hint);
    }
    return true;
}

static bool verify_words(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    return verify_values(call, why, WORDS);
}

static bool verify_numbers(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    return verify_values(call, why, NUMBERS);
}

static bool verify_slots(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct expected *expected = call->shadow;
    const uint64_t *words = call->buffer[BUFFER_WORDS];
    (void)lab;
    for (unsigned i = 0; i < SLOTS; i++) {
        const uint64_t found = words[i];
        if (found != expected->words[i])
            return finding(
                why,
                "after %zu turn%s the word at byte %u behind %s is %#" PRIx64 ", expected %#" PRIx64 "%s",
                call->n, call->n == 1 ? "" : "s", 8 * i, expected->streams == 1 ? "x" : "x[0]", found,
                expected->words[i], found == expected->begun[i] ? ": nothing was stored there" : "");
    }
    return verify_values(call, why, PLACES);
}

/* ---- arithmetic: numbers whose quotients and sums are exact ---- */

static struct cost draw_cost(struct lab *lab)
{
    return (struct cost){.latency = (double)(1024 + draw_below(&lab->draw, 20 * 1024)) / 1024,
                         .interval = ldexp(1, (int)draw_below(&lab->draw, 7) - 3)};
}

static bool allocate_nothing(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

static void fill_needed(struct lab *lab, struct call *call)
{
    struct needed_args *args = call->args;
    args->cost = draw_cost(lab);
}

static bool verify_needed(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct needed_args *args = call->args;
    const uint64_t found = ((const struct needed_result *)call->result)->needed;
    const double quotient = args->cost.latency / args->cost.interval;
    const uint64_t expected = quotient < 1 ? 1 : (uint64_t)ceil(quotient);
    (void)lab;
    if (found == expected)
        return true;
    return finding(why,
                   "streams_needed of a latency of %g cycles and an interval of %g: expected %" PRIu64
                   ", found %" PRIu64 "%s",
                   args->cost.latency, args->cost.interval, expected, found,
                   found == (uint64_t)quotient ? "; with one stream too few the unit is idle now and then"
                                               : "");
}

enum { BUFFER_TABLE, BUFFER_CHAIN, BUFFER_ALL };

static bool allocate_table(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_TABLE, call->n * sizeof(struct cost), sizeof(double), PLAN_READ) &&
           call_buffer(lab, call, BUFFER_CHAIN, call->n * sizeof(unsigned), sizeof(unsigned), PLAN_READ) &&
           call_buffer(lab, call, BUFFER_ALL, call->n * sizeof(unsigned), sizeof(unsigned), PLAN_READ);
}

/* In half of the calls the chain binds, in the others a unit. */
static void fill_table(struct lab *lab, struct call *call)
{
    struct least_args *args = call->args;
    struct cost *table = call->buffer[BUFFER_TABLE];
    unsigned *chain = call->buffer[BUFFER_CHAIN], *all = call->buffer[BUFFER_ALL];
    const bool by_unit = draw_below(&lab->draw, 2) == 0;
    *args = (struct least_args){.table = table, .chain = chain, .all = all, .n = call->n};
    for (size_t i = 0; i < call->n; i++) {
        table[i] = draw_cost(lab);
        chain[i] = (unsigned)draw_below(&lab->draw, by_unit ? 2 : 4);
        all[i] = chain[i] + (unsigned)draw_below(&lab->draw, by_unit ? 400 : 4);
    }
}

static bool verify_least(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct least_args *args = call->args;
    const double found = ((const struct least_result *)call->result)->cycles;
    double way = 0, units = 0, sum = 0;
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const double of_unit = args->all[i] * args->table[i].interval;
        way += args->chain[i] * args->table[i].latency;
        units = fmax(units, of_unit);
        sum += of_unit;
    }
    const double expected = fmax(way, units);
    if (found == expected)
        return true;
    return finding(
        why,
        "least_cycles of %zu rows, whose chain takes %g cycles and whose busiest unit %g: expected %g, "
        "found %g%s",
        call->n, way, units, expected, found,
        found == way + units                      ? "; the two run side by side"
        : found == fmax(way, sum) || found == sum ? "; each kind has units of its own"
        : found == way + sum ? "; the two run side by side, and each kind has units of its own"
                             : "");
}

/* ---- a kernel drawn anew ---- */

static bool allocate_turn(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, sizeof(struct turn), sizeof(uint64_t), PLAN_READ | PLAN_GLUE);
}

/* What a call costs besides is about as much as TURNS turns: that cannot be overlooked, and noise counts the
 * more in the difference of two lengths the more it is. */
static void fill_turn(struct lab *lab, struct call *call)
{
    struct turn *turn = call->buffer[0];
    *(struct turn_args *)call->args = (struct turn_args){.turn = turn};
    *turn = (struct turn){.adds = 1 + draw_below(&lab->draw, 3),
                          .multiplies = 1 + draw_below(&lab->draw, 10),
                          .roots = 1 + draw_below(&lab->draw, 2)};
    turn->before = 1 + (3 * turn->adds + turn->multiplies + 4 * turn->roots) / 3 + draw_below(&lab->draw, 2);
}

static double ratio(const struct lab *lab, const struct call *call)
{
    const struct turn_result *r = call->result;
    (void)lab;
    return r->glue > 0 ? r->found / r->glue : 0;
}

/* Coarsely: the bound asks more. Elsewhere than on a model core the clock may change in between. */
static bool is_near(const struct lab *lab, double found, double expected)
{
    const double most = lab->modelled ? 1.1 : 2;
    return expected > 0 && found >= expected / most && found <= expected * most;
}

static bool verify_turn(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct turn *turn = call->buffer[0];
    const struct turn_result r = *(const struct turn_result *)call->result;
    const double call_cost = 100.0 * (double)turn->before;
    if (is_near(lab, r.found, r.glue))
        return true;
    if (!(r.glue > 0))
        return finding(
            why, "the counter stands still, or is not the cycles', after cycles_of_turn: leave it as it is");
    return finding(
        why, "cycles_of_turn of a kernel whose turn takes about %.0f cycles: found %.4g%s", r.glue, r.found,
        r.found == 0                                      ? "; not done yet?"
        : is_near(lab, r.found * ADDS, r.glue)            ? ", which is in turns of adds, and not in cycles"
        : is_near(lab, r.found / (double)r.turns, r.glue) ? ", which is the time of all turns"
        : is_near(lab, r.found, r.glue + call_cost)       ? "; the cost of the call is still in it"
        : !isfinite(r.found)                              ? "; something was divided by 0"
        : r.found > r.glue
            ? "; some of what a call costs is still in it, or a first run, which takes longer: of RUNS runs "
              "the shortest counts"
            : "");
}

/* ---- the cases ---- */

#define STREAMED(KIND)                                                                                       \
    static void fill_##KIND##_chain(struct lab *lab, struct call *call)                                      \
    {                                                                                                        \
        fill_##KIND(lab, call, 1);                                                                           \
    }                                                                                                        \
    static void fill_##KIND##_streams(struct lab *lab, struct call *call)                                    \
    {                                                                                                        \
        fill_##KIND(lab, call, STREAMS);                                                                     \
    }

STREAMED(add)
STREAMED(multiply)
STREAMED(fp_add)
STREAMED(load)
STREAMED(store_load)

#define KERNEL_OF(NAME, ENTRY, FAMILY, ALLOCATE, FILL, VERIFY)                                               \
    .name = (NAME), .entry = (ENTRY), .args_size = sizeof(struct kernel_args), .result_size = 0,             \
    .operations = TURN, .family = (FAMILY), .unsized = true, .allocate = (ALLOCATE), .fill = (FILL),         \
    .verify = (VERIFY), .buffers = {"x", "the words behind x"}

/* And the same with many turns, where what comes out depends on their number. */
#define KERNEL(NAME, TURNS, ...)                                                                             \
    {KERNEL_OF(NAME, __VA_ARGS__)},                                                                          \
    {                                                                                                        \
        KERNEL_OF(NAME "-many", __VA_ARGS__), .once = true, .elements = (TURNS)                              \
    }

#define LEAST(NAME)                                                                                          \
    .name = (NAME), .entry = ENTRY_LEAST, .args_size = sizeof(struct least_args),                            \
    .result_size = sizeof(struct least_result), .allocate = allocate_table, .fill = fill_table,              \
    .verify = verify_least, .buffers = {"table", "chain", "all"}

/* The additions are the ruler: those stay as they are. */
static const char *const slowed[] = {"mul", "fp-sqrt", NULL};

static const struct case_def defs[] = {
    KERNEL("add-chain", MANY, ENTRY_ADD_CHAIN, "alu", allocate_values, fill_add_chain, verify_words),
    KERNEL("multiply-chain", MANY_BUT_MODELLED, ENTRY_MULTIPLY_CHAIN, "mul", allocate_values,
           fill_multiply_chain, verify_words),
    KERNEL("fp-add-chain", MANY_BUT_MODELLED, ENTRY_FP_ADD_CHAIN, "fp-add", allocate_values,
           fill_fp_add_chain, verify_numbers),
    KERNEL("load-chain", MANY_BUT_MODELLED, ENTRY_LOAD_CHAIN, "load", allocate_ring, fill_load_chain,
           verify_words),
    {KERNEL_OF("store-load-chain", ENTRY_STORE_LOAD_CHAIN, "store", allocate_slots, fill_store_load_chain,
               verify_slots)},
    KERNEL("add-streams", MANY_BUT_MODELLED, ENTRY_ADD_STREAMS, "alu", allocate_values, fill_add_streams,
           verify_words),
    KERNEL("multiply-streams", MANY_BUT_MODELLED, ENTRY_MULTIPLY_STREAMS, "mul", allocate_values,
           fill_multiply_streams, verify_words),
    KERNEL("fp-add-streams", MANY_BUT_MODELLED, ENTRY_FP_ADD_STREAMS, "fp-add", allocate_values,
           fill_fp_add_streams, verify_numbers),
    KERNEL("load-streams", MANY_BUT_MODELLED, ENTRY_LOAD_STREAMS, "load", allocate_ring, fill_load_streams,
           verify_words),
    {KERNEL_OF("store-load-streams", ENTRY_STORE_LOAD_STREAMS, "store", allocate_slots,
               fill_store_load_streams, verify_slots)},
    {.name = "needed",
     .entry = ENTRY_NEEDED,
     .args_size = sizeof(struct needed_args),
     .result_size = sizeof(struct needed_result),
     .allocate = allocate_nothing,
     .fill = fill_needed,
     .verify = verify_needed},
    {LEAST("least")},
    {LEAST("least-many"), .once = true, .elements = MANY},
    {.name = "turn",
     .entry = ENTRY_TURN,
     .args_size = sizeof(struct turn_args),
     .result_size = sizeof(struct turn_result),
     .once = true,
     .reads_clock = true,
     .slowed = slowed,
     .allocate = allocate_turn,
     .fill = fill_turn,
     .verify = verify_turn,
     .value = ratio},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
