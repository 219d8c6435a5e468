/* The trials in a runner, natively: which processes there are behind them. */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>

#include "grader/base/isa.h"
#include "grader/check/correctness.h"
#include "harness/runner/tests/target_kit.h"

struct add_args {
    int32_t *values;
    uint64_t n;
};

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(int32_t), sizeof(int32_t), PLAN_READ | PLAN_WRITE);
}

static void fill(struct lab *lab, struct call *call)
{
    (void)lab;
    *(struct add_args *)call->args = (struct add_args){call->buffer[0], call->n};
}

/* Processes whose parent this one is. */
static unsigned children(void)
{
    unsigned count = 0;
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    cr_assert(processes);
    while ((entry = readdir(processes))) {
        char path[300], state;
        int parent = 0;
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = isdigit((unsigned char)*entry->d_name) ? fopen(path, "r") : NULL;
        if (file && fscanf(file, "%*d (%*[^)]) %c %d", &state, &parent) == 2)
            count += parent == getpid();
        if (file)
            fclose(file);
    }
    closedir(processes);
    return count;
}

static unsigned before, seen;

/* The grader looks at what has come back. */
static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    const unsigned more = children() - before;
    const int32_t *values = call->buffer[0];
    seen++;
    for (size_t i = 0; i < call->n; i++)
        if (values[i] != 1)
            return finding(why, "values[%zu] is %d", i, values[i]);
    return more == 1 || finding(why, "%u processes", more);
}

static const struct case_def def = {.name = "ones",
                                    .entry = ADD_ONE,
                                    .args_size = sizeof(struct add_args),
                                    .result_size = 8,
                                    .allocate = allocate,
                                    .fill = fill,
                                    .zeroed = 1,
                                    .verify = verify};

Test(correctness_runner, no_process_that_ran_student_code_is_there_when_its_results_are_looked_at)
{
    char program[64];
    struct error err;
    struct fault_text text;
    size_t calls;
    struct failed_call failed;
    target_build(program, isa_name(isa_native()), "gcc");
    struct arena *arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    const struct runner_program runner = {.path = program, .places = 1, .isa = isa_native()};
    struct trials *trials = trials_runner(&runner, 1, arena);
    const struct correctness what = {.def = &def, .largest = 3, .seed = 7};
    cr_assert(trials);
    before = children();
    const enum correctness_outcome outcome = correctness_run(&what, arena, trials, &calls, &failed, &text);
    cr_expect_eq(outcome, CORRECT, "%s", text.message);
    cr_expect_gt(seen, 3);
    trials->close(trials);
    arena_destroy(arena);
    unlink(program);
}
