/* Exercise 17: inputs and oracle. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "figures.h"
#include "glue.h"

enum { E = 1, LC = 0x40, USER_READS = 0x0c, KEPT = 0x79, INSTRUCTIONS = 0x08 };
enum { EVENTS_KNOWN = 13, DATA = 1 << 13 };
static const uint64_t cycle_bit = UINT64_C(1) << 31;
static const uint64_t not_el1 = UINT64_C(1) << 31, not_el0 = UINT64_C(1) << 30;
static const uint64_t filter_bits = UINT64_C(0xfc000000);
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

/* Any of 16 bits, and every other time one that is common. */
static uint16_t any_event(struct lab *lab)
{
    return draw_below(&lab->draw, 2) ? known[draw_below(&lab->draw, EVENTS_KNOWN)]
                                     : (uint16_t)draw_below(&lab->draw, 1 << 16);
}

/* Six bits of a filter, some of them on. */
static uint64_t any_filter(struct lab *lab)
{
    return draw_below(&lab->draw, 64) << 26;
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
    *args = (struct open_args){.events = events,
                               .n = counters(call),
                               .before = 1 + draw_below(&lab->draw, 1 << 20),
                               .control = E | (draw_below(&lab->draw, 128) & KEPT)};
    for (size_t i = 0; i < counters(call); i++)
        events[i] = any_event(lab);
    /* some of them count, and some at EL1 */
    for (size_t i = 0; i <= COUNTERS; i++)
        args->type[i] = any_filter(lab) | (draw_below(&lab->draw, 2) ? INSTRUCTIONS : any_event(lab));
}

/* At EL0 only: of the filter's six bits the first alone is on. */
static bool at_el0_only(const char *counter, uint64_t type, const char *where, struct finding *why)
{
    const uint64_t filter = type & filter_bits;
    if (!(filter & not_el1))
        return finding(why, "after pmu_open %s counts at EL1, too: bit 31 of %s is 0", counter, where);
    if (filter & not_el0)
        return finding(why, "after pmu_open %s does not count at EL0: bit 30 of %s is 1", counter, where);
    return filter == not_el1 ||
           finding(why,
                   "after pmu_open bits 31 to 26 of %s are 0x%" PRIx64 ", expected 0x%" PRIx64
                   " (EL0 only): write the whole register, whatever somebody left in it",
                   where, filter, not_el1);
}

static bool verify_open(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct registers *r = &((const struct open_result *)call->result)->after;
    const uint16_t *events = call->buffer[BUFFER_EVENTS];
    const uint64_t n = counters(call), bits = (UINT64_C(1) << n) - 1;
    char what[80];
    (void)lab;
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
        snprintf(what, sizeof what, "counter %" PRIu64, i);
        if (!at_el0_only(what, r->type[i], "its PMEVTYPER_EL0", why))
            return false;
    }
    if (!at_el0_only("the cycle counter", r->cycle_filter, "PMCCFILTR_EL0", why))
        return false;
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
    const uint64_t all = (UINT64_C(1) << COUNTERS) - 1, bits = draw_next(&lab->draw);
    *args = (struct reset_args){.enabled = bits & (cycle_bit | all),
                                .interrupting = bits >> 32 & all,
                                .user = bits >> 40 & 15,
                                .selected = draw_below(&lab->draw, COUNTERS),
                                .count = 1 + draw_below(&lab->draw, 1 << 20),
                                .control = draw_below(&lab->draw, 128) & KEPT};
    /* what is on leaves EL1 out: it is to be 0 when one looks */
    for (unsigned i = 0; i <= COUNTERS; i++)
        args->type[i] = any_filter(lab) | (args->control & E ? not_el1 : 0) | any_event(lab);
}

static bool verify_reset(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct reset_args *args = call->args;
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
           is("pmu_reset changed where the cycle counter counts: PMCCFILTR_EL0", after->cycle_filter,
              before->cycle_filter, "; it was to stay", why) &&
           is("after pmu_reset PMCNTENSET_EL0", after->enabled, before->enabled, "; it was to stay", why) &&
           is("after pmu_reset PMINTENSET_EL1", after->interrupting, before->interrupting, "; it was to stay",
              why) &&
           is("after pmu_reset PMUSERENR_EL0", after->user, before->user, "; it was to stay", why) &&
           is("after pmu_reset PMSELR_EL0", after->selected, args->selected,
              ": another counter is selected; it was to stay", why);
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

/* Counters take turns to be sure of an interrupt in each visit; in every seventh call none is. */
static void fill_overflow(struct lab *lab, struct call *call)
{
    struct overflow_args *args = call->args;
    const unsigned sure = (unsigned)(call->n % (COUNTERS + 1));
    *args = (struct overflow_args){.asked = draw_below(&lab->draw, 1 << COUNTERS) | (1 << sure & 0x3f),
                                   .turns = 40 + draw_below(&lab->draw, 60),
                                   .selected = draw_below(&lab->draw, COUNTERS),
                                   .yardstick = (sure + 1 + draw_below(&lab->draw, COUNTERS - 1)) % COUNTERS};
    for (unsigned i = 0; i < COUNTERS; i++)
        args->high[i] = 2 + (draw_next(&lab->draw) >> (1 + draw_below(&lab->draw, 60)));
    for (unsigned i = 0; i < VISITS * COUNTERS; i++) {
        const bool near_end = i % COUNTERS == sure || draw_below(&lab->draw, 3) > 0;
        args->start[i / COUNTERS][i % COUNTERS] = near_end && i % COUNTERS != args->yardstick
                                                      ? UINT32_MAX - draw_below(&lab->draw, 250)
                                                      : draw_below(&lab->draw, 1000);
    }
}

/* What became of high[i], where counter i overflowed so many times. */
static bool counted_on(const struct overflow_args *args, unsigned i, uint64_t times, uint64_t found,
                       struct finding *why)
{
    const bool asked = args->asked >> i & 1;
    const uint64_t before = args->high[i], expected = before + (asked ? times : 0);
    if (found == expected)
        return true;
    return finding(why,
                   "overflows of counter %u in %d visits to EL0%s: %" PRIu64 "; high[%u] was %" PRIu64
                   " and is %" PRIu64 ", expected %" PRIu64 "%s",
                   i, VISITS, asked ? "" : ", where it is not asked to interrupt", times, i, before, found,
                   expected,
                   !asked                        ? ""
                   : found == 1                  ? "; what it had is lost: add to it"
                   : found == before             ? "; they were not counted"
                   : found == (uint32_t)expected ? "; it has 64 bits"
                                                 : "");
}

/* Behind the last visit, in which so many instructions were executed: is all else as it was? */
static bool left_alone(const struct overflow_args *args, const struct registers *after, uint64_t executed,
                       struct finding *why)
{
    const char *hint = "; it was to stay";
    char what[64];
    if (!is("after pmu_overflow PMSELR_EL0", after->selected, args->selected,
            ": another counter is selected, and EL0 may have been about to read", why))
        return false;
    for (unsigned i = 0; i < COUNTERS; i++) {
        snprintf(what, sizeof what, "after pmu_overflow counter %u", i);
        if (!is(what, after->count[i], (args->start[VISITS - 1][i] + executed) & UINT32_MAX,
                ": it goes on from where it is, and its count belongs to the whole", why))
            return false;
        snprintf(what, sizeof what, "after pmu_overflow counter %u's PMEVTYPER_EL0", i);
        if (!is(what, after->type[i], not_el1 | INSTRUCTIONS, hint, why))
            return false;
    }
    return is("after pmu_overflow PMINTENSET_EL1", after->interrupting, args->asked, hint, why) &&
           is("after pmu_overflow PMCNTENSET_EL0", after->enabled, cycle_bit | ((1 << COUNTERS) - 1), hint,
              why) &&
           is("after pmu_overflow PMCR_EL0", after->control & KEPT, E | LC, hint, why) &&
           is("after pmu_overflow PMCCFILTR_EL0", after->cycle_filter, not_el1, hint, why);
}

static bool verify_overflow(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct overflow_args *args = call->args;
    const struct overflow_result *r = call->result;
    uint64_t flags = cycle_bit, times[COUNTERS] = {0}, executed = 0;
    (void)lab;
    if (!ended("pmu_overflow", &r->kernel, why))
        return false;
    for (unsigned visit = 0; visit < VISITS; visit++) {
        executed = r->count[visit] - args->start[visit][args->yardstick];
        for (unsigned i = 0; i < COUNTERS; i++)
            times[i] += (args->start[visit][i] + executed) >> 32;
    }
    for (unsigned i = 0; i < COUNTERS; i++) {
        if (times[i] > 0 && !(args->asked >> i & 1))
            flags |= UINT64_C(1) << i;
        if (!counted_on(args, i, times[i], r->kernel.high[i], why))
            return false;
    }
    if (r->after.overflowed & ~flags)
        return is("after pmu_overflow PMOVSSET_EL0", r->after.overflowed, flags, ": a flag was not cleared",
                  why);
    return is("after pmu_overflow PMOVSSET_EL0", r->after.overflowed, flags,
              ": a flag was cleared that is of a counter without an interrupt", why) &&
           left_alone(args, &r->after, executed, why);
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
