/* The script in the emulated machine: its results, a line each. Without a core, an instruction is a cycle, as
 * it is under qemu-system -icount shift=0. */
#include <inttypes.h>
#include <stdio.h>
#include "ci/vpmu/names.h"
#include "harness/emu/emulator.h"

static int give_up(const char *text)
{
    fprintf(stderr, "vpmu: %s\n", text);
    return 4;
}

int main(int argc, char **argv)
{
    struct error err;
    struct emulator_run run;
    const struct emulator_config config = {.program = argc > 1 ? argv[1] : "", .budget = 1000000};
    struct arena *arena = arena_create(&err);
    if (!arena)
        return give_up(err.text);
    uint64_t *results =
        arena_alloc(arena, NAMES * sizeof *results, 8, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    struct emulator *emulator = emulator_open(&config, arena, &err);
    if (!emulator)
        return give_up(err.text);
    struct plan *plan = arena_plan(arena);
    plan->calls = 1;
    plan->results = (uint64_t)results;
    emulator_execute(emulator, 0, 1, &run);
    if (run.outcome != EMULATOR_DONE)
        return give_up(run.name);
    for (int i = 0; i < NAMES; i++)
        printf("%" PRIx64 " %s\n", results[i], names[i]);
    emulator_close(emulator);
    arena_destroy(arena);
    return 0;
}
