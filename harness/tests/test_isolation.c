/* The walls, tried from inside: each thing that must not be possible, in a process that is confined as the
 * compiler, as the runner and as qemu-user are. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/isolation_internal.h"
#include "harness/privileges.h"
#include "harness/runner/machine.h"

enum { SYSTEM = 8 }; /* the entry of target_glue.c that makes a system call */

/* ---- the state ---- */

Test(isolation, levels_have_names)
{
    enum isolation_level level = ISOLATION_BEST;
    cr_expect(isolation_level_parse("strict", &level));
    cr_expect_eq(level, ISOLATION_STRICT);
    cr_expect(isolation_level_parse("best", &level));
    cr_expect_eq(level, ISOLATION_BEST);
    cr_expect_not(isolation_level_parse("", &level));
    cr_expect_not(isolation_level_parse("Strict", &level));
}

Test(isolation, strict_asks_for_all_and_says_what_is_missing)
{
    const struct isolation_state all = {
        .limits = true, .no_new_privileges = true, .landlock = 1, .seccomp = true, .unprivileged = true};
    struct isolation_state some = all;
    struct error err = {0};
    cr_expect(isolation_judge(ISOLATION_STRICT, &all, &err), "%s", err.text);
    some.landlock = 0;
    strcpy(some.landlock_why, "the moon is full");
    cr_expect(isolation_judge(ISOLATION_BEST, &some, &err));
    cr_expect_not(isolation_judge(ISOLATION_STRICT, &some, &err));
    cr_expect(strstr(err.text, "no Landlock here: the moon is full; "), "%s", err.text);
    cr_expect(strstr(err.text, "--isolation best"));
    some = all;
    some.seccomp = false;
    cr_expect_not(isolation_judge(ISOLATION_STRICT, &some, &err));
    cr_expect(strstr(err.text, "no seccomp here; "), "%s", err.text);
    some = all;
    some.limits = false;
    cr_expect_not(isolation_judge(ISOLATION_STRICT, &some, &err));
    some = all;
    some.unprivileged = false;
    cr_expect_not(isolation_judge(ISOLATION_STRICT, &some, &err));
    cr_expect_eq(isolation_require(ISOLATION_STRICT, &err),
                 isolation_state()->landlock > 0 && isolation_state()->seccomp);
}

Test(isolation, what_is_missing_has_a_reason)
{
    const struct isolation_state *state = isolation_state();
    cr_expect_eq(state->landlock > 0, state->landlock_why[0] == '\0');
    cr_expect_eq(state->seccomp, state->seccomp_why[0] == '\0');
    cr_expect_eq(state->bubblewrap, state->bubblewrap_why[0] == '\0');
}

Test(isolation, system_calls_have_names)
{
    char name[32];
    isolation_call_name(SYS_openat, name, sizeof name);
    cr_expect_str_eq(name, "openat");
    isolation_call_name(100000, name, sizeof name);
    cr_expect_str_eq(name, "");
}

/* ---- a child confined as the compiler is, without bubblewrap around it ---- */

static void need(bool landlock)
{
    if (!isolation_state()->seccomp)
        cr_skip_test("no seccomp here: %s", isolation_state()->seccomp_why);
    if (landlock && !isolation_state()->landlock)
        cr_skip_test("no Landlock here: %s", isolation_state()->landlock_why);
}

static char folder[64];

static bool opens(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool sockets(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
           socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}) == 0;
}

static bool reads_a_secret(void)
{
    return opens("/etc/passwd", O_RDONLY) || opens("/proc/self/environ", O_RDONLY) || opens("/", O_RDONLY) ||
           opens("/dev/zero", O_RDONLY) || opens("Makefile", O_RDONLY);
}

static bool writes_elsewhere(void)
{
    return opens("/tmp/cyclelab-test-written", O_WRONLY | O_CREAT) ||
           mkdir("/tmp/cyclelab-test-made", 0700) == 0 || chmod("/tmp", 01777) == 0;
}

static bool makes_odd_files(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/odd", folder);
    return mkfifo(path, 0600) == 0 || symlink("/", path) == 0 || link("/etc/passwd", path) == 0;
}

static bool signals_parent(void)
{
    return kill(getppid(), 0) == 0 || syscall(SYS_tgkill, getppid(), getppid(), 0) == 0 ||
           fcntl(0, F_SETOWN, getppid()) == 0;
}

static bool leaves_its_group(void)
{
    return setsid() >= 0 || setpgid(0, 0) == 0;
}

static bool traces(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ||
           syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0) == 0;
}

static bool makes_namespaces(void)
{
    return unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNET) == 0 ||
           syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) >= 0;
}

static bool has_odd_calls(void)
{
    static const long odd[] = {SYS_bpf,
                               SYS_keyctl,
                               SYS_add_key,
                               SYS_perf_event_open,
                               SYS_io_uring_setup,
                               SYS_userfaultfd,
                               SYS_mount,
                               SYS_pivot_root,
                               SYS_chroot,
                               SYS_memfd_create,
                               SYS_init_module,
                               SYS_timer_create,
                               SYS_setitimer,
                               SYS_shmget,
                               SYS_msgget,
                               SYS_inotify_init1,
                               SYS_personality,
                               SYS_sched_setaffinity,
                               SYS_setpriority,
                               SYS_name_to_handle_at};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (syscall(odd[i], 0, 0, 0, 0, 0, 0) >= 0 || errno != ENOSYS)
            return true;
    return false;
}

static bool has_more_than_its_limits(void)
{
    return mmap(NULL, (size_t)3 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
               MAP_FAILED ||
           prctl(PR_SET_DUMPABLE, 1) == 0 || dup2(0, 300) >= 0;
}

static bool works_in_its_folder(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/file", folder);
    return !(opens(path, O_RDWR | O_CREAT) && opens(path, O_RDONLY) && unlink(path) == 0 &&
             opens("/usr/bin/env", O_RDONLY) && opens("/dev/null", O_RDWR));
}

static const struct attempt {
    const char *name;
    bool (*succeeds)(void);
    bool landlock; /* it alone stops this */
} attempts[] = {
    {"sockets", sockets, false},
    {"reading what is no part of the system", reads_a_secret, true},
    {"writing outside of its folder", writes_elsewhere, true},
    {"links and pipes in its folder", makes_odd_files, false},
    {"a signal to its parent", signals_parent, false},
    {"a group of its own", leaves_its_group, false},
    {"tracing", traces, false},
    {"namespaces", makes_namespaces, false},
    {"an odd system call", has_odd_calls, false},
    {"more than its limits", has_more_than_its_limits, false},
    {"(what it needs is missing)", works_in_its_folder, false},
};

static void become_ordinary(void)
{
    char here[4096];
    cr_assert(getcwd(here, sizeof here));
    cr_assert(drop_privileges());
    if (access(here, R_OK | X_OK) != 0)
        cr_skip_test("%s is where an ordinary user cannot come", here);
    prctl(PR_SET_DUMPABLE, 1); /* as it is for who began as one: /proc/self is its own */
}

static void try_all_as_compiler(void)
{
    struct error err;
    strcpy(folder, "/tmp/cyclelab-test-XXXXXX");
    uid_t user;
    gid_t group;
    unprivileged_user(&user, &group);
    cr_assert(mkdtemp(folder));
    cr_assert(geteuid() != 0 || chown(folder, user, group) == 0);
    const struct isolation_config config = {.kind = ISOLATION_COMPILER,
                                            .command = "/usr/bin/env",
                                            .writable = folder,
                                            .limits = {.cpu_seconds = 5,
                                                       .memory = (size_t)2 << 30,
                                                       .file_size = 1 << 20,
                                                       .processes = 512,
                                                       .files = 256}};
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        if (attempts[i].landlock && !isolation_state()->landlock)
            continue;
        int status = 0;
        pid_t pid = fork();
        if (pid == 0) {
            /* the walls themselves: bubblewrap would need an exec */
            struct isolation_state *state = (struct isolation_state *)isolation_state();
            state->bubblewrap = false;
            struct isolation *isolation = isolation_prepare(&config, &err);
            if (!isolation || !drop_privileges() || chmod(folder, 0700) != 0 || !isolation_enter(isolation))
                _exit(2);
            _exit(attempts[i].succeeds());
        }
        cr_assert_eq(waitpid(pid, &status, 0), pid);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: wait status %#x", attempts[i].name,
                  status);
    }
    cr_expect_eq(rmdir(folder), 0);
}

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = true }; /* its shadow is above any limit of address space */
#else
enum { SANITIZED = false };
#endif

Test(isolation, of_a_compiler)
{
    need(false);
    if (SANITIZED)
        cr_skip_test("under AddressSanitizer there is no limit of memory");
    try_all_as_compiler();
}

Test(isolation, of_a_compiler_as_an_ordinary_user)
{
    need(false);
    if (SANITIZED)
        cr_skip_test("under AddressSanitizer there is no limit of memory");
    become_ordinary();
    try_all_as_compiler();
}

/* ---- bubblewrap ---- */

Test(isolation, bubblewrap_goes_before_the_command)
{
    struct error err;
    const char *const argv[] = {"true", "x", NULL};
    const struct isolation_config config = {
        .kind = ISOLATION_COMPILER, .command = "/usr/bin/true", .folder = "/", .limits = {.files = 64}};
    struct isolation *isolation = isolation_prepare(&config, &err);
    cr_assert(isolation, "%s", err.text);
    char *const *command = isolation_command(isolation, argv);
    cr_assert(command);
    cr_expect_eq(isolation_wraps(isolation), isolation_state()->bubblewrap);
    cr_expect_str_eq(command[0], isolation_wraps(isolation) ? "bwrap" : "true");
    size_t last = 0;
    while (command[last + 1])
        last++;
    cr_expect_str_eq(command[last], "x");
    isolation_free(isolation);
}

Test(isolation, a_missing_bubblewrap_is_named)
{
    char why[160];
    setenv("PATH", "/nowhere", 1);
    cr_expect_not(bubblewrap_usable(why, sizeof why));
    cr_expect(strstr(why, "package bubblewrap"), "%s", why);
}

/* ---- the runner, natively and under qemu-user ---- */

struct running {
    char program[64];
    const char *emulator;
    struct arena *arena;
    int64_t *values; /* the call's number and arguments */
    volatile int64_t *result;
};

static void build(struct running *running, const char *isa, const char *compiler)
{
    char self[PATH_MAX] = "", command[2 * PATH_MAX];
    cr_assert_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    snprintf(command, sizeof command, "command -v %s >/dev/null", compiler);
    if (system(command) != 0)
        cr_skip_test("no %s", compiler);
    strcpy(running->program, "/tmp/cyclelab-test-XXXXXX");
    int fd = mkstemp(running->program);
    cr_assert_geq(fd, 0);
    close(fd);
    snprintf(command, sizeof command,
             "%s -O1 -g -I. -ffreestanding -fno-pie -fno-stack-protector -static -nostdlib -no-pie -o %s "
             "harness/runner/tests/target_glue.c %s/runner/%s/runner.o",
             compiler, running->program, dirname(self), isa);
    cr_assert_eq(system(command), 0, "%s", command);
    chmod(running->program, 0755);
}

static void open_running(struct running *running, const char *isa, const char *compiler, const char *emulator)
{
    struct error err;
    build(running, isa, compiler);
    running->emulator = emulator;
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
    const struct machine_config config = {
        .program = running->program, .emulator = running->emulator, .cpu = -1, .drop_privileges = true};
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

    /* what it may only read cannot be had for writing */
    const int64_t input = (int64_t)ARENA_BASE, flags = MAP_SHARED | MAP_FIXED | MAP_POPULATE, offset = 0,
                  arguments[6] = {input, 65536, PROT_READ | PROT_WRITE, flags, ARENA_FD, offset};
    struct machine_run run = system_call(&running, x86 ? 9 : 222, arguments);
    cr_expect_eq(run.outcome, MACHINE_DONE);
    cr_expect_eq(*running.result, -EACCES);
    close_running(&running);
}

Test(isolation, of_the_runner)
{
    need(false);
    try_all_natively();
}

Test(isolation, of_the_runner_as_an_ordinary_user)
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

Test(isolation, of_the_runner_under_qemu)
{
    need(true);
    try_all_emulated();
}

Test(isolation, of_the_runner_under_qemu_as_an_ordinary_user)
{
    need(true);
    become_ordinary();
    try_all_emulated();
}
