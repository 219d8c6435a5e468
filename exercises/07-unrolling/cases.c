/* Exercise 7: inputs and oracle. Where it is timed, and in every other call of more than ARRAY elements,
 * these are arrays of that size, each filled in a lap of its own (glue.h). */
#include <inttypes.h>
#include "grader/exercise/cases.h"
#include "harness/runner/glue.h"
#include "glue.h"

enum { ARRAY = 1024, MANY = 70001 /* in one array: more than 16 bits count */ };

static bool is_one_array(const struct lab *lab, const struct call *call)
{
    return call->n < ARRAY || (!lab->timed && call->n % 2 > 0);
}

static size_t array_size(const struct lab *lab, const struct call *call)
{
    return is_one_array(lab, call) ? call->n : ARRAY;
}

/* From one lap's array to the next. */
static size_t step(const struct lab *lab, const struct call *call)
{
    return is_one_array(lab, call) || lab->modelled ? 0 : ARRAY;
}

static size_t lap_count(const struct lab *lab, const struct call *call)
{
    return is_one_array(lab, call) ? 1 : call->n / ARRAY;
}

struct expected {
    uint64_t seen;
    uint32_t before, last; /* what the array holds: at first, where it is not timed, and in the end */
};

static bool allocate(struct lab *lab, struct call *call)
{
    const size_t elements = array_size(lab, call) + (lap_count(lab, call) - 1) * step(lab, call);
    return call_buffer(lab, call, 0, elements * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, 1, lap_count(lab, call) * sizeof(struct lap), sizeof(uint32_t),
                       PLAN_READ | PLAN_GLUE) &&
           call_shadow(call, sizeof(struct expected));
}

static uint32_t draw_value(struct lab *lab)
{
    const uint64_t r = draw_next(&lab->draw);
    return r >> 61 == 0 ? 0 : (uint32_t)r;
}

static void fill_random(struct lab *lab, struct call *call)
{
    struct lap *laps = call->buffer[1];
    struct expected *expected = call->shadow;
    const size_t count = lap_count(lab, call), size = array_size(lab, call);
    *expected = (struct expected){.before = lab->timed ? 0 : (uint32_t)draw_next(&lab->draw) | 1};
    if (!lab->timed) {
        uint32_t *values = call->buffer[0];
        for (size_t i = 0; i < size + (count - 1) * step(lab, call); i++)
            values[i] = expected->before;
    }
    for (size_t i = 0; i < count; i++) {
        laps[i].value = draw_value(lab);
        laps[i].place = size > 0 ? (uint32_t)draw_below(&lab->draw, size) : 0;
        expected->last = laps[i].value;
        if (size > 0)
            expected->seen = look(expected->seen, laps[i].value);
    }
    *(struct fill_args *)call->args = (struct fill_args){
        .values = call->buffer[0], .n = size, .step = step(lab, call), .lap_count = count, .laps = laps};
}

/* What the wrong element is, where that is to be seen. */
static const char *meaning(const struct lab *lab, const struct expected *expected, uint32_t wanted,
                           uint32_t found)
{
    const uint32_t above = (uint32_t)(as_called(wanted) >> 32);
    if (found == above || found == (above | wanted))
        return ": what is above `value` in its register is anything";
    if (!lab->timed && found == expected->before)
        return ", which was there before. Are the last elements left out where n is no multiple of your "
               "factor?";
    return "";
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct expected *expected = call->shadow;
    const struct fill_result *result = call->result;
    const uint32_t *values = call->buffer[0];
    const struct lap *laps = call->buffer[1];
    const size_t size = array_size(lab, call), arrays = step(lab, call) > 0 ? lap_count(lab, call) : 1;
    for (size_t i = 0; i < arrays * size; i++) {
        const uint32_t wanted = arrays > 1 ? laps[i / size].value : expected->last, found = values[i];
        if (found != wanted)
            return finding(why, "values[%zu] of %zu: expected %#" PRIx32 ", found %#" PRIx32 "%s", i % size,
                           size, wanted, found, meaning(lab, expected, wanted, found));
    }
    if (result->seen == expected->seen)
        return true;
    return finding(why, "the array of %zu values was filled %zu times, and not each time whole", size,
                   lap_count(lab, call));
}

#define FILL(NAME)                                                                                           \
    .name = (NAME), .entry = 0, .args_size = sizeof(struct fill_args),                                       \
    .result_size = sizeof(struct fill_result), .allocate = allocate, .fill = fill_random, .verify = verify,  \
    .stores = sizeof(uint32_t), .buffers = {"values", "laps"}

static const struct case_def defs[] = {{FILL("random")}, {FILL("many"), .once = true, .elements = MANY}};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
