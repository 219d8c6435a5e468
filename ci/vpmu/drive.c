/* The scripts in the emulated machine: their results, a line each. Without a core, an instruction is a cycle,
 * as it is under qemu-system -icount shift=0. */
#include <inttypes.h>
#include <stdio.h>
#include "ci/vpmu/names.h"
#include "harness/emu/emulator.h"

enum { REGISTERS, LEVELS }; /* the entries of glue.c */

static bool give_up(const char *text)
{
    fprintf(stderr, "vpmu: %s\n", text);
    return false;
}

static bool execute(const char *program, struct arena *arena, unsigned entry, const char *const *of,
                    size_t count)
{
    struct error err;
    struct emulator_run run;
    const struct emulator_config config = {.program = program, .budget = 1000000, .levels = entry == LEVELS};
    arena_reset(arena);
    uint64_t *results =
        arena_alloc(arena, count * sizeof *results, 8, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    struct emulator *emulator = emulator_open(&config, arena, &err);
    if (!emulator)
        return give_up(err.text);
    struct plan *plan = arena_plan(arena);
    plan->entry = entry;
    plan->calls = 1;
    plan->results = (uint64_t)results;
    emulator_execute(emulator, 0, 1, &run);
    for (size_t i = 0; run.outcome == EMULATOR_DONE && i < count; i++)
        printf("%" PRIx64 " %s\n", results[i], of[i]);
    emulator_close(emulator);
    return run.outcome == EMULATOR_DONE || give_up(run.name);
}

int main(int argc, char **argv)
{
    struct error err;
    struct arena *arena = arena_create(&err);
    if (!arena || argc < 2)
        return !give_up(arena ? "no program" : err.text) * 4;
    const bool good = execute(argv[1], arena, REGISTERS, names, NAMES) &&
                      execute(argv[1], arena, LEVELS, level_names, LEVEL_NAMES);
    arena_destroy(arena);
    return good ? 0 : 4;
}
