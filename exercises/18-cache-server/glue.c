#include "harness/runner/glue.h"
#include "exercise.h"
#include "glue.h"

static void call_serve(const void *args, void *result)
{
    const struct serve_args *a = args;
    (void)result;
    serve(&a->store, a->requests, a->n, a->answers);
}

static void call_diagnose(const void *args, void *result)
{
    const struct diagnose_args *a = args;
    (void)result;
    diagnose(a->found);
}

const plan_entry plan_entries[] = {[ENTRY_SERVE] = call_serve, [ENTRY_DIAGNOSE] = call_diagnose};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
