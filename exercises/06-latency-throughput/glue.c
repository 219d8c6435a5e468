#include "harness/runner/glue.h"
#include "exercise.h"
#include "blocks.h"
#include "glue.h"
#include "isa.h"

/* ---- kernels of the student ---- */

static void call_add_chain(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    a->x->word = add_chain(a->x->word, a->y.word, a->turns);
}

static void call_multiply_chain(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    a->x->word = multiply_chain(a->x->word, a->y.word, a->turns);
}

static void call_fp_add_chain(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    a->x->number = fp_add_chain(a->x->number, a->y.number, a->turns);
}

static void call_load_chain(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    a->x->pointer = (void *)load_chain(a->x->pointer, a->turns);
}

static void call_store_load_chain(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    a->x->pointer = store_load_chain(a->x->pointer, a->turns);
}

static void call_add_streams(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    add_streams(&a->x->word, a->y.word, a->turns);
}

static void call_multiply_streams(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    multiply_streams(&a->x->word, a->y.word, a->turns);
}

static void call_fp_add_streams(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    fp_add_streams(&a->x->number, a->y.number, a->turns);
}

static void call_load_streams(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    load_streams((const void **)&a->x->pointer, a->turns);
}

static void call_store_load_streams(const void *args, void *result)
{
    const struct kernel_args *a = args;
    (void)result;
    store_load_streams(&a->x->pointer, a->turns);
}

/* ---- arithmetic ---- */

static void call_needed(const void *args, void *result)
{
    const struct needed_args *a = args;
    struct needed_result *r = result;
    r->needed = streams_needed(a->cost);
}

static void call_least(const void *args, void *result)
{
    const struct least_args *a = args;
    struct least_result *r = result;
    r->cycles = least_cycles(a->table, a->chain, a->all, a->n);
}

/* ---- a kernel drawn anew ---- */

__attribute__((noinline, aligned(4096))) static void drawn(void *argument, uint64_t turns)
{
    const struct turn *a = argument;
    run_adds(a->before * TURNS);
    for (uint64_t i = 0; i < turns; i++) {
        run_multiplies(a->multiplies);
        run_adds(a->adds);
        run_roots(a->roots);
    }
}

__attribute__((noinline, aligned(4096))) static void ruler(void *argument, uint64_t turns)
{
    _Static_assert(ADDS == 100, "a turn of run_adds");
    (void)argument;
    if (turns > 0)
        run_adds(turns);
}

static void note_least(uint64_t *least, kernel_fn kernel, void *argument, uint64_t turns)
{
    const uint64_t begin = ticks();
    kernel(argument, turns);
    const uint64_t taken = ticks() - begin;
    *least = taken < *least ? taken : *least;
}

/* Cycles of a turn. Kernel and ruler in turns, so that both are shortest at the same clock. The counter is
 * turned on anew: the student's code may have left it in any state. */
static double measure(void *argument)
{
    uint64_t least[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    enable_ticks();
    for (unsigned i = 0; i < RUNS; i++)
        for (unsigned k = 0; k < 2; k++) {
            note_least(&least[k], drawn, argument, (k + 1) * (uint64_t)TURNS);
            note_least(&least[2 + k], ruler, argument, (k + 1) * (uint64_t)TURNS);
        }
    if (least[1] <= least[0] || least[3] <= least[2])
        return 0;
    return (double)(least[1] - least[0]) / (double)(least[3] - least[2]) * ADDS;
}

/* What changes the clock takes longer than one measurement and is rarer: the median of several pairs has none
 * of it. A model core needs one. */
enum { PAIRS = CYCLELAB_PMU ? 1 : 3 };

static double ratio(const struct turn_result *pair)
{
    return pair->found / pair->glue;
}

static void call_turn(const void *args, void *result)
{
    struct turn *turn = ((const struct turn_args *)args)->turn;
    struct turn_result *r = result;
    struct turn_result pairs[PAIRS];
    for (unsigned i = 0; i < PAIRS; i++) {
        enable_ticks();
        struct turn_result pair = {.found = cycles_of_turn(drawn, ruler, turn)};
        pair.glue = measure(turn);
        unsigned at = i;
        for (; at > 0 && ratio(&pairs[at - 1]) > ratio(&pair); at--)
            pairs[at] = pairs[at - 1];
        pairs[at] = pair;
    }
    *r = pairs[PAIRS / 2];
    r->turns = TURNS;
}

const struct plan_handed plan_handed[] = {PLAN_HANDED(drawn), PLAN_HANDED(ruler)};
const unsigned plan_handed_count = sizeof plan_handed / sizeof *plan_handed;

const plan_entry plan_entries[] = {
    [ENTRY_ADD_CHAIN] = call_add_chain,
    [ENTRY_MULTIPLY_CHAIN] = call_multiply_chain,
    [ENTRY_FP_ADD_CHAIN] = call_fp_add_chain,
    [ENTRY_LOAD_CHAIN] = call_load_chain,
    [ENTRY_STORE_LOAD_CHAIN] = call_store_load_chain,
    [ENTRY_ADD_STREAMS] = call_add_streams,
    [ENTRY_MULTIPLY_STREAMS] = call_multiply_streams,
    [ENTRY_FP_ADD_STREAMS] = call_fp_add_streams,
    [ENTRY_LOAD_STREAMS] = call_load_streams,
    [ENTRY_STORE_LOAD_STREAMS] = call_store_load_streams,
    [ENTRY_NEEDED] = call_needed,
    [ENTRY_LEAST] = call_least,
    [ENTRY_TURN] = call_turn,
};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
