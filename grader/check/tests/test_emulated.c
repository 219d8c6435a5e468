/* What the emulated machine says, in words. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "grader/check/emulated.h"
#include "harness/runner/target/runner.h"

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * 4, 4, PLAN_READ | PLAN_WRITE) != NULL;
}

static void fill(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    (void)call;
    (void)why;
    return true;
}

static const struct case_def def = {.name = "one",
                                    .args_size = 8,
                                    .allocate = allocate,
                                    .fill = fill,
                                    .verify = verify,
                                    .buffers = {"values"}};

static struct fault_text text;
static uint64_t buffer;

/* Told about a call with n = 7 whose buffer lies at `buffer`. */
static enum trial_outcome tell_after(struct emulator_run run, uint64_t before)
{
    struct error err;
    struct arena *arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    const struct layout_call calls[] = {{7, ARENA_AT_START}};
    const struct layout_request request = {.def = &def, .calls = calls, .count = 1};
    struct layout *layout = layout_open(arena, &request, &err);
    cr_assert(layout, "%s", err.text);
    layout_fill(layout, 1);
    const struct plan *plan = arena_plan(arena);
    buffer = plan->regions[plan->region_count - 1].address;
    if (run.address == 1)
        run.address = buffer;
    run.pc = 0x400100;
    enum trial_outcome outcome = emulated_describe(&run, layout, "/nonexistent", 5000000, before, &text);
    layout_close(layout);
    arena_destroy(arena);
    return outcome;
}

static enum trial_outcome tell(struct emulator_run run)
{
    return tell_after(run, 0);
}

static void expect(enum emulator_outcome outcome, uint64_t address, unsigned access, const char *name,
                   enum trial_outcome comes_to, const char *says)
{
    struct emulator_run run = {.outcome = outcome, .address = address, .access = access};
    snprintf(run.name, sizeof run.name, "%s", name);
    enum trial_outcome found = tell(run);
    cr_expect_eq(found, comes_to, "%s: %d", says, (int)found);
    cr_expect(strstr(text.message, says), "expected `%s` in: %s", says, text.message);
    if (found != TRIAL_ERROR) {
        cr_expect(strstr(text.message, "in the call with n = 7"), "%s", text.message);
        cr_expect(text.next[0], "%s", text.message);
    }
}

Test(emulated, what_can_be_a_slip_is_a_failure)
{
    expect(EMULATOR_BUDGET, 0, 0, "", TRIAL_BROKE, "had not finished after 5 million instructions");
    expect(EMULATOR_TIME, 0, 0, "", TRIAL_BROKE, "had not finished after 15 s of CPU time");
    expect(EMULATOR_CLOBBERED, 0, 0, "x19", TRIAL_BROKE, "came back with x19 changed");
    expect(EMULATOR_STACK, 0, 0, "str", TRIAL_BROKE,
           "no multiple of 16, when `str` accesses memory through it");
    expect(EMULATOR_FAULT, 16, 0, "", TRIAL_BROKE, "jumped to 0x10, where there is no code");
    expect(EMULATOR_FAULT, 16, PLAN_WRITE, "", TRIAL_BROKE, "");
}

Test(emulated, what_all_cases_took_together_is_not_told_as_ones_endless_loop)
{
    const struct emulator_run run = {.outcome = EMULATOR_BUDGET};
    cr_expect_eq(tell_after(run, 295000000), TRIAL_BROKE);
    cr_expect(strstr(text.message, "had not finished after 300 million instructions of all cases together in "
                                   "the call with n = 7"),
              "%s", text.message);
    cr_expect_eq(strstr(text.next, "Do less work"), text.next);
    cr_expect(text.endless, "other cases have nothing left");
    cr_expect_eq(tell_after(run, 0), TRIAL_BROKE);
    cr_expect_eq(strstr(text.next, "Look for an endless loop (for a small n"), text.next);
}

Test(emulated, what_breaks_the_rules_is_a_rejection)
{
    expect(EMULATOR_SYSCALL, 0, 0, "svc", TRIAL_RULE, "made a system call (`svc`)");
    expect(EMULATOR_FORBIDDEN, 0, 0, "wfi", TRIAL_RULE, "has `wfi`, which no submission may execute");
    expect(EMULATOR_COUNTER, 0, 0, "mrs", TRIAL_RULE, "has `mrs`: it looks at a counter");
    expect(EMULATOR_EVENTS, 0, 0, "mrs", TRIAL_RULE, "has `mrs` of an event counter");
    expect(EMULATOR_UNKNOWN, 0, 0, "sve", TRIAL_RULE, "has an instruction that is not modelled: sve");
    expect(EMULATOR_ESCAPED, 0x400200, 0, "into the runner", TRIAL_RULE,
           "jumped to 0x400200, into the runner");
    expect(EMULATOR_FAULT, ARENA_BASE, PLAN_WRITE, "", TRIAL_RULE, "wrote to the grader's plan");
    expect(EMULATOR_FAULT, ARENA_STATUS, PLAN_READ, "", TRIAL_RULE, "read the grader's plan");
    expect(EMULATOR_FAULT, 1, 0, "", TRIAL_RULE, "which is data: byte 0 of `values`");
    expect(EMULATOR_FAULT, TARGET_STACK + 64, 0, "", TRIAL_RULE, "which is data: the stack");
}

Test(emulated, what_is_the_suites_own_is_an_error)
{
    expect(EMULATOR_ERROR, 0, 0, "out of luck", TRIAL_ERROR, "out of luck");
}

Test(emulated, nothing_is_said_of_what_went_well)
{
    cr_expect_eq(tell((struct emulator_run){.outcome = EMULATOR_DONE}), TRIAL_DONE);
    cr_expect_eq(text.message[0], '\0');
}

Test(emulated, a_program_that_is_none_is_the_suites_own_error)
{
    struct error err;
    size_t finished = 1;
    struct arena *arena = arena_create(&err);
    const struct layout_call calls[] = {{7, ARENA_AT_START}};
    const struct layout_request request = {.def = &def, .calls = calls, .count = 1};
    struct layout *layout = layout_open(arena, &request, &err);
    struct trials *trials = trials_emulated("/nonexistent", 0, 1, arena);
    cr_assert(layout && trials);
    cr_expect_eq(trials->execute(trials, layout, &finished, &text), TRIAL_ERROR);
    cr_expect(strstr(text.message, "/nonexistent"), "%s", text.message);
    cr_expect_eq(finished, 0);
    trials->close(trials);
    layout_close(layout);
    arena_destroy(arena);
}
