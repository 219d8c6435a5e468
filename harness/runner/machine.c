#include "harness/runner/machine.h"
#include "harness/runner/standstill.h"
#include "harness/runner/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/descriptors.h"
#include "harness/sched/placement.h"
#include "harness/walls/isolation.h"
#include "harness/walls/privileges.h"

enum {
    RUNNER_MEMORY = 1 << 30, /* the arena, and a little */
    RUNNER_FILES = 32,       /* until exec: then the arena alone */
    EMULATOR_FILES = 64,
    EMULATOR_THREADS = 64,
    START_LIMIT_MS = 5000, /* qemu-aarch64 on a loaded machine is slow to start */
    GRACE_MS = 200,        /* for a runner that was asked where it is */
    GATHER_MS = 5,         /* else its CPU has other work, and the slice will show it */
};

/* bytes of address space: the arena, and what qemu-user takes for itself (a quarter of a GiB was seen) */
#define EMULATOR_MEMORY ((size_t)4 << 30)

struct machine {
    pid_t pid; /* the nursery, or under an emulator the only process; 0: it is gone */
    /* what executes the plan, each part of its calls: a clone, or that process; 0: there is none */
    pid_t child[PLAN_MOST_PARTS];
    bool ready;    /* it waits for the plan in the arena */
    bool emulated; /* all plans in one process */
    struct arena *arena;
    unsigned cpu_seconds, lent;
    bool at_once, standstill;
    int second;
    int schedstat[PLAN_MOST_PARTS]; /* /proc/PID/schedstat of what executes, or -1 */
};

/* What is executed and within which walls: made before the fork. */
struct launch {
    struct isolation *isolation;
    int readable; /* the arena's file, open for reading only */
    char path[4096];
    char lent[16];
    char *argv[7];
};

/* Where a program without a folder in its name is found. */
static void find_program(const char *name, char *path, size_t size)
{
    const char *search = getenv("PATH");
    snprintf(path, size, "%s", name);
    if (strchr(name, '/'))
        return;
    for (const char *at = search && *search ? search : "/usr/local/bin:/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        snprintf(path, size, "%.*s/%s", (int)length, at, name);
        if (access(path, X_OK) == 0)
            return;
        at += length + (at[length] == ':');
    }
    snprintf(path, size, "/nowhere/%s", name);
}

static bool prepare(const struct machine_config *config, struct arena *arena, struct launch *launch,
                    struct error *err)
{
    char file[32];
    if (!arena_lend(arena, err))
        return false;
    snprintf(file, sizeof file, "/proc/self/fd/%d", arena_fd(arena));
    launch->readable = open(file, O_RDONLY | O_CLOEXEC);
    if (launch->readable < 0)
        return error_set(err, "cannot open the shared memory for reading (%s): %s", file, strerror(errno));
    const char *const readable[] = {config->program, NULL};
    struct isolation_config walls = {
        .kind = ISOLATION_RUNNER,
        .command = launch->path,
        .readable = readable,
        .lent = config->lent,
        .limits = {.cpu_seconds = config->cpu_seconds, .memory = RUNNER_MEMORY, .files = RUNNER_FILES}};
    char **argv = launch->argv;
    find_program(config->emulator ? config->emulator : config->program, launch->path, sizeof launch->path);
    if (config->emulator) { /* it needs threads */
        *argv++ = launch->path;
        walls.kind = config->gdb_socket ? ISOLATION_DEBUGGED : ISOLATION_EMULATOR;
        walls.limits.memory = EMULATOR_MEMORY;
        walls.limits.files = EMULATOR_FILES;
        walls.limits.processes = EMULATOR_THREADS;
    }
    if (config->emulator && config->gdb_socket) {
        *argv++ = (char *)(uintptr_t) "-g";
        *argv++ = (char *)(uintptr_t)config->gdb_socket;
    }
    if (config->emulator && config->processor) {
        *argv++ = (char *)(uintptr_t) "-cpu";
        *argv++ = (char *)(uintptr_t)config->processor;
    }
    *argv++ = (char *)(uintptr_t)config->program;
    if (!config->emulator) {
        snprintf(launch->lent, sizeof launch->lent, "%u", config->lent);
        *argv++ = (char *)(uintptr_t) "nursery";
        *argv++ = launch->lent;
        *argv = (char *)(uintptr_t)(config->at_once ? "2" : "1");
    }
    launch->isolation = isolation_prepare(&walls, err);
    return launch->isolation != NULL;
}

static void launch_end(struct launch *launch)
{
    isolation_free(launch->isolation);
    if (launch->readable >= 0)
        close(launch->readable);
}

/* GCOVR_EXCL_START: a child runs this up to its exec, and counts nothing */
/* In the child. Writes errno to `report` when the program cannot be run. */
static _Noreturn void become_runner(const struct machine_config *config, const struct launch *launch,
                                    int writable, int report, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    placement_favour();
    int null = open("/dev/null", O_RDWR);
    /* first out of the way of 0..5, then into place */
    int readable = fcntl(launch->readable, F_DUPFD, 10);
    writable = fcntl(writable, F_DUPFD, 10);
    report = fcntl(report, F_DUPFD_CLOEXEC, 10);
    if (null < 0 || readable < 0 || writable < 0 || report < 0)
        _exit(99);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    dup2(readable, ARENA_FD);
    dup2(writable, ARENA_WRITABLE_FD);
    dup2(report, ISOLATION_REPORT_FD);
    descriptors_leave_from(ARENA_WRITABLE_FD + 1);
    if (config->cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)config->cpu, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    int failure = 0;
    char *environment[] = {NULL};
    if (config->drop_privileges && !drop_privileges())
        failure = errno;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* changing the user has cleared it */
    if (getppid() != parent)          /* it died before that */
        _exit(96);
    if (failure == 0 && isolation_enter(launch->isolation))
        execve(launch->path, launch->argv, environment);
    if (failure == 0)
        failure = errno;
    if (write(ISOLATION_REPORT_FD, &failure, sizeof failure) < 0)
        _exit(98);
    _exit(97);
}
/* GCOVR_EXCL_STOP */

struct machine *machine_start(const struct machine_config *config, struct arena *arena, struct error *err)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL); /* for sigtimedwait */

    struct machine *machine = calloc(1, sizeof *machine);
    struct launch launch = {0};
    int report[2];
    if (!prepare(config, arena, &launch, err)) {
        launch_end(&launch);
        free(machine);
        return NULL;
    }
    if (!machine || pipe2(report, O_CLOEXEC) != 0) {
        error_set(err, "cannot start the runner: %s", strerror(errno));
        launch_end(&launch);
        free(machine);
        return NULL;
    }
    pid_t parent = getpid();
    machine->arena = arena;
    machine->emulated = config->emulator != NULL;
    machine->cpu_seconds = config->cpu_seconds;
    machine->lent = config->lent;
    machine->at_once = config->at_once && !config->emulator;
    machine->standstill = config->standstill;
    machine->second = config->second;
    for (unsigned part = 0; part < PLAN_MOST_PARTS; part++)
        machine->schedstat[part] = -1;
    machine->pid = fork();
    if (machine->pid == 0) {
        become_runner(config, &launch, arena_writable_fd(arena), report[1], parent);
    }
    close(report[1]);
    launch_end(&launch);
    if (machine->emulated && machine->pid > 0) {
        machine->child[0] = machine->pid;
        machine->schedstat[0] = schedule_open(machine->pid);
    }
    int failure = 0, status = 0;
    bool failed = machine->pid < 0;
    if (failed)
        failure = errno;
    else
        failed = read(report[0], &failure, sizeof failure) == sizeof failure;
    close(report[0]);
    if (failed) {
        const char *what = config->emulator ? config->emulator : config->program;
        error_set(err, "cannot run %s: %s%s", what, strerror(failure),
                  config->emulator && failure == ENOENT    ? " (package qemu-user)"
                  : !config->emulator && failure == EACCES ? ": is its folder mounted `noexec`? TMPDIR=dir "
                                                             "takes another"
                                                           : "");
        machine_stop(machine);
        return NULL;
    }
    if (config->gdb_socket)
        return machine; /* it waits for gdb: the first plan will find it ready */
    const char *slash = strrchr(config->program, '/'), *name = slash ? slash + 1 : config->program;
    if (wait_out(machine, (pid_t[PLAN_MOST_PARTS]){machine->pid}, &(struct schedule){0}, wait_now_ms(),
                 START_LIMIT_MS, &status, NULL) < 0) {
        error_set(err, "`%s` did not get ready within %d s", name, START_LIMIT_MS / 1000);
    } else if (!WIFSTOPPED(status)) {
        machine->pid = 0;
        if (WIFSIGNALED(status))
            error_set(err, "`%s` ended with signal %d (%s) before it was ready", name, WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
        else
            error_set(err, "`%s` ended with exit status %d before it was ready", name, WEXITSTATUS(status));
    } else {
        return machine;
    }
    machine_stop(machine);
    return NULL;
}

static void reap(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Is there a process for that part of a plan alone? */
static bool has_clone(const struct machine *machine, unsigned part)
{
    return machine->child[part] > 0 && machine->child[part] != machine->pid;
}

void machine_dismiss(struct machine *machine)
{
    for (unsigned part = 0; part < PLAN_MOST_PARTS; part++)
        if (has_clone(machine, part))
            kill(machine->child[part], SIGKILL);
}

static void end_children(struct machine *machine)
{
    machine->ready = false;
    machine_dismiss(machine);
    for (unsigned part = 0; part < PLAN_MOST_PARTS; part++) {
        if (has_clone(machine, part))
            reap(machine->child[part]);
        machine->child[part] = 0;
        if (machine->schedstat[part] >= 0)
            close(machine->schedstat[part]);
        machine->schedstat[part] = -1;
    }
}

/* Wait until it stops. It is gone, and *pid 0, if it ends instead. */
static bool stops(pid_t *pid)
{
    int status = 0;
    bool in_time = wait_for(*pid, START_LIMIT_MS, &status, NULL);
    if (in_time && !WIFSTOPPED(status))
        *pid = 0;
    return in_time && *pid != 0;
}

bool machine_prepare(struct machine *machine)
{
    struct error ignored;
    if (!arena_lend(machine->arena, &ignored))
        return false;
    if (machine->emulated || machine->pid == 0)
        return machine->pid != 0;
    machine_end(machine);
    arena_forget_status(machine->arena);
    kill(machine->pid, SIGCONT);
    if (!stops(&machine->pid))
        return false;
    /* No other process has the arena now but the nursery and its clones, which are the runner's code alone.
     */
    const unsigned parts = machine->at_once && arena_plan(machine->arena)->parts > 1 ? PLAN_MOST_PARTS : 1;
    for (unsigned part = 0; part < parts; part++) {
        const pid_t child = arena_part_status(machine->arena, part)->child;
        machine->child[part] = child > 1 ? child : 0;
    }
    for (unsigned part = 0; part < parts; part++) {
        if (machine->child[part] == 0 || !stops(&machine->child[part])) {
            machine_end(machine);
            return false;
        }
        machine->schedstat[part] = schedule_open(machine->child[part]);
    }
    if (parts > 1 && machine->second >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)machine->second, &set);
        sched_setaffinity(machine->child[1], sizeof set, &set);
    }
    machine->ready = true;
    return true;
}

/* The kernel's own SIGKILL at the end of the CPU time, where somebody withstood SIGXCPU. */
static bool spent_its_time(const struct machine *machine, const struct rusage *usage)
{
    struct rlimit limit;
    rlim_t seconds = machine->cpu_seconds > 0 ? machine->cpu_seconds : RLIM_INFINITY;
    if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur < seconds)
        seconds = limit.rlim_cur;
    return (rlim_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) + 1 >= seconds;
}

static void describe_end(const struct machine *machine, struct machine_run *run, int status,
                         const struct rusage *usage)
{
    if (!WIFSIGNALED(status)) {
        run->exit_status = WEXITSTATUS(status);
        return;
    }
    run->signal = WTERMSIG(status);
    if (run->signal == SIGXCPU || (run->signal == SIGKILL && spent_its_time(machine, usage)))
        run->outcome = MACHINE_TIMEOUT; /* RLIMIT_CPU */
    else if (run->status.state == PLAN_FAULT && (int)run->status.signal == run->signal)
        run->outcome = MACHINE_CRASHED;
}

static void describe_stop(struct machine_run *run, int status)
{
    if (run->status.state == PLAN_CLOBBERED)
        run->outcome = MACHINE_CLOBBERED;
    else if (run->status.state == PLAN_DONE && WSTOPSIG(status) == SIGSTOP)
        run->outcome = MACHINE_DONE;
    else
        run->signal = WSTOPSIG(status); /* it stopped in the middle of a call */
}

void machine_gather(struct machine *machine)
{
    if (!machine->ready || machine->child[1] <= 0 || sched_getcpu() == machine->second)
        return;
    const uint32_t *arrived = &arena_part_status(machine->arena, 1)->arrived;
    const int64_t begin = wait_now_ms();
    kill(machine->child[1], SIGCONT);
    while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) == 0 && wait_now_ms() - begin < GATHER_MS)
        ;
}

/* The part that tells how the plan went: the last one that stops, or the first one that does not come to its
 * end, for which the other one may wait for good. `said`: its status then, in time. */
static unsigned await(struct machine *machine, unsigned limit_ms, bool *in_time, int *waits, int *status,
                      struct plan_status *said, struct rusage *usage)
{
    pid_t left[PLAN_MOST_PARTS];
    struct schedule before = {0};
    unsigned part = 0;
    memcpy(left, machine->child, sizeof left);
    machine_schedule(machine, &before);
    const int64_t start = wait_now_ms();
    /* The one on this process's own CPU goes on last: it waits for the other, and keeps that CPU. */
    const unsigned last = sched_getcpu() == machine->second;
    for (unsigned i = PLAN_MOST_PARTS; i-- > 0;)
        if (left[i ^ last] > 0)
            kill(left[i ^ last], SIGCONT);
    for (;;) {
        const int got = machine->standstill
                            ? standstill_wait_out(machine, machine->arena, left, &before, start, limit_ms,
                                                  status, usage, waits)
                            : wait_out(machine, left, &before, start, limit_ms, status, usage);
        *in_time = got >= 0;
        if (*waits >= 0)
            return (unsigned)*waits;
        if (!*in_time) /* not the one that only waits for the other */
            return left[0] == 0 || (left[1] > 0 && arena_part_status(machine->arena, 1)->arrived <
                                                       arena_status(machine->arena)->arrived);
        part = (unsigned)got;
        left[part] = 0;
        *said = *arena_part_status(machine->arena, part);
        if ((left[0] == 0 && left[1] == 0) || !WIFSTOPPED(*status) || WSTOPSIG(*status) != SIGSTOP ||
            said->state != PLAN_DONE)
            return part;
    }
}

void machine_execute(struct machine *machine, unsigned limit_ms, struct machine_run *run)
{
    int status = 0, waits = -1;
    bool in_time;
    struct rusage usage = {0};
    *run = (struct machine_run){.outcome = MACHINE_NOT_READY, .lent = machine->lent};
    if (!machine->ready && !machine_prepare(machine))
        return;
    if (machine->emulated)
        arena_forget_status(machine->arena);
    if (machine->child[0] == 0)
        return;
    machine->ready = false;
    run->outcome = MACHINE_EXITED;
    const unsigned part = await(machine, limit_ms, &in_time, &waits, &status, &run->status, &usage);
    const pid_t child = machine->child[part];
    if (!in_time) {
        kill(child, waits >= 0 ? SIGKILL : SIGXCPU); /* ask where it is */
        if (!wait_for(child, GRACE_MS, &status, &usage) || WIFSTOPPED(status)) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
    }
    run->part = part;
    if (!in_time || waits >= 0) /* else as it was when it stopped: another part could still write to it */
        run->status = *arena_part_status(machine->arena, part);
    if (in_time && WIFSTOPPED(status)) {
        describe_stop(run, status);
        return;
    }
    machine->child[part] = 0;
    if (machine->emulated)
        machine->pid = 0;
    end_children(machine);
    describe_end(machine, run, status, &usage);
    if (!in_time)
        run->outcome = waits >= 0 ? MACHINE_WAITS : MACHINE_TIMEOUT;
}

void machine_end(struct machine *machine)
{
    if (!machine->emulated)
        end_children(machine);
}

void machine_stop(struct machine *machine)
{
    if (!machine)
        return;
    end_children(machine);
    if (machine->pid > 0) {
        kill(-machine->pid, SIGKILL); /* and what it has started */
        kill(machine->pid, SIGKILL);
        reap(machine->pid);
    }
    free(machine);
}

pid_t machine_pid(const struct machine *machine)
{
    return machine->child[0] > 0 ? machine->child[0] : machine->pid;
}

bool machine_is_double(const struct machine *machine)
{
    return machine->child[1] > 0;
}

bool machine_schedule_of(const struct machine *machine, unsigned part, struct schedule *schedule)
{
    *schedule = (struct schedule){0};
    return (part > 0 && !machine_is_double(machine)) || schedule_read(machine->schedstat[part], schedule);
}

/* The count of forced context switches does not tell a disturbed slice from a quiet one: a kernel with
 * preemption counts one for every other hand-over. The time spent waiting for the CPU does. */
bool machine_schedule(const struct machine *machine, struct schedule *schedule)
{
    struct schedule second;
    if (!machine_schedule_of(machine, 0, schedule) || !machine_schedule_of(machine, 1, &second))
        return false;
    schedule->ran_ns += second.ran_ns;
    schedule->waited_ns += second.waited_ns;
    return true;
}
