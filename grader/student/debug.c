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
#include "grader/student/replay.h"
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
    if (machine > 0)
        kill(machine, SIGKILL);
    _exit(0);
}
/* GCOVR_EXCL_STOP */

/* gdb with the program loaded and the functions to stop at: natively it starts it (`socket` is NULL), else it
 * connects. -1 with err. */
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
    if (socket) {
        snprintf(target, sizeof target, "target remote %s", socket);
        argv[count++] = "-ex";
        argv[count++] = target;
    }
    for (unsigned i = 0; i < exercise->functions_count && i < ARGUMENTS / 4; i++) {
        snprintf(breaks[i], sizeof breaks[i], "break %s", exercise->functions[i]);
        argv[count++] = "-ex";
        argv[count++] = breaks[i];
        if (count > ARGUMENTS - 4)
            break;
    }
    argv[count++] = "-ex";
    argv[count++] = socket ? "continue" : "run";
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

/* What is debugged. */
struct session {
    const struct debug_request *request;
    const struct exercise *exercise;
    struct workdir *workdir;
    struct arena *arena;
    struct layout *layout;
    size_t first, end; /* of its calls, those that are made */
};

static void tell_outcome(const struct session *session, const struct machine_run *run, const char *program)
{
    struct fault_text text;
    struct finding why;
    char n[LAYOUT_N];
    if (run->outcome == MACHINE_DONE) {
        for (size_t i = session->first; i < session->end; i++) {
            if (!layout_verify(session->layout, i, &why)) {
                printf("%s%s\n", layout_n(session->layout, i, "wrong result with ", ": ", n), why.text);
                return;
            }
        }
        if (session->end - session->first == 1)
            puts("the call came back, and its result is right");
        else
            printf("all %zu calls came back, and their results are right\n", session->end - session->first);
    } else if (run->outcome != MACHINE_EXITED) {
        fault_describe(run, session->layout, program, ISA_AARCH64, 0, &text);
        printf("%s\n", text.message);
    }
}

static const char *gdb_of(const struct session *session)
{
    return session->request->gdb ? session->request->gdb : "gdb-multiarch";
}

static void wait_for(pid_t debugger)
{
    while (waitpid(debugger, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* The AArch64 build under qemu-aarch64: start it and gdb, and see both to their ends. */
static int debug_emulated(const struct session *session, const char *program, struct error *err)
{
    char socket[PATH_MAX];
    if (!socket_folder(session->workdir, socket, sizeof socket, err))
        return 4;
    struct machine_config config = {.program = program,
                                    .emulator = "qemu-aarch64",
                                    .gdb_socket = socket,
                                    .cpu = -1,
                                    .drop_privileges = true,
                                    .lent = session->exercise->lent};
    struct machine_run run;
    struct machine *machine = machine_start(&config, session->arena, err);
    if (!machine)
        return 4;
    if (!wait_for_socket(socket)) {
        machine_stop(machine);
        error_set(err, "qemu-aarch64 does not wait for gdb: is it a version from 5.0 on?");
        return 4;
    }
    void (*before)(int) = signal(SIGINT, SIG_IGN); /* Ctrl-C is gdb's */
    pid_t debugger =
        start_gdb(gdb_of(session), program, socket, session->exercise, machine_pid(machine), err);
    if (debugger > 0) {
        machine_execute(machine, NO_LIMIT_MS, &run); /* until it is ready */
        if (run.outcome == MACHINE_EXITED && run.signal == SIGSTOP) {
            machine_execute(machine, NO_LIMIT_MS, &run);
            tell_outcome(session, &run, program);
        }
    }
    machine_stop(machine);
    if (debugger > 0)
        wait_for(debugger);
    signal(SIGINT, before);
    return debugger > 0 ? 0 : 4;
}

/* The replay program, which makes the calls once. */
static int debug_native(const struct session *session, const char *program, struct error *err)
{
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    pid_t debugger = start_gdb(gdb_of(session), program, NULL, session->exercise, 0, err);
    if (debugger > 0)
        wait_for(debugger);
    signal(SIGINT, before);
    return debugger > 0 ? 0 : 4;
}

static bool open_first_case(struct session *session, const struct case_table *table, struct error *err)
{
    struct layout_call calls[CALLS];
    const struct exercise *exercise = session->exercise;
    const struct case_def *def = case_find(table, exercise->cases[0]);
    for (size_t i = 0; i < CALLS; i++)
        calls[i] = (struct layout_call){def->once ? exercise->largest : i, ARENA_AT_END};
    const struct layout_request request = {
        .def = def, .calls = calls, .count = def->once ? 1 : CALLS, .seed = SEED, .cache_bytes = 1 << 20};
    session->layout = layout_open(session->arena, &request, err);
    session->first = 0;
    session->end = request.count;
    if (session->layout)
        layout_fill(session->layout, request.count);
    return session->layout != NULL;
}

static bool open_calls(struct session *session, const struct case_table *table, bool emulated,
                       struct error *err)
{
    const struct failing *failing = session->request->failing;
    char n[LAYOUT_N];
    if (!failing->case_name[0] || failing->aarch64 != emulated)
        return open_first_case(session, table, err);
    session->layout = replay_failing(failing, table, session->arena, &session->first, err);
    if (!session->layout)
        return open_first_case(session, table, err);
    session->end = session->first + 1;
    printf("The call that the last check found wrong: case `%s`, call %zu%s\n", failing->case_name,
           (size_t)failing->call + 1, layout_n(session->layout, session->first, ", ", "", n));
    fflush(stdout);
    return true;
}

static int build_and_debug(struct session *session, const struct selection *selection, bool emulated,
                           struct error *err)
{
    const struct build_replay replay = {.plan = arena_plan(session->arena), .elements = 1};
    struct build_result built = {0};
    int status = 4;
    if (emulated)
        build_variant(session->workdir, session->request->root, session->exercise, VARIANT_STUDENT, selection,
                      ISA_AARCH64, NULL, &built);
    else
        build_replay(session->workdir, session->request->root, session->exercise, VARIANT_STUDENT, selection,
                     isa_native(), &replay, &built);
    if (built.program) {
        status = emulated ? debug_emulated(session, built.program, err)
                          : debug_native(session, built.program, err);
    } else if (built.outcome == BUILD_FAILED || built.outcome == BUILD_REJECTED) {
        puts(built.diagnostics); /* all of it: an error has room for a part only */
        status = 1;
    } else {
        error_set(err, "%s", built.diagnostics);
    }
    build_result_free(&built);
    return status;
}

int debug_exercise(const struct debug_request *request, const struct exercise *exercise, struct error *err)
{
    struct session session = {.request = request, .exercise = exercise};
    struct selection selection;
    int status = 4;
    const bool emulated = request->on ? strcmp(request->on, "qemu") == 0
                                      : request->failing->case_name[0] && request->failing->aarch64;
    if (request->on && !emulated && strcmp(request->on, "native") != 0) {
        error_set(err, "ON: expected native or qemu, found `%.80s`", request->on);
        return 2;
    }
    const struct case_table *table = exercise_cases(exercise, request->build, err);
    if (!table)
        return 4;
    build_select(exercise, request->source, emulated ? ISA_AARCH64 : isa_native(), &selection);
    session.workdir = workdir_create(err);
    session.arena = session.workdir ? arena_create(err) : NULL;
    if (session.arena && selection.choice == CHOICE_MISSING) {
        status = 2;
        error_set(err, "%s", selection.note);
    } else if (session.arena && open_calls(&session, table, emulated, err)) {
        status = build_and_debug(&session, &selection, emulated, err);
    }
    layout_close(session.layout);
    arena_destroy(session.arena);
    workdir_destroy(session.workdir);
    selection_free(&selection);
    return status;
}
