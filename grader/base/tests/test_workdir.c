#include "grader/tests/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "grader/base/workdir.h"
#include "harness/walls/privileges.h"

static struct error err;

static void before(void)
{
    scratch_make();
    chmod(scratch_root, 0755);
    setenv("TMPDIR", scratch_root, 1);
}

/* cppcheck-suppress unknownMacro */
TestSuite(workdir, .init = before, .fini = scratch_remove);

static unsigned entries(void)
{
    unsigned count = 0;
    DIR *folder = opendir(scratch_root);
    cr_assert(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 2;
}

/* A folder named as ours, with a file and a link in it. */
static const char *left_behind(const char *random)
{
    char name[128], inner[160];
    snprintf(name, sizeof name, "cyclelab-%u-%s", (unsigned)geteuid(), random);
    snprintf(inner, sizeof inner, "%s/deep/file", name);
    scratch_write(inner, "x");
    snprintf(inner, sizeof inner, "%s/link", name);
    cr_assert(symlink(scratch_path("precious"), scratch_path(inner)) == 0);
    return scratch_path(name);
}

Test(workdir, is_private_locked_and_gone_afterwards)
{
    struct stat info;
    struct workdir *workdir = workdir_create(&err);
    cr_assert(workdir, "%s", err.text);
    cr_assert_eq(stat(workdir_path(workdir), &info), 0);
    cr_expect_eq(info.st_mode & 07777, geteuid() == 0 ? 0711U : 0700U);
    cr_expect_eq(info.st_uid, geteuid());
    int fd = open(workdir_path(workdir), O_RDONLY | O_DIRECTORY);
    cr_expect_neq(flock(fd, LOCK_EX | LOCK_NB), 0);
    close(fd);
    struct workdir *second = workdir_create(&err);
    cr_assert(second);
    cr_expect_eq(access(workdir_path(workdir), F_OK), 0, "the first one was swept though it is locked");
    workdir_destroy(second);
    workdir_destroy(workdir);
    workdir_destroy(NULL);
    cr_expect_eq(entries(), 0);
}

Test(workdir, sweeps_what_a_killed_run_left_and_follows_no_link)
{
    scratch_write("precious/file", "x");
    left_behind("AAAAAA");
    const char *odd = left_behind("AAAA.A"), *longer = left_behind("AAAAAAA");
    const char *locked = left_behind("BBBBBB");
    int fd = open(locked, O_RDONLY | O_DIRECTORY);
    cr_assert_eq(flock(fd, LOCK_SH), 0);
    struct workdir *workdir = workdir_create(&err);
    cr_assert(workdir, "%s", err.text);
    char name[64];
    snprintf(name, sizeof name, "cyclelab-%u-AAAAAA", (unsigned)geteuid());
    cr_expect_neq(access(scratch_path(name), F_OK), 0);
    cr_expect_eq(access(locked, F_OK), 0);
    cr_expect_eq(access(odd, F_OK), 0);
    cr_expect_eq(access(longer, F_OK), 0);
    cr_expect_eq(access(scratch_path("precious/file"), F_OK), 0);
    workdir_destroy(workdir);
    close(fd);
}

Test(workdir, leaves_what_belongs_to_somebody_else)
{
    if (geteuid() != 0)
        cr_skip_test("needs root to make a folder for somebody else");
    const char *theirs = left_behind("CCCCCC");
    cr_assert_eq(chown(theirs, 12345, 12345), 0);
    struct workdir *workdir = workdir_create(&err);
    cr_assert(workdir);
    cr_expect_eq(access(theirs, F_OK), 0);
    workdir_destroy(workdir);
}

Test(workdir, removes_what_the_unprivileged_user_made_unreadable)
{
    struct workdir *workdir = workdir_create(&err);
    cr_assert(workdir);
    char inner[4600];
    snprintf(inner, sizeof inner, "%s/closed", workdir_path(workdir));
    cr_assert_eq(mkdir(inner, 0700), 0);
    snprintf(inner, sizeof inner, "%s/closed/folder", workdir_path(workdir));
    cr_assert_eq(mkdir(inner, 0), 0);
    snprintf(inner, sizeof inner, "%s/closed", workdir_path(workdir));
    cr_assert_eq(chmod(inner, 0), 0);
    workdir_destroy(workdir);
    cr_expect_eq(entries(), 0);
}

Test(workdir, many_at_once_do_not_sweep_each_other)
{
    enum { PROCESSES = 8, ROUNDS = 20 };
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() != 0)
            continue;
        for (int round = 0; round < ROUNDS; round++) {
            struct workdir *workdir = workdir_create(&err);
            if (!workdir || access(workdir_path(workdir), F_OK) != 0)
                _exit(1);
            workdir_destroy(workdir);
        }
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        wait(&status);
        cr_expect_eq(status, 0);
    }
    cr_expect_eq(entries(), 0);
}

Test(workdir, whoever_is_killed_at_any_moment_leaves_nothing)
{
    enum { ROUNDS = 300, MOMENTS = 2500 /* us: several folders */, PATIENCE = 10000 /* ms */ };
    for (int round = 0; round < ROUNDS; round++) {
        pid_t pid = fork();
        cr_assert_geq(pid, 0);
        while (pid == 0)
            workdir_destroy(workdir_create(&err));
        usleep((useconds_t)(round * MOMENTS / ROUNDS));
        cr_assert_eq(kill(pid, SIGKILL), 0);
        cr_assert_eq(waitpid(pid, NULL, 0), pid);
        for (int waited = 0; entries() > 0 && waited < PATIENCE; waited++)
            usleep(1000);
        cr_assert_eq(entries(), 0, "killed after %d us", round * MOMENTS / ROUNDS);
    }
}

Test(workdir, says_where_it_cannot_be)
{
    setenv("TMPDIR", "/nonexistent/folder", 1);
    cr_assert_null(workdir_create(&err));
    cr_expect(strstr(err.text, "/nonexistent/folder: No such file"), "%s", err.text);
    cr_expect(strstr(err.text, "set TMPDIR"), "%s", err.text);
    setenv("TMPDIR", "relative", 1);
    struct workdir *workdir = workdir_create(&err);
    cr_assert(workdir);
    cr_expect_eq(strncmp(workdir_path(workdir), "/tmp/cyclelab-", 14), 0);
    workdir_destroy(workdir);
}

Test(workdir, what_cannot_be_opened_or_locked_is_told_and_not_left_there)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_flock, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog no_flock = {sizeof filter / sizeof *filter, filter};
    struct rlimit files, none;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
    none = files;
    none.rlim_cur = 0;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    cr_expect_null(workdir_create(&err));
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
    cr_expect_eq(entries(), 0);
    cr_expect(strstr(err.text, "cannot open a work folder in ") && strstr(err.text, "Too many open files"),
              "%s", err.text);

    cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    cr_assert_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &no_flock), 0);
    cr_expect_null(workdir_create(&err));
    cr_expect_eq(entries(), 0);
    cr_expect(strstr(err.text, "cannot lock a work folder in ") && strstr(err.text, "No locks available"),
              "%s", err.text);
    cr_expect(strstr(err.text, "a file system with flock"), "%s", err.text);
}

Test(workdir, root_is_dropped)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(drop_privileges() && geteuid() != 0 && getuid() != 0 && getegid() != 0 ? 0 : 1);
    int status = 0;
    waitpid(pid, &status, 0);
    cr_expect_eq(status, 0);
}

Test(workdir, works_for_an_ordinary_user)
{
    if (geteuid() != 0)
        cr_skip_test("the other tests do this");
    chmod(scratch_root, 0777);
    cr_assert_eq(seteuid(65534), 0);
    struct workdir *workdir = workdir_create(&err);
    cr_assert(workdir, "%s", err.text);
    char inner[4600];
    snprintf(inner, sizeof inner, "%s/closed", workdir_path(workdir));
    cr_assert_eq(mkdir(inner, 0700), 0);
    snprintf(inner, sizeof inner, "%s/closed/file", workdir_path(workdir));
    cr_assert_eq(mkdir(inner, 0), 0);
    snprintf(inner, sizeof inner, "%s/closed", workdir_path(workdir));
    cr_assert_eq(chmod(inner, 0), 0);
    workdir_destroy(workdir);
    cr_expect_eq(entries(), 0);
    cr_assert_eq(seteuid(0), 0);
}
