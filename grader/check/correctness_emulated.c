/* The trials in the emulated machine: no timing, but every instruction and every access is looked at. */
#include <stdio.h>
#include <stdlib.h>

#include "grader/check/emulated.h"

/* Instructions, of which slow ones count as several: of all trials of a case, of which the largest needs some
 * 20 million; and of all cases of a check, some 60: a fifth. */
enum { BUDGET = 100 * 1000 * 1000, BUDGET_OF_ALL = 3 * BUDGET, ROUNDS = 4 };

struct emulated_trials {
    struct trials trials; /* first: what the others know of it */
    const char *program;
    unsigned features;
    uint64_t seed;
    struct arena *arena;
    struct emulator *emulator;        /* NULL before the first plan */
    uint64_t left;                    /* of BUDGET_OF_ALL */
    bool levels, guards, no_counters; /* that it has */
};

static enum trial_outcome execute(struct trials *trials, struct layout *layout, size_t *finished,
                                  struct fault_text *text)
{
    struct emulated_trials *emulated = (struct emulated_trials *)trials;
    const struct emulator_config config = {.program = emulated->program,
                                           .features = emulated->features,
                                           .budget = BUDGET,
                                           .seconds = EMULATED_SECONDS,
                                           .notes_clock = true,
                                           .no_counters = !layout_reads_counters(layout),
                                           .cycles_only = !layout_levels(layout),
                                           .guards = plan_guards(arena_plan(emulated->arena)),
                                           .levels = layout_levels(layout)};
    struct emulator_run run;
    struct error err;

    *finished = 0;
    if (emulated->emulator && (emulated->levels != config.levels || emulated->guards != config.guards ||
                               emulated->no_counters != config.no_counters)) {
        emulator_close(emulated->emulator);
        emulated->emulator = NULL;
    }
    emulated->levels = config.levels;
    emulated->guards = config.guards;
    emulated->no_counters = config.no_counters;
    const bool is_new = !emulated->emulator;
    if (is_new)
        emulated->emulator = emulator_open(&config, emulated->arena, &err);
    if (!emulated->emulator) {
        snprintf(text->message, sizeof text->message, "%s", err.text);
        return TRIAL_ERROR;
    }
    if (is_new)
        emulator_stand_still(emulated->emulator, emulated->seed);
    const uint64_t budget = emulated->left < BUDGET ? emulated->left : BUDGET;
    emulator_set_budget(emulated->emulator, budget);
    emulator_execute(emulated->emulator, 0, (uint32_t)layout_count(layout), &run);
    emulated->left -=
        run.instructions + run.charged < emulated->left ? run.instructions + run.charged : emulated->left;
    layout_note_arrivals(layout, emulator_arrivals(emulated->emulator));
    *finished = run.outcome == EMULATOR_DONE ? layout_count(layout) : run.call;
    if (run.outcome == EMULATOR_DONE && !emulated_readings(emulated->emulator, layout, text))
        return TRIAL_MADE_UP;
    return emulated_describe(&run, layout, emulated->program, budget,
                             budget < BUDGET ? BUDGET_OF_ALL - budget : 0, text);
}

static void close_emulated(struct trials *trials)
{
    struct emulated_trials *emulated = (struct emulated_trials *)trials;
    emulator_close(emulated->emulator);
    free(emulated);
}

struct trials *trials_emulated(const char *program, unsigned features, uint64_t seed, struct arena *arena)
{
    struct emulated_trials *emulated = calloc(1, sizeof *emulated);
    if (!emulated)
        return NULL;
    *emulated =
        (struct emulated_trials){.trials = {.execute = execute, .close = close_emulated, .rounds = ROUNDS},
                                 .program = program,
                                 .features = features,
                                 .seed = seed,
                                 .arena = arena,
                                 .left = BUDGET_OF_ALL};
    return &emulated->trials;
}
