#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness/walls/isolation.h"
#include "harness/runner/machine.h"
#include "harness/runner/target/runner.h"
#include "harness/runner/tests/target_kit.h"

struct fixture {
    char program[64];
    struct arena *arena;
    struct machine *machine;
    int32_t *values;
    size_t n;
};

struct args {
    int32_t *values;
    uint64_t n;
};

static struct fixture open_fixture(const char *isa, const char *compiler, const char *emulator)
{
    struct fixture fixture = {.n = 7};
    struct error err;
    target_build(fixture.program, isa, compiler);
    struct machine_config config = {
        .program = fixture.program, .emulator = emulator, .cpu = -1, .drop_privileges = true};
    fixture.arena = arena_create(&err);
    cr_assert(fixture.arena, "%s", err.text);
    fixture.machine = machine_start(&config, fixture.arena, &err);
    unlink(fixture.program);
    cr_assert(fixture.machine, "%s", err.text);

    fixture.values =
        arena_alloc(fixture.arena, fixture.n * sizeof(int32_t), 4, PLAN_READ | PLAN_WRITE, ARENA_AT_END);
    struct args *args = arena_alloc(fixture.arena, sizeof *args, 64, PLAN_READ, ARENA_AT_START);
    void *result = arena_alloc(fixture.arena, 64, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    *args = (struct args){fixture.values, fixture.n};
    struct plan *plan = arena_plan(fixture.arena);
    plan->calls = 1;
    plan->args = (uint64_t)args;
    plan->results = (uint64_t)result;
    return fixture;
}

static struct fixture open_native(void)
{
#ifdef __x86_64__
    return open_fixture("x86_64", "gcc", NULL);
#else
    return open_fixture("aarch64", "gcc", NULL);
#endif
}

static void close_fixture(struct fixture *fixture)
{
    machine_stop(fixture->machine);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a process is left over");
    arena_destroy(fixture->arena);
}

static struct machine_run run(struct fixture *fixture, enum entry entry)
{
    struct machine_run outcome;
    arena_plan(fixture->arena)->entry = entry;
    machine_execute(fixture->machine, 300, &outcome);
    return outcome;
}

static void expect_fault_beside_values(const struct machine_run *outcome, const struct fixture *fixture,
                                       int64_t wanted)
{
    int64_t offset;
    size_t bytes;
    cr_expect_eq(outcome->outcome, MACHINE_CRASHED);
    cr_expect_eq(outcome->signal, SIGSEGV);
    cr_expect_neq(outcome->status.pc, 0);
    cr_assert_geq(arena_find(fixture->arena, outcome->status.fault_address, &offset, &bytes), 0);
    cr_expect_eq(offset, wanted);
    cr_expect_eq(bytes, fixture->n * sizeof(int32_t));
}

Test(machine, executes_every_plan_and_can_be_used_again)
{
    struct fixture fixture = open_native();
    for (int round = 1; round <= 3; round++) {
        cr_assert_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE);
        for (size_t i = 0; i < fixture.n; i++)
            cr_expect_eq(fixture.values[i], round);
    }
    arena_plan(fixture.arena)->calls = 0;
    cr_expect_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE);
    cr_expect_eq(fixture.values[0], 3);
    close_fixture(&fixture);
}

Test(machine, is_stopped_between_plans)
{
    struct fixture fixture = open_native();
    char path[64], state = 0;
    cr_assert_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE);
    snprintf(path, sizeof path, "/proc/%d/stat", (int)machine_pid(fixture.machine));
    FILE *stat = fopen(path, "r");
    cr_assert(stat);
    cr_assert_eq(fscanf(stat, "%*d %*[^)]) %c", &state), 1);
    fclose(stat);
    cr_expect_eq(state, 'T');
    close_fixture(&fixture);
}

Test(machine, dismissed_a_process_does_nothing_more_and_is_reaped_by_the_next_plan)
{
    struct fixture fixture = open_native();
    int status;
    for (int round = 1; round <= 3; round++) {
        cr_assert_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE);
        const pid_t pid = machine_pid(fixture.machine);
        machine_dismiss(fixture.machine);
        kill(pid, SIGCONT);
        cr_expect_eq(fixture.values[0], round);
        cr_assert(machine_prepare(fixture.machine));
        cr_expect_neq(machine_pid(fixture.machine), pid);
        cr_expect_eq(waitpid(pid, &status, WNOHANG), -1, "it is reaped");
        cr_expect_eq(fixture.values[0], round);
    }
    close_fixture(&fixture);
}

Test(machine, in_another_place_of_the_arena_it_is_used_when_all_is_back)
{
    struct fixture fixture = open_native();
    struct error err;
    cr_assert_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE);
    machine_dismiss(fixture.machine);
    cr_assert(arena_move(fixture.arena, 1, &err), "%s", err.text);
    fixture.values[0] = 5;
    cr_assert(arena_move(fixture.arena, 0, &err), "%s", err.text);
    cr_assert_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE);
    cr_expect_eq(fixture.values[0], 6);
    cr_expect_eq(fixture.values[1], 2);
    close_fixture(&fixture);
}

Test(machine, an_overrun_is_a_crash_at_the_first_byte_behind)
{
    struct fixture fixture = open_native();
    struct machine_run outcome = run(&fixture, OVERRUN);
    expect_fault_beside_values(&outcome, &fixture, (int64_t)(fixture.n * sizeof(int32_t)));
#ifdef __x86_64__
    cr_expect_eq(outcome.status.access, PLAN_WRITE);
#endif
    close_fixture(&fixture);
}

Test(machine, an_underrun_is_a_crash_when_the_start_is_at_a_guard)
{
    struct fixture fixture = open_native();
    fixture.values = arena_alloc(fixture.arena, fixture.n * sizeof(int32_t), 4, PLAN_READ, ARENA_AT_START);
    *(struct args *)arena_plan(fixture.arena)->args = (struct args){fixture.values, fixture.n};
    arena_plan(fixture.arena)->layout += 1000;
    struct machine_run outcome = run(&fixture, UNDERRUN);
    expect_fault_beside_values(&outcome, &fixture, -4);
    close_fixture(&fixture);
}

Test(machine, an_input_cannot_be_written)
{
    struct fixture fixture = open_native();
    arena_plan(fixture.arena)->regions[0].access = PLAN_READ;
    struct machine_run outcome = run(&fixture, ADD_ONE);
    expect_fault_beside_values(&outcome, &fixture, 0);
    close_fixture(&fixture);
}

Test(machine, an_endless_loop_is_a_timeout_and_tells_where)
{
    struct fixture fixture = open_native();
    struct machine_run outcome = run(&fixture, SPIN);
    cr_expect_eq(outcome.outcome, MACHINE_TIMEOUT);
    cr_expect_neq(outcome.status.pc, 0);
    close_fixture(&fixture);
}

Test(machine, a_trap_an_exit_and_a_clobbered_register_are_told_apart)
{
    struct fixture fixture = open_native();
    struct machine_run outcome = run(&fixture, TRAP);
    cr_expect_eq(outcome.outcome, MACHINE_CRASHED);
    cr_expect(outcome.signal == SIGILL || outcome.signal == SIGTRAP);
    close_fixture(&fixture);

    fixture = open_native();
    outcome = run(&fixture, EXIT);
    if (isolation_state()->seccomp) {
        cr_expect_eq(outcome.outcome, MACHINE_CRASHED);
        cr_expect_eq(outcome.signal, SIGSYS);
        cr_expect_eq(outcome.status.system_call, SYS_exit_group);
        cr_expect_neq(outcome.status.pc, 0);
    } else {
        cr_expect_eq(outcome.outcome, MACHINE_EXITED);
        cr_expect_eq(outcome.exit_status, 7);
    }
    close_fixture(&fixture);

    fixture = open_native();
    outcome = run(&fixture, CLOBBER);
    cr_expect_eq(outcome.outcome, MACHINE_CLOBBERED);
    cr_expect_eq(outcome.status.clobbered, 4); /* r12, or x21 */
    cr_expect_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE, "it goes on after that");
    close_fixture(&fixture);
}

Test(machine, nothing_is_left_from_plan_to_plan)
{
    struct fixture fixture = open_native();
    const volatile uint64_t *found = (const volatile uint64_t *)arena_plan(fixture.arena)->results;
    cr_assert_eq(run(&fixture, HIDE).outcome, MACHINE_DONE);
    cr_assert_eq(run(&fixture, SEEK).outcome, MACHINE_DONE);
    cr_expect_eq(*found, 0);
    close_fixture(&fixture);
}

Test(machine, of_a_plan_and_of_longer_ones_before_it_a_process_has_nothing)
{
    struct fixture fixture = open_native();
    struct plan *plan = arena_plan(fixture.arena);
    const volatile uint64_t *found = (const volatile uint64_t *)plan->results;
    const uint32_t few = plan->region_count;
    for (unsigned i = 0; i < 200; i++)
        cr_assert(arena_alloc(fixture.arena, 1, 1, PLAN_READ, ARENA_AT_START));
    cr_assert_eq(run(&fixture, PLANS).outcome, MACHINE_DONE);
    cr_expect_eq(*found, 0);
    plan->region_count = few;
    cr_assert_eq(run(&fixture, PLANS).outcome, MACHINE_DONE);
    cr_expect_eq(*found, 0);
    close_fixture(&fixture);
}

Test(machine, a_recursion_without_end_crashes_on_its_own_stack)
{
    struct fixture fixture = open_native();
    struct machine_run outcome = run(&fixture, RECURSE);
    cr_expect_eq(outcome.outcome, MACHINE_CRASHED);
    cr_expect_geq(outcome.status.fault_address, 0x7ce00000);
    cr_expect_lt(outcome.status.fault_address, 0x7d000000);
    close_fixture(&fixture);
}

Test(machine, killed_from_outside_is_told_from_a_crash)
{
    struct fixture fixture = open_native();
    cr_assert(machine_prepare(fixture.machine));
    kill(machine_pid(fixture.machine), SIGKILL);
    struct machine_run outcome = run(&fixture, ADD_ONE);
    cr_expect_eq(outcome.outcome, MACHINE_EXITED);
    cr_expect_eq(outcome.signal, SIGKILL);
    cr_expect_eq(fixture.values[0], 0);
    cr_expect_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE, "the next plan has a process of its own");
    cr_expect_eq(fixture.values[0], 1);
    close_fixture(&fixture);
}

Test(machine, without_a_nursery_nothing_is_executed)
{
    struct fixture fixture = open_native();
    kill(machine_pid(fixture.machine), SIGKILL);
    cr_expect_not(machine_prepare(fixture.machine));
    cr_expect_eq(run(&fixture, ADD_ONE).outcome, MACHINE_NOT_READY);
    cr_expect_eq(run(&fixture, ADD_ONE).outcome, MACHINE_NOT_READY, "and it stays so");
    cr_expect_eq(fixture.values[0], 0);
    close_fixture(&fixture);
}

Test(machine, every_plan_has_a_process_of_its_own)
{
    struct fixture fixture = open_native();
    pid_t nursery = machine_pid(fixture.machine), before = nursery;
    for (int i = 0; i < 3; i++) {
        cr_assert(machine_prepare(fixture.machine));
        pid_t ready = machine_pid(fixture.machine);
        cr_expect(ready != nursery && ready != before);
        cr_expect_eq(fixture.values[0], i, "nothing is executed before");
        cr_assert_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE);
        cr_expect_eq(machine_pid(fixture.machine), ready);
        machine_end(fixture.machine);
        cr_expect_eq(kill(ready, 0), -1, "it is gone");
        before = ready;
    }
    close_fixture(&fixture);
}

/* How often it had to ask for a page so far. */
static unsigned long faults_of(pid_t pid)
{
    char path[64];
    unsigned long minor = 0, major = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *stat = fopen(path, "r");
    cr_assert(stat);
    cr_assert_eq(fscanf(stat, "%*d %*[^)]) %*c %*d %*d %*d %*d %*d %*u %lu %*u %lu", &minor, &major), 2);
    fclose(stat);
    return minor + major;
}

/* Whoever it is: so all variants start alike, and none pays for pages in its time. */
Test(machine, a_prepared_process_has_all_pages_that_it_needs)
{
    static const enum entry entries[] = {ADD_ONE, HIDE};
    struct fixture fixture = open_native();
    int32_t *large = arena_alloc(fixture.arena, 4 << 20, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    *(struct args *)arena_plan(fixture.arena)->args = (struct args){large, 1 << 20};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        arena_plan(fixture.arena)->entry = entries[i];
        cr_assert(machine_prepare(fixture.machine));
        const pid_t pid = machine_pid(fixture.machine);
        const unsigned long before = faults_of(pid);
        cr_assert_eq(run(&fixture, entries[i]).outcome, MACHINE_DONE);
        cr_expect_eq(faults_of(pid), before, "entry %d: %lu more", (int)entries[i], faults_of(pid) - before);
    }
    close_fixture(&fixture);
}

/* ---- what student code can write ---- */

static bool is_lent(const struct fixture *fixture, uint64_t begin, uint64_t end)
{
    const struct plan *plan = arena_plan(fixture->arena);
    const struct plan_region own[] = {{.address = ARENA_STATUS, .size = ARENA_GRANULE},
                                      {.address = TARGET_STACK, .size = TARGET_STACK_SIZE},
                                      {.address = TARGET_ALTSTACK, .size = TARGET_ALT_SIZE}};
    bool is = false;
    for (uint32_t i = 0; i < plan->region_count; i++)
        is = is || ((plan->regions[i].access & PLAN_WRITE) && begin >= plan->regions[i].address &&
                    end <= plan->regions[i].address + plan->regions[i].size);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        is = is || (begin >= own[i].address && end <= own[i].address + own[i].size);
    return is;
}

/* Of the process while its call is under way: 0 if all of its memory is as it has to be. */
static int look_at_maps(const struct fixture *fixture, pid_t pid)
{
    char path[64], line[512], rights[8];
    unsigned long begin, end, lines = 0;
    for (int i = 0; i < 5000 && arena_status(fixture->arena)->state != PLAN_RUNNING; i++)
        usleep(1000);
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "r");
    if (!maps)
        return 1;
    while (fgets(line, sizeof line, maps)) {
        lines++;
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3)
            return 2;
        if (begin <= ARENA_BASE && ARENA_BASE < end) /* the plan: it tells what is timed */
            return 5;
        const bool ours = begin < TARGET_ALTSTACK + TARGET_ALT_SIZE || strstr(line, "[vsyscall]");
        if (!ours || (rights[1] == 'w' && (rights[2] == 'x' || !is_lent(fixture, begin, end)))) {
            fprintf(stderr, "%s", line);
            return 3;
        }
    }
    fclose(maps);
    return lines > 5 ? 0 : 4;
}

Test(machine, a_call_can_write_to_nothing_but_what_is_lent)
{
    struct fixture fixture = open_native();
    int status = -1;
    arena_plan(fixture.arena)->entry = SPIN;
    cr_assert(machine_prepare(fixture.machine));
    const pid_t pid = machine_pid(fixture.machine), observer = fork();
    if (observer == 0)
        _exit(look_at_maps(&fixture, pid));
    struct machine_run outcome;
    machine_execute(fixture.machine, 1500, &outcome);
    cr_expect_eq(outcome.outcome, MACHINE_TIMEOUT);
    cr_assert_eq(waitpid(observer, &status, 0), observer);
    cr_expect_eq(status, 0);
    close_fixture(&fixture);
}

static void expect_no_offsets(struct fixture *fixture)
{
    struct machine_run outcome = run(fixture, OFFSETS);
    cr_expect_eq(outcome.outcome, MACHINE_CRASHED);
    cr_expect_eq(outcome.signal, SIGSEGV);
    close_fixture(fixture);
}

Test(machine, a_table_that_the_linker_makes_is_no_memory)
{
    struct fixture fixture = open_native();
    expect_no_offsets(&fixture);
}

Test(machine, a_table_that_the_linker_makes_is_no_memory_under_qemu)
{
    struct fixture fixture = open_fixture("aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64");
    expect_no_offsets(&fixture);
}

/* What is called is a kill by the student's own hand. */
static void expect_refused(struct fixture *fixture, pid_t (*whom)(const struct fixture *), int number)
{
    uint64_t *values =
        arena_alloc(fixture->arena, 7 * sizeof *values, 8, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    *(struct args *)arena_plan(fixture->arena)->args = (struct args){(int32_t *)values, 7};
    arena_plan(fixture->arena)->entry = SYSTEM;
    cr_assert(machine_prepare(fixture->machine));
    values[0] = SYS_kill;
    values[1] = (uint64_t)whom(fixture);
    values[2] = (uint64_t)number;
    struct machine_run outcome = run(fixture, SYSTEM);
    cr_expect_eq(outcome.outcome, MACHINE_CRASHED, "signal %d", number);
    cr_expect_eq(outcome.signal, SIGSYS, "signal %d", number);
    cr_expect_eq(outcome.status.system_call, SYS_kill);
}

static pid_t itself(const struct fixture *fixture)
{
    return machine_pid(fixture->machine);
}

static pid_t the_grader(const struct fixture *fixture)
{
    (void)fixture;
    return getpid();
}

static pid_t its_group(const struct fixture *fixture)
{
    (void)fixture;
    return 0;
}

Test(machine, a_call_cannot_stop_or_kill_or_wake)
{
    static const int numbers[] = {SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGKILL, SIGCONT, SIGALRM};
    struct fixture fixture = open_native();
    if (!isolation_state()->seccomp)
        cr_skip_test("no seccomp");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        expect_refused(&fixture, itself, numbers[i]);
    expect_refused(&fixture, the_grader, SIGSEGV);
    expect_refused(&fixture, its_group, SIGSEGV);
    close_fixture(&fixture);
}

Test(machine, a_bad_plan_is_not_executed)
{
    struct fixture fixture = open_native();
    struct machine_run outcome = run(&fixture, (enum entry)1000);
    cr_expect_neq(outcome.outcome, MACHINE_DONE);
    close_fixture(&fixture);
}

Test(machine, tells_how_long_it_waited)
{
    struct fixture fixture = open_native();
    struct schedule schedule;
    cr_assert_eq(run(&fixture, ADD_ONE).outcome, MACHINE_DONE);
    if (!machine_schedule(fixture.machine, &schedule)) {
        close_fixture(&fixture);
        cr_skip_test("this kernel has no /proc/PID/schedstat");
    }
    cr_expect_gt(schedule.ran_ns, 0);
    close_fixture(&fixture);
}

Test(machine, a_program_that_is_not_there_is_an_error_with_its_name)
{
    struct error err;
    struct arena *arena = arena_create(&err);
    struct machine_config config = {.program = "/nowhere/runner", .cpu = -1};
    cr_assert_null(machine_start(&config, arena, &err));
    cr_expect(strstr(err.text, "/nowhere/runner"));
    config = (struct machine_config){.program = "/bin/true", .cpu = -1};
    cr_assert_null(machine_start(&config, arena, &err));
    cr_expect(strstr(err.text, "/bin/true"));
    config = (struct machine_config){.program = "/bin/true", .emulator = "no-such-emulator", .cpu = -1};
    cr_assert_null(machine_start(&config, arena, &err));
    cr_expect(strstr(err.text, "no-such-emulator"));
    arena_destroy(arena);
}

Test(machine, runs_aarch64_under_qemu_with_the_same_plan)
{
    if (system("command -v qemu-aarch64 >/dev/null") != 0)
        cr_skip_test("no qemu-aarch64");
    struct fixture fixture = open_fixture("aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64");
    struct machine_run outcome;
    machine_execute(fixture.machine, 5000, &outcome);
    cr_assert_eq(outcome.outcome, MACHINE_DONE);
    for (size_t i = 0; i < fixture.n; i++)
        cr_expect_eq(fixture.values[i], 1);
    outcome = run(&fixture, CLOBBER);
    cr_expect_eq(outcome.outcome, MACHINE_CLOBBERED);
    cr_expect_eq(outcome.status.clobbered, 4);
    outcome = run(&fixture, OVERRUN);
    expect_fault_beside_values(&outcome, &fixture, (int64_t)(fixture.n * sizeof(int32_t)));
    close_fixture(&fixture);
}

Test(machine, an_endless_loop_under_qemu_is_a_timeout)
{
    if (system("command -v qemu-aarch64 >/dev/null") != 0)
        cr_skip_test("no qemu-aarch64");
    struct fixture fixture = open_fixture("aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64");
    cr_expect_eq(run(&fixture, SPIN).outcome, MACHINE_TIMEOUT);
    close_fixture(&fixture);
}
