/* Exercise 7: inputs and oracle. `random` is timed: there, and in every other call of more than ARRAY
 * elements, these are arrays of that size, each filled in a lap of its own (glue.h). `whole` is always one
 * array. */
#include <inttypes.h>
#include <stdio.h>
#include "grader/exercise/cases.h"
#include "harness/runner/glue.h"
#include "glue.h"

enum { ARRAY = 1024, MANY = 70001 /* in one array: more than 16 bits count */ };

struct expected {
    size_t size, laps, step; /* of an array; how many there are; from one to the next */
    uint64_t seen;
    uint32_t before, last; /* what the array holds: at first, where it is not timed, and in the end */
};

static bool allocate_of(struct lab *lab, struct call *call, bool one_array)
{
    if (!call_shadow(call, sizeof(struct expected)))
        return false;
    struct expected *expected = call->shadow;
    *expected =
        one_array
            ? (struct expected){.size = call->n, .laps = 1}
            : (struct expected){.size = ARRAY, .laps = call->n / ARRAY, .step = lab->modelled ? 0 : ARRAY};
    const size_t elements = expected->size + (expected->laps - 1) * expected->step;
    return call_buffer(lab, call, 0, elements * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ | PLAN_WRITE) &&
           call_buffer(lab, call, 1, expected->laps * sizeof(struct lap), sizeof(uint32_t),
                       PLAN_READ | PLAN_GLUE);
}

static bool allocate(struct lab *lab, struct call *call)
{
    return allocate_of(lab, call, call->n < ARRAY || (!lab->timed && call->n % 2 > 0));
}

/* Long arrays are of a drawn length, and each of so many leaves no rest for a factor of 64, 32, ... or 2. */
enum { LONG = 1000, LONGEST = 20000, LONGEST_MODELLED = 8000, POWERS = 6 };

static bool whole_allocate(struct lab *lab, struct call *call)
{
    if (!lab->timed && call->n >= LONG) {
        const size_t least = ARRAY + 1, longest = lab->modelled ? LONGEST_MODELLED : LONGEST,
                     factor = (size_t)1 << (POWERS - lab->count++ % POWERS);
        call->n = (least + draw_below(&lab->draw, longest - least)) / factor * factor + factor;
    }
    return allocate_of(lab, call, true);
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
    const size_t count = expected->laps, size = expected->size, step = expected->step;
    expected->seen = 0;
    expected->before = lab->timed ? 0 : (uint32_t)draw_next(&lab->draw) | 1;
    if (!lab->timed) {
        uint32_t *values = call->buffer[0];
        for (size_t i = 0; i < size + (count - 1) * step; i++)
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
        .values = call->buffer[0], .n = size, .step = step, .lap_count = count, .laps = laps};
}

/* values[at] is as it was. Is that so because the stores of a round all go to its first place, and are the
 * next round's right? 0: no. Else how many elements a round has. (Where n is smaller than 3 nobody can tell.)
 */
static size_t round_in_one_place(const struct expected *expected, const uint32_t *values, size_t at)
{
    const size_t size = expected->size;
    size_t next = at;
    while (next < size && values[next] == expected->before)
        next++;
    if ((at != 1 && at != 2 && at != 4) || next < 3 || next % at > 0)
        return 0;
    if (next == size)
        return at == 1 || size >= 4 * at ? next : 0;
    for (size_t i = next; i < next + at && i < size; i++)
        if (values[i] != expected->last)
            return 0;
    return next;
}

/* What the wrong element is, where that is to be seen. */
static void meaning(const struct expected *expected, bool timed, const uint32_t *values, size_t at,
                    uint32_t wanted, char text[160])
{
    const uint32_t found = values[at], above = (uint32_t)(as_called(wanted) >> 32);
    text[0] = '\0';
    if (found == above || found == (above | wanted)) {
        snprintf(text, 160, ": what is above `value` in its register is anything");
    } else if (!timed && found == expected->before) {
        const size_t size = expected->size,
                     round = expected->laps == 1 ? round_in_one_place(expected, values, at) : 0;
        if (round > 0)
            snprintf(
                text, 160,
                ", which was there before. Do the stores of a round of %zu elements all go to one place?",
                round);
        else
            snprintf(text, 160, ", which was there before. Are the last elements left out where %s?",
                     size > ARRAY && size % 8 == 0 ? "they are a whole round, and leave no rest"
                                                   : "n is no multiple of your factor");
    }
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct expected *expected = call->shadow;
    const struct fill_result *result = call->result;
    const uint32_t *values = call->buffer[0];
    const struct lap *laps = call->buffer[1];
    const size_t size = expected->size, arrays = expected->step > 0 ? expected->laps : 1;
    char text[160];
    for (size_t i = 0; i < arrays * size; i++) {
        const uint32_t wanted = arrays > 1 ? laps[i / size].value : expected->last, found = values[i];
        if (found == wanted)
            continue;
        meaning(expected, lab->timed, values, i, wanted, text);
        return finding(why, "values[%zu] of %zu: expected %#" PRIx32 ", found %#" PRIx32 "%s", i % size, size,
                       wanted, found, text);
    }
    if (result->seen == expected->seen)
        return true;
    return finding(why, "the array of %zu values was filled %zu times, and not each time whole", size,
                   expected->laps);
}

#define FILL(NAME, ALLOCATE)                                                                                 \
    .name = (NAME), .entry = 0, .args_size = sizeof(struct fill_args),                                       \
    .result_size = sizeof(struct fill_result), .allocate = (ALLOCATE), .fill = fill_random,                  \
    .verify = verify, .stores = sizeof(uint32_t), .buffers = {"values", "laps"}

static const struct case_def defs[] = {{FILL("random", allocate)},
                                       {FILL("many", allocate), .once = true, .elements = MANY},
                                       {FILL("whole", whole_allocate)}};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
