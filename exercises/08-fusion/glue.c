#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_corrected(const void *args, void *result)
{
    const struct corrected_args *a = args;
    const struct correction correction = {.offset = a->offset, .gain = a->gain, .shift = a->shift};
    *(uint64_t *)result = corrected_sum(a->samples, a->scratch, a->n, &correction);
}

static void call_columns(const void *args, void *result)
{
    const struct columns_args *a = args;
    (void)result;
    column_sums(a->sums, a->matrix, a->rows, a->columns);
}

const plan_entry plan_entries[] = {[ENTRY_CORRECTED] = call_corrected, [ENTRY_COLUMNS] = call_columns};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
