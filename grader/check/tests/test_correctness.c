#include <criterion/criterion.h>
#include <string.h>

#include "grader/check/correctness.h"

/* What a call gets is a number, and what it gives back is that number. */
static bool allocate(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

static void fill(struct lab *lab, struct call *call)
{
    *(uint64_t *)call->args = draw_next(&lab->draw);
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    return *(const uint64_t *)call->result == *(const uint64_t *)call->args || finding(why, "another number");
}

/* Executes plans as a clock lets it: wrong the first `wrong` times. */
struct clocked {
    struct trials trials;
    struct arena *arena;
    unsigned wrong, executed, renewed;
    uint64_t asked[8]; /* each time */
    enum trial_outcome outcome;
};

static enum trial_outcome execute(struct trials *trials, struct layout *layout, size_t *finished,
                                  struct fault_text *text)
{
    struct clocked *clocked = (struct clocked *)trials;
    const struct plan *plan = arena_plan(clocked->arena);
    const uint64_t given = *(const uint64_t *)plan->args;
    (void)text;
    cr_assert_lt(clocked->executed, 8);
    clocked->asked[clocked->executed++] = given;
    *(uint64_t *)plan->results = given + (clocked->executed <= clocked->wrong);
    *finished = layout_count(layout);
    return clocked->outcome;
}

static void renew(struct trials *trials)
{
    ((struct clocked *)trials)->renewed++;
}

static enum correctness_outcome run(struct clocked *clocked, bool reads_clock)
{
    const struct case_def def = {.name = "number",
                                 .args_size = sizeof(uint64_t),
                                 .result_size = sizeof(uint64_t),
                                 .once = true,
                                 .reads_clock = reads_clock,
                                 .allocate = allocate,
                                 .fill = fill,
                                 .verify = verify};
    const struct correctness what = {.def = &def, .once = 1, .seed = 5};
    struct error err;
    struct fault_text text;
    size_t calls;
    struct failed_call failed;
    clocked->trials.execute = execute;
    clocked->arena = arena_create(&err);
    cr_assert(clocked->arena, "%s", err.text);
    const enum correctness_outcome outcome =
        correctness_run(&what, clocked->arena, &clocked->trials, &calls, &failed, &text);
    for (unsigned i = 1; i < clocked->executed; i++)
        cr_expect_eq(clocked->asked[i], clocked->asked[0], "the same is asked again");
    arena_destroy(clocked->arena);
    return outcome;
}

Test(correctness, what_hangs_on_a_clock_is_tried_three_times_in_other_processes)
{
    for (unsigned wrong = 0; wrong < 5; wrong++) {
        struct clocked clocked = {.trials.renew = renew, .wrong = wrong};
        cr_expect_eq(run(&clocked, true), wrong < 3 ? CORRECT : INCORRECT);
        cr_expect_eq(clocked.executed, wrong < 3 ? wrong + 1 : 3);
        cr_expect_geq(clocked.renewed, clocked.executed - 1);
    }
}

Test(correctness, anything_else_is_tried_once)
{
    struct clocked clocked = {.trials.renew = renew, .wrong = 1};
    cr_expect_eq(run(&clocked, false), INCORRECT);
    cr_expect_eq(clocked.executed, 1);
    struct clocked modelled = {.wrong = 1};
    cr_expect_eq(run(&modelled, true), INCORRECT, "no chance where the clock is a model's");
    cr_expect_eq(modelled.executed, 1);
    struct clocked broke = {.trials.renew = renew, .wrong = 1, .outcome = TRIAL_BROKE};
    cr_expect_eq(run(&broke, true), INCORRECT, "a crash is nothing of a clock's");
    cr_expect_eq(broke.executed, 1);
}

Test(correctness, more_calls_than_there_is_room_for_are_refused)
{
    const struct case_def def = {.name = "number",
                                 .args_size = sizeof(uint64_t),
                                 .result_size = sizeof(uint64_t),
                                 .allocate = allocate,
                                 .fill = fill,
                                 .verify = verify};
    const struct correctness many[] = {{.def = &def, .elements = 1, .calls = 4000000000},
                                       {.def = &def, .elements = 1, .calls = CORRECTNESS_MOST + 1},
                                       {.def = &def, .largest = CORRECTNESS_MOST},
                                       {.def = &def, .largest = UINT32_MAX}};
    struct error err;
    struct arena *arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        cr_expect_null(correctness_open(&many[i], arena, &err));
        cr_expect(strstr(err.text, "case `number`") && strstr(err.text, "there is room for 8192 calls"), "%s",
                  err.text);
    }
    cr_expect_null(correctness_open(&many[0], arena, &err));
    cr_expect(strstr(err.text, "4000000000"), "%s", err.text);
    arena_destroy(arena);
}

/* Executes plans of two calls; call `wrong` of all is wrong. */
struct rehearsed {
    struct trials trials;
    struct arena *arena;
    size_t executed, wrong;
};

static bool fill_timed(struct lab *lab)
{
    return lab->timed && lab->elements == 100;
}

static enum trial_outcome execute_two(struct trials *trials, struct layout *layout, size_t *finished,
                                      struct fault_text *text)
{
    struct rehearsed *rehearsed = (struct rehearsed *)trials;
    const struct plan *plan = arena_plan(rehearsed->arena);
    (void)text;
    for (size_t i = 0; i < layout_count(layout); i++)
        *(uint64_t *)(plan->results + i * plan->results_stride) =
            *(const uint64_t *)(plan->args + i * plan->args_stride) +
            (rehearsed->executed++ == rehearsed->wrong);
    *finished = layout_count(layout);
    return TRIAL_DONE;
}

Test(correctness, who_is_timed_is_rehearsed_with_other_contents)
{
    const struct case_def def = {.name = "number",
                                 .args_size = sizeof(uint64_t),
                                 .result_size = sizeof(uint64_t),
                                 .setup = fill_timed,
                                 .allocate = allocate,
                                 .fill = fill,
                                 .verify = verify};
    const struct correctness what = {.def = &def, .largest = 40, .once = 7, .elements = 100, .calls = 2};
    for (size_t wrong = 0; wrong <= 8; wrong++) {
        struct rehearsed rehearsed = {.trials.execute = execute_two, .wrong = wrong};
        struct error err;
        struct fault_text text;
        size_t calls;
        struct failed_call failed;
        rehearsed.arena = arena_create(&err);
        cr_assert(rehearsed.arena, "%s", err.text);
        const enum correctness_outcome outcome =
            correctness_run(&what, rehearsed.arena, &rehearsed.trials, &calls, &failed, &text);
        cr_expect_eq(correctness_plans(&what), 4);
        cr_expect_eq(calls, 8);
        cr_expect_eq(outcome, wrong < 8 ? INCORRECT : CORRECT);
        if (wrong < 8)
            cr_expect(failed.call == wrong && failed.filling == wrong / 2 + 1);
        arena_destroy(rehearsed.arena);
    }
}
