/* cyclelab: the one program behind the Makefile. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/cache.h"
#include "grader/check/check.h"
#include "grader/core/core_file.h"
#include "grader/core/cores.h"
#include "grader/student/debug.h"
#include "grader/student/perf.h"
#include "grader/student/record.h"
#include "grader/student/replay.h"
#include "grader/drill/drill.h"
#include "grader/explain/explain.h"
#include "grader/trace/trace.h"
#include "grader/class/grade.h"
#include "grader/commands.h"
#include "grader/help.h"
#include "grader/machine/info.h"
#include "grader/options.h"
#include "grader/run.h"
#include "grader/student/predict.h"
#include "grader/student/student.h"
#include "grader/base/version.h"
#include "grader/sweep/sweep.h"
#include "harness/walls/privileges.h"
#include "grader/student/work.h"

/* ---- grade ---- */

static int run_grade(struct options *options, bool proof)
{
    struct error err = {""};
    if (!proof && (!options->submissions || !options->out))
        return complain(EXIT_USAGE,
                        "which submissions, and where do the grades go? Say SUBMISSIONS=dir OUT=dir");
    if (options->on && !check_has_bench(options->on))
        return complain(EXIT_USAGE, "ON: expected native or qemu, found `%s`", options->on);
    if (options->core && !core_exists(options->root, options->core, &err))
        return complain(EXIT_USAGE, "%s", err.text);
    if (!privileges_can_be_dropped(&err))
        return complain(EXIT_SUITE, "%s", err.text);
    const struct grade_request request = {.root = options->root,
                                          .build = options->build,
                                          .submissions = options->submissions,
                                          .out = options->out,
                                          .course = options->course,
                                          .exercises = options->exercise,
                                          .on = options->on,
                                          .core = options->core,
                                          .only = options->only[0] ? options->only : NULL,
                                          .jobs = options->jobs,
                                          .slice = options->slice,
                                          .slices = options->slices,
                                          .plan = options->plan,
                                          .dry_run = options->dry_run,
                                          .isolation = options->isolation};
    enum grade_status status = proof ? grade_prove(&request, stdout, &err) : grade(&request, stdout, &err);
    return *err.text && (status == GRADE_USAGE || status == GRADE_FAILED)
               ? complain((int)status, "%s", err.text)
               : (int)status;
}

static int command_grade(struct options *options)
{
    return run_grade(options, false);
}

static int command_course(struct options *options)
{
    return run_grade(options, true);
}

static int command_forget(struct options *options)
{
    struct error err = {""};
    if (!options->out || !options->student)
        return complain(EXIT_USAGE, "whom, and where? Say OUT=dir STUDENT=folder");
    enum grade_status status = grade_forget(options->out, options->student, stdout, &err);
    return *err.text ? complain((int)status, "%s", err.text) : (int)status;
}

/* ---- the others ---- */

/* Run what needs one exercise. */
static int with_exercise(struct options *options,
                         int (*run)(const struct options *, const struct exercise *, struct error *))
{
    struct error err = {""};
    if (!options->exercise)
        return complain(EXIT_USAGE, "which exercise? Say EX=3, for example");
    char *id = exercise_find(options->root, options->exercise, &err);
    struct exercise *exercise = id ? exercise_read(options->root, id, &err) : NULL;
    free(id);
    if (!exercise)
        return complain(EXIT_USAGE, "%s", err.text);
    int status = run(options, exercise, &err);
    exercise_free(exercise);
    return status > 1 ? complain(status, "%s", err.text) : status;
}

static int run_begin(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return begin(options, exercise, true, err);
}

static int run_hint(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return student_hint(options->work, exercise, stdout, err);
}

static int run_predict(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return predict_ask(options->work, exercise, stdin, stdout, err);
}

static int run_reset(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return student_reset(options->root, options->work, exercise, stdout, err);
}

static int run_solution(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return student_solution(options->work, exercise, options->force, stdout, err);
}

/* SRC, or the student's folder once it is begun. malloc'ed; NULL with err. */
static char *begun_folder(const struct options *options, const struct exercise *exercise, struct error *err)
{
    char *folder = options->source ? strdup(options->source) : work_folder(options->work, exercise->id);
    if (!folder)
        error_set(err, "out of memory");
    if (options->source || (folder && work_begun(options->work, exercise->id)))
        return folder;
    if (folder)
        error_set(err, "exercise %u is not begun: `make begin EX=%u` puts its stub into %s", exercise->number,
                  exercise->number, folder);
    free(folder);
    return NULL;
}

/* What the last check of the student's own folder found wrong. */
static struct failing failing_of(const struct options *options, const struct exercise *exercise)
{
    struct record record = {0};
    struct error ignored;
    char *folder = record_folder(options->work);
    if (folder)
        record_read(folder, exercise->id, &record, &ignored);
    free(folder);
    return record.failing;
}

static int run_debug(const struct options *options, const struct exercise *exercise, struct error *err)
{
    char *folder = begun_folder(options, exercise, err);
    const struct failing failing = failing_of(options, exercise);
    const struct debug_request request = {.root = options->root,
                                          .build = options->build,
                                          .source = folder,
                                          .on = options->on,
                                          .gdb = options->gdb,
                                          .failing = &failing};
    int status = folder ? debug_exercise(&request, exercise, err) : EXIT_USAGE;
    free(folder);
    return status;
}

/* VARIANT, the student's where none is named. Its files, to be freed, in *folder. 0, or an exit status with
 * err. */
static int variant_of(const struct options *options, const struct exercise *exercise, enum variant *variant,
                      char **folder, struct error *err)
{
    *variant = VARIANT_STUDENT;
    *folder = NULL;
    if (options->variant) {
        for (*variant = 0; *variant < VARIANT_COUNT; (*variant)++)
            if (strcmp(options->variant, variant_name(*variant)) == 0)
                break;
        if (*variant == VARIANT_COUNT) {
            error_set(err, "VARIANT: expected student, baseline or reference, found `%.80s`",
                      options->variant);
            return EXIT_USAGE;
        }
        if (*variant == VARIANT_BASELINE && !exercise->baseline) {
            error_set(err, "VARIANT: exercise %u has no baseline", exercise->number);
            return EXIT_USAGE;
        }
    }
    *folder = *variant == VARIANT_STUDENT ? begun_folder(options, exercise, err) : NULL;
    return *variant == VARIANT_STUDENT && !*folder ? EXIT_USAGE : 0;
}

static int make_replay(const struct options *options, const struct exercise *exercise, replay_use *use,
                       struct error *err)
{
    char *folder;
    struct replay_request request = {.root = options->root,
                                     .build = options->build,
                                     .work = options->work,
                                     .case_name = options->case_name,
                                     .seconds = options->seconds ? options->seconds : REPLAY_SECONDS};
    int status = variant_of(options, exercise, &request.variant, &folder, err);
    request.source = folder;
    if (status == 0)
        status = replay_make(&request, exercise, use, stdout, err);
    free(folder);
    return status;
}

static int run_replay(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return make_replay(options, exercise, replay_run, err);
}

static int run_perf(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return make_replay(options, exercise, perf_use, err);
}

/* What explain and trace look at. *folder is to be freed. 0, or an exit status with err. */
static int look_request_of(const struct options *options, const struct exercise *exercise,
                           struct look_request *request, char **folder, struct error *err)
{
    enum variant variant;
    int status = variant_of(options, exercise, &variant, folder, err);
    if (status != 0)
        return status;
    *request = (struct look_request){.root = options->root,
                                     .build = options->build,
                                     .source = *folder,
                                     .core = options->core,
                                     .case_name = options->case_name,
                                     .variant = variant,
                                     .seed = options->seed ? options->seed : MODEL_SEED};
    return 0;
}

static int run_explain(const struct options *options, const struct exercise *exercise, struct error *err)
{
    struct explain_request request = {.colour = colour_wanted()};
    char *folder;
    int status = look_request_of(options, exercise, &request.look, &folder, err);
    if (status == 0)
        status = explain_exercise(&request, exercise, stdout, err);
    free(folder);
    return status;
}

static int run_trace(const struct options *options, const struct exercise *exercise, struct error *err)
{
    struct trace_request request = {.file = options->out,
                                    .count = options->instructions ? options->instructions : TRACE_COUNT,
                                    .colour = colour_wanted()};
    char *folder;
    int status = look_request_of(options, exercise, &request.look, &folder, err);
    if (status == 0)
        status = trace_exercise(&request, exercise, stdout, err);
    free(folder);
    return status;
}

/* A core is a model's: naming one is enough. */
static int run_sweep(const struct options *options, const struct exercise *exercise, struct error *err)
{
    bool model = options->core != NULL;
    if (options->on && strcmp(options->on, "qemu") == 0) {
        model = true;
    } else if (options->on && strcmp(options->on, "native") != 0) {
        error_set(err, "ON: expected native or qemu, found `%.80s`", options->on);
        return EXIT_USAGE;
    } else if (options->on && options->core) {
        error_set(err, "CORE=%.80s is a model core, which goes with ON=qemu", options->core);
        return EXIT_USAGE;
    }
    const struct sweep_request request = {.root = options->root,
                                          .build = options->build,
                                          .core = !model          ? NULL
                                                  : options->core ? options->core
                                                                  : exercise->core,
                                          .out = options->out,
                                          .seed = options->seed ? options->seed : MODEL_SEED};
    return sweep_exercise(&request, exercise, stdout, err);
}

static int command_drill(struct options *options)
{
    struct error err = {""};
    char *state = record_folder(options->work);
    const struct drill_request request = {.root = options->root,
                                          .state = state,
                                          .core = options->core,
                                          .seed = options->seed,
                                          .questions = options->questions ? options->questions : 10,
                                          .sheet = options->sheet,
                                          .today = (uint32_t)(time(NULL) / (24 * 60 * 60))};
    if (options->core && !core_exists(options->root, options->core, &err)) {
        free(state);
        return complain(EXIT_USAGE, "%s", err.text);
    }
    const bool done = state ? drill(&request, stdin, stdout, &err) : error_set(&err, "out of memory");
    free(state);
    return done ? 0 : complain(EXIT_SUITE, "%s", err.text);
}

static int command_begin(struct options *options)
{
    return with_exercise(options, run_begin);
}

static int command_hint(struct options *options)
{
    return with_exercise(options, run_hint);
}

static int command_reset(struct options *options)
{
    return with_exercise(options, run_reset);
}

static int command_solution(struct options *options)
{
    return with_exercise(options, run_solution);
}

static int command_run(struct options *options)
{
    return with_exercise(options, run_replay);
}

static int command_perf(struct options *options)
{
    return with_exercise(options, run_perf);
}

static int command_debug(struct options *options)
{
    return with_exercise(options, run_debug);
}

static int command_explain(struct options *options)
{
    return with_exercise(options, run_explain);
}

static int command_trace(struct options *options)
{
    return with_exercise(options, run_trace);
}

static int command_sweep(struct options *options)
{
    return with_exercise(options, run_sweep);
}

static int command_predict(struct options *options)
{
    return with_exercise(options, run_predict);
}

static int command_status(struct options *options)
{
    struct error err;
    int status = student_status(options->root, options->work, stdout, &err);
    return status > 1 ? complain(status, "%s", err.text) : status;
}

static int command_info(struct options *options)
{
    struct error err;
    (void)options;
    return info_print(stdout, colour_wanted(), &err) ? 0 : complain(EXIT_SUITE, "%s", err.text);
}

static int command_cores(struct options *options)
{
    struct error err;
    bool ok = options->core ? cores_print_one(stdout, options->root, options->core, &err)
                            : cores_print_list(stdout, options->root, &err);
    return ok ? 0 : complain(EXIT_USAGE, "%s", err.text);
}

static int command_help(struct options *options)
{
    const struct command *command = options->command ? command_find(options->command) : NULL;
    if (options->command && !command)
        return complain(EXIT_USAGE, "no command `%s`; `cyclelab help` lists them", options->command);
    if (command)
        help_command(stdout, command);
    else
        help_usage(stdout);
    return 0;
}

static int (*const runs[COMMAND_COUNT])(struct options *options) = {
    [COMMAND_HELP] = command_help,         [COMMAND_CHECK] = command_check,
    [COMMAND_HINT] = command_hint,         [COMMAND_STATUS] = command_status,
    [COMMAND_RESET] = command_reset,       [COMMAND_WATCH] = command_watch,
    [COMMAND_SOLUTION] = command_solution, [COMMAND_DEBUG] = command_debug,
    [COMMAND_SWEEP] = command_sweep,       [COMMAND_DRILL] = command_drill,
    [COMMAND_EXPLAIN] = command_explain,   [COMMAND_TRACE] = command_trace,
    [COMMAND_INFO] = command_info,         [COMMAND_CORES] = command_cores,
    [COMMAND_GRADE] = command_grade,       [COMMAND_COURSE] = command_course,
    [COMMAND_FORGET] = command_forget,     [COMMAND_BEGIN] = command_begin,
    [COMMAND_PREDICT] = command_predict,   [COMMAND_RUN] = command_run,
    [COMMAND_PERF] = command_perf,
};

/* The status, unless what was said on standard output is lost: some commands find that themselves. */
static int heard(int status)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status == EXIT_SUITE)
        return status;
    return complain(EXIT_SUITE, "standard output cannot be written%s%s", errno ? ": " : "",
                    errno ? strerror(errno) : "");
}

static int run(const struct command *command, struct options *options)
{
    if (options->help) {
        help_command(stdout, command);
        return 0;
    }
    char *folder = cache_folder(options->build);
    build_cache_use(folder);
    int status = runs[command - commands](options);
    build_cache_use(NULL);
    free(folder);
    return status;
}

static int print_version(void)
{
    struct options options = {0};
    char version[VERSION_TEXT];
    if (!options_find_folders(&options))
        return complain(EXIT_SUITE,
                        "cannot find out where this program lies: /proc/self/exe: %s; is /proc mounted?",
                        strerror(errno));
    printf("cyclelab %s\n", version_read(options.build, version));
    return 0;
}

static int no_command(const char *name)
{
    const char *nearest = command_nearest(name);
    return complain(EXIT_USAGE, "no command `%s`%s%s%s; `cyclelab help` lists them", name,
                    nearest ? "; did you mean `" : "", nearest ? nearest : "", nearest ? "`?" : "");
}

/* A descriptor of ours in the place of a closed standard one would be written to. */
static bool open_standard_files(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    return fd > STDERR_FILENO && close(fd) == 0;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    static char help[] = "help";
    char *alone[] = {help, NULL}, **words = argc > 1 ? argv + 1 : alone;
    const char *name = words[0];

    if (!open_standard_files())
        return complain(EXIT_SUITE, "/dev/null: %s; is /dev mounted?", strerror(errno));
    mallopt(M_TRIM_THRESHOLD, 64 << 20); /* what is given back is asked for again at once */
    mallopt(M_MMAP_THRESHOLD, 4 << 20);  /* setting one of them fixes both */
    signal(SIGPIPE, SIG_IGN);            /* a closed report is an error to tell, not a death */
    signal(SIGCHLD, SIG_DFL); /* who ignores it may have started us, and then no child is waited for */
    if (strcmp(name, "--version") == 0)
        return heard(print_version());
    const struct command *command = command_find(strcmp(name, "--help") == 0 ? "help" : name);
    if (!command)
        return no_command(name);
    if (!runs[command - commands])
        return complain(EXIT_USAGE, "`%s` is make's: type `make %s`", name, name);
    int status = options_parse(command, argc > 1 ? argc - 1 : 1, words, &options);
    return status ? status : heard(run(command, &options));
}
