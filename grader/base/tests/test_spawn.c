#include "grader/tests/scratch.h"

#include <glob.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include "grader/base/spawn.h"
#include "harness/base/tests/sanitized.h"
#include "harness/walls/isolation.h"

static struct error err;
static struct spawn_result result;

static void before(void)
{
    scratch_make();
    chmod(scratch_root, 0777);
}

static void after(void)
{
    spawn_result_free(&result);
    scratch_remove();
}

/* cppcheck-suppress unknownMacro */
TestSuite(spawn, .init = before, .fini = after);

static bool trusted; /* without bubblewrap */

static void run(const char *script, unsigned wall_ms)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct spawn_config config = {.argv = argv,
                                        .folder = scratch_root,
                                        .tmpdir = scratch_root,
                                        .trusted = trusted,
                                        .wall_ms = wall_ms,
                                        .cpu_seconds = 5};
    spawn_result_free(&result);
    struct spawn *spawn = spawn_start(&config, &err);
    cr_assert(spawn, "%s", err.text);
    spawn_finish(spawn, &result);
}

Test(spawn, output_status_folder_and_environment)
{
    setenv("SECRET", "x", 1);
    run("pwd; echo \"$TMPDIR\" >&2; env | grep -c SECRET; read line; exit 7", 10000);
    char expected[9000];
    snprintf(expected, sizeof expected, "%s\n%s\n0\n", scratch_root, scratch_root);
    cr_expect_eq(result.outcome, SPAWN_EXITED);
    cr_expect_eq(result.code, 7);
    cr_expect_str_eq(result.output, expected);
    cr_expect_not(result.truncated);
}

Test(spawn, limits_are_set)
{
    run("ulimit -c; ulimit -f; ulimit -t; ulimit -v; umask", 10000);
    cr_expect_str_eq(result.output, "0\n131072\n5\n2097152\n0022\n");
    if (geteuid() == 0) {
        run("id -u", 10000);
        cr_expect_str_neq(result.output, "0\n");
    }
}

Test(spawn, a_flood_is_cut_and_read_on)
{
    run("yes | head -c 3000000", 10000);
    cr_expect_eq(result.outcome, SPAWN_EXITED);
    cr_expect_eq(result.length, SPAWN_OUTPUT);
    cr_expect(result.truncated);
}

Test(spawn, an_endless_flood_is_ended)
{
    run("yes", 200);
    cr_expect_eq(result.outcome, SPAWN_TIMEOUT);
    cr_expect(result.truncated);
}

/* Who did not get the CPU gets more time. (Who did get it is not told here: how busy is this machine?) */
Test(spawn, who_was_starved_is_given_time_and_told)
{
    run("sleep 0.3; echo done", 200);
    cr_expect_eq(result.outcome, SPAWN_EXITED);
    run("sleep 1000", 200);
    cr_expect_eq(result.outcome, SPAWN_TIMEOUT);
    cr_expect(result.starved);
}

static void limit_to(__rlimit_resource_t resource, rlim_t value)
{
    const struct rlimit low = {value, value};
    cr_assert_eq(setrlimit(resource, &low), 0);
}

Test(spawn, limits_are_never_above_the_inherited_ones)
{
    if (SANITIZED)
        cr_skip_test("under AddressSanitizer there is no limit of memory");
    isolation_state();
    limit_to(RLIMIT_CPU, 4);
    limit_to(RLIMIT_NOFILE, 40);
    limit_to(RLIMIT_AS, (rlim_t)1900 << 20);
    run("ulimit -St; ulimit -Ht; ulimit -n; ulimit -v", 10000);
    cr_expect_str_eq(result.output, "3\n4\n40\n1945600\n", "%s", result.output);
    run("while :; do :; done", 60000);
    cr_expect_eq(result.outcome, SPAWN_SIGNALED);
    cr_expect_eq(result.code, SIGXCPU);
}

/* Is there a process, not yet at its end, that has this anywhere in its command? It has other numbers inside
 * of its walls. */
static bool alive(const char *words)
{
    glob_t found;
    bool is = false;
    if (glob("/proc/[0-9]*/cmdline", 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc && !is; i++) {
        char text[16384];
        FILE *file = fopen(found.gl_pathv[i], "r");
        size_t length = file ? fread(text, 1, sizeof text, file) : 0;
        is = memmem(text, length, words, strlen(words)) != NULL;
        if (file)
            fclose(file);
    }
    globfree(&found);
    return is;
}

Test(spawn, a_sleeper_is_ended_with_its_children)
{
    char script[128], argument[32];
    snprintf(argument, sizeof argument, "1000.%d", (int)getpid());
    snprintf(script, sizeof script, "sleep %s & sleep 1000", argument);
    run(script, 400);
    cr_expect_eq(result.outcome, SPAWN_TIMEOUT);
    bool still = true;
    for (int i = 0; i < 100 && (still = alive(argument)); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    cr_expect_not(still);
}

Test(spawn, closed_output_is_no_end)
{
    run("exec >&- 2>&-; sleep 0.05; exit 3", 10000);
    cr_expect_eq(result.outcome, SPAWN_EXITED);
    cr_expect_eq(result.code, 3);
    run("exec >&- 2>&-; sleep 1000", 100);
    cr_expect_eq(result.outcome, SPAWN_TIMEOUT);
}

Test(spawn, an_heir_of_the_output_does_not_keep_us)
{
    run("sleep 1000 & exit 0", 10000);
    cr_expect_eq(result.outcome, SPAWN_EXITED);
    cr_expect_eq(result.code, 0);
}

/* This test is what PID 1 is elsewhere, and reaps nobody. */
Test(spawn, what_outlives_the_command_is_reaped_here)
{
    int status = 1;
    isolation_state(); /* its children are not those meant */
    cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    pid_t pid = fork();
    if (pid == 0) {
        run("sleep 1000 & exit 0", 10000);
        _exit(result.outcome == SPAWN_EXITED ? 0 : 1);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_expect_eq(status, 0);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a process is left to PID 1");
}

/* A grader that is killed `after` so many microseconds from the start of a long command. */
static void kill_grader(const char *const *argv, unsigned after)
{
    const struct spawn_config config = {
        .argv = argv, .folder = scratch_root, .tmpdir = scratch_root, .wall_ms = 60000, .cpu_seconds = 5};
    pid_t grader = fork();
    if (grader == 0) {
        struct spawn *spawn = spawn_start(&config, &err);
        if (spawn)
            spawn_finish(spawn, &result);
        _exit(0);
    }
    cr_assert_gt(grader, 0);
    nanosleep(&(struct timespec){.tv_nsec = 1000L * after}, NULL);
    kill(grader, SIGKILL);
    waitpid(grader, NULL, 0);
}

/* Whenever that is: bubblewrap's inner process waits for the outer one before it asks to die with it. */
Test(spawn, nothing_outlives_a_killed_grader)
{
    enum { KILLS = 150, STEP = 80 };
    const char *const argv[] = {"sleep", "60", NULL};
    isolation_state(); /* looked up once, before the forks */
    for (unsigned i = 0; i < KILLS; i++)
        kill_grader(argv, i * STEP);
    for (int i = 0; i < 100 && alive(scratch_root); i++)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    cr_expect_not(alive(scratch_root));
}

Test(spawn, a_signal_is_told)
{
    run("exec yes > big", 10000);
    cr_expect_eq(result.outcome, SPAWN_SIGNALED);
    cr_expect_eq(result.code, SIGXFSZ);
    struct stat info;
    cr_assert_eq(stat(scratch_path("big"), &info), 0);
    cr_expect_eq(info.st_size, SPAWN_FILE_SIZE);
}

Test(spawn, signals_start_afresh)
{
    signal(SIGPIPE, SIG_IGN);
    sigset_t set;
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    run("yes | head -n 1", 10000); /* ignored or blocked, yes would complain */
    cr_expect_str_eq(result.output, "y\n");
}

static void expect_denied(const char *const *denied, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char script[256];
        snprintf(script, sizeof script, "PARENT=%d; if (%s) >out 2>/dev/null; then echo done; fi; cat out",
                 (int)getpid(), denied[i]);
        run(script, 10000);
        cr_expect_str_eq(result.output, "", "%s: %s", denied[i], result.output);
    }
}

/* With bubblewrap, and with Landlock alone. */
Test(spawn, sees_no_proc)
{
    static const char *const denied[] = {
        "ls /proc/$PARENT",        "cat /proc/self/environ", "head -c 1 /proc/self/maps", "cat /proc/version",
        "head -c 1 /proc/cpuinfo", "cat /proc/1/cmdline",    "ls /proc/self/fd",          "ls /sys"};
    if (!isolation_state()->landlock)
        cr_skip_test("no Landlock here: %s", isolation_state()->landlock_why);
    for (int i = 0; i < 2; i++) {
        trusted = i == 1;
        run("echo 1 > file && cat file && rm file", 10000);
        cr_expect_str_eq(result.output, "1\n");
        expect_denied(denied, sizeof denied / sizeof *denied);
    }
}

Test(spawn, sees_its_own_folder_and_the_system_only)
{
    static const char *const denied[] = {
        "cat /etc/passwd",     "ls /proc/$PARENT", "ls /root /home", "echo > /tmp/cyclelab-test-here",
        "head -c 1 /dev/zero", "mkfifo pipe",      "ln -s / link",   "kill -0 $PPID"};
    if (!isolation_state()->landlock)
        cr_skip_test("no Landlock here: %s", isolation_state()->landlock_why);
    run("echo 1 > file && cat file && rm file", 10000);
    cr_expect_str_eq(result.output, "1\n");
    expect_denied(denied, sizeof denied / sizeof *denied);
    cr_expect_neq(access("/tmp/cyclelab-test-here", F_OK), 0);
}

static void expect_no_start(const char *program, const char *folder, const char *part)
{
    const char *const argv[] = {program, NULL};
    const struct spawn_config config = {
        .argv = argv, .folder = folder, .tmpdir = folder, .wall_ms = 1000, .cpu_seconds = 1};
    cr_expect_null(spawn_start(&config, &err));
    cr_expect(strstr(err.text, part), "expected \"%s\" in: %s", part, err.text);
}

Test(spawn, what_cannot_start_says_why)
{
    expect_no_start("/no/such/program", scratch_root, "cannot run /no/such/program: No such file");
    expect_no_start("true", scratch_path("nowhere"), "No such file or directory; set TMPDIR");
    unsetenv("PATH");
    run("echo $PATH", 1000);
    cr_expect_str_eq(result.output, "/usr/local/bin:/usr/bin:/bin\n");
}

Test(spawn, several_at_once)
{
    const char *const argv[] = {"sh", "-c", "sleep 0.2; echo done", NULL};
    const struct spawn_config config = {
        .argv = argv, .folder = scratch_root, .tmpdir = scratch_root, .wall_ms = 10000, .cpu_seconds = 5};
    struct spawn *spawns[4];
    for (int i = 0; i < 4; i++)
        cr_assert(spawns[i] = spawn_start(&config, &err));
    for (int i = 0; i < 4; i++) {
        spawn_result_free(&result);
        spawn_finish(spawns[i], &result);
        cr_expect_str_eq(result.output, "done\n");
    }
}

Test(spawn, commands_are_found_in_the_path)
{
    cr_expect(spawn_finds("sh"));
    cr_expect_not(spawn_finds("no-such-command"));
    unsetenv("PATH");
    cr_expect(spawn_finds("sh"));
    setenv("PATH", "/nowhere", 1);
    cr_expect_not(spawn_finds("sh"));
}
