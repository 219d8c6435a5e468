/* Exercise NEW_NUMBER: inputs and oracle. */
#include <inttypes.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(uint32_t), sizeof(uint32_t), PLAN_READ) &&
           call_shadow(call, sizeof(uint32_t));
}

/* FILL-IN: new inputs for each call, and what the oracle needs of them.
 *
 * Each value is random within mask. */
static void fill(struct lab *lab, struct call *call, uint32_t mask)
{
    struct NEW_NAME_args *args = call->args;
    uint32_t *values = call->buffer[0], *expected = call->shadow;
    *args = (struct NEW_NAME_args){.values = values, .n = call->n};
    *expected = 0;
    for (size_t i = 0; i < call->n; i++) {
        values[i] = (uint32_t)draw_next(&lab->draw) & mask;
        *expected = *expected * FACTOR + values[i];
    }
}

static void fill_random(struct lab *lab, struct call *call)
{
    fill(lab, call, UINT32_MAX);
}

static void fill_small(struct lab *lab, struct call *call)
{
    fill(lab, call, 3);
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint32_t *expected = call->shadow;
    const struct NEW_NAME_result *result = call->result;
    (void)lab;
    if (result->checksum == *expected)
        return true;
    /* FILL-IN: what was expected, what was found, and where */
    return finding(why, "the checksum of the %zu values is %#" PRIx32 ": found %#" PRIx32, call->n, *expected,
                   result->checksum);
}

#define CASE(NAME, FILL)                                                                                     \
    .name = (NAME), .entry = ENTRY_NEW_NAME, .args_size = sizeof(struct NEW_NAME_args),                      \
    .result_size = sizeof(struct NEW_NAME_result), .allocate = allocate, .fill = (FILL), .verify = verify,   \
    .buffers = {"values"}, .reads_whole = 1

static const struct case_def defs[] = {{CASE("random", fill_random)}, {CASE("small", fill_small)}};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
