/* Calls of two parts: in two processes at the same time, or one after the other in one. */
#include <signal.h>
#include <sys/wait.h>

#include "harness/runner/machine.h"
#include "harness/runner/tests/target_kit.h"
#include "harness/sched/placement.h"

#ifdef __x86_64__
#define ISA "x86_64"
#else
#define ISA "aarch64"
#endif

enum { VALUES = 7, LIMIT_MS = 2000, SHORT_MS = 200 };

struct fixture {
    struct arena *arena;
    struct machine *machine;
    int32_t *values;
};

struct args {
    int32_t *values;
    uint64_t n;
};

static bool standstill;

static struct fixture open_parts(bool at_once, unsigned access)
{
    struct fixture fixture;
    struct error err;
    char program[64];
    target_build(program, ISA, "gcc");
    const struct machine_config config = {.program = program,
                                          .cpu = -1,
                                          .second = -1,
                                          .at_once = at_once,
                                          .standstill = standstill,
                                          .drop_privileges = true};
    fixture.arena = arena_create(&err);
    cr_assert(fixture.arena, "%s", err.text);
    fixture.machine = machine_start(&config, fixture.arena, &err);
    unlink(program);
    cr_assert(fixture.machine, "%s", err.text);
    fixture.values = arena_alloc(fixture.arena, VALUES * sizeof(int32_t), 4, access, ARENA_AT_END);
    struct args *args = arena_alloc(fixture.arena, sizeof *args, 64, PLAN_READ, ARENA_AT_START);
    *args = (struct args){fixture.values, VALUES};
    struct plan *plan = arena_plan(fixture.arena);
    plan->calls = 1;
    plan->parts = 2;
    plan->args = (uint64_t)args;
    plan->results = (uint64_t)arena_alloc(fixture.arena, 64, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    return fixture;
}

static struct machine_run run(struct fixture *fixture, enum entry first)
{
    struct machine_run outcome;
    arena_plan(fixture->arena)->entry = first;
    machine_execute(fixture->machine, LIMIT_MS, &outcome);
    return outcome;
}

static void close_parts(struct fixture *fixture)
{
    machine_stop(fixture->machine);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a process is left over");
    arena_destroy(fixture->arena);
}

Test(parts, run_at_the_same_time_and_something_follows)
{
    if (placement_cpus() < 2)
        cr_skip_test("one CPU");
    struct fixture fixture = open_parts(true, PLAN_READ | PLAN_WRITE);
    for (int i = 0; i < 3; i++) {
        memset(fixture.values, 0, VALUES * sizeof(int32_t));
        cr_expect_eq(run(&fixture, FIRST).outcome, MACHINE_DONE);
        cr_expect(machine_is_double(fixture.machine));
        cr_expect_eq(fixture.values[4], 2, "each of them saw the other");
        machine_end(fixture.machine);
    }
    close_parts(&fixture);
}

Test(parts, the_second_waits_for_the_first_where_that_is_asked)
{
    if (placement_cpus() < 2)
        cr_skip_test("one CPU");
    struct fixture fixture = open_parts(true, PLAN_READ | PLAN_WRITE);
    struct schedule sum, first, second;
    arena_plan(fixture.arena)->entry = FIRST;
    cr_assert(machine_prepare(fixture.machine));
    machine_gather(fixture.machine);
    cr_expect_eq(arena_status(fixture.arena)->arrived, 0, "the first is not let run");
    cr_expect_leq(arena_part_status(fixture.arena, 1)->arrived, 1, "student code does not begin alone");
    cr_expect_eq(run(&fixture, FIRST).outcome, MACHINE_DONE);
    if (machine_schedule(fixture.machine, &sum)) {
        cr_assert(machine_schedule_of(fixture.machine, 0, &first));
        cr_assert(machine_schedule_of(fixture.machine, 1, &second));
        cr_expect_eq(sum.ran_ns, first.ran_ns + second.ran_ns);
        cr_expect_gt(second.ran_ns, 0);
    }
    close_parts(&fixture);
}

Test(parts, run_one_after_the_other_in_one_process)
{
    struct fixture fixture = open_parts(false, PLAN_READ | PLAN_WRITE);
    fixture.values[1] = 1; /* the first one need not wait */
    cr_expect_eq(run(&fixture, FIRST).outcome, MACHINE_DONE);
    cr_expect_not(machine_is_double(fixture.machine));
    cr_expect_eq(fixture.values[4], 2);
    close_parts(&fixture);
}

/* The other one would wait for it for good. */
Test(parts, one_that_ends_ends_both)
{
    struct fixture fixture = open_parts(true, PLAN_READ | PLAN_WRITE);
    struct machine_run outcome = run(&fixture, ADD_ONE); /* beside it, OVERRUN */
    cr_expect_eq(outcome.outcome, MACHINE_CRASHED);
    cr_expect_eq(outcome.signal, SIGSEGV);
    cr_expect_eq(outcome.status.fault_address, (uint64_t)(fixture.values + VALUES));
    outcome = run(&fixture, EXIT); /* beside it, CLOBBER */
    cr_expect(outcome.outcome == MACHINE_CLOBBERED ||
              (outcome.outcome == MACHINE_CRASHED && outcome.signal == SIGSYS));
    machine_end(fixture.machine);
    cr_expect_eq(run(&fixture, TRAP).outcome, MACHINE_CRASHED);
    close_parts(&fixture);
}

Test(parts, one_that_does_not_end_is_a_time_out)
{
    struct fixture fixture = open_parts(true, PLAN_READ | PLAN_WRITE);
    struct machine_run outcome;
    fixture.values[-1] = 0; /* the buffer lies at the end of its region */
    arena_plan(fixture.arena)->entry = UNDERRUN;
    machine_execute(fixture.machine, SHORT_MS, &outcome);
    cr_expect_eq(outcome.outcome, MACHINE_TIMEOUT);
    cr_expect_gt(outcome.status.pc, 0);
    cr_expect_eq(outcome.status.arrived, 1, "SPIN, not the one that waits for it");
    close_parts(&fixture);
}

Test(parts, who_waits_for_one_that_stands_still_does_not_come_to_an_end)
{
    standstill = true;
    struct fixture fixture = open_parts(true, PLAN_READ | PLAN_WRITE);
    fixture.values[1] = 1; /* no lock */
    cr_expect_eq(run(&fixture, LOCKED).outcome, MACHINE_DONE);
    machine_end(fixture.machine);
    fixture.values[1] = 0;
    struct machine_run outcome = {.outcome = MACHINE_DONE};
    /* On a loaded machine one of them has often gone before the other comes. */
    for (int i = 0; i < 400 && outcome.outcome == MACHINE_DONE; i++) {
        fixture.values[0] = 0;
        outcome = run(&fixture, LOCKED);
        machine_end(fixture.machine);
    }
    cr_expect_eq(outcome.outcome, MACHINE_WAITS, "%d", outcome.outcome);
    cr_expect_leq(outcome.part, 1);
    cr_expect_eq(run(&fixture, ADD_ONE).outcome, MACHINE_CRASHED, "and a fault is one: beside it, OVERRUN");
    arena_plan(fixture.arena)->entry = UNDERRUN; /* beside it, SPIN */
    fixture.values[-1] = 0;
    struct machine_run endless;
    machine_execute(fixture.machine, SHORT_MS, &endless);
    cr_expect_eq(endless.outcome, MACHINE_TIMEOUT, "%d", endless.outcome);
    close_parts(&fixture);
}

Test(parts, what_is_one_parts_alone_the_other_does_not_have)
{
    struct fixture fixture = open_parts(true, PLAN_READ | PLAN_WRITE | PLAN_ONLY_0);
    const struct machine_run outcome = run(&fixture, FIRST);
    cr_expect_eq(outcome.outcome, MACHINE_CRASHED);
    cr_expect_eq(outcome.status.fault_address, (uint64_t)(fixture.values + 1));
    close_parts(&fixture);
    fixture = open_parts(false, PLAN_READ | PLAN_WRITE | PLAN_ONLY_0);
    fixture.values[1] = 1;
    cr_expect_eq(run(&fixture, FIRST).outcome, MACHINE_DONE, "in one process there is no other");
    close_parts(&fixture);
}
