/* Exercise 7: inputs and oracle. A call of more than ARRAY elements fills arrays of that size (glue.h). */
#include <inttypes.h>
#include "grader/exercise/cases.h"
#include "glue.h"

enum { ARRAY = 1024 };

static size_t array_size(const struct call *call)
{
    return call->n < ARRAY ? call->n : ARRAY;
}

/* From one lap's array to the next. */
static size_t step(const struct lab *lab, const struct call *call)
{
    return call->n < ARRAY || lab->modelled ? 0 : ARRAY;
}

static size_t lap_count(const struct call *call)
{
    return call->n < ARRAY ? 1 : call->n / ARRAY;
}

struct expected {
    uint64_t seen, last;
};

static bool allocate(struct lab *lab, struct call *call)
{
    const size_t elements = array_size(call) + (lap_count(call) - 1) * step(lab, call);
    return call_buffer(lab, call, 0, elements * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, 1, lap_count(call) * sizeof(struct lap), sizeof(uint64_t), PLAN_READ) &&
           call_shadow(call, sizeof(struct expected));
}

/* Values that have no bit outside of `mask`, and the lowest bit of it: never 0, which is what the array holds
 * at first. */
static void fill_laps(struct lab *lab, struct call *call, uint64_t mask)
{
    struct lap *laps = call->buffer[1];
    struct expected *expected = call->shadow;
    const size_t count = lap_count(call), size = array_size(call);
    *expected = (struct expected){0, 0};
    for (size_t i = 0; i < count; i++) {
        laps[i].value = (draw_next(&lab->draw) & mask) | (mask & (0 - mask));
        laps[i].place = size > 0 ? draw_below(&lab->draw, size) : 0;
        expected->last = laps[i].value;
        if (size > 0)
            expected->seen = look(expected->seen, laps[i].value);
    }
    *(struct fill_args *)call->args = (struct fill_args){
        .values = call->buffer[0], .n = size, .step = step(lab, call), .lap_count = count, .laps = laps};
}

static void fill_random(struct lab *lab, struct call *call)
{
    fill_laps(lab, call, UINT64_MAX);
}

static void fill_low(struct lab *lab, struct call *call)
{
    fill_laps(lab, call, UINT32_MAX);
}

static void fill_high(struct lab *lab, struct call *call)
{
    fill_laps(lab, call, ~(uint64_t)UINT32_MAX);
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct expected *expected = call->shadow;
    const struct fill_result *result = call->result;
    const uint64_t *values = call->buffer[0];
    const struct lap *laps = call->buffer[1];
    const size_t size = array_size(call), arrays = step(lab, call) > 0 ? lap_count(call) : 1;
    for (size_t i = 0; i < arrays * size; i++) {
        const uint64_t wanted = arrays > 1 ? laps[i / size].value : expected->last, found = values[i];
        if (found != wanted)
            return finding(
                why, "values[%zu] of %zu: expected %#" PRIx64 ", found %#" PRIx64 "%s", i % size, size,
                wanted, found,
                found == (uint32_t)wanted ? ", its lower 32 bits; the upper ones are 0, as they were before"
                : found == 0
                    ? ", which was there before. Are the last elements left out where n is no multiple "
                      "of your factor?"
                    : "");
    }
    if (result->seen == expected->seen)
        return true;
    return finding(why, "the array of %zu values was filled %zu times, and not each time whole", size,
                   lap_count(call));
}

#define CASE(NAME, FILL)                                                                                     \
    .name = (NAME), .entry = ENTRY_FILL, .idle_entry = ENTRY_IDLE, .args_size = sizeof(struct fill_args),    \
    .result_size = sizeof(struct fill_result), .allocate = allocate, .fill = (FILL), .verify = verify,       \
    .stores = sizeof(uint64_t), .buffers = {"values", "laps"}

static const struct case_def defs[] = {
    {CASE("random", fill_random)}, {CASE("low-half", fill_low)}, {CASE("high-half", fill_high)}};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
