/* The script as a program for the emulated machine. */
#include <stdint.h>
#include "harness/runner/glue.h"

void script(uint64_t *results);

static void call_script(const void *args, void *result)
{
    (void)args;
    script(result);
}

const plan_entry plan_entries[] = {call_script};
const unsigned plan_entry_count = 1;
