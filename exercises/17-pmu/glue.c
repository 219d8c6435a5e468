#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"
#include "kernel.h"

enum { E = 1, LC = 0x40, FOR_EL0 = 0x0c, EVENT_INSTRUCTIONS = 0x08 };
static const uint64_t cycle_bit = UINT64_C(1) << 31;
static const uint64_t not_el1 = UINT64_C(1) << 31;

/* As somebody may have left it: all of it running, and counting, wherever that may be. */
static void call_open(const void *args, void *result)
{
    const struct open_args *a = args;
    struct open_result *r = result;
    WRITE("pmcr_el0", a->control);
    for (uint64_t i = 0; i < COUNTERS; i++)
        set_counter(i, a->type[i], a->before + i);
    WRITE("pmccfiltr_el0", a->type[COUNTERS]);
    WRITE("pmccntr_el0", a->before << 20);
    WRITE("pmcntenset_el0", cycle_bit | 0x3f);
    WRITE("pmovsset_el0", cycle_bit | 0x3f);
    WRITE("pmintenset_el1", cycle_bit | 0x3f);
    WRITE("pmuserenr_el0", a->before & 15);
    WRITE("pmselr_el0", a->before & 3);
    SYNCHRONIZE();
    pmu_open(a->events, a->n);
    look(&r->after);
}

static void call_reset(const void *args, void *result)
{
    const struct reset_args *a = args;
    struct reset_result *r = result;
    for (uint64_t i = 0; i < COUNTERS; i++)
        set_counter(i, a->type[i], a->count + i);
    WRITE("pmccfiltr_el0", a->type[COUNTERS]);
    WRITE("pmccntr_el0", a->count << 20);
    WRITE("pmcntenset_el0", a->enabled);
    WRITE("pmintenset_el1", a->interrupting);
    WRITE("pmovsset_el0", cycle_bit | 0x3f);
    WRITE("pmuserenr_el0", a->user);
    WRITE("pmcr_el0", a->control);
    look(&r->before);
    WRITE("pmselr_el0", a->selected);
    SYNCHRONIZE();
    pmu_reset();
    look(&r->after);
}

/* ---- at EL0 ---- */

static void visit_read(void *argument)
{
    const struct read_args *a = argument;
    pmu_read(a->values, a->n);
}

static void call_read(const void *args, void *result)
{
    const struct read_args *a = args;
    struct read_result *r = result;
    for (uint64_t i = 0; i < COUNTERS; i++)
        set_counter(i, not_el1 | EVENT_INSTRUCTIONS, a->counts[i]);
    WRITE("pmccntr_el0", a->counts[COUNTERS]);
    WRITE("pmselr_el0", a->counts[0] & 3);
    WRITE("pmuserenr_el0", FOR_EL0);
    SYNCHRONIZE();
    el0_call(visit_read, (void *)a, &r->kernel);
}

static void visit_turns(void *argument)
{
    for (uint64_t left = *(const uint64_t *)argument; left > 0; left--)
        __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop" ::"r"(left));
}

/* The event counters count instructions of EL0, in a few visits, each from where it is told; the yardstick
 * says how many. The cycle counter has a flag that is nobody's business. */
static void call_overflow(const void *args, void *result)
{
    const struct overflow_args *a = args;
    struct overflow_result *r = result;
    WRITE("pmccfiltr_el0", not_el1);
    WRITE("pmintenset_el1", a->asked);
    WRITE("pmovsset_el0", cycle_bit);
    for (uint64_t i = 0; i < COUNTERS; i++)
        r->kernel.high[i] = a->high[i];
    for (uint64_t visit = 0; visit < VISITS && r->kernel.ending == ENDED; visit++) {
        WRITE("pmcr_el0", 0);
        for (uint64_t i = 0; i < COUNTERS; i++)
            set_counter(i, not_el1 | EVENT_INSTRUCTIONS, a->start[visit][i]);
        WRITE("pmcntenset_el0", cycle_bit | 0x3f);
        WRITE("pmselr_el0", a->selected);
        WRITE("pmcr_el0", E | LC);
        SYNCHRONIZE();
        el0_call(visit_turns, (void *)&a->turns, &r->kernel);
        look(&r->after);
        r->count[visit] = r->after.count[a->yardstick];
    }
}

/* ---- arithmetic ---- */

static void call_metrics(const void *args, void *result)
{
    const struct metrics_args *a = args;
    const uint64_t *number = a->number;
    struct metrics_result *r = result;
    r->whole = whole_count(a->high, a->low);
    r->ipc = ipc(number[0], number[1]);
    r->per_thousand = per_thousand(number[2], number[0]);
    r->miss_rate = miss_rate(number[2], number[3]);
    r->top_down = top_down(number[1], a->width, number[0], number[2], number[3]);
}

/* ---- a kernel drawn anew ---- */

struct measured {
    const struct measure_args *args;
    struct measure_result *result;
};

__attribute__((noinline, aligned(64))) static void run_kernel(const struct measure_args *a)
{
    uint64_t product = 3, sum = 0, at = 0;
    for (uint64_t turn = 0; turn < a->turns; turn++) {
        uint64_t bits = a->data[turn & a->mask];
        for (uint64_t i = 0; i < a->multiplies; i++)
            __asm__ volatile("mul %0, %0, %0" : "+r"(product));
        for (uint64_t i = 0; i < a->adds; i++)
            __asm__ volatile("add %0, %1, #1" : "=r"(sum) : "r"(turn));
        for (uint64_t i = 0; i < a->branches; i++, bits >>= 1) {
            if (bits & 1)
                __asm__ volatile("add %0, %0, #3" : "+r"(sum));
        }
        for (uint64_t i = 0; i < a->loads; i++, at += a->stride)
            __asm__ volatile("" ::"r"(a->data[at & a->mask]));
    }
}

static void visit_kernel(void *argument)
{
    const struct measured *m = argument;
    pmu_read(m->result->readings, COUNTERS);
    run_kernel(m->args);
    pmu_read(m->result->readings + COUNTERS + 1, COUNTERS);
}

static double figure_of(const struct measure_args *a, const struct measure_result *r)
{
    uint64_t of[4], cycles = r->readings[2 * COUNTERS + 1] - r->readings[COUNTERS];
    for (unsigned i = 0; i < 4; i++)
        of[i] = r->readings[COUNTERS + 1 + a->place[i]] - r->readings[a->place[i]];
    switch (a->figure) {
    case FIGURE_IPC:
        return ipc(of[0], cycles);
    case FIGURE_MISPREDICTIONS:
        return per_thousand(of[1], of[0]);
    case FIGURE_MISS_RATE:
        return miss_rate(of[1], of[2]);
    default:
        return top_down(cycles, r->width, of[1], of[2], of[3]).back_end;
    }
}

static void call_measure(const void *args, void *result)
{
    const struct measure_args *a = args;
    struct measure_result *r = result;
    struct measured measured = {a, r};
    r->width = READ("s3_0_c9_c14_6"); /* PMMIR_EL1: slots in a cycle */
    pmu_open(a->events, COUNTERS);
    el0_call(visit_kernel, &measured, &r->kernel);
    r->figure = figure_of(a, r);
}

const plan_entry plan_entries[] = {
    [ENTRY_OPEN] = call_open,         [ENTRY_RESET] = call_reset,     [ENTRY_READ] = call_read,
    [ENTRY_OVERFLOW] = call_overflow, [ENTRY_METRICS] = call_metrics, [ENTRY_MEASURE] = call_measure,
};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
