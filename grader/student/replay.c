#include "grader/student/replay.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/textfile.h"
#include "grader/check/inputs.h"
#include "harness/sched/placement.h"

enum { SEED = 1, ELEMENTS = 1 << 19, CALLS_LEAST = 16, CALLS_MOST = 256, PROGRAM_LIMIT = 1 << 30 };
enum { DONE, STUDENT, USAGE, SUITE = 4 };

struct layout *replay_failing(const struct failing *failing, const struct case_table *table,
                              struct arena *arena, size_t *call, struct error *err)
{
    const struct correctness what = {.def = case_find(table, failing->case_name),
                                     .largest = (uint32_t)failing->largest,
                                     .once = (uint32_t)failing->once,
                                     .seed = failing->seed,
                                     .elements = (uint32_t)failing->elements,
                                     .calls = (uint32_t)failing->calls,
                                     .student = (uint32_t)failing->student,
                                     .cache_bytes = failing->cache_bytes,
                                     .modelled = failing->modelled};
    if (!what.def) {
        error_set(err, "the exercise has no case `%s` any more", failing->case_name);
        return NULL;
    }
    struct layout *layout = correctness_open(&what, arena, err);
    if (layout) {
        const size_t each = layout_count(layout);
        do /* what is drawn may follow from what was drawn before */
            layout_fill(layout, each);
        while (layout_filling(layout) < failing->filling);
        *call = failing->call % each;
        layout_only(layout, *call);
    }
    return layout;
}

/* ---- a case as it is timed ---- */

/* The bound on the case that is asked for; else the native one that brings most points. */
static const struct bound_spec *find_bound(const struct exercise *exercise, const char *case_name)
{
    const struct bound_spec *found = NULL;
    for (unsigned i = 0; i < exercise->bounds_count; i++) {
        const struct bound_spec *bound = &exercise->bounds[i];
        bool fits = case_name ? strcmp(bound->case_name, case_name) == 0 : bound_is_native(bound);
        if (fits && (!found || bound->points > found->points))
            found = bound;
    }
    return found;
}

/* Many, so that a round does not find in a cache what a check has drawn anew; yet not without measure. */
static size_t calls_of(const struct bound_spec *bound)
{
    const size_t calls = bound->calls ? bound->calls : bound->elements ? ELEMENTS / bound->elements : 1;
    return calls < CALLS_LEAST ? CALLS_LEAST : calls > CALLS_MOST ? CALLS_MOST : calls;
}

/* The number of whose code it is, for a case that goes by it. What does not build is told later. */
static uint32_t student_of(const struct replay_request *request, const struct exercise *exercise,
                           struct workdir *workdir, const struct selection *selection)
{
    struct build_result built = {0};
    if (request->variant == VARIANT_STUDENT && selection->choice == CHOICE_MISSING)
        return 0;
    build_variant(workdir, request->root, exercise, request->variant, selection, isa_native(), NULL, &built);
    const uint32_t number = built.program ? inputs_student(built.program) : 0;
    build_result_free(&built);
    return number;
}

static struct layout *timed_case(const struct replay_request *request, const struct exercise *exercise,
                                 const struct case_table *table, struct workdir *workdir,
                                 const struct selection *selection, struct arena *arena,
                                 const struct case_def **def, struct error *err)
{
    const struct bound_spec *bound = find_bound(exercise, request->case_name);
    const char *name = request->case_name ? request->case_name
                       : bound            ? bound->case_name
                                          : exercise->cases[0];
    *def = case_named(table, name, exercise->id, err);
    if (!*def)
        return NULL;
    const size_t count = !bound || (*def)->once ? 1 : calls_of(bound);
    struct layout_call *calls = calloc(count, sizeof *calls);
    struct layout *layout = NULL;
    for (size_t i = 0; calls && i < count; i++)
        calls[i] = (struct layout_call){bound ? bound->elements : exercise->largest, ARENA_AT_START};
    const struct layout_request wanted = {
        .def = *def,
        .calls = calls,
        .count = count,
        .timed = bound != NULL,
        .seed = SEED,
        .student = (*def)->by_student ? student_of(request, exercise, workdir, selection) : 0,
        .cache_bytes = placement_cache_bytes()};
    if (calls)
        layout = layout_open(arena, &wanted, err);
    else
        error_set(err, "out of memory");
    if (layout)
        layout_fill(layout, layout_count(layout));
    free(calls);
    return layout;
}

/* ---- the program ---- */

/* WORK/.state/run/NN-slug-CASE, replaced whole. malloc'ed; NULL with err. */
static char *keep_program(const struct replay_request *request, const struct exercise *exercise,
                          const struct case_def *def, const char *built, struct error *err)
{
    char *folder = textfile_join(request->work, ".state/run"), *path = NULL;
    size_t size;
    char *data =
        folder && textfile_make_folder(folder, err) ? textfile_read(built, PROGRAM_LIMIT, &size, err) : NULL;
    if (data && asprintf(&path, "%s/%s-%s%s%s", folder, exercise->id, def->name,
                         request->variant == VARIANT_STUDENT ? "" : "-",
                         request->variant == VARIANT_STUDENT ? "" : variant_name(request->variant)) < 0) {
        path = NULL;
        error_set(err, "out of memory");
    }
    if (path && (!textfile_replace(path, data, size, err) ||
                 (chmod(path, 0755) != 0 &&
                  !error_set(err, "cannot make %s a program: %s", path, strerror(errno))))) {
        free(path);
        path = NULL;
    }
    free(data);
    free(folder);
    return path;
}

bool replay_command(char *const argv[], int *status, struct error *err)
{
    fflush(NULL);
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* whatever ends us ends it; perf ends what it runs */
        execvp(argv[0], argv);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    signal(SIGINT, before);
    return (pid > 0 && !(WIFEXITED(*status) && WEXITSTATUS(*status) == 127)) ||
           error_set(err, "cannot run %s", argv[0]);
}

int replay_tell_end(int status, const char *program, const struct exercise *exercise, FILE *out)
{
    /* As harness/runner/replay leaves. */
    enum { REGISTER_CHANGED = 3, NO_STACK = 101 };
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
        return DONE;
    if (WIFSIGNALED(status))
        fprintf(out, "A signal ended it: %s. `gdb %s` shows where; what a check says: `make check EX=%u`.\n",
                strsignal(WTERMSIG(status)), program, exercise->number);
    else if (WEXITSTATUS(status) == REGISTER_CHANGED)
        fputs("A register that a function has to give back as it was came back changed.\n", out);
    else if (WEXITSTATUS(status) == NO_STACK)
        fputs("It got no memory for its stack: is there a limit (`ulimit -v`), or too little left?\n", out);
    else if (WEXITSTATUS(status) != 0)
        fprintf(out, "It ended with exit status %d before its rounds were over.\n", WEXITSTATUS(status));
    return status ? STUDENT : DONE;
}

int replay_run(const char *program, const struct exercise *exercise, FILE *out, struct error *err)
{
    char *const argv[] = {(char *)program, NULL};
    int status = 0;
    if (!replay_command(argv, &status, err)) {
        error_set(err, "cannot run %s: is its folder mounted `noexec`? WORK=dir takes another", program);
        return SUITE;
    }
    return replay_tell_end(status, program, exercise, out);
}

static void tell(const struct replay_request *request, const struct layout *layout,
                 const struct case_def *def, const char *program, FILE *out)
{
    fprintf(out,
            "Case `%s`, %zu call%s of %zu elements a round, for %u s, as you and without walls. By itself, "
            "and in tools:\n"
            "  %s\n  perf stat %s\n  perf record %s && perf annotate\n  gdb %s\n",
            def->name, layout_count(layout), layout_count(layout) == 1 ? "" : "s", layout_elements(layout, 0),
            request->seconds, program, program, program, program);
}

static uint64_t all_elements(const struct layout *layout)
{
    uint64_t elements = 0;
    for (size_t i = 0; i < layout_count(layout); i++)
        elements += layout_elements(layout, i);
    return elements;
}

static int build_and_use(const struct replay_request *request, const struct exercise *exercise,
                         replay_use *use, struct workdir *workdir, struct arena *arena,
                         const struct case_table *table, FILE *out, struct error *err)
{
    const struct case_def *def;
    struct selection selection = {0};
    struct build_result built = {0};
    int status = SUITE;
    if (request->variant == VARIANT_STUDENT)
        build_select(exercise, request->source, isa_native(), &selection);
    struct layout *layout = timed_case(request, exercise, table, workdir, &selection, arena, &def, err);
    if (!layout) {
        selection_free(&selection);
        return def ? SUITE : USAGE;
    }
    if (request->variant == VARIANT_STUDENT && selection.choice == CHOICE_MISSING) {
        error_set(err, "%s", selection.note);
        status = USAGE;
    } else {
        const struct build_replay replay = {arena_plan(arena), all_elements(layout), request->seconds};
        build_replay(workdir, request->root, exercise, request->variant, &selection, isa_native(), &replay,
                     &built);
        char *program = NULL;
        if (built.program && (program = keep_program(request, exercise, def, built.program, err))) {
            tell(request, layout, def, program, out);
            status = use(program, exercise, out, err);
        } else if (!built.program && (built.outcome == BUILD_FAILED || built.outcome == BUILD_REJECTED)) {
            fprintf(out, "%s\n", built.diagnostics);
            status = STUDENT;
        } else if (!built.program) {
            error_set(err, "%s", built.diagnostics);
        }
        free(program);
    }
    build_result_free(&built);
    selection_free(&selection);
    layout_close(layout);
    return status;
}

int replay_make(const struct replay_request *request, const struct exercise *exercise, replay_use *use,
                FILE *out, struct error *err)
{
    int status = SUITE;
    const struct case_table *table = exercise_cases(exercise, request->build, err);
    struct workdir *workdir = table ? workdir_create(err) : NULL;
    struct arena *arena = workdir ? arena_create(err) : NULL;
    if (arena)
        status = build_and_use(request, exercise, use, workdir, arena, table, out, err);
    arena_destroy(arena);
    workdir_destroy(workdir);
    return status;
}
