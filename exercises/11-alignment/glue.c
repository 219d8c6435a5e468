#include "harness/runner/glue.h"
#include "exercise.h"
#include "blocks.h"
#include "glue.h"
#include "isa.h"

static void call_find(const void *args, void *result)
{
    const struct find_args *a = args;
    *(uint64_t *)result = find_end(a->text);
}

static void call_blocks(const void *args, void *result)
{
    const struct place_args *a = args;
    ((union place_result *)result)->count = blocks_touched(a->address, a->bytes, a->front.block);
}

static void call_least(const void *args, void *result)
{
    const struct place_args *a = args;
    ((union place_result *)result)->cycles = least_cycles(a->address, a->bytes, a->instructions, a->front);
}

static void call_padding(const void *args, void *result)
{
    const struct place_args *a = args;
    ((union place_result *)result)->count = padding(a->address, a->bytes, a->front.block);
}

/* ---- the curve ---- */

static uint64_t smaller(uint64_t x, uint64_t y)
{
    return x < y ? x : y;
}

static loop_fn loop_of(uint64_t kind, uint64_t offset)
{
    return (loop_fn)(uintptr_t)(cyclelab_loops + (kind * OFFSETS + offset) * LOOP_STRIDE + offset * STEP);
}

/* ---- loops that go round more often than they are asked to: by a factor of their own, and in about half of
 * their runs eight times as often. So it shows by far which loop ran, and which of its runs was kept. ---- */

/* A bit that hangs on each bit of the time (as MurmurHash3 ends, Appleby): counters go on in steps, of 21
 * ticks on some machines, and one product of them stays alike for many runs. */
static uint64_t bit_by_time(void)
{
    uint64_t time = ticks();
    time = (time ^ time >> 33) * UINT64_C(0xff51afd7ed558ccd);
    time = (time ^ time >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return time >> 63;
}

static uint64_t uneven(uint64_t turns, uint64_t offset)
{
    return turns * (1 + 4 * (offset % 4)) << 3 * bit_by_time();
}

#define UNEVEN(OFFSET)                                                                                       \
    static void uneven_##OFFSET(uint64_t turns)                                                              \
    {                                                                                                        \
        loop_of(0, OFFSET)(uneven(turns, OFFSET));                                                           \
    }
#define FOR_ALL(DO)                                                                                          \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
FOR_ALL(UNEVEN)

#define ADDRESS(OFFSET) uneven_##OFFSET,
static const loop_fn uneven_loop[OFFSETS] = {FOR_ALL(ADDRESS)};

/* ---- measuring ---- */

/* In rounds of all offsets, so that a change of the clock meets all of them. The counter is turned on anew:
 * the student's code may have left it in any state. What is less goes into `least`. */
static void measure(const loop_fn *loop, uint64_t turns, uint64_t *least)
{
    enable_ticks();
    for (unsigned run = 0; run < RUNS; run++)
        for (unsigned i = 0; i < OFFSETS; i++) {
            const uint64_t begin = ticks();
            loop[i](turns);
            least[i] = smaller(least[i], ticks() - begin);
        }
}

/* How the grader looks at readings: in the order of time. */
static void sort(struct reading *readings)
{
    for (unsigned i = 1; i < OFFSETS; i++)
        for (unsigned at = i; at > 0 && readings[at].begin < readings[at - 1].begin; at--) {
            const struct reading swapped = readings[at];
            readings[at] = readings[at - 1];
            readings[at - 1] = swapped;
        }
}

/* Both are measured `times` times, one after the other, and the shortest count. */
static void call_curve(const void *args, void *result)
{
    const struct curve *curve = ((const struct curve_args *)args)->curve;
    struct curve_result *r = result;
    loop_fn loop[OFFSETS];
    uint64_t found[OFFSETS], least[OFFSETS];
    const uint64_t turns = curve->turns * (curve->uneven ? UNEVEN_LONGER : LONGER);
    enable_ticks();
    for (unsigned i = 0; i < OFFSETS; i++) {
        loop[i] = curve->uneven ? uneven_loop[curve->order[i]] : loop_of(curve->kind, curve->order[i]);
        found[i] = least[i] = UINT64_MAX;
    }
    for (uint64_t time = 0; time < curve->times; time++) {
        for (unsigned i = 0; i < OFFSETS; i++)
            r->readings[i] = curve->before[i];
        measure_curve(loop, turns, r->readings);
        for (unsigned i = 0; i < OFFSETS; i++)
            found[i] = smaller(found[i], r->readings[i].end - r->readings[i].begin);
        measure(loop, turns, least);
    }
    for (unsigned i = 0; i < OFFSETS; i++) {
        r->found[curve->order[i]] = found[i];
        r->glue[curve->order[i]] = least[i];
    }
    r->runs = RUNS;
    r->turns = RUNS * turns;
    sort(r->readings);
}

const plan_entry plan_entries[] = {
    [ENTRY_FIND] = call_find,       [ENTRY_BLOCKS] = call_blocks, [ENTRY_LEAST] = call_least,
    [ENTRY_PADDING] = call_padding, [ENTRY_CURVE] = call_curve,
};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
