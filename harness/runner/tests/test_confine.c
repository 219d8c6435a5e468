/* The walls around the runner, natively and under qemu-user: each system call that must not be possible, made
 * from inside. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <time.h>

#include "harness/runner/machine.h"
#include "harness/runner/tests/target_kit.h"
#include "harness/walls/tests/wall_kit.h"

struct running {
    char program[64];
    const char *emulator;
    unsigned lent;
    struct arena *arena;
    int64_t *values; /* the call's number and arguments */
    volatile int64_t *result;
};

static void open_running(struct running *running, const char *isa, const char *compiler, const char *emulator)
{
    struct error err;
    target_build(running->program, isa, compiler);
    running->emulator = emulator;
    running->lent = LENT_NONE;
    running->arena = arena_create(&err);
    cr_assert(running->arena, "%s", err.text);
    running->values = arena_alloc(running->arena, 4096, 64, PLAN_READ, ARENA_AT_START);
    struct args {
        int64_t *values;
        uint64_t n;
    } *args = arena_alloc(running->arena, sizeof *args, 64, PLAN_READ, ARENA_AT_START);
    running->result = arena_alloc(running->arena, 64, 64, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    args->values = running->values;
    struct plan *plan = arena_plan(running->arena);
    plan->calls = 1;
    plan->entry = SYSTEM;
    plan->args = (uint64_t)args;
    plan->results = (uint64_t)running->result;
}

static void close_running(struct running *running)
{
    unlink(running->program);
    arena_destroy(running->arena);
}

/* In a new process: make the system call. */
static struct machine_run system_call(struct running *running, int64_t number, const int64_t arguments[6])
{
    const struct machine_config config = {.program = running->program,
                                          .emulator = running->emulator,
                                          .cpu = -1,
                                          .drop_privileges = true,
                                          .lent = running->lent};
    struct machine_run run;
    struct error err;
    struct machine *machine = machine_start(&config, running->arena, &err);
    cr_assert(machine, "%s", err.text);
    running->values[0] = number;
    memcpy(running->values + 1, arguments, 6 * sizeof *arguments);
    *running->result = 4242;
    machine_execute(machine, 2000, &run);
    machine_stop(machine);
    return run;
}

/* Numbers as the kernel of each processor has them. */
static const struct forbidden {
    const char *name;
    int x86_64, aarch64;
    int64_t arguments[6];
} forbidden[] = {
    {"socket", 41, 198, {AF_INET, SOCK_DGRAM}},
    {"openat", 257, 56, {AT_FDCWD, 0 /* a path */, O_RDONLY}},
    {"openat to write", 257, 56, {AT_FDCWD, 0, O_RDWR}},
    {"fork by clone", 56, 220, {SIGCHLD}},
    {"execve", 59, 221, {0}},
    {"ptrace", 101, 117, {PTRACE_TRACEME}},
    {"kill the parent", 62, 129, {-2 /* the parent */, SIGCONT}},
    {"tgkill the parent", 234, 131, {-2, -2, SIGCONT}},
    {"rt_sigqueueinfo", 129, 138, {-2, SIGCONT}},
    {"setsid", 112, 157, {0}},
    {"setpgid", 109, 154, {0, 0}},
    {"timer_create", 222, 107, {CLOCK_MONOTONIC, 0, 0}},
    {"unshare", 272, 97, {CLONE_NEWUSER}},
    {"bpf", 321, 280, {0}},
    {"perf_event_open", 298, 241, {0}},
    {"io_uring_setup", 425, 425, {8}},
    {"userfaultfd", 323, 282, {0}},
    {"memfd_create", 319, 279, {0}},
    {"keyctl", 250, 219, {0}},
    {"process_vm_writev", 311, 271, {-2}},
    {"pidfd_open", 434, 434, {-2}},
    {"sched_setaffinity", 203, 122, {0}},
    {"inotify_init1", 294, 26, {0}},
};

/* Natively these, too, end the process: qemu-user answers them itself, or has to have them. */
static const struct forbidden forbidden_natively[] = {
    {"write", 1, 64, {1}},
    {"exit_group", 231, 94, {0}},
    {"prctl", 157, 167, {PR_SET_TSC, PR_TSC_SIGSEGV}},
    {"personality", 135, 92, {0}},
    {"membarrier", 324, 283, {0}},
    {"setitimer", 38, 103, {0}},
    {"rt_sigaction", 13, 134, {SIGSEGV}},
    {"rt_sigprocmask", 14, 135, {SIG_BLOCK}},
    {"sigaltstack", 131, 132, {0}},
    {"rt_sigreturn", 15, 139, {0}},
    {"clone as the nursery does", 56, 220, {CLONE_PARENT | SIGCHLD}},
    {"close", 3, 57, {ARENA_FD}},
    {"getppid", 110, 173, {0}},
    {"munmap of the arena", 11, 215, {ARENA_BASE, 65536}},
    {"mmap of the arena",
     9,
     222,
     {ARENA_BASE + 0x10000, 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, ARENA_WRITABLE_FD}},
    {"seccomp", 317, 277, {1}},
    {"mprotect", 10, 226, {0x400000, 4096, PROT_READ | PROT_WRITE}},
    {"mmap of executable memory",
     9,
     222,
     {0x50000000, 65536, PROT_EXEC, MAP_SHARED | MAP_FIXED | MAP_POPULATE, 4}},
    {"mmap of new memory",
     9,
     222,
     {0x50000000, 65536, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1}},
    {"mmap outside of the arena",
     9,
     222,
     {0x10000000, 65536, PROT_READ, MAP_SHARED | MAP_FIXED | MAP_POPULATE, 4}},
    {"munmap outside of the arena", 11, 215, {0x400000, 4096}},
    {"getrandom", 318, 278, {0}},
    {"clock_gettime", 228, 113, {0}},
    {"sched_yield", 24, 124, {0}},
    {"nanosleep", 35, 101, {0}},
};

#define COUNT(TABLE) (sizeof(TABLE) / sizeof *(TABLE))

static void fill(struct running *running, const struct forbidden *call, int64_t arguments[6])
{
    char *path = (char *)(running->values + 16);
    strcpy(path, "/etc/passwd");
    memcpy(arguments, call->arguments, 6 * sizeof *arguments);
    for (int i = 0; i < 6; i++)
        if (arguments[i] == -2)
            arguments[i] = getpid();
    if (strncmp(call->name, "openat", 6) == 0)
        arguments[1] = (int64_t)path;
}

static void expect_killed(struct running *running, const struct forbidden *call, bool x86)
{
    const int number = x86 ? call->x86_64 : call->aarch64;
    int64_t arguments[6];
    fill(running, call, arguments);
    struct machine_run run = system_call(running, number, arguments);
    cr_expect_eq(run.outcome, MACHINE_CRASHED, "%s: outcome %d, result %lld", call->name, run.outcome,
                 (long long)*running->result);
    cr_expect_eq(run.signal, SIGSYS, "%s: signal %d", call->name, run.signal);
    cr_expect_eq(run.status.system_call, (uint64_t)number, "%s: said to be %llu", call->name,
                 (unsigned long long)run.status.system_call);
}

static void try_all_natively(void)
{
#ifdef __x86_64__
    const bool x86 = true;
#else
    const bool x86 = false;
#endif
    struct running running;
    open_running(&running, x86 ? "x86_64" : "aarch64", "gcc", NULL);
    for (size_t i = 0; i < COUNT(forbidden); i++)
        expect_killed(&running, &forbidden[i], x86);
    for (size_t i = 0; i < COUNT(forbidden_natively); i++)
        expect_killed(&running, &forbidden_natively[i], x86);
    close_running(&running);
}

Test(confine, the_runner)
{
    need(false);
    try_all_natively();
}

Test(confine, the_runner_as_an_ordinary_user)
{
    need(false);
    become_ordinary();
    try_all_natively();
}

static void try_all_emulated(void)
{
    struct running running;
    if (system("command -v qemu-aarch64 >/dev/null") != 0)
        cr_skip_test("no qemu-aarch64");
    open_running(&running, "aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64");
    for (size_t i = 0; i < COUNT(forbidden); i++) {
        int64_t arguments[6];
        fill(&running, &forbidden[i], arguments);
        struct machine_run run = system_call(&running, forbidden[i].aarch64, arguments);
        cr_expect(run.outcome != MACHINE_DONE || *running.result < 0, "%s gave %lld", forbidden[i].name,
                  (long long)*running.result);
    }
    close_running(&running);
}

Test(confine, the_runner_under_qemu)
{
    need(true);
    try_all_emulated();
}

Test(confine, the_runner_under_qemu_as_an_ordinary_user)
{
    need(true);
    become_ordinary();
    try_all_emulated();
}

/* ---- what is lent, and nothing beside it ---- */

enum { TIMESPEC = 16 }; /* where there is one, in words of `values` */

static const struct lent_row {
    const char *name;
    unsigned bit;
    int x86_64, aarch64;
    int64_t arguments[6]; /* -3: a timespec; -4: room for one */
} lent_rows[] = {
    {"clock_gettime", 1 << LENT_clock_gettime, 228, 113, {CLOCK_MONOTONIC, -4}},
    {"clock_gettime of the system's time", 1 << LENT_clock_gettime, 228, 113, {CLOCK_REALTIME, -4}},
    {"clock_getres", 1 << LENT_clock_getres, 229, 114, {CLOCK_MONOTONIC_COARSE}},
    {"clock_nanosleep", 1 << LENT_clock_nanosleep, 230, 115, {CLOCK_MONOTONIC, 0, -3}},
};

/* A clock that is not the process's own: of the grader's CPU time, of the first process, of a descriptor. */
static int64_t clock_of(pid_t pid)
{
    return (int64_t)(~(uint64_t)pid << 3 | 2);
}

static struct machine_run lent_call(struct running *running, const struct lent_row *row, bool x86,
                                    int64_t clock)
{
    int64_t arguments[6];
    memcpy(arguments, row->arguments, sizeof arguments);
    for (int i = 0; i < 6; i++)
        if (arguments[i] == -3)
            arguments[i] = (int64_t)(running->values + TIMESPEC);
        else if (arguments[i] == -4)
            arguments[i] = (int64_t)(running->result + 2);
    if (clock)
        arguments[0] = clock;
    running->values[TIMESPEC] = 0;
    running->values[TIMESPEC + 1] = 1000;
    return system_call(running, x86 ? row->x86_64 : row->aarch64, arguments);
}

static void expect_refused(const struct machine_run *run, const char *what, unsigned lent)
{
    cr_expect_eq(run->outcome, MACHINE_CRASHED, "%s, lent %u: outcome %d", what, lent, run->outcome);
    cr_expect_eq(run->signal, SIGSYS, "%s, lent %u: signal %d", what, lent, run->signal);
}

Test(confine, what_is_lent_and_nothing_beside_it)
{
#ifdef __x86_64__
    const bool x86 = true;
#else
    const bool x86 = false;
#endif
    struct running running;
    need(false);
    open_running(&running, x86 ? "x86_64" : "aarch64", "gcc", NULL);
    for (running.lent = LENT_NONE; running.lent <= LENT_ALL; running.lent++)
        for (size_t i = 0; i < COUNT(lent_rows); i++) {
            const struct lent_row *row = &lent_rows[i];
            struct machine_run run = lent_call(&running, row, x86, 0);
            if (!(running.lent & row->bit)) {
                expect_refused(&run, row->name, running.lent);
                continue;
            }
            cr_expect_eq(run.outcome, MACHINE_DONE, "%s, lent %u: outcome %d", row->name, running.lent,
                         run.outcome);
            cr_expect_eq(*running.result, 0, "%s gave %lld", row->name, (long long)*running.result);
            cr_expect_eq(run.lent, running.lent);
        }
    close_running(&running);
}

Test(confine, a_clock_of_others_is_not_lent)
{
#ifdef __x86_64__
    const bool x86 = true;
#else
    const bool x86 = false;
#endif
    struct running running;
    need(false);
    open_running(&running, x86 ? "x86_64" : "aarch64", "gcc", NULL);
    running.lent = LENT_ALL;
    const int64_t clocks[] = {clock_of(getpid()), clock_of(1), (int64_t)(~UINT64_C(0) << 3 | 3),
                              LENT_CLOCK + 1, (INT64_C(1) << 32) + CLOCK_MONOTONIC};
    for (size_t i = 0; i < COUNT(lent_rows); i++)
        for (size_t k = 0; k < COUNT(clocks); k++) {
            struct machine_run run = lent_call(&running, &lent_rows[i], x86, clocks[k]);
            expect_refused(&run, lent_rows[i].name, running.lent);
        }
    close_running(&running);
}

/* With everything lent, all that is forbidden is as forbidden as before. */
Test(confine, what_is_lent_opens_nothing_else)
{
#ifdef __x86_64__
    const bool x86 = true;
#else
    const bool x86 = false;
#endif
    struct running running;
    need(false);
    open_running(&running, x86 ? "x86_64" : "aarch64", "gcc", NULL);
    running.lent = LENT_ALL;
    for (size_t i = 0; i < COUNT(forbidden); i++)
        expect_killed(&running, &forbidden[i], x86);
    for (size_t i = 0; i < COUNT(forbidden_natively); i++)
        if (strcmp(forbidden_natively[i].name, "clock_gettime") != 0)
            expect_killed(&running, &forbidden_natively[i], x86);
    close_running(&running);
}

Test(confine, what_is_lent_under_qemu)
{
    struct running running;
    need(true);
    if (system("command -v qemu-aarch64 >/dev/null") != 0)
        cr_skip_test("no qemu-aarch64");
    open_running(&running, "aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64");
    running.lent = LENT_ALL;
    for (size_t i = 0; i < COUNT(lent_rows); i++) {
        struct machine_run run = lent_call(&running, &lent_rows[i], false, 0);
        cr_expect_eq(run.outcome, MACHINE_DONE, "%s: outcome %d", lent_rows[i].name, run.outcome);
        cr_expect_eq(*running.result, 0, "%s gave %lld", lent_rows[i].name, (long long)*running.result);
    }
    running.lent = LENT_NONE;
    struct machine_run run = lent_call(&running, &lent_rows[3], false, 0);
    cr_expect(run.outcome != MACHINE_DONE || *running.result < 0, "it slept");
    close_running(&running);
}
