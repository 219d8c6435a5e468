#include "grader/student/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/build/build.h"
#include "grader/check/fault.h"
#include "grader/exercise/layout.h"
#include "harness/walls/privileges.h"
#include "harness/runner/machine.h"

enum { CALLS = 10, SOCKET_WAIT_MS = 5000, NO_LIMIT_MS = INT_MAX, ARGUMENTS = 64, SEED = 1 };

/* A folder in which qemu-aarch64, which runs as the unprivileged user, can make its socket. */
static bool socket_folder(struct workdir *workdir, char *socket, size_t size, struct error *err)
{
    uid_t uid;
    gid_t gid;
    char folder[PATH_MAX];
    unprivileged_user(&uid, &gid);
    snprintf(folder, sizeof folder, "%s/gdb", workdir_path(workdir));
    snprintf(socket, size, "%s/gdb/socket", workdir_path(workdir));
    if (mkdir(folder, 0700) == 0 && (geteuid() != 0 || chown(folder, uid, gid) == 0))
        return true;
    return error_set(err, "cannot make a folder for gdb's socket at %s: %s", folder, strerror(errno));
}

static bool wait_for_socket(const char *path)
{
    for (int waited = 0; waited < SOCKET_WAIT_MS; waited += 10) {
        if (access(path, F_OK) == 0)
            return true;
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    return false;
}

/* GCOVR_EXCL_START: a child runs this, and counts nothing */
/* In a child: gdb in a child of its own, whose end, however it comes, is the machine's too. */
static _Noreturn void mind_gdb(char **argv, int report, pid_t machine)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        execvp(argv[0], argv);
        int failure = errno;
        _exit(write(report, &failure, sizeof failure) < 0 ? 126 : 127);
    }
    close(report);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    kill(machine, SIGKILL);
    _exit(0);
}
/* GCOVR_EXCL_STOP */

/* gdb with the program loaded, the function to stop at, and the connection. -1 with err. */
static pid_t start_gdb(const char *gdb, const char *program, const char *socket,
                       const struct exercise *exercise, pid_t machine, struct error *err)
{
    char words[1024], target[PATH_MAX + 32], breaks[ARGUMENTS / 4][160], *argv[ARGUMENTS];
    unsigned count = 0;

    snprintf(words, sizeof words, "%s", gdb);
    for (char *save, *word = strtok_r(words, " ", &save); word && count < 16;
         word = strtok_r(NULL, " ", &save))
        argv[count++] = word;
    argv[count++] = (char *)program;
    argv[count++] = "-q";
    argv[count++] = "-iex";
    argv[count++] = "set auto-load off";
    argv[count++] = "-ex";
    argv[count++] = "set confirm off";
    snprintf(target, sizeof target, "target remote %s", socket);
    argv[count++] = "-ex";
    argv[count++] = target;
    for (unsigned i = 0; i < exercise->functions_count && i < ARGUMENTS / 4; i++) {
        snprintf(breaks[i], sizeof breaks[i], "break %s", exercise->functions[i]);
        argv[count++] = "-ex";
        argv[count++] = breaks[i];
        if (count > ARGUMENTS - 4)
            break;
    }
    argv[count++] = "-ex";
    argv[count++] = "continue";
    argv[count] = NULL;

    int report[2], failure = 0;
    if (pipe2(report, O_CLOEXEC) != 0) {
        error_set(err, "cannot start %s: %s", argv[0], strerror(errno));
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0)
        mind_gdb(argv, report[1], machine);
    close(report[1]);
    if (pid > 0 && read(report[0], &failure, sizeof failure) == sizeof failure) {
        waitpid(pid, NULL, 0);
        pid = -1;
        error_set(err, "cannot run %s: %s%s", argv[0], strerror(failure),
                  failure == ENOENT ? " (package gdb-multiarch; `make setup` installs it)" : "");
    }
    close(report[0]);
    return pid;
}

static void tell_outcome(const struct machine_run *run, struct layout *layout, const char *program)
{
    struct fault_text text;
    struct finding why;
    if (run->outcome == MACHINE_DONE) {
        for (size_t i = 0; i < layout_count(layout); i++) {
            if (!layout_verify(layout, i, &why)) {
                printf("wrong result with n = %zu: %s\n", layout_elements(layout, i), why.text);
                return;
            }
        }
        printf("all %zu calls came back, and their results are right\n", layout_count(layout));
    } else if (run->outcome != MACHINE_EXITED) {
        fault_describe(run, layout, program, ISA_AARCH64, 0, &text);
        printf("%s\n", text.message);
    }
}

/* With everything built and laid out: start the machine and gdb, and see both to their ends. */
static int session(const char *program, const char *socket, const char *gdb, const struct exercise *exercise,
                   struct arena *arena, struct layout *layout, struct error *err)
{
    struct machine_config config = {.program = program,
                                    .emulator = "qemu-aarch64",
                                    .gdb_socket = socket,
                                    .cpu = -1,
                                    .drop_privileges = true};
    struct machine_run run;
    struct machine *machine = machine_start(&config, arena, err);
    if (!machine)
        return 4;
    layout_fill(layout, layout_count(layout));
    if (!wait_for_socket(socket)) {
        machine_stop(machine);
        error_set(err, "qemu-aarch64 does not wait for gdb: is it a version from 5.0 on?");
        return 4;
    }
    void (*before)(int) = signal(SIGINT, SIG_IGN); /* Ctrl-C is gdb's */
    pid_t debugger = start_gdb(gdb, program, socket, exercise, machine_pid(machine), err);
    if (debugger > 0) {
        machine_execute(machine, NO_LIMIT_MS, &run); /* until it is ready */
        if (run.outcome == MACHINE_EXITED && run.signal == SIGSTOP) {
            machine_execute(machine, NO_LIMIT_MS, &run);
            tell_outcome(&run, layout, program);
        }
    }
    machine_stop(machine);
    if (debugger > 0)
        while (waitpid(debugger, NULL, 0) < 0 && errno == EINTR)
            ;
    signal(SIGINT, before);
    return debugger > 0 ? 0 : 4;
}

int debug_exercise(const char *root, const char *build, const struct exercise *exercise, const char *source,
                   const char *gdb, struct error *err)
{
    char socket[PATH_MAX];
    struct layout_call calls[CALLS];
    struct selection selection;
    struct build_result built = {0};
    int status = 4;

    const struct case_table *table = exercise_cases(exercise, build, err);
    const struct case_def *def = table ? case_find(table, exercise->cases[0]) : NULL;
    if (!def)
        return 4;
    build_select(exercise, source, ISA_AARCH64, &selection);
    struct workdir *workdir = workdir_create(err);
    struct arena *arena = workdir ? arena_create(err) : NULL;
    if (arena && selection.choice == CHOICE_MISSING) {
        status = 2;
        error_set(err, "%s", selection.note);
    } else if (arena) {
        build_variant(workdir, root, exercise, VARIANT_STUDENT, &selection, ISA_AARCH64, NULL, &built);
        for (size_t i = 0; i < CALLS; i++)
            calls[i] = (struct layout_call){def->once ? exercise->largest : i, ARENA_AT_END};
        struct layout_request request = {
            .def = def, .calls = calls, .count = def->once ? 1 : CALLS, .seed = SEED, .cache_bytes = 1 << 20};
        struct layout *layout = built.program ? layout_open(arena, &request, err) : NULL;
        if (!built.program)
            error_set(err, "%s", built.diagnostics);
        if (layout && !socket_folder(workdir, socket, sizeof socket, err)) {
            layout_close(layout);
            layout = NULL;
        }
        if (layout)
            status =
                session(built.program, socket, gdb ? gdb : "gdb-multiarch", exercise, arena, layout, err);
        layout_close(layout);
        build_result_free(&built);
    }
    arena_destroy(arena);
    workdir_destroy(workdir);
    selection_free(&selection);
    return status;
}
