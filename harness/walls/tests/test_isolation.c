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

#include "harness/walls/isolation_internal.h"
#include "harness/walls/privileges.h"
#include "harness/base/tests/sanitized.h"
#include "harness/walls/tests/wall_kit.h"

/* ---- the state ---- */

/* A set of rules that forbids nothing is refused by the kernel. Debian 12's (6.1) has version 2. */
Test(isolation, there_are_rules_where_there_is_something_to_forbid)
{
    for (int version = 0; version < 8; version++) {
        cr_expect_eq(landlock_forbids(version, true), version >= 1, "files, version %d", version);
        cr_expect_eq(landlock_forbids(version, false), version >= 4, "beside bubblewrap, version %d",
                     version);
    }
}

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

/* Its inner process waits for the outer one before it dies with it. Here whoever is left is this process's
 * child. */
Test(isolation, killed_at_any_moment_bubblewraps_probe_leaves_nobody, .timeout = 120)
{
    char why[160];
    const struct timespec moment = {.tv_nsec = 1000000};
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (long delay = 0; delay < 8000; delay += 40) {
        const pid_t pid = fork();
        if (pid == 0) {
            bubblewrap_usable(why, sizeof why);
            _exit(0);
        }
        nanosleep(&(struct timespec){.tv_nsec = delay * 1000}, NULL);
        kill(pid, SIGKILL);
        int left = 0;
        for (int i = 0; i < 10000 && (left = waitpid(-1, NULL, WNOHANG)) >= 0; i++)
            if (left == 0)
                nanosleep(&moment, NULL);
        cr_assert_lt(left, 0, "somebody is left, killed after %ld us", delay);
    }
}
