/* `cyclelab check`: of the student's own files, of another folder, or of a submission. */
#include "grader/base/textfile.h"
#include "grader/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/seed_text.h"
#include "grader/check/bench.h"
#include "grader/check/check.h"
#include "grader/class/submission.h"
#include "harness/walls/privileges.h"
#include "grader/core/core_file.h"
#include "grader/machine/tier.h"
#include "grader/reports/clean.h"
#include "grader/reports/report.h"
#include "grader/student/student.h"
#include "grader/student/terminal.h"
#include "grader/student/work.h"
#include "grader/trace/annex.h"

enum { EXERCISES_MAX = 100 };

bool colour_wanted(void)
{
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(no_color && *no_color);
}

/* On a terminal no word is cut at its edge; in a file each message has one line, to be searched for. */
static void print_report(FILE *out, const struct result *result)
{
    unsigned rows, columns;
    char *text = NULL;
    size_t size = 0;
    FILE *whole = isatty(fileno(out)) ? open_memstream(&text, &size) : NULL;
    report_text(whole ? whole : out, result, colour_wanted());
    if (!whole)
        return;
    fclose(whole);
    terminal_size(&rows, &columns);
    clean_fold(out, text ? text : "", columns);
    free(text);
}

static bool on_model(const struct options *options)
{
    return options->on && strcmp(options->on, "qemu") == 0;
}

/* Does the one exercise that is named have no other bench? Then nobody has to say ON. */
static bool only_on_model(const struct options *options)
{
    struct error err;
    char *id =
        options->on || !options->exercise ? NULL : exercise_find(options->root, options->exercise, &err);
    struct exercise *exercise = id ? exercise_read(options->root, id, &err) : NULL;
    const bool only = exercise && exercise->on == BENCH_QEMU;
    exercise_free(exercise);
    free(id);
    return only;
}

static int check_options(const struct options *options)
{
    struct error err;
    if (options->on && !check_has_bench(options->on))
        return complain(EXIT_USAGE, "ON: expected native or qemu, found `%s`", options->on);
    if (options->core && !on_model(options) && !only_on_model(options))
        return complain(EXIT_USAGE, "CORE=%s names a model core, which goes with ON=qemu", options->core);
    if (options->core && !core_exists(options->root, options->core, &err))
        return complain(EXIT_USAGE, "%s", err.text);
    if (options->source && options->submission)
        return complain(EXIT_USAGE, "SRC and SUBMISSION: which of the two folders is graded?");
    if (options->course && !options->submission)
        return complain(EXIT_USAGE, "COURSE goes with SUBMISSION, or with `make grade`");
    if (options->course && options->seed && on_model(options))
        return complain(EXIT_USAGE, "SEED and COURSE: which? The course file says the seed, as `seed: NAME`");
    if (options->source && !options->exercise)
        return complain(EXIT_USAGE, "SRC goes with one exercise: say EX=3 as well");
    if (options->report && !report_parse(options->report, &err))
        return complain(EXIT_USAGE, "%s", err.text);
    return 0;
}

static void record(const struct options *options, const char *id, struct result *result)
{
    struct error err;
    struct exercise *exercise = exercise_read(options->root, id, &err);
    if (exercise)
        student_record(options->work, exercise, result, stderr, &err);
    exercise_free(exercise);
}

/* Where people read: where a report takes the standard output, the other one. */
static FILE *output_of(const struct options *options)
{
    return options->report && report_takes_stdout(options->report) ? stderr : stdout;
}

/* The stub to the student's folder, where it is not begun. 0, or an exit status with err. */
int begin(const struct options *options, const struct exercise *exercise, bool asked, struct error *err)
{
    FILE *out = output_of(options);
    char *folder = work_folder(options->work, exercise->id);
    enum begun begun = folder ? work_begin(options->root, options->work, exercise, err) : BEGUN_FAILED;
    if (!folder)
        error_set(err, "out of memory");
    if (begun == BEGUN_NOW)
        fprintf(
            out,
            "The files of exercise %u are in %s/ for you to edit; exercises/%s/README.md has the task\n%s",
            exercise->number, folder, exercise->id, asked ? "" : "\n");
    else if (begun == BEGUN_BEFORE && asked)
        fprintf(out,
                "Exercise %u was begun before: your files are in %s/ (make reset EX=%u: the stub again)\n",
                exercise->number, folder, exercise->number);
    if (begun != BEGUN_FAILED)
        work_note_misplaced(options->work, exercise, stderr);
    free(folder);
    return begun == BEGUN_FAILED ? EXIT_SUITE : 0;
}

/* What is checked in WORK: the named exercise is begun, of all those leave the list that are not, and are
 * told. 0, or the exit status after a complaint. */
static int choose_own(const struct options *options, char **ids)
{
    struct error err;
    FILE *out = output_of(options);
    size_t kept = 0, left = 0;
    if (options->exercise) {
        struct exercise *exercise = exercise_read(options->root, ids[0], &err);
        int status = exercise ? begin(options, exercise, false, &err) : EXIT_USAGE;
        exercise_free(exercise);
        return status == 0 ? 0 : complain(status, "%s", err.text);
    }
    for (size_t i = 0; ids[i]; i++) {
        if (work_begun(options->work, ids[i])) {
            ids[kept++] = ids[i];
            continue;
        }
        fprintf(out, "%s%s", left++ > 0 ? ", " : "Not begun (make begin EX=n): ", ids[i]);
        free(ids[i]);
    }
    ids[kept] = NULL;
    if (left > 0)
        fputs("\n\n", out);
    return kept > 0 ? 0
                    : complain(EXIT_USAGE, "nothing is begun in %s: say EX=1, for example", options->work);
}

/* Where nobody has said ON: an exercise that is checked on model cores alone is checked there. */
static void choose_bench(const struct options *options, const char *id, struct check_context *context)
{
    struct error err;
    struct exercise *exercise = options->on ? NULL : exercise_read(options->root, id, &err);
    if (exercise && exercise->on == BENCH_QEMU) {
        context->on = bench_set_name(BENCH_QEMU);
        if (!options->seed_given)
            context->seed = MODEL_SEED;
    }
    exercise_free(exercise);
}

/* What is checked, for whom a page may be asked for. */
struct looking {
    const struct options *options;
    const struct check_context *context;
    const char *id;
};

/* For a page: what can be seen of the code on a model core. */
static void add_annex(void *state, const char *folder, struct result *result)
{
    const struct looking *looking = state;
    const struct options *options = looking->options;
    const struct check_context *context = looking->context;
    struct error err;
    if (!options->report || !report_asks_for(options->report, "html"))
        return;
    struct exercise *exercise = exercise_read(options->root, looking->id, &err);
    const struct look_request request = {.root = options->root,
                                         .build = options->build,
                                         .source = folder,
                                         .core = strcmp(result->on, "qemu") == 0 ? result->cpu : NULL,
                                         .variant = VARIANT_STUDENT,
                                         .seed = result->seed ? result->seed : context->seed,
                                         .arena = context->arena};
    if (exercise)
        result->annex = annex_make(&request, exercise);
    exercise_free(exercise);
}

/* Of the submission, or of SRC, or of the student's folder. */
static struct result *check_one(const struct options *options, const struct submission *submission,
                                const struct check_context *context, const char *id, struct error *err)
{
    struct check_context own = *context;
    struct looking looking = {options, context, id};
    choose_bench(options, id, &own);
    if (submission)
        return submission_check(submission, &own, id, add_annex, &looking, err);
    char *folder = options->source ? NULL : work_folder(options->work, id);
    struct result *result = NULL;
    own.source = folder ? folder : options->source;
    if (own.source)
        result = check_exercise(&own, id, err);
    else
        error_set(err, "out of memory");
    if (result)
        add_annex(&looking, own.source, result);
    free(folder);
    return result;
}

static int check_each(const struct options *options, char **ids, const struct submission *submission,
                      const struct check_context *context)
{
    struct result *results[EXERCISES_MAX] = {NULL};
    struct error err;
    size_t count = 0;
    int broken = 0;
    FILE *out = output_of(options);
    bool alone = options->exercise && !ids[1];

    for (size_t i = 0; i < EXERCISES_MAX && ids[i]; i++) {
        if (options->report && !report_write_early(options->report, results, count, &err)) {
            broken = complain(EXIT_SUITE, "%s", err.text);
            break;
        }
        struct result *result = check_one(options, submission, context, ids[i], &err);
        if (!result) { /* that one is broken; the others are not */
            broken = complain(EXIT_USAGE, "%s", err.text);
            continue;
        }
        if (!submission)
            record(options, ids[i], result);
        if (alone)
            print_report(out, result);
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

int command_check(struct options *options)
{
    struct error err;
    struct placement placement;
    char *one[2] = {NULL, NULL}, **ids = one, why[256];
    static char fresh[SEED_TEXT]; /* the options keep it */
    struct submission *submission = NULL;
    FILE *turns = NULL;
    int status = check_options(options);
    if (status != 0)
        return status;
    if (!privileges_can_be_dropped(&err))
        return complain(EXIT_SUITE, "%s", err.text);
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
    if (!options->submission && !options->source)
        status = choose_own(options, ids);
    options->seed_given = options->seed != NULL;
    if (!options->seed && on_model(options))
        options->seed = MODEL_SEED;
    if (!options->seed && seed_fresh(fresh, &err))
        options->seed = fresh;
    if (!options->seed)
        return complain(EXIT_SUITE, "%s", err.text);
    if (options->turns && !(turns = fopen(options->turns, "we")))
        return complain(EXIT_USAGE, "--turns: %s: %s", options->turns, strerror(errno));
    if (turns)
        fputs(BENCH_TURNS_HEAD, turns);
    struct check_context context = {.root = options->root,
                                    .build = options->build,
                                    .on = options->on ? options->on : "native",
                                    .core = options->core,
                                    .seed = options->seed,
                                    .patience = options->patience,
                                    .turns = turns,
                                    .arena = status == 0 ? arena_create(&err) : NULL,
                                    .pmu = &pmu_linux,
                                    .placement = &placement};
    if (context.arena) {
        if (!on_model(options)) { /* these take a while to find out, and do not matter there */
            context.tier = tier_find(context.pmu, NULL, why, sizeof why);
            context.cache_bytes = placement_cache_bytes();
        }
        status = check_each(options, ids, submission, &context);
        arena_destroy(context.arena);
    } else if (status == 0) {
        status = complain(EXIT_SUITE, "%s", err.text);
    }
    if (submission)
        submission_close(submission);
    else if (ids != one)
        textfile_names_free(ids);
    free(one[0]);
    if (turns && fclose(turns) != 0 && status == 0)
        status = complain(EXIT_SUITE, "--turns: %s: %s", options->turns, strerror(errno));
    return status;
}
