/* The scripts as a program for the emulated machine. */
#include <stdint.h>
#include "harness/runner/glue.h"

void script(uint64_t *results);
void levels(uint64_t *results);

static void call_script(const void *args, void *result)
{
    (void)args;
    script(result);
}

static void call_levels(const void *args, void *result)
{
    (void)args;
    levels(result);
}

const plan_entry plan_entries[] = {call_script, call_levels};
const unsigned plan_entry_count = 2;
