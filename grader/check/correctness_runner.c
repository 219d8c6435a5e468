/* The trials in a runner: a process of its own, natively, under qemu-aarch64, or under qemu-x86_64 as one of
 * its processors. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "grader/build/build.h"
#include "grader/check/correctness.h"
#include "harness/base/draw.h"
#include "harness/sched/placement.h"

enum {
    LIMIT_MS = 2000,           /* of all trials of one case, natively */
    EMULATED_LIMIT_MS = 10000, /* qemu translates as it goes, and may be on a loaded machine */
    CPU_SECONDS = 20,
    ALL_MS = 6000, /* of all cases together, natively */
    ALL_EMULATED_MS = 15000,
    CHECK_MS = 18000, /* and in all ways, with what compiling took: a check ends within 30 s */
    LEAST_MS = 100,   /* that a case has in any way */
    ROUNDS = 8,
    ROUNDS_MS = 1000, /* of all cases: where parts wait for a CPU, they are made once */
};

struct runner_trials {
    struct trials trials; /* first: what the others know of it */
    const char *emulator, *processor;
    enum isa isa;
    unsigned lent;
    struct arena *arena;
    char *programs[BUILD_PLACES];
    struct machine *machines[BUILD_PLACES]; /* NULL before their first plan and after a crash */
    unsigned places, place;                 /* the one that executes the plan */
    struct draw draw;
    int64_t elapsed_ms; /* for all plans until now, */
    int64_t spent_ms;   /* and less what they waited for a CPU */
    int64_t *of_check;  /* the same of all that the check does, or NULL */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static unsigned limit_of(const struct runner_trials *runner)
{
    const int64_t each = runner->emulator ? EMULATED_LIMIT_MS : LIMIT_MS;
    int64_t left = (runner->emulator ? ALL_EMULATED_MS : ALL_MS) - runner->spent_ms;
    if (runner->of_check && left > CHECK_MS - *runner->of_check)
        left = CHECK_MS - *runner->of_check;
    return (unsigned)(left > each ? each : left > LEAST_MS ? left : LEAST_MS);
}

static bool start(struct runner_trials *runner, struct fault_text *text)
{
    struct error err;
    struct machine **machine = &runner->machines[runner->place];
    struct machine_config config = {.program = runner->programs[runner->place],
                                    .emulator = runner->emulator,
                                    .processor = runner->processor,
                                    .cpu = -1,
                                    .second = -1,
                                    .at_once = placement_cpus() > 1,
                                    .standstill = true,
                                    .cpu_seconds = CPU_SECONDS,
                                    .drop_privileges = true,
                                    .lent = runner->lent};
    if (!*machine)
        *machine = machine_start(&config, runner->arena, &err);
    if (!*machine)
        snprintf(text->message, sizeof text->message, "%s", err.text);
    return *machine != NULL;
}

static void stop(struct runner_trials *runner)
{
    for (unsigned place = 0; place < runner->places; place++) {
        machine_stop(runner->machines[place]);
        runner->machines[place] = NULL;
    }
}

/* Without what its processes waited for a CPU: on a busy machine the last cases have their due, too. */
static int64_t own_ms(const struct schedule *before, const struct schedule *after, int64_t elapsed)
{
    const int64_t own = elapsed - (int64_t)(after->waited_ns - before->waited_ns) / 1000000;
    return own > 0 ? own : 0;
}

static enum trial_outcome execute(struct trials *trials, struct layout *layout, size_t *finished,
                                  struct fault_text *text)
{
    struct runner_trials *runner = (struct runner_trials *)trials;
    const unsigned limit_ms = limit_of(runner);
    const int64_t begin = now_ms();
    struct schedule before = {0}, after;
    struct machine_run run;

    *finished = 0;
    runner->place = (unsigned)draw_below(&runner->draw, runner->places);
    if (!start(runner, text))
        return TRIAL_NO_START;
    struct machine *machine = runner->machines[runner->place];
    if (runner->emulator) /* else each plan has processes of its own */
        machine_schedule(machine, &before);
    machine_execute(machine, limit_ms, &run);
    const int64_t elapsed = now_ms() - begin;
    runner->elapsed_ms += elapsed;
    const int64_t own = machine_schedule(machine, &after) ? own_ms(&before, &after, elapsed) : elapsed;
    runner->spent_ms += own;
    if (runner->of_check)
        *runner->of_check += own;
    if (runner->elapsed_ms > ROUNDS_MS)
        runner->trials.rounds = 1;
    machine_end(machine); /* before anybody looks at the results or lays out another plan, for any place */
    *finished = run.outcome == MACHINE_DONE ? layout_count(layout) : run.status.call;
    if (run.outcome == MACHINE_DONE)
        return TRIAL_DONE;
    fault_describe(&run, layout, runner->programs[runner->place], runner->isa, limit_ms, text);
    stop(runner);
    if (run.outcome == MACHINE_NOT_READY)
        return TRIAL_NO_START;
    if (run.signal == SIGSYS)
        return TRIAL_RULE;
    if (run.outcome == MACHINE_CRASHED && run.signal == SIGILL)
        return TRIAL_UNDEFINED;
    return run.outcome == MACHINE_EXITED && run.signal == SIGKILL ? TRIAL_KILLED : TRIAL_BROKE;
}

static void renew(struct trials *trials)
{
    stop((struct runner_trials *)trials);
}

static void close_runner(struct trials *trials)
{
    struct runner_trials *runner = (struct runner_trials *)trials;
    stop(runner);
    arena_go_ahead(runner->arena, false);
    for (unsigned place = 0; place < runner->places; place++)
        free(runner->programs[place]);
    free(runner);
}

struct trials *trials_runner(const struct runner_program *program, uint64_t seed, struct arena *arena)
{
    struct runner_trials *runner = calloc(1, sizeof *runner);
    if (!runner)
        return NULL;
    *runner = (struct runner_trials){.trials = {.execute = execute,
                                                .renew = renew,
                                                .close = close_runner,
                                                .rounds = program->emulator ? 1 : ROUNDS},
                                     .emulator = program->emulator,
                                     .processor = program->processor,
                                     .isa = program->isa,
                                     .lent = program->lent,
                                     .of_check = program->spent_ms,
                                     .arena = arena,
                                     .places = program->places};
    draw_begin(&runner->draw, seed);
    bool enough = true;
    for (unsigned place = 0; place < runner->places; place++) {
        runner->programs[place] = build_place(program->path, place);
        enough = enough && runner->programs[place];
    }
    struct error again; /* whoever starts a machine is told */
    arena_reset(arena); /* so that nothing has to be copied */
    arena_lend(arena, &again);
    if (program->emulator)
        arena_go_ahead(arena, true);
    if (enough)
        return &runner->trials;
    close_runner(&runner->trials);
    return NULL;
}

bool trials_runner_starts(const struct runner_program *program, struct arena *arena)
{
    struct fault_text text;
    struct trials *trials = trials_runner(program, 0, arena);
    const bool does = trials && start((struct runner_trials *)trials, &text);
    if (trials)
        trials->close(trials);
    return does;
}
