/* The call that a check found wrong, laid out once more; how a program of calls ended. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "grader/student/replay.h"

enum { STUDENT = 77, SEED = 5 };

/* An input of each student's own. */
struct args {
    uint64_t number, student;
};

static bool allocate(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

static void fill(struct lab *lab, struct call *call)
{
    *(struct args *)call->args = (struct args){draw_next(&lab->draw), lab->student};
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    return *(const uint64_t *)call->result == ((const struct args *)call->args)->number ||
           finding(why, "another number");
}

static const struct case_def defs[] = {{.name = "in-parts",
                                        .parts = 2,
                                        .by_student = true,
                                        .args_size = sizeof(struct args),
                                        .result_size = sizeof(uint64_t),
                                        .allocate = allocate,
                                        .fill = fill,
                                        .verify = verify}};
static const struct case_table table = {defs, 1};

/* Call `wrong` of all that are made is wrong. */
struct counting {
    struct trials trials;
    struct arena *arena;
    size_t made, wrong, killed;
    struct args asked;
};

static enum trial_outcome execute(struct trials *trials, struct layout *layout, size_t *finished,
                                  struct fault_text *text)
{
    struct counting *counting = (struct counting *)trials;
    const struct plan *plan = arena_plan(counting->arena);
    (void)text;
    for (size_t i = 0; i < layout_count(layout); i++) {
        const struct args *args = (const struct args *)(plan->args + i * plan->args_stride);
        const bool wrong = counting->made++ == counting->wrong;
        *(uint64_t *)(plan->results + i * plan->results_stride) = args->number + wrong;
        if (wrong)
            counting->asked = *args;
    }
    *finished = layout_count(layout);
    return counting->killed > 0 && counting->killed-- ? TRIAL_KILLED : TRIAL_DONE;
}

/* Plans of four calls, twice, each in three rounds. */
static void expect_again(size_t wrong, size_t killed)
{
    const struct correctness what = {
        .def = defs, .elements = 100, .calls = 4, .seed = SEED, .student = STUDENT, .cache_bytes = 1 << 20};
    struct counting counting = {
        .trials = {.execute = execute, .rounds = 3}, .wrong = wrong, .killed = killed};
    struct error err;
    struct fault_text text;
    struct failed_call failed;
    size_t calls, call;
    counting.arena = arena_create(&err);
    cr_assert(counting.arena, "%s", err.text);
    cr_assert_eq(correctness_run(&what, counting.arena, &counting.trials, &calls, &failed, &text), INCORRECT);
    struct failing failing = {.seed = SEED,
                              .elements = what.elements,
                              .calls = what.calls,
                              .student = what.student,
                              .cache_bytes = what.cache_bytes,
                              .call = failed.call,
                              .filling = failed.filling};
    snprintf(failing.case_name, sizeof failing.case_name, "%s", defs->name);
    struct layout *layout = replay_failing(&failing, &table, counting.arena, &call, &err);
    cr_assert(layout, "%s", err.text);
    const struct plan *plan = arena_plan(counting.arena);
    const struct args *args = (const struct args *)plan->args;
    cr_expect_eq(plan->calls, 1);
    cr_expect_eq(call, wrong % 4);
    cr_expect_eq(args->number, counting.asked.number, "call %zu", wrong);
    cr_expect_eq(args->student, STUDENT);
    layout_close(layout);
    arena_destroy(counting.arena);
}

Test(replay, the_call_that_was_wrong_comes_again_of_whatever_round)
{
    for (size_t wrong = 0; wrong < 24; wrong++)
        expect_again(wrong, 0);
}

Test(replay, the_call_that_was_wrong_comes_again_after_somebody_killed_the_first_try)
{
    expect_again(5, 1);
    expect_again(14, 1);
}

Test(replay, each_end_has_its_words)
{
    static const struct {
        int status, told;
        const char *part;
    } ends[] = {{W_EXITCODE(0, 0), 0, ""},
                {W_EXITCODE(0, SIGINT), 0, ""},
                {W_EXITCODE(0, SIGSEGV), 1, "A signal ended it: Segmentation fault. `gdb p`"},
                {W_EXITCODE(3, 0), 1, "A register"},
                {W_EXITCODE(101, 0), 1, "no memory for its stack"},
                {W_EXITCODE(7, 0), 1, "exit status 7"}};
    const struct exercise one = {.number = 1};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        cr_expect_eq(replay_tell_end(ends[i].status, "p", &one, out), ends[i].told);
        fclose(out);
        cr_expect(strstr(text, ends[i].part) && !*text == !*ends[i].part, "%s", text);
        free(text);
    }
}
