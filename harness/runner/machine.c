#include "harness/runner/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/isolation.h"
#include "harness/privileges.h"

enum {
    RUNNER_MEMORY = 1 << 30, /* the arena, and a little */
    RUNNER_FILES = 32,       /* until exec: then the arena alone */
    EMULATOR_FILES = 64,
    EMULATOR_THREADS = 64,
    START_LIMIT_MS = 5000, /* qemu-aarch64 on a loaded machine is slow to start */
    GRACE_MS = 200,        /* for a runner that was asked where it is */
};

/* bytes of address space: the arena, and what qemu-user takes for itself (a quarter of a GiB was seen) */
#define EMULATOR_MEMORY ((size_t)4 << 30)

struct machine {
    pid_t pid;
    struct arena *arena;
    int schedstat; /* /proc/PID/schedstat, or -1 */
    bool gone;
};

/* What is executed and within which walls: made before the fork. */
struct launch {
    struct isolation *isolation;
    int readable; /* the arena's file, open for reading only */
    char path[4096];
    char *argv[5];
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

static bool prepare(const struct machine_config *config, const struct arena *arena, struct launch *launch,
                    struct error *err)
{
    char file[32];
    snprintf(file, sizeof file, "/proc/self/fd/%d", arena_fd(arena));
    launch->readable = open(file, O_RDONLY | O_CLOEXEC);
    if (launch->readable < 0)
        return error_set(err, "cannot open the shared memory for reading (%s): %s", file, strerror(errno));
    const char *const readable[] = {config->program, NULL};
    struct isolation_config walls = {
        .kind = ISOLATION_RUNNER,
        .command = launch->path,
        .readable = readable,
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
    *argv = (char *)(uintptr_t)config->program;
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
    if (close_range(ARENA_WRITABLE_FD + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0)
        for (int fd = ARENA_WRITABLE_FD + 1; fd < 1024; fd++)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
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

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Wait until the process stops or ends: its wait status. False when limit_ms are over. */
static bool wait_for(pid_t pid, int64_t limit_ms, int *status)
{
    int64_t deadline = now_ms() + limit_ms;
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (;;) {
        pid_t got = waitpid(pid, status, WUNTRACED | WNOHANG);
        if (got == pid)
            return true;
        if (got < 0 && errno != EINTR) {
            *status = 0;
            return true;
        }
        int64_t left = deadline - now_ms();
        if (left <= 0)
            return false;
        struct timespec wait = {left / 1000, left % 1000 * 1000000};
        sigtimedwait(&child, NULL, &wait);
    }
}

/* Wait until it stops or ends: its wait status. False when its time is over, of which `before` was the start.
 */
static bool wait_out(const struct machine *machine, const struct schedule *before, unsigned limit_ms,
                     int *status)
{
    const int64_t start = now_ms();
    int64_t left = limit_ms;
    do {
        struct schedule now;
        if (wait_for(machine->pid, left, status))
            return true;
        left =
            machine_schedule(machine, &now) ? schedule_left_ms(before, &now, limit_ms, now_ms() - start) : 0;
    } while (left > 0);
    return false;
}

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
    machine->schedstat = -1;
    machine->pid = fork();
    if (machine->pid == 0) {
        become_runner(config, &launch, arena_writable_fd(arena), report[1], parent);
    }
    close(report[1]);
    launch_end(&launch);
    machine->schedstat = machine->pid > 0 ? schedule_open(machine->pid) : -1;
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
                  config->emulator && failure == ENOENT ? " (package qemu-user)" : "");
        machine_stop(machine);
        return NULL;
    }
    if (config->gdb_socket)
        return machine; /* it waits for gdb: the first plan will find it ready */
    const char *slash = strrchr(config->program, '/'), *name = slash ? slash + 1 : config->program;
    if (!wait_out(machine, &(struct schedule){0}, START_LIMIT_MS, &status)) {
        error_set(err, "`%s` did not get ready within %d s", name, START_LIMIT_MS / 1000);
    } else if (!WIFSTOPPED(status)) {
        machine->gone = true;
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

static void describe_end(struct machine_run *run, int status)
{
    if (run->status.state == PLAN_FAULT && run->status.signal == SIGXCPU) {
        run->outcome = MACHINE_TIMEOUT; /* RLIMIT_CPU */
    } else if (WIFSIGNALED(status)) {
        run->signal = WTERMSIG(status);
        run->outcome = run->status.state == PLAN_FAULT && (int)run->status.signal == run->signal
                           ? MACHINE_CRASHED
                           : MACHINE_EXITED;
    } else {
        run->outcome = MACHINE_EXITED;
        run->exit_status = WEXITSTATUS(status);
    }
}

void machine_execute(struct machine *machine, unsigned limit_ms, struct machine_run *run)
{
    int status = 0;
    *run = (struct machine_run){.outcome = MACHINE_EXITED};
    if (machine->gone)
        return;
    arena_forget_status(machine->arena);
    struct schedule before = {0};
    machine_schedule(machine, &before);
    kill(machine->pid, SIGCONT);
    if (!wait_out(machine, &before, limit_ms, &status)) {
        kill(machine->pid, SIGXCPU); /* ask where it is */
        if (!wait_for(machine->pid, GRACE_MS, &status) || WIFSTOPPED(status)) {
            kill(machine->pid, SIGKILL);
            waitpid(machine->pid, &status, 0);
        }
        machine->gone = true;
        run->outcome = MACHINE_TIMEOUT;
        run->status = *arena_status(machine->arena);
        return;
    }
    run->status = *arena_status(machine->arena);
    if (WIFSTOPPED(status)) {
        run->outcome = MACHINE_DONE;
        if (run->status.state == PLAN_CLOBBERED)
            run->outcome = MACHINE_CLOBBERED;
        else if (run->status.state != PLAN_DONE) {
            run->outcome = MACHINE_EXITED; /* it stopped in the middle of a call */
            run->signal = WSTOPSIG(status);
        }
        return;
    }
    machine->gone = true;
    describe_end(run, status);
}

void machine_stop(struct machine *machine)
{
    if (!machine)
        return;
    if (machine->pid > 0 && !machine->gone) {
        kill(machine->pid, SIGKILL);
        kill(-machine->pid, SIGKILL); /* and what it has started */
        while (waitpid(machine->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (machine->schedstat >= 0)
        close(machine->schedstat);
    free(machine);
}

pid_t machine_pid(const struct machine *machine)
{
    return machine->pid;
}

/* The count of forced context switches does not tell a disturbed slice from a quiet one: a kernel with
 * preemption counts one for every other hand-over. The time spent waiting for the CPU does. */
bool machine_schedule(const struct machine *machine, struct schedule *schedule)
{
    return schedule_read(machine->schedstat, schedule);
}
