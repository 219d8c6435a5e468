#include "grader/base/spawn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "harness/base/descriptors.h"
#include "harness/walls/isolation.h"
#include "harness/walls/privileges.h"

enum { LAST_TICKS = 2000 }; /* of 0.1 ms: for the killed to be gone */

struct spawn {
    pid_t pid;
    int output;
    uint64_t start, wall; /* ns */
    char *text;
    size_t length, most;
    bool truncated;
    bool wrapped; /* a signal that ends it comes as a status */
};

/* What a child that could not exec leaves in its second pipe. */
enum stage { STAGE_REDIRECT, STAGE_FOLDER, STAGE_PRIVILEGES, STAGE_CONFINE, STAGE_EXEC };
struct failure {
    enum stage stage;
    int error;
};

/* Made before the fork. */
struct plan {
    const struct spawn_config *config;
    struct isolation *isolation;
    char *const *command, *const *environment;
};

static uint64_t now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

/* From here to the exec a child runs, and what it counts for coverage goes with it. GCOVR_EXCL_START */
static void reset_signals(void)
{
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int signal = 1; signal < NSIG; signal++)
        sigaction(signal, &by_default, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Standard input from nothing, both outputs into the pipe, no other descriptor through exec. */
static bool redirect(int output)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(output, STDERR_FILENO) < 0)
        return false;
    descriptors_leave_from(3);
    return true;
}

static enum stage child_run(const struct plan *plan, pid_t parent, int output)
{
    reset_signals();
    umask(022);
    if (!redirect(output))
        return STAGE_REDIRECT;
    if (!drop_privileges())
        return STAGE_PRIVILEGES;
    if (chdir(plan->config->folder) != 0)
        return STAGE_FOLDER;
    /* After the change of user, which clears it. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return STAGE_PRIVILEGES;
    if (getppid() != parent)
        _exit(127);
    if (!isolation_enter(plan->isolation))
        return STAGE_CONFINE;
    execvpe(plan->command[0], plan->command, plan->environment);
    return STAGE_EXEC;
}

/* Bubblewrap's inner process waits for the outer one, and asks to die with it only after that: killed in
 * between, with us, the outer one would leave it behind for good. So the group has a guard, its leader, who
 * is told of our end and takes everybody along. Its status is the command's; a signal comes as 128 and its
 * number. */
static _Noreturn void guard(pid_t parent, pid_t command, const sigset_t *told)
{
    int status = 0;
    descriptors_close_from(3); /* the report among them: it says what the command says */
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent)
        kill(0, SIGKILL);
    while (waitpid(command, &status, WNOHANG) != command) {
        if (sigwaitinfo(told, NULL) == SIGTERM)
            kill(0, SIGKILL);
    }
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static pid_t fork_guarded(pid_t parent)
{
    sigset_t told;
    reset_signals();
    sigemptyset(&told);
    sigaddset(&told, SIGTERM);
    sigaddset(&told, SIGCHLD);
    sigprocmask(SIG_BLOCK, &told, NULL);
    pid_t command = fork();
    if (command > 0)
        guard(parent, command, &told);
    return command;
}

static _Noreturn void child(const struct plan *plan, pid_t parent, int output, int report)
{
    struct failure failure = {.stage = STAGE_CONFINE};
    setpgid(0, 0);
    if (isolation_wraps(plan->isolation)) {
        const pid_t leader = getpid();
        if (fork_guarded(parent) == 0)
            failure.stage = child_run(plan, leader, output);
    } else {
        failure.stage = child_run(plan, parent, output);
    }
    failure.error = errno;
    while (write(report, &failure, sizeof failure) < 0 && errno == EINTR)
        ;
    _exit(127);
}

/* GCOVR_EXCL_STOP */

static void explain(const struct failure *failure, const struct spawn_config *config, struct error *err)
{
    const char *reason = strerror(failure->error);
    switch (failure->stage) {
    case STAGE_FOLDER:
        error_set(err, "cannot enter %s%s: %s; set TMPDIR to a folder that %s can reach", config->folder,
                  geteuid() == 0 ? " as the unprivileged user" : "", reason,
                  geteuid() == 0 ? "everybody" : "you");
        break;
    case STAGE_PRIVILEGES:
        error_set(err, "cannot become the unprivileged user to run %s: %s", config->argv[0], reason);
        break;
    case STAGE_EXEC:
        error_set(err, "cannot run %s: %s", config->argv[0], reason);
        break;
    case STAGE_REDIRECT:
    case STAGE_CONFINE:
        error_set(err, "cannot set up the limits and pipes of %s: %s", config->argv[0], reason);
        break;
    }
}

/* True when it runs; else the child has been reaped. The pipe closes by exec. */
static bool started(pid_t pid, int report, const struct spawn_config *config, struct error *err)
{
    struct failure failure;
    ssize_t got;
    do
        got = read(report, &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof failure)
        return true;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    explain(&failure, config, err);
    return false;
}

static const char *search_path(void)
{
    const char *search = getenv("PATH");
    return search && *search ? search : "/usr/local/bin:/usr/bin:/bin";
}

bool spawn_find(const char *command, char *path, size_t size)
{
    for (const char *at = search_path(); *at;) {
        size_t length = strcspn(at, ":");
        snprintf(path, size, "%.*s/%s", (int)length, at, command);
        if (access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

bool spawn_finds(const char *command)
{
    char path[4096];
    return spawn_find(command, path, sizeof path);
}

static struct isolation *confine(const struct spawn_config *config, const char *command, struct error *err)
{
    const char *const readable[] = {config->readable ? config->readable : config->folder, NULL};
    const struct isolation_config walls = {
        .kind = ISOLATION_COMPILER,
        .command = command,
        .readable = readable,
        .writable = config->tmpdir,
        .folder = config->folder,
        .trusted = config->trusted,
        .limits = {.cpu_seconds = config->cpu_seconds,
                   .memory = SPAWN_MEMORY,
                   .file_size = config->file_size ? config->file_size : SPAWN_FILE_SIZE,
                   .processes = 512,
                   .files = 256}};
    return isolation_prepare(&walls, err);
}

/* The same command by its full path: what runs in there need not find it again. */
static const char **with_path(const char *const *argv, const char *path)
{
    size_t count = 0;
    while (argv[count])
        count++;
    const char **full = calloc(count + 1, sizeof *full);
    for (size_t i = 0; full && i < count; i++)
        full[i] = i == 0 ? path : argv[i];
    return full;
}

struct spawn *spawn_start(const struct spawn_config *config, struct error *err)
{
    char path[4096], tmpdir[4096], command[4096];
    snprintf(path, sizeof path, "PATH=%s", search_path());
    snprintf(tmpdir, sizeof tmpdir, "TMPDIR=%s", config->tmpdir);
    /* ccache would want a folder of its own to write to */
    char locale[] = "LC_ALL=C", no_cache[] = "CCACHE_DISABLE=1";
    char *const environment[] = {path, locale, tmpdir, no_cache, NULL};
    if (strchr(config->argv[0], '/') || !spawn_find(config->argv[0], command, sizeof command))
        snprintf(command, sizeof command, "%s", config->argv[0]);

    struct spawn *spawn = calloc(1, sizeof *spawn);
    const char **argv = with_path(config->argv, command);
    struct plan plan = {.config = config, .environment = environment};
    int output[2] = {-1, -1}, report[2] = {-1, -1};
    if (!strchr(command, '/') || access(command, X_OK) != 0) {
        error_set(err, "cannot run %s: %s", config->argv[0], strerror(strchr(command, '/') ? errno : ENOENT));
        goto fail;
    }
    if (!(plan.isolation = confine(config, command, err)))
        goto fail;
    if (!spawn || !argv || !(plan.command = isolation_command(plan.isolation, argv)) ||
        pipe2(output, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0) {
        error_set(err, "cannot run %s: %s", config->argv[0], strerror(errno));
        goto fail;
    }
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    spawn->start = now();
    spawn->wall = config->wall_ms * UINT64_C(1000000);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* see reap */
    const pid_t parent = getpid();
    spawn->pid = fork();
    if (spawn->pid == 0)
        child(&plan, parent, output[1], report[1]);
    if (spawn->pid < 0) {
        error_set(err, "cannot start a process for %s: %s", config->argv[0], strerror(errno));
        goto fail;
    }
    setpgid(spawn->pid, spawn->pid); /* whoever comes first */
    close(output[1]);
    close(report[1]);
    output[1] = report[1] = -1;
    if (!started(spawn->pid, report[0], config, err))
        goto fail;
    close(report[0]);
    spawn->output = output[0];
    spawn->most = config->output ? config->output : SPAWN_OUTPUT;
    spawn->wrapped = isolation_wraps(plan.isolation);
    isolation_free(plan.isolation);
    free(argv);
    return spawn;

fail:
    for (int i = 0; i < 2; i++) {
        if (output[i] >= 0)
            close(output[i]);
        if (report[i] >= 0)
            close(report[i]);
    }
    isolation_free(plan.isolation);
    free(argv);
    free(spawn);
    return NULL;
}

/* One read. False at the end of the output (or when nothing is there at the moment). */
static bool collect(struct spawn *spawn)
{
    static char rest[16384];
    if (!spawn->text)
        spawn->text = calloc(1, spawn->most + 1);
    size_t room = spawn->text ? spawn->most - spawn->length : 0;
    ssize_t got = room ? read(spawn->output, spawn->text + spawn->length, room)
                       : read(spawn->output, rest, sizeof rest);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    if (room)
        spawn->length += (size_t)got;
    else
        spawn->truncated = true;
    return true;
}

static bool has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* The CPU time of a process, if it is of that group, with that of the children that it has waited for. */
static uint64_t ticks_of(const char *process, pid_t group)
{
    char path[64], text[1024];
    unsigned long ticks[4];
    int of = 0;
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    const char *behind = strrchr(text, ')'); /* the name may hold anything */
    if (!behind || sscanf(behind, ") %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &of,
                          &ticks[0], &ticks[1], &ticks[2], &ticks[3]) != 5)
        return 0;
    return of == group ? ticks[0] + ticks[1] + ticks[2] + ticks[3] : 0;
}

/* Did all of them together get less than half of a CPU? Within walls, too, they are of the leader's group. */
static bool is_starved(const struct spawn *spawn)
{
    const uint64_t rate = (uint64_t)sysconf(_SC_CLK_TCK);
    uint64_t ticks = 0;
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    while (processes && (entry = readdir(processes)))
        if (*entry->d_name >= '1' && *entry->d_name <= '9')
            ticks += ticks_of(entry->d_name, spawn->pid);
    if (processes)
        closedir(processes);
    return ticks * 1000000000U / rate < (now() - spawn->start) / 2;
}

/* Its time is over, but for what it has to be given because others have the CPU. */
static bool is_over(const struct spawn *spawn, uint64_t *next)
{
    if (now() < *next)
        return false;
    *next += spawn->wall / 4 + 1;
    return now() >= spawn->start + SPAWN_PATIENCE * spawn->wall || !is_starved(spawn);
}

/* True when the leader ended in time. It stays a zombie, so that its group can still be named. */
static bool wait_for_end(struct spawn *spawn)
{
    uint64_t next = spawn->start + spawn->wall;
    bool open = true;
    while (!has_ended(spawn->pid)) {
        if (is_over(spawn, &next))
            return false;
        struct pollfd readable = {.fd = open ? spawn->output : -1, .events = POLLIN};
        /* Once the output is closed the end is a moment away, and nothing announces it. */
        const struct timespec tick = {.tv_nsec = open ? 5000000 : 200000};
        if (ppoll(&readable, 1, &tick, NULL) > 0)
            open = collect(spawn);
    }
    return true;
}

/* Whoever of a killed group is left when its leader has been reaped, such as bubblewrap's inner process, is
 * our child then: this process is a subreaper. PID 1 might take its time. */
static void reap(pid_t group)
{
    for (int i = 0; i < LAST_TICKS; i++) {
        while (waitpid(-group, NULL, WNOHANG) > 0)
            ;
        if (kill(-group, 0) != 0)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

void spawn_finish(struct spawn *spawn, struct spawn_result *result)
{
    bool in_time = wait_for_end(spawn), starved = !in_time && is_starved(spawn);
    int status = 0;
    kill(-spawn->pid, SIGKILL);
    while (waitpid(spawn->pid, &status, 0) < 0 && errno == EINTR)
        ;
    reap(spawn->pid);
    /* What is still in the pipe; a survivor outside the group cannot keep us here. */
    for (int i = 0; i < 64 && collect(spawn); i++)
        ;
    close(spawn->output);
    *result =
        (struct spawn_result){.output = spawn->text, .length = spawn->length, .truncated = spawn->truncated};
    result->starved = starved;
    if (!in_time)
        result->outcome = SPAWN_TIMEOUT;
    else if (WIFSIGNALED(status)) {
        result->outcome = SPAWN_SIGNALED;
        result->code = WTERMSIG(status);
    } else if (spawn->wrapped && WEXITSTATUS(status) > 128) {
        result->outcome = SPAWN_SIGNALED;
        result->code = WEXITSTATUS(status) - 128;
    } else
        result->code = WEXITSTATUS(status);
    free(spawn);
}

void spawn_result_free(struct spawn_result *result)
{
    free(result->output);
    *result = (struct spawn_result){0};
}
