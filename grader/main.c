/* cyclelab: the one program behind the Makefile. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/build.h"
#include "grader/cache.h"
#include "grader/check.h"
#include "grader/core_file.h"
#include "grader/cores.h"
#include "grader/debug.h"
#include "grader/explain.h"
#include "grader/grade.h"
#include "grader/info.h"
#include "grader/options.h"
#include "grader/reports/report.h"
#include "grader/student.h"
#include "grader/submission.h"
#include "grader/sweep.h"
#include "grader/watch.h"

enum { EXERCISES_MAX = 100 };

static const char usage[] =
    "usage: cyclelab COMMAND [EXERCISE] [OPTIONS]\n"
    "\n"
    "  check [EX]      build and grade one exercise, or all; EX is 3, 03 or branch-elimination\n"
    "                  --src DIR  --seed N  --report FORMAT:FILE  --on native|qemu  --core NAME\n"
    "                  --submission DIR  --course FILE  what a student handed in; EX can be several: '3 4'\n"
    "  hint EX         the next hint\n"
    "  status          progress\n"
    "  reset EX        the stub back; the edited file is kept as a backup\n"
    "  solution EX     the reference, after a pass (--force: before)\n"
    "  watch EX        check again at each save, with check's options\n"
    "  debug EX        the AArch64 build under qemu-aarch64, with gdb-multiarch (--src DIR)\n"
    "  explain EX      where its cycles go on a model core, and what bounds its loop\n"
    "                  --core NAME  --src DIR  --case NAME  --variant student|baseline|reference\n"
    "  sweep EX        its reference at many values of a parameter, as a curve\n"
    "                  --on native|qemu  --core NAME  --out FILE.svg\n"
    "  grade           a class: one folder of submissions to a gradebook\n"
    "                  --submissions DIR  --out DIR  --jobs N  --on qemu|native  --core NAME  --course FILE\n"
    "                  --isolation strict|best  --only STUDENT (again and again)\n"
    "                  --slice I/N (one of N parts)  --plan N (what each lacks)  --gather N (pages, no "
    "checks)\n"
    "  info            what this machine can measure\n"
    "  cores [CORE]    the model cores, or one of them with all its figures and their sources\n"
    "\n"
    "  --root DIR      the project's folder (found from where this program lies)\n";

static bool colour_wanted(void)
{
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(no_color && *no_color);
}

/* ---- check ---- */

static bool on_model(const struct options *options)
{
    return options->on && strcmp(options->on, "qemu") == 0;
}

static int check_options(const struct options *options)
{
    struct error err;
    if (options->on && !check_has_bench(options->on))
        return complain(EXIT_USAGE, "ON: expected native or qemu, found `%s`", options->on);
    if (options->core && !on_model(options))
        return complain(EXIT_USAGE, "CORE=%s names a model core, which goes with ON=qemu", options->core);
    if (options->core && !core_exists(options->root, options->core, &err))
        return complain(EXIT_USAGE, "%s", err.text);
    if (options->source && options->submission)
        return complain(EXIT_USAGE, "SRC and SUBMISSION: which of the two folders is graded?");
    if (options->course && !options->submission)
        return complain(EXIT_USAGE, "COURSE goes with SUBMISSION, or with `make grade`");
    if (options->source && !options->exercise)
        return complain(EXIT_USAGE, "SRC goes with one exercise: say EX=3 as well");
    if (options->report && !report_parse(options->report, &err))
        return complain(EXIT_USAGE, "%s", err.text);
    return 0;
}

static uint64_t fresh_seed(void)
{
    uint32_t seed = 0; /* short enough to be typed again */
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = (uint32_t)getpid();
    return seed;
}

static void record(const struct options *options, const char *id, const struct result *result)
{
    struct error err;
    struct exercise *exercise = exercise_read(options->root, id, &err);
    if (exercise)
        student_record(options->root, options->state, exercise, result, stderr, &err);
    exercise_free(exercise);
}

/* Of the submission, or of the exercise's own folder or SRC. */
static struct result *check_one(const struct submission *submission, const struct check_context *context,
                                const char *id, struct error *err)
{
    return submission ? submission_check(submission, context, id, err) : check_exercise(context, id, err);
}

static int check_each(const struct options *options, char **ids, const struct submission *submission,
                      const struct check_context *context)
{
    struct result *results[EXERCISES_MAX] = {NULL};
    struct error err;
    size_t count = 0;
    int broken = 0;
    /* where a report takes the standard output, people read the other one */
    FILE *out = options->report && report_takes_stdout(options->report) ? stderr : stdout;
    bool alone = options->exercise && !ids[1];

    for (size_t i = 0; i < EXERCISES_MAX && ids[i]; i++) {
        if (options->report && !report_write_early(options->report, results, count, &err)) {
            broken = complain(EXIT_SUITE, "%s", err.text);
            break;
        }
        struct result *result = check_one(submission, context, ids[i], &err);
        if (!result) { /* that one is broken; the others are not */
            broken = complain(EXIT_USAGE, "%s", err.text);
            continue;
        }
        if (alone)
            report_text(out, result, colour_wanted());
        if (!submission)
            record(options, ids[i], result);
        results[count++] = result;
    }
    if (!alone)
        report_summary(out, results, count, colour_wanted());
    int status = broken ? broken : results_exit_status(results, count);
    if (count > 0 && options->report && !report_write(options->report, results, count, &err))
        status = complain(EXIT_SUITE, "%s", err.text);
    while (count-- > 0)
        result_free(results[count]);
    if (fflush(stdout) != 0)
        status = complain(EXIT_SUITE, "cannot write the report: %s", strerror(errno));
    return status;
}

static int command_check(struct options *options)
{
    struct error err;
    struct placement placement;
    char *one[2] = {NULL, NULL}, **ids = one, why[256];
    struct submission *submission = NULL;
    int status = check_options(options);
    if (status != 0)
        return status;
    if (options->submission) {
        const struct submission_request request = {.root = options->root,
                                                   .folder = options->submission,
                                                   .course = options->course,
                                                   .exercises = options->exercise,
                                                   .isa = on_model(options) ? ISA_AARCH64 : isa_native()};
        submission = submission_open(&request, &err);
        ids = submission ? submission_ids(submission) : NULL;
    } else if (options->exercise)
        one[0] = exercise_find(options->root, options->exercise, &err);
    else
        ids = exercise_list(options->root, &err);
    if (!ids || !ids[0])
        return complain(EXIT_USAGE, "%s", err.text);
    struct check_context context = {.root = options->root,
                                    .build = options->build,
                                    .source = options->source,
                                    .on = options->on ? options->on : "native",
                                    .core = options->core,
                                    .seed = options->has_seed   ? options->seed
                                            : on_model(options) ? CHECK_MODEL_SEED
                                                                : fresh_seed(),
                                    .arena = arena_create(&err),
                                    .pmu = &pmu_linux,
                                    .placement = &placement};
    if (context.arena) {
        if (!on_model(options)) { /* these take a while to find out, and do not matter there */
            context.tier = info_tier(context.pmu, why, sizeof why);
            context.cache_bytes = placement_cache_bytes();
        }
        status = check_each(options, ids, submission, &context);
        arena_destroy(context.arena);
    } else {
        status = complain(EXIT_SUITE, "%s", err.text);
    }
    if (submission)
        submission_close(submission);
    else if (ids != one)
        exercise_list_free(ids);
    free(one[0]);
    return status;
}

/* ---- grade ---- */

static int command_grade(struct options *options)
{
    struct error err = {""};
    if (!options->submissions || !options->out)
        return complain(EXIT_USAGE,
                        "which submissions, and where do the grades go? Say SUBMISSIONS=dir OUT=dir");
    if (options->exercise)
        return complain(EXIT_USAGE,
                        "all exercises are graded, or those that a course file names: what is `%s`?",
                        options->exercise);
    if (options->on && !check_has_bench(options->on))
        return complain(EXIT_USAGE, "ON: expected native or qemu, found `%s`", options->on);
    if (options->core && !core_exists(options->root, options->core, &err))
        return complain(EXIT_USAGE, "%s", err.text);
    const struct grade_request request = {.root = options->root,
                                          .build = options->build,
                                          .submissions = options->submissions,
                                          .out = options->out,
                                          .course = options->course,
                                          .on = options->on,
                                          .core = options->core,
                                          .only = options->only[0] ? options->only : NULL,
                                          .jobs = options->jobs,
                                          .slice = options->slice,
                                          .slices = options->slices,
                                          .plan = options->plan,
                                          .isolation = options->isolation};
    enum grade_status status = grade(&request, stdout, &err);
    if (fflush(stdout) != 0 && status == GRADE_DONE)
        return complain(EXIT_SUITE, "cannot write: %s", strerror(errno));
    return *err.text && (status == GRADE_USAGE || status == GRADE_FAILED)
               ? complain((int)status, "%s", err.text)
               : (int)status;
}

/* ---- watch ---- */

static char **arguments; /* as this program was called */

/* This program again, as check. Its exit status, or -1. */
static int run_check(void)
{
    static char check[] = "check";
    int status;
    pid_t child = fork();
    if (child == 0) {
        arguments[1] = check;
        execv("/proc/self/exe", arguments);
        _exit(EXIT_SUITE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

/* Until it is interrupted. */
static int run_watch(const struct options *options, const struct exercise *exercise, struct error *err)
{
    const char *folder = options->source ? options->source : exercise->folder;
    int watch = watch_open(folder, err);
    while (watch >= 0) {
        int status = run_check();
        if (status < 0 || status == EXIT_USAGE)
            return status < 0 ? EXIT_SUITE : 1; /* it has been said */
        printf("\nWaiting for a save in %s (Ctrl-C ends this)\n\n", folder);
        if (fflush(stdout) != 0 || !watch_wait(watch, err))
            break;
    }
    return EXIT_SUITE;
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

static int run_hint(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return student_hint(options->root, options->state, exercise, stdout, err);
}

static int run_reset(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return student_reset(options->root, options->state, exercise, stdout, err);
}

static int run_solution(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return student_solution(options->root, options->state, exercise, options->force, stdout, err);
}

static int run_debug(const struct options *options, const struct exercise *exercise, struct error *err)
{
    return debug_exercise(options->root, options->build, exercise, options->source, options->gdb, err);
}

enum { FIXED_SEED = 1 }; /* the same inputs each time, unless SEED is given */

static int run_explain(const struct options *options, const struct exercise *exercise, struct error *err)
{
    enum variant variant = VARIANT_STUDENT;
    if (options->variant) {
        for (variant = 0; variant < VARIANT_COUNT; variant++)
            if (strcmp(options->variant, variant_name(variant)) == 0)
                break;
        if (variant == VARIANT_COUNT) {
            error_set(err, "VARIANT: expected student, baseline or reference, found `%.80s`",
                      options->variant);
            return EXIT_USAGE;
        }
    }
    const struct explain_request request = {.root = options->root,
                                            .build = options->build,
                                            .source = options->source,
                                            .core = options->core,
                                            .case_name = options->case_name,
                                            .variant = variant,
                                            .seed = options->has_seed ? options->seed : FIXED_SEED,
                                            .colour = colour_wanted()};
    return explain_exercise(&request, exercise, stdout, err);
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
                                          .seed = options->has_seed ? options->seed : FIXED_SEED};
    return sweep_exercise(&request, exercise, stdout, err);
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

static int command_debug(struct options *options)
{
    return with_exercise(options, run_debug);
}

static int command_explain(struct options *options)
{
    return with_exercise(options, run_explain);
}

static int command_sweep(struct options *options)
{
    return with_exercise(options, run_sweep);
}

static int command_watch(struct options *options)
{
    return with_exercise(options, run_watch);
}

static int command_status(struct options *options)
{
    struct error err;
    int status = student_status(options->root, options->state, stdout, &err);
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
    const char *name = options->core ? options->core : options->exercise;
    bool ok = name ? cores_print_one(stdout, options->root, name, &err)
                   : cores_print_list(stdout, options->root, &err);
    return ok ? 0 : complain(EXIT_USAGE, "%s", err.text);
}

static int command_help(struct options *options)
{
    (void)options;
    fputs(usage, stdout);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(struct options *options);
} commands[] = {
    {"check", command_check},     {"hint", command_hint},         {"status", command_status},
    {"reset", command_reset},     {"solution", command_solution}, {"debug", command_debug},
    {"explain", command_explain}, {"sweep", command_sweep},       {"info", command_info},
    {"cores", command_cores},     {"watch", command_watch},       {"grade", command_grade},
    {"help", command_help},
};

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
    const char *name = argc > 1 ? argv[1] : "help";

    arguments = argv;
    if (!open_standard_files())
        return EXIT_SUITE;
    signal(SIGPIPE, SIG_IGN); /* a closed report is an error to tell, not a death */
    if (strcmp(name, "--help") == 0)
        name = "help";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        int status = options_parse(argc - 1, argv + 1, &options);
        if (status)
            return status;
        char *kept = cache_folder(options.build);
        build_keep_in(kept);
        status = commands[i].run(&options);
        build_keep_in(NULL);
        free(kept);
        return status;
    }
    return complain(EXIT_USAGE, "no command `%s`\n\n%s", name, usage);
}
