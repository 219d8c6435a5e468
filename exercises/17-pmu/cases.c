/* Exercise 17: inputs and oracle. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "glue.h"

enum { E = 1, LC = 0x40, USER_READS = 0x0c, KEPT = 0x79 };
enum { EVENTS_KNOWN = 13, DATA = 1 << 13 };
static const uint64_t cycle_bit = UINT64_C(1) << 31;
static const uint16_t known[EVENTS_KNOWN] = {0x03, 0x04, 0x05, 0x08, 0x10, 0x11, 0x12,
                                             0x13, 0x14, 0x15, 0x16, 0x17, 0x01};

static size_t counters(const struct call *call)
{
    return call->n % (COUNTERS + 1);
}

static bool allocate_nothing(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

/* Did the visit to EL0 end as it should? */
static bool ended(const char *function, const struct kernel *kernel, struct finding *why)
{
    if (kernel->ending == ENDED)
        return true;
    if (kernel->ending == ENDED_BY_STORM)
        return finding(why,
                       "the interrupt came %d times and would come on: pmu_overflow leaves the flag of a "
                       "counter that interrupts",
                       STORM);
    if (kernel->syndrome >> 26 == 0x18)
        return finding(why,
                       "%s: an access to a system register was trapped at EL0 (ESR_EL1 0x%" PRIx64
                       ", at 0x%" PRIx64 "): EL0 may read counters and select them, and nothing else",
                       function, kernel->syndrome, kernel->link);
    return finding(why, "%s: an exception at EL0 (ESR_EL1 0x%" PRIx64 ", at 0x%" PRIx64 ")", function,
                   kernel->syndrome, kernel->link);
}

/* One register, and what it means for whoever missed it. */
static bool is(const char *what, uint64_t found, uint64_t expected, const char *hint, struct finding *why)
{
    if (found == expected)
        return true;
    return finding(why, "%s is 0x%" PRIx64 ", expected 0x%" PRIx64 "%s", what, found, expected, hint);
}

static bool is_one(uint64_t event, const uint16_t *events, uint64_t n)
{
    bool found = false;
    for (uint64_t i = 0; i < n; i++)
        found = found || events[i] == event;
    return found;
}

/* ---- pmu_open ---- */

enum { BUFFER_EVENTS, BUFFER_VALUES = 0, BUFFER_DATA = 0 };

static bool allocate_events(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_EVENTS, counters(call) * sizeof(uint16_t), sizeof(uint16_t),
                       PLAN_READ);
}

static void fill_open(struct lab *lab, struct call *call)
{
    struct open_args *args = call->args;
    uint16_t *events = call->buffer[BUFFER_EVENTS];
    *args = (struct open_args){
        .events = events, .n = counters(call), .before = 1 + draw_below(&lab->draw, 1 << 20)};
    for (size_t i = 0; i < counters(call); i++)
        events[i] = known[draw_below(&lab->draw, EVENTS_KNOWN)];
}

static bool verify_open(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct open_args *args = call->args;
    const struct registers *r = &((const struct open_result *)call->result)->after;
    const uint16_t *events = call->buffer[BUFFER_EVENTS];
    const uint64_t n = counters(call), bits = (UINT64_C(1) << n) - 1;
    char what[80];
    (void)lab;
    (void)args;
    if (!(r->control & E))
        return finding(why, "after pmu_open nothing counts: PMCR_EL0 is 0x%" PRIx64 ", bit 0 (E) is off",
                       r->control);
    if (!(r->enabled & cycle_bit))
        return finding(why, "after pmu_open the cycle counter is off: bit 31 of PMCNTENSET_EL0 is 0");
    for (uint64_t i = 0; i < n; i++) {
        snprintf(what, sizeof what, "after pmu_open with %" PRIu64 " events, counter %" PRIu64 "'s event", n,
                 i);
        if (!is(what, r->type[i] & 0xffff, events[i],
                is_one(r->type[i] & 0xffff, events, n)
                    ? ", another counter's: behind a selection comes an ISB, and then its event"
                    : "; PMEVTYPERn_EL0 has it",
                why))
            return false;
        if (!(r->type[i] >> 31))
            return finding(
                why,
                "after pmu_open counter %" PRIu64 " counts at EL1, too: bit 31 of its PMEVTYPER_EL0 is 0", i);
    }
    if (!(r->cycle_filter >> 31))
        return finding(why,
                       "after pmu_open the cycle counter counts at EL1, too: bit 31 of PMCCFILTR_EL0 is 0");
    if (r->user & 1)
        return finding(why,
                       "PMUSERENR_EL0 is 0x%" PRIx64 ": with bit 0 (EN) EL0 may write, too; expected CR and "
                       "ER alone, 0xc",
                       r->user);
    if (!(is("after pmu_open PMUSERENR_EL0", r->user, USER_READS, " (CR and ER)", why) &&
          is("after pmu_open PMCNTENSET_EL0", r->enabled, cycle_bit | bits,
             r->enabled & ~(cycle_bit | bits) ? "; what somebody left on goes off by PMCNTENCLR_EL0" : "",
             why) &&
          is("after pmu_open PMINTENSET_EL1", r->interrupting, bits,
             r->interrupting & ~bits ? "; what somebody left on goes off by PMINTENCLR_EL1" : "", why) &&
          is("after pmu_open PMOVSSET_EL0", r->overflowed & (cycle_bit | bits), 0,
             ": flags are cleared by ones, in PMOVSCLR_EL0", why) &&
          (r->control & LC ||
           finding(why,
                   "after pmu_open the cycle counter overflows at 32 bits: PMCR_EL0 has bit 6 (LC) off")) &&
          is("after pmu_open the cycle counter", r->cycles, 0, "; PMCR_EL0.C starts it at 0", why)))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        snprintf(what, sizeof what, "after pmu_open counter %" PRIu64, i);
        if (!is(what, r->count[i], 0, "; PMCR_EL0.P starts them all at 0", why))
            return false;
    }
    return true;
}

/* ---- pmu_reset ---- */

static void fill_reset(struct lab *lab, struct call *call)
{
    struct reset_args *args = call->args;
    *args = (struct reset_args){.n = counters(call),
                                .count = 1 + draw_below(&lab->draw, 1 << 20),
                                .extra = draw_below(&lab->draw, 2)};
    for (unsigned i = 0; i < COUNTERS; i++)
        args->events[i] = known[draw_below(&lab->draw, EVENTS_KNOWN)];
}

static bool verify_reset(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct reset_result *r = call->result;
    const struct registers *before = &r->before, *after = &r->after;
    char what[64];
    (void)lab;
    for (unsigned i = 0; i < COUNTERS; i++) {
        snprintf(what, sizeof what, "after pmu_reset counter %u", i);
        if (!is(what, after->count[i], 0, "; PMCR_EL0.P sets all event counters to 0", why))
            return false;
        if (!is("pmu_reset changed what a counter counts: it", after->type[i], before->type[i], "", why))
            return false;
    }
    return is("after pmu_reset the cycle counter", after->cycles, 0, "; PMCR_EL0.C sets it to 0", why) &&
           is("after pmu_reset PMOVSSET_EL0", after->overflowed, 0,
              ": flags stay on until a one is written to PMOVSCLR_EL0", why) &&
           is("after pmu_reset PMCR_EL0", after->control & KEPT, before->control & KEPT,
              ": read it, set P and C, write it back", why) &&
           is("after pmu_reset PMCNTENSET_EL0", after->enabled, before->enabled, "; it was to stay", why) &&
           is("after pmu_reset PMINTENSET_EL1", after->interrupting, before->interrupting, "; it was to stay",
              why) &&
           is("after pmu_reset PMUSERENR_EL0", after->user, before->user, "; it was to stay", why);
}

/* ---- pmu_read ---- */

static bool allocate_values(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_VALUES, (counters(call) + 1) * sizeof(uint64_t), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE);
}

static void fill_read(struct lab *lab, struct call *call)
{
    struct read_args *args = call->args;
    *args = (struct read_args){.values = call->buffer[BUFFER_VALUES], .n = counters(call)};
    for (unsigned i = 0; i < COUNTERS; i++)
        args->counts[i] = draw_below(&lab->draw, UINT64_C(1) << 32);
    args->counts[COUNTERS] = (UINT64_C(1) << 40) + draw_below(&lab->draw, UINT64_C(1) << 50);
}

static bool verify_read(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct read_args *args = call->args;
    const struct read_result *r = call->result;
    const uint64_t *values = call->buffer[BUFFER_VALUES], n = counters(call);
    (void)lab;
    if (!ended("pmu_read", &r->kernel, why))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t before = i > 0 ? i - 1 : args->counts[0] & 3;
        if (values[i] != args->counts[i])
            return finding(why,
                           "pmu_read of %" PRIu64 " counters: values[%" PRIu64 "] is %" PRIu64
                           ", counter %" PRIu64 " has %" PRIu64 "%s",
                           n, i, values[i], i, args->counts[i],
                           values[i] == args->counts[before]
                               ? "; yours is of the counter that was selected before"
                               : "");
    }
    if (values[n] == args->counts[COUNTERS])
        return true;
    return finding(why,
                   "pmu_read of %" PRIu64 " counters: values[%" PRIu64 "] is %" PRIu64
                   ", the cycle counter has %" PRIu64 "%s",
                   n, n, values[n], args->counts[COUNTERS],
                   values[n] == (uint32_t)args->counts[COUNTERS] ? "; it has 64 bits" : "");
}

/* ---- pmu_overflow ---- */

static void fill_overflow(struct lab *lab, struct call *call)
{
    struct overflow_args *args = call->args;
    *args = (struct overflow_args){.n = call->n % COUNTERS, .turns = 40 + draw_below(&lab->draw, 60)};
    for (unsigned i = 0; i < COUNTERS - 1; i++)
        args->start[i] = draw_below(&lab->draw, 3) == 0 ? draw_below(&lab->draw, 1000)
                                                        : UINT32_MAX - draw_below(&lab->draw, 250);
    args->start[COUNTERS - 1] = draw_below(&lab->draw, 1000);
}

static bool verify_overflow(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct overflow_args *args = call->args;
    const struct overflow_result *r = call->result;
    const uint64_t executed = r->after.count[COUNTERS - 1] - args->start[COUNTERS - 1];
    uint64_t flags = cycle_bit;
    (void)lab;
    if (!ended("pmu_overflow", &r->kernel, why))
        return false;
    for (unsigned i = 0; i < COUNTERS - 1; i++) {
        const bool asked = i < args->n, wraps = (args->start[i] + executed) >> 32;
        const uint64_t expected = asked && wraps;
        if (wraps && !asked)
            flags |= UINT64_C(1) << i;
        if (r->kernel.high[i] != expected)
            return finding(why,
                           "counter %u %s in a run of %" PRIu64 " instructions%s: high[%u] is %" PRIu64
                           ", expected %" PRIu64,
                           i, wraps ? "overflowed once" : "did not overflow", executed,
                           asked ? "" : " and is not asked to interrupt", i, r->kernel.high[i], expected);
    }
    if (r->after.overflowed & ~flags)
        return is("after pmu_overflow PMOVSSET_EL0", r->after.overflowed, flags, ": a flag was not cleared",
                  why);
    return is("after pmu_overflow PMOVSSET_EL0", r->after.overflowed, flags,
              ": a flag was cleared that is of a counter without an interrupt", why) &&
           is("after pmu_overflow PMINTENSET_EL1", r->after.interrupting, (UINT64_C(1) << args->n) - 1, "",
              why);
}

/* ---- arithmetic ---- */

static void fill_metrics(struct lab *lab, struct call *call)
{
    struct metrics_args *args = call->args;
    /* of a third of the calls with more than 32 bits */
    const uint64_t cycles = draw_below(&lab->draw, 1 << 30) << (call->n % 3 == 0 ? 12 : 0);
    const uint64_t width = 2 + draw_below(&lab->draw, 7);
    *args = (struct metrics_args){.width = width};
    args->number[1] = call->n % 5 == 1 ? 0 : cycles;
    args->number[0] = call->n % 5 == 2 ? 0 : draw_below(&lab->draw, cycles * width + 1);
    args->number[2] = draw_below(&lab->draw, cycles + 1);
    args->number[3] = call->n % 5 == 3 ? 0 : args->number[2] + draw_below(&lab->draw, cycles + 1);
}

static double quotient(double x, double y)
{
    return y == 0 ? 0 : x / y;
}

static bool near(double found, double expected)
{
    return fabs(found - expected) <= 1e-9 * fabs(expected) + 1e-12;
}

static bool figure_is(const char *what, double found, double expected, const char *hint, struct finding *why)
{
    if (near(found, expected))
        return true;
    if (!isfinite(found))
        hint = "; something was divided by 0";
    else if (!*hint && expected != 0 && found == 0)
        hint = "; not done yet? A quotient of integers below 1 is 0, too";
    else if (!*hint && found == floor(expected))
        hint = "; a quotient of integers has no fraction";
    else if (!*hint && near(found, 100 * expected))
        hint = "; it is in percent";
    return finding(why, "%s is %.9g, expected %.9g%s", what, found, expected, hint);
}

static struct top_down expected_slots(const struct metrics_args *args)
{
    const uint64_t *number = args->number;
    const double slots = (double)number[1] * (double)args->width;
    struct top_down shares = {.retiring = quotient((double)number[0], slots),
                              .back_end = quotient((double)number[2], slots),
                              .front_end = quotient((double)number[3], slots)};
    const double rest = slots == 0 ? 0 : 1 - shares.retiring - shares.back_end - shares.front_end;
    shares.bad_speculation = rest > 0 ? rest : 0;
    return shares;
}

static bool verify_metrics(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct metrics_args *args = call->args;
    const uint64_t *number = args->number;
    const struct metrics_result *r = call->result;
    const uint64_t whole = (number[3] & 0xffff) << 32 | (uint32_t)number[0];
    const double rate = quotient((double)number[2], (double)number[3]);
    const double mpki = quotient(1000 * (double)number[2], (double)number[0]);
    const struct top_down expected = expected_slots(args);
    (void)lab;
    if (r->whole != whole)
        return finding(
            why,
            "whole_count of %" PRIu64 " overflows and %" PRIu64 " is %" PRIu64 ", expected %" PRIu64 "%s",
            number[3] & 0xffff, number[0] & UINT32_MAX, r->whole, whole,
            r->whole == (uint32_t)whole ? "; no overflow is in it: not done yet? A shift by 32 needs 64 bits"
                                        : "");
    return figure_is("ipc", r->ipc, quotient((double)number[0], (double)number[1]),
                     near(r->ipc, quotient((double)number[1], (double)number[0]))
                         ? "; it is upside down: cycles of an instruction"
                         : "",
                     why) &&
           figure_is("per_thousand", r->per_thousand, mpki,
                     near(r->per_thousand * 1000, mpki) ? "; it is in one instruction, not in 1,000" : "",
                     why) &&
           figure_is("miss_rate", r->miss_rate, rate,
                     near(r->miss_rate, quotient((double)number[2], (double)(number[2] + number[3])))
                         ? "; accesses are all of them, the misses among them"
                         : "",
                     why) &&
           figure_is("top_down's retiring", r->top_down.retiring, expected.retiring,
                     near(r->top_down.retiring, (double)args->width * expected.retiring)
                         ? "; it is of the cycles, not of the slots"
                         : "",
                     why) &&
           figure_is("top_down's back_end", r->top_down.back_end, expected.back_end, "", why) &&
           figure_is("top_down's front_end", r->top_down.front_end, expected.front_end, "", why) &&
           figure_is("top_down's bad_speculation", r->top_down.bad_speculation, expected.bad_speculation,
                     "; what is left, and not below 0", why);
}

/* ---- a kernel drawn anew ---- */

static bool allocate_data(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_DATA, DATA * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ);
}

/* The figure's events are in counters that are drawn, too; the rest counts something else. */
static void draw_events(struct lab *lab, struct measure_args *args)
{
    static const uint16_t of[][4] = {
        [FIGURE_IPC] = {0x08, 0x13, 0x12, 0x14},
        [FIGURE_MISPREDICTIONS] = {0x08, 0x10, 0x12, 0x13},
        [FIGURE_MISS_RATE] = {0x08, 0x03, 0x04, 0x13},
        [FIGURE_BACK_END] = {0x08, 0x3a, 0x3d, 0x3e},
    };
    for (unsigned i = 0; i < COUNTERS; i++)
        args->events[i] = known[draw_below(&lab->draw, EVENTS_KNOWN)];
    const unsigned first = (unsigned)draw_below(&lab->draw, COUNTERS);
    for (unsigned i = 0; i < 4; i++) {
        args->place[i] = (uint16_t)((first + 5 * i) % COUNTERS);
        args->events[args->place[i]] = of[args->figure][i];
    }
}

static void fill_kernel(struct lab *lab, struct call *call, enum figure figure)
{
    struct measure_args *args = call->args;
    uint64_t *data = call->buffer[BUFFER_DATA];
    for (size_t i = 0; i < DATA; i++)
        data[i] = draw_next(&lab->draw);
    *args = (struct measure_args){.data = data, .mask = DATA - 1, .figure = figure};
    args->turns = call->n * (lab->modelled ? 8 : 1) + 40 + draw_below(&lab->draw, 20);
    args->multiplies = 1 + draw_below(&lab->draw, 12);
    args->adds = 1 + draw_below(&lab->draw, 12);
    args->branches = 2 + draw_below(&lab->draw, 12);
    args->loads = 2 + draw_below(&lab->draw, 6);
    args->stride = 1 + draw_below(&lab->draw, 200);
    draw_events(lab, args);
}

static double expected_figure(const struct measure_args *a, const struct measure_result *r)
{
    const uint64_t *x = r->readings, *y = r->readings + COUNTERS + 1, cycles = y[COUNTERS] - x[COUNTERS];
    uint64_t of[4];
    for (unsigned i = 0; i < 4; i++)
        of[i] = y[a->place[i]] - x[a->place[i]];
    switch (a->figure) {
    case FIGURE_IPC:
        return quotient((double)of[0], (double)cycles);
    case FIGURE_MISPREDICTIONS:
        return quotient(1000 * (double)of[1], (double)of[0]);
    case FIGURE_MISS_RATE:
        return quotient((double)of[1], (double)of[2]);
    default:
        return quotient((double)of[2], (double)cycles * (double)r->width);
    }
}

static bool verify_measure(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct measure_result r = *(const struct measure_result *)call->result;
    (void)lab;
    return ended("pmu_read around a kernel", &r.kernel, why) &&
           (r.readings[2 * COUNTERS + 1] > r.readings[COUNTERS] ||
            finding(why, "between two readings around a kernel the cycle counter stood still")) &&
           figure_is("the figure of the readings", r.figure, expected_figure(call->args, &r), "", why);
}

static uint16_t counted(const struct call *call, unsigned word)
{
    return word == COUNTERS ? CALL_CYCLES : ((const struct measure_args *)call->args)->events[word];
}

static double figure(const struct lab *lab, const struct call *call)
{
    (void)lab;
    return ((const struct measure_result *)call->result)->figure;
}

/* ---- the cases ---- */

#define KERNEL(NAME, FUNCTION, FIGURE)                                                                       \
    static void fill_##FUNCTION(struct lab *lab, struct call *call)                                          \
    {                                                                                                        \
        fill_kernel(lab, call, FIGURE);                                                                      \
    }
KERNEL("ipc", ipc, FIGURE_IPC)
KERNEL("mispredictions", mispredictions, FIGURE_MISPREDICTIONS)
KERNEL("miss-rate", miss_rate, FIGURE_MISS_RATE)
KERNEL("back-end", back_end, FIGURE_BACK_END)

#define CASE(NAME, ENTRY, KIND, ALLOCATE)                                                                    \
    .name = (NAME), .entry = (ENTRY), .args_size = sizeof(struct KIND##_args),                               \
    .result_size = sizeof(struct KIND##_result), .reads_clock = true, .levels = true, .allocate = (ALLOCATE)
#define MEASURED(NAME, FILL)                                                                                 \
    {                                                                                                        \
        CASE(NAME, ENTRY_MEASURE, measure, allocate_data),                                                   \
            .fill = (FILL), .verify = verify_measure, .once = true, .value = figure,                         \
            .readings = 2 * (COUNTERS + 1), .read_counters = COUNTERS + 1, .counted = counted,               \
            .readings_at = offsetof(struct measure_result, readings)                                         \
    }

static const struct case_def defs[] = {
    {CASE("open", ENTRY_OPEN, open, allocate_events), .fill = fill_open, .verify = verify_open},
    {CASE("reset", ENTRY_RESET, reset, allocate_nothing), .unsized = true, .fill = fill_reset,
     .verify = verify_reset},
    {CASE("read", ENTRY_READ, read, allocate_values), .fill = fill_read, .verify = verify_read},
    {CASE("overflow", ENTRY_OVERFLOW, overflow, allocate_nothing), .unsized = true, .fill = fill_overflow,
     .verify = verify_overflow},
    {.name = "metrics",
     .entry = ENTRY_METRICS,
     .args_size = sizeof(struct metrics_args),
     .result_size = sizeof(struct metrics_result),
     .unsized = true,
     .allocate = allocate_nothing,
     .fill = fill_metrics,
     .verify = verify_metrics},
    MEASURED("ipc", fill_ipc),
    MEASURED("mispredictions", fill_mispredictions),
    MEASURED("miss-rate", fill_miss_rate),
    MEASURED("back-end", fill_back_end),
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
