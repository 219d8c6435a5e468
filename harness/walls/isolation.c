#include "harness/walls/isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/walls/isolation_internal.h"

struct isolation {
    enum isolation_kind kind;
    struct isolation_limits limits;
    rlim_t processes;
    int rules;                       /* of Landlock, or -1 */
    const struct sock_fprog *filter; /* or NULL */
    int filter_fd;                   /* bubblewrap reads it from here, or -1 */
    char **wrap;                     /* what goes before the command, or NULL */
    char **command;                  /* both */
};

/* ---- what a program needs of the system ---- */

static const char *const compiler_paths[] = {
    "/usr/bin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/libexec",
    "/usr/include",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/local/include",
    "/usr/x86_64-linux-gnu",
    "/usr/aarch64-linux-gnu",
    "/usr/share/gnuplot",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    NULL,
};
static const char *const emulator_paths[] = {
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache", NULL,
};
static const char *const no_paths[] = {NULL};

const char *const *isolation_system_paths(enum isolation_kind kind)
{
    return kind == ISOLATION_COMPILER   ? compiler_paths
           : kind == ISOLATION_EMULATOR ? emulator_paths
                                        : no_paths;
}

/* ---- what there is ---- */

/* GCOVR_EXCL_START: only a child runs this, and ends without counting */
static _Noreturn void try_landlock(void)
{
    const struct isolation_config nothing = {.kind = ISOLATION_RUNNER, .command = "/"};
    int rules = landlock_rules(&nothing, NULL, true);
    bool good = rules >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && landlock_enter(rules);
    if (good && open("/", O_RDONLY | O_CLOEXEC) < 0 && errno == EACCES)
        _exit(0);
    _exit(good ? EPERM : errno);
}

static _Noreturn void try_seccomp(const struct sock_fprog *filter)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !seccomp_enter(filter))
        _exit(errno);
    _exit(0);
}
/* GCOVR_EXCL_STOP */

/* 0, or what errno said in the child. */
static int outcome_of(pid_t pid)
{
    int status = 0;
    pid_t ended = pid;
    while (pid > 0 && (ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    return ended < 0 ? EAGAIN : WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

static void look_at_landlock(struct isolation_state *state)
{
    const int version = landlock_version();
    int failure = version > 0 ? 0 : errno;
    if (failure == 0) {
        pid_t pid = fork();
        if (pid == 0)
            try_landlock();
        failure = outcome_of(pid);
    }
    if (failure == 0)
        state->landlock = version;
    else
        snprintf(state->landlock_why, sizeof state->landlock_why, "%s",
                 failure == ENOSYS       ? "this kernel has none (it came with Linux 5.13)"
                 : failure == EOPNOTSUPP ? "it is switched off: add landlock to the kernel's lsm= option"
                                         : strerror(failure));
}

static void look_at_seccomp(struct isolation_state *state)
{
    struct error err;
    const struct sock_fprog *filter = seccomp_filter(ISOLATION_RUNNER, LENT_NONE, &err);
    if (!filter) {
        snprintf(state->seccomp_why, sizeof state->seccomp_why, "%.150s", err.text);
        return;
    }
    pid_t pid = fork();
    if (pid == 0)
        try_seccomp(filter);
    int failure = outcome_of(pid);
    state->seccomp = failure == 0;
    if (failure != 0)
        snprintf(state->seccomp_why, sizeof state->seccomp_why, "%s",
                 failure == ENOSYS || failure == EINVAL ? "this kernel has no filters for system calls"
                                                        : strerror(failure));
}

const struct isolation_state *isolation_state(void)
{
    static struct isolation_state state;
    static bool known;
    if (known)
        return &state;
    known = true;
    state.limits = state.no_new_privileges = state.unprivileged = true; /* without them nothing is started */
    look_at_landlock(&state);
    look_at_seccomp(&state);
    state.bubblewrap = bubblewrap_usable(state.bubblewrap_why, sizeof state.bubblewrap_why);
    return &state;
}

bool isolation_level_parse(const char *text, enum isolation_level *level)
{
    if (strcmp(text, "strict") != 0 && strcmp(text, "best") != 0)
        return false;
    *level = text[0] == 's' ? ISOLATION_STRICT : ISOLATION_BEST;
    return true;
}

bool isolation_judge(enum isolation_level level, const struct isolation_state *state, struct error *err)
{
    const char *what = !state->landlock ? "Landlock" : !state->seccomp ? "seccomp" : NULL;
    if (level == ISOLATION_BEST ||
        (!what && state->limits && state->no_new_privileges && state->unprivileged))
        return true;
    if (!what)
        what = !state->limits ? "limits on resources" : "a user without privileges";
    const char *why = !state->landlock ? state->landlock_why : !state->seccomp ? state->seccomp_why : "";
    return error_set(
        err,
        "strict isolation asks for Landlock, seccomp, limits and no privileges, and there is no %s "
        "here%s%s; grade with ON=qemu, where student code has no system calls, on another machine, or "
        "with --isolation best",
        what, *why ? ": " : "", why);
}

bool isolation_require(enum isolation_level level, struct error *err)
{
    return isolation_judge(level, isolation_state(), err);
}

/* ---- before fork ---- */

/* The kernel counts a user's threads, so a limit has to be above what runs already. The system's total (the
 * fourth field of /proc/loadavg, "running/total") is never below that. */
static rlim_t threads_now(void)
{
    unsigned total = 4096;
    FILE *file = fopen("/proc/loadavg", "re");
    if (file) {
        if (fscanf(file, "%*s %*s %*s %*u/%u", &total) != 1)
            total = 4096;
        fclose(file);
    }
    return total;
}

enum { OWN_PATHS = 8 };

/* A compiler from elsewhere (/opt/gcc/bin/gcc) brings what it needs beside its folder. */
struct own_paths {
    char text[OWN_PATHS][PATH_MAX];
    const char *all[OWN_PATHS + 1];
};

static void list_paths(struct own_paths *own, const struct isolation_config *config)
{
    static const char *const beside[] = {"", "/../lib", "/../lib64", "/../libexec", "/../include"};
    char real[PATH_MAX], folder[PATH_MAX];
    size_t count = 0;
    if (config->kind == ISOLATION_COMPILER && realpath(config->command, real) &&
        strncmp(real, "/usr/", 5) != 0) {
        snprintf(folder, sizeof folder, "%s", dirname(real));
        for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
            char path[PATH_MAX + 16];
            snprintf(path, sizeof path, "%s%s", folder, beside[i]);
            const char *base = strrchr(folder, '/');
            if ((i == 0 || (base && strcmp(base, "/bin") == 0)) && realpath(path, own->text[count])) {
                own->all[count] = own->text[count];
                count++;
            }
        }
    }
    own->all[count] = NULL;
}

static int file_of(const struct sock_fprog *filter)
{
    const size_t size = filter->len * sizeof *filter->filter;
    int fd = memfd_create("filter", 0); /* bubblewrap is to find it open */
    if (fd >= 0 && pwrite(fd, filter->filter, size, 0) == (ssize_t)size)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Out of the way of the descriptors that the child's program is to have. */
static int move_up(int fd)
{
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, ISOLATION_REPORT_FD + 1);
    if (fd >= 0)
        close(fd);
    return moved;
}

struct isolation *isolation_prepare(const struct isolation_config *config, struct error *err)
{
    const struct isolation_state *state = isolation_state();
    struct isolation *isolation = calloc(1, sizeof *isolation);
    struct own_paths *own = calloc(1, sizeof *own);
    bool good = isolation && own;
    if (!good) {
        error_set(err, "out of memory");
        goto end;
    }
    *isolation =
        (struct isolation){.kind = config->kind, .limits = config->limits, .rules = -1, .filter_fd = -1};
    isolation->processes = config->limits.processes > 0 ? threads_now() + config->limits.processes : 0;
    list_paths(own, config);
    const bool confined = config->kind != ISOLATION_DEBUGGED;
    if (state->seccomp && confined) {
        isolation->filter = seccomp_filter(config->kind, config->lent, err);
        if (!isolation->filter)
            goto end;
    }
    const bool wrapped = config->kind == ISOLATION_COMPILER && state->bubblewrap && !config->trusted;
    if (wrapped) {
        isolation->filter_fd = isolation->filter ? file_of(isolation->filter) : -1;
        isolation->wrap = bubblewrap_arguments(config, own->all, isolation->filter_fd);
    }
    /* A process under Landlock cannot mount: bubblewrap makes the file system itself. */
    const bool ruled = confined && landlock_forbids(state->landlock, !wrapped);
    if (ruled)
        isolation->rules = move_up(landlock_rules(config, own->all, !wrapped));
    good = (!wrapped || (isolation->wrap && (!isolation->filter || isolation->filter_fd >= 0))) &&
           (!ruled || isolation->rules >= 0);
    if (!good)
        error_set(err, "cannot confine %s: %s", config->command, strerror(errno));
end:
    free(own);
    if (good)
        return isolation;
    isolation_free(isolation);
    return NULL;
}

char *const *isolation_command(struct isolation *isolation, const char *const *argv)
{
    size_t before = 0, after = 0;
    while (isolation->wrap && isolation->wrap[before])
        before++;
    while (argv[after])
        after++;
    free(isolation->command);
    isolation->command = calloc(before + after + 1, sizeof *isolation->command);
    for (size_t i = 0; isolation->command && i < before; i++)
        isolation->command[i] = isolation->wrap[i];
    for (size_t i = 0; isolation->command && i < after; i++)
        isolation->command[before + i] = (char *)(uintptr_t)argv[i];
    return isolation->command;
}

bool isolation_wraps(const struct isolation *isolation)
{
    return isolation->wrap != NULL;
}

void isolation_free(struct isolation *isolation)
{
    if (!isolation)
        return;
    if (isolation->rules >= 0)
        close(isolation->rules);
    if (isolation->filter_fd >= 0)
        close(isolation->filter_fd);
    bubblewrap_free(isolation->wrap);
    free(isolation->command);
    free(isolation);
}

/* ---- in the child. GCOVR_EXCL_START: it counts nothing ---- */

static bool limit(__rlimit_resource_t resource, rlim_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return false;
    /* soft below hard: then the end of the CPU time has a signal of its own, SIGXCPU */
    struct rlimit wanted = {value, resource == RLIMIT_CPU ? value + 1 : value};
    if (now.rlim_max != RLIM_INFINITY && wanted.rlim_max > now.rlim_max)
        wanted.rlim_max = now.rlim_max;
    if (wanted.rlim_cur >= wanted.rlim_max)
        wanted.rlim_cur =
            resource == RLIMIT_CPU && wanted.rlim_max > 1 ? wanted.rlim_max - 1 : wanted.rlim_max;
    return setrlimit(resource, &wanted) == 0;
}

/* The runner has to clone a process for each plan first: those take the last limit themselves. */
static bool limit_processes(const struct isolation *isolation)
{
    return isolation->kind == ISOLATION_RUNNER || limit(RLIMIT_NPROC, isolation->processes);
}

static bool set_limits(const struct isolation *isolation)
{
    const struct isolation_limits *limits = &isolation->limits;
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, limits->file_size) &&
           (limits->cpu_seconds == 0 || limit(RLIMIT_CPU, limits->cpu_seconds)) &&
           (limits->memory == 0 || limit(RLIMIT_AS, limits->memory)) && limit(RLIMIT_NOFILE, limits->files) &&
           limit(RLIMIT_MEMLOCK, 0) && limit(RLIMIT_MSGQUEUE, 0) && limit_processes(isolation);
}

bool isolation_enter(const struct isolation *isolation)
{
    if (isolation->filter_fd >= 0 && fcntl(isolation->filter_fd, F_SETFD, 0) != 0) /* through exec */
        return false;
    return set_limits(isolation) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           (isolation->rules < 0 || landlock_enter(isolation->rules)) &&
           (!isolation->filter || isolation->wrap || seccomp_enter(isolation->filter));
}

/* GCOVR_EXCL_STOP */
