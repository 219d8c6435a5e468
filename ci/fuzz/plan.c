/* What comes back from a machine that ran hostile code: the status that it wrote, how its process ended, and
 * whatever stands in the memory that it may write to. The first bytes choose an exercise's case and how the
 * run ended; then comes the status; the rest is spread over all that is writable. Nothing of that may do more
 * than make a result wrong. */
#include <dlfcn.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ci/fuzz/fuzz.h"
#include "grader/check/correctness.h"
#include "grader/check/emulated.h"

enum {
    LARGEST = 8,
    TIMED = 48,
    LARGE = 16384,
    MOST_CASES = 200,
    CODE = 0x400000,
    CODE_SIZE = 0x4000,
    CACHE = 1 << 16
};

struct ending {
    uint8_t which, machine, isa, timed;
    uint8_t outcome, signal, exit_status,
        near; /* near: addresses are in the program, and about the arena's regions */
};

struct input {
    struct trials trials; /* first: what correctness_run knows of it */
    struct ending ending;
    struct plan_status status;
    const uint8_t *rest;
    size_t size;
};

static const struct case_def *cases[MOST_CASES];
static size_t case_count;
static char *programs[ISA_COUNT];
static struct arena *arena;

/* ---- what `make fuzz` built beside this program ---- */

static void load_cases(const char *folder)
{
    char pattern[PATH_MAX];
    glob_t found;
    struct error err;
    snprintf(pattern, sizeof pattern, "%.4000s/exercises/*/cases.so", folder);
    fuzz_must(glob(pattern, 0, NULL, &found) == 0, "exercises' cases");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const struct case_table *table = case_table_load(found.gl_pathv[i], &err);
        fuzz_must(table, "cases that can be loaded");
        for (size_t j = 0; j < table->count && case_count < MOST_CASES; j++)
            cases[case_count++] = &table->defs[j];
    }
    globfree(&found);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static char path[PATH_MAX];
    struct error err;
    (void)argc, (void)argv;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    fuzz_must(length > 0, "this program's own path");
    const char *folder = dirname(path);
    load_cases(folder);
    for (enum isa isa = ISA_X86_64; isa < ISA_COUNT; isa++)
        fuzz_must(asprintf(&programs[isa], "%s/job/out/%s", folder, isa_name(isa)) > 0, "memory");
    arena = arena_create(&err);
    fuzz_must(arena, "an arena");
    return 0;
}

/* ---- the machine's part ---- */

/* All that a machine can write: from both ends, since buffers lie at either. */
static void scribble(const struct input *input)
{
    const struct plan *plan = arena_plan(arena);
    size_t at = 0;
    for (uint32_t i = 0; i < plan->region_count && input->size > 0; i++) {
        const struct plan_region *region = &plan->regions[i];
        size_t length = input->size - at < 256 ? input->size - at : 256;
        if (!(region->access & PLAN_WRITE))
            continue;
        memcpy((void *)region->address, input->rest + at, length);
        memcpy((char *)region->address + region->size - length, input->rest + at, length);
        at = at + length < input->size ? at + length : 0;
    }
    memcpy((void *)ARENA_STATUS, &input->status, sizeof input->status);
}

static void look_at_text(const struct fault_text *text)
{
    fuzz_printable(text->message);
    fuzz_printable(text->next);
    fuzz_must(*text->message, "something that is said");
}

static enum trial_outcome native(const struct input *input, const struct layout *layout,
                                 struct fault_text *text)
{
    const struct ending *ending = &input->ending;
    struct machine_run run = {.outcome = (enum machine_outcome)(ending->outcome % (MACHINE_NOT_READY + 1)),
                              .signal = ending->signal % 70,
                              .exit_status = ending->exit_status,
                              .status = *arena_status(arena)};
    if (run.outcome == MACHINE_DONE)
        return TRIAL_DONE;
    fault_describe(&run, layout, programs[ending->isa % ISA_COUNT], (enum isa)(ending->isa % ISA_COUNT), 2000,
                   text);
    look_at_text(text);
    return run.signal == SIGSYS ? TRIAL_RULE : TRIAL_BROKE;
}

static enum trial_outcome emulated(const struct input *input, const struct layout *layout,
                                   struct fault_text *text)
{
    const struct plan_status *status = &input->status;
    struct emulator_run run = {.outcome =
                                   (enum emulator_outcome)(input->ending.outcome % (EMULATOR_ERROR + 1)),
                               .call = status->call,
                               .pc = status->pc,
                               .address = status->fault_address,
                               .access = status->access % 4,
                               .word = status->signal,
                               .sp = status->sp,
                               .instructions = status->system_call,
                               .name = "ldr"};
    if (run.outcome == EMULATOR_DONE)
        return TRIAL_DONE;
    enum trial_outcome outcome =
        emulated_describe(&run, layout, programs[ISA_AARCH64], 20000000, input->ending.near, text);
    look_at_text(text);
    return outcome;
}

static enum trial_outcome execute(struct trials *trials, struct layout *layout, size_t *finished,
                                  struct fault_text *text)
{
    const struct input *input = (const struct input *)trials;
    scribble(input);
    enum trial_outcome outcome =
        input->ending.machine % 2 ? emulated(input, layout, text) : native(input, layout, text);
    *finished = outcome == TRIAL_DONE ? layout_count(layout) : input->status.call;
    return outcome;
}

/* ---- the grader's ---- */

static void check(struct input *input, const struct case_def *def)
{
    const struct correctness what = {
        .def = def, .largest = LARGEST, .once = LARGE, .seed = 1, .cache_bytes = CACHE, .modelled = true};
    struct fault_text text;
    size_t calls;
    struct failed_call failed;
    if (correctness_run(&what, arena, &input->trials, &calls, &failed, &text) != CORRECT)
        fuzz_must(*text.message, "something that is said");
    fuzz_printable(text.message);
}

/* As a slice is looked at after it was timed. */
static void take_time(const struct input *input, const struct case_def *def)
{
    const size_t n = def->once ? LARGE : TIMED;
    const struct layout_call calls[] = {{n, ARENA_AT_START}, {n, ARENA_AT_START}};
    const struct layout_request request = {.def = def,
                                           .calls = calls,
                                           .count = 2,
                                           .timed = true,
                                           .modelled = true,
                                           .seed = 2,
                                           .cache_bytes = CACHE};
    struct finding why;
    struct error err;
    struct layout *layout = layout_open(arena, &request, &err);
    fuzz_must(layout, "a layout for a slice");
    layout_fill(layout, 2);
    scribble(input);
    for (size_t i = 0; i < 2; i++) {
        if (!layout_verify(layout, i, &why))
            fuzz_printable(why.text);
        if (def->value)
            layout_value(layout, i);
    }
    layout_close(layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {.trials = {.execute = execute}};
    if (size < sizeof input.ending + sizeof input.status)
        return 0;
    memcpy(&input.ending, data, sizeof input.ending);
    memcpy(&input.status, data + sizeof input.ending, sizeof input.status);
    input.rest = data + sizeof input.ending + sizeof input.status;
    input.size = size - sizeof input.ending - sizeof input.status;
    if (input.ending.near) {
        input.status.pc = CODE + input.status.pc % CODE_SIZE;
        input.status.fault_address = ARENA_BASE + input.status.fault_address % (64 * ARENA_GRANULE);
    }
    const struct case_def *def = cases[input.ending.which % case_count];
    if (input.ending.timed % 2)
        take_time(&input, def);
    else
        check(&input, def);
    return 0;
}
