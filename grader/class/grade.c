#include "grader/class/grade_internal.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "grader/check/check.h"
#include "grader/class/full_marks.h"
#include "grader/class/grade_alone.h"
#include "grader/class/grade_roster.h"
#include "grader/exercise/layout.h"
#include "grader/reports/clean.h"
#include "harness/base/progress.h"

enum {
    MOST_JOBS = 256,
    MOST_TOLD = 10,
};
#define PAGES_SECONDS 5.0  /* between two versions of the class page */
#define LINE_SECONDS  60.0 /* between two lines where there is no terminal */

/* ---- what is graded, and how ---- */

static bool points_of(const struct grading *g, struct grade_exercise *exercise, struct error *err)
{
    uint32_t points = 0;
    if (!full_marks(g->request->root, exercise->exercise, exercise->settings, strcmp(g->on, "native") == 0,
                    &exercise->cores, &points, err))
        return false;
    exercise->points = points;
    return true;
}

/* Before anybody is graded by them. An exercise that is not built is told of by its checks. */
static bool has_cases(const struct grading *g, const struct exercise *exercise,
                      const struct course_exercise *settings, struct error *err)
{
    struct error why;
    char path[64];
    const struct case_table *table = case_table_of(g->request->build, settings->id, &why);
    if (!table)
        return settings->cases_count == 0 || error_set(err, "%s", why.text);
    if (!exercise_cases(exercise, g->request->build, err))
        return false;
    for (unsigned i = 0; i < settings->cases_count; i++) {
        snprintf(path, sizeof path, "exercises[%u].correctness.cases[%u]", settings->entry, i + 1);
        if (!case_is_there(table, settings->cases[i], g->request->course, path, err))
            return false;
    }
    return true;
}

/* For pages alone. */
static bool has_grades(const struct grade_request *request, const char *id)
{
    return !request->slice && !request->plan && grade_was_before(request, id);
}

static bool is_elsewhere(const struct grading *g, const struct exercise *exercise)
{
    return strcmp(g->on, "native") == 0 && exercise->on == BENCH_QEMU;
}

/* `before`: it is not asked for. Where all are, those of another bench are not: they stay as they were
 * graded. */
static bool take_exercise(struct grading *g, const struct course_exercise *settings, bool before,
                          struct error *err)
{
    struct grade_exercise *exercise = &g->exercises[g->exercises_count];
    *exercise = (struct grade_exercise){.settings = settings, .cores = settings->cores};
    exercise->exercise = exercise_read(g->request->root, settings->id, err);
    if (!exercise->exercise)
        return false;
    if (!before && is_elsewhere(g, exercise->exercise)) {
        const bool named = g->request->exercises != NULL;
        before = !named && has_grades(g->request, settings->id);
        if (!before) {
            exercise_free(exercise->exercise);
            exercise->exercise = NULL;
            return !named || error_set(err, "EX: %s is checked on model cores alone: grade it with ON=qemu",
                                       settings->id);
        }
    }
    g->plain[g->exercises_count++] = exercise->exercise;
    exercise->before = before;
    if (!before && !has_cases(g, exercise->exercise, settings, err))
        return false;
    if (!course_change(settings, exercise->exercise))
        return error_set(err, "out of memory");
    if (before)
        return true;
    if (strcmp(g->on, "native") == 0) {
        exercise->cores = (struct course_cores){.count = 1};
    } else if (g->request->core) {
        exercise->cores = (struct course_cores){1, {g->request->core}};
    } else if (exercise->cores.count == 0) {
        exercise->cores = (struct course_cores){1, {exercise->exercise->core}};
    }
    return points_of(g, exercise, err);
}

/* Those that EX names, and for the pages those that an earlier run graded. */
static bool take_exercises(struct grading *g, struct error *err)
{
    const struct grade_request *request = g->request;
    struct strings named = {0};
    bool good = !request->exercises || exercise_find_each(request->root, request->exercises, &named, err);
    size_t found = 0;
    for (unsigned i = 0; good && i < g->course->exercises_count; i++) {
        const struct course_exercise *settings = &g->course->exercises[i];
        bool asked = !request->exercises || strings_has(&named, settings->id);
        if (!settings->graded && asked && request->exercises)
            good = error_set(err, "EX: %.800s does not grade %s", request->course, settings->id);
        if (!settings->graded || !(asked || has_grades(request, settings->id)))
            continue;
        const size_t before = g->exercises_count;
        good = take_exercise(g, settings, !asked, err);
        found += g->exercises_count > before && !g->exercises[before].before; /* natively some are not */
    }
    strings_free(&named);
    return good && (found > 0 || error_set(err, "%s: no exercise is graded",
                                           request->course ? request->course : request->root));
}

static bool take_course(struct grading *g, struct error *err)
{
    g->course = course_open(g->request->root, g->request->course, err);
    if (!g->course)
        return false;
    g->on = g->request->on ? g->request->on : g->course->on ? g->course->on : "qemu";
    bool native = strcmp(g->on, "native") == 0;
    if (native && g->request->core)
        return error_set(err, "CORE=%.80s names a model core, which goes with ON=qemu", g->request->core);
    if (!course_goes_with(g->course, g->request->course, g->on, err))
        return false;
    if (!isolation_require(g->request->isolation, err)) /* compilers and qemu-aarch64 run in any case */
        return false;
    g->isa = native ? isa_native() : ISA_AARCH64;
    g->exercises = calloc(g->course->exercises_count + 1U, sizeof *g->exercises);
    g->plain = calloc(g->course->exercises_count + 1U, sizeof(struct exercise *));
    if (!g->exercises || !g->plain)
        return error_set(err, "out of memory");
    return take_exercises(g, err);
}

static bool take_submissions(struct grading *g, struct error *err)
{
    bool *before = calloc(g->exercises_count + 1, sizeof *before);
    if (!before)
        return error_set(err, "out of memory");
    for (size_t e = 0; e < g->exercises_count; e++)
        before[e] = g->exercises[e].before;
    struct grade_alone alone;
    if (grade_alone_read(g->request->out, g->course->roster, &alone, err))
        g->class = grade_find_beside(g->request->submissions, g->plain, before, &alone, g->exercises_count,
                                     g->isa, err);
    grade_alone_free(&alone);
    free(before);
    return g->class &&
           (!g->course->roster ||
            grade_join_roster(g->class, g->course->roster, g->course->anonymous, err)) &&
           grade_check_course(g, err) && grade_add_earlier(g, err) && grade_take_names(g, err);
}

/* ---- as it goes ---- */

struct going {
    size_t all, before, done; /* jobs of this run: all, known when it began, checked since */
    double began, pages, line;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void say_progress(struct going *going)
{
    char left[64] = "";
    double time = now(), spent = time - going->began;
    size_t open = going->all - going->before - going->done;
    if (going->done >= 3) {
        double seconds = spent / (double)going->done * (double)open;
        if (seconds < 90)
            snprintf(left, sizeof left, ", about %.0f s left", seconds);
        else
            snprintf(left, sizeof left, ", about %.0f min left", seconds / 60);
    }
    progress("graded %zu of %zu%s", going->before + going->done, going->all, left);
    if (time - going->line < LINE_SECONDS || isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "graded %zu of %zu%s\n", going->before + going->done, going->all, left);
    going->line = time;
}

static bool is_finished(const struct grading *g, size_t student)
{
    for (size_t e = 0; e < g->exercises_count; e++)
        if (strcmp(grade_mark(g, student, e).word, "pending") == 0)
            return false;
    return true;
}

static bool write_class(struct grading *g, struct error *err)
{
    return grade_write_book(g, err) && grade_write_index(g, err);
}

/* A page that cannot be written now may be written at the end; there it counts. */
static void step(struct grading *g, void *state, const size_t *job)
{
    struct going *going = state;
    struct error later;
    if (job) {
        size_t student = g->jobs[*job].student;
        going->done++;
        if (!g->request->slice && !g->request->proof && is_finished(g, student))
            grade_write_student(g, student, &later);
    }
    say_progress(going);
    if (g->request->slice || g->request->proof || now() - going->pages < PAGES_SECONDS)
        return;
    write_class(g, &later);
    double time = now(), took = time - going->pages - PAGES_SECONDS;
    going->pages = took > 1 ? time + took * 10 : time; /* of a large class, more rarely */
}

/* ---- the end ---- */

static bool write_all(struct grading *g, struct error *err)
{
    for (size_t s = 0; s < g->class->students_count; s++)
        if (!grade_write_student(g, s, err))
            return false;
    grade_sweep_students(g);
    return write_class(g, err) && grade_write_back(g, err) && grade_write_history(g, err) &&
           grade_alone_keep(g->request->out, &g->class->wrappers, err) && grade_record(g, err);
}

static void print_name(FILE *out, const char *name)
{
    clean_print_line(out, name, 80);
}

static size_t tell_words(const struct grading *g, FILE *out)
{
    static const char *const words[] = {"pass",     "fail",  "rejected", "missing",
                                        "unstable", "error", "pending"};
    size_t count[sizeof words / sizeof *words] = {0}, none = 0;
    const char *before = "  ";
    for (size_t s = 0; s < g->class->students_count; s++) {
        for (size_t e = 0; e < g->exercises_count; e++) {
            const struct grade_mark mark = grade_mark(g, s, e);
            for (size_t w = 0; w < sizeof words / sizeof *words && !g->exercises[e].before; w++) {
                const bool is = strcmp(mark.word, words[w]) == 0;
                count[w] += is;
                none += is && w >= 4 && !mark.override;
            }
        }
    }
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        if (count[w] == 0)
            continue;
        fprintf(out, "%s%zu %s", before, count[w],
                strcmp(words[w], "missing") == 0   ? "not submitted"
                : strcmp(words[w], "pending") == 0 ? "not graded yet"
                                                   : words[w]);
        before = ", ";
    }
    fputc('\n', out);
    return none;
}

static const char *why_unscored(const struct grade_student *student, size_t e, const struct grade_mark *mark)
{
    return mark->job && mark->job->outcome.headline ? mark->job->outcome.headline
           : student->entries[e].note               ? student->entries[e].note
           : student->note                          ? student->note
                                                    : mark->word;
}

/* How many have a verdict and no score. */
static size_t tell_unscored(const struct grading *g, FILE *out)
{
    size_t told = 0;
    for (size_t s = 0; s < g->class->students_count; s++) {
        for (size_t e = 0; e < g->exercises_count; e++) {
            const struct grade_mark mark = grade_mark(g, s, e);
            if (g->exercises[e].before || isfinite(mark.score) || strcmp(mark.word, "pending") == 0 ||
                told++ >= MOST_TOLD)
                continue;
            fputs("  no grade: ", out);
            print_name(out, g->class->students[s].name);
            fprintf(out, ", %s: ", g->exercises[e].exercise->id);
            clean_print_line(out, why_unscored(&g->class->students[s], e, &mark), 200);
            fputc('\n', out);
        }
    }
    if (told > MOST_TOLD)
        fprintf(out, "  and %zu more\n", told - MOST_TOLD);
    return told;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Natively nobody but the student's own process says what the student measured. */
static void tell_words_of_their_own(const struct grading *g, FILE *out)
{
    if (strcmp(g->on, "native") != 0)
        return;
    for (size_t e = 0; e < g->exercises_count; e++) {
        const struct exercise *exercise = g->exercises[e].exercise;
        unsigned agree = 0;
        for (unsigned b = 0; b < exercise->bounds_count; b++)
            agree += exercise->bounds[b].kind == BOUND_AGREE;
        if (agree > 0 && !g->exercises[e].before)
            fprintf(out,
                    "  %s: %u bound%s compare what a submission says that it measured; natively that shows "
                    "that it is plausible, with ON=qemu that it was measured\n",
                    exercise->id, agree, plural(agree));
    }
}

/* What stands between submissions and this machine, where it is not all. */
static void tell_walls(FILE *out)
{
    struct error why;
    if (!isolation_require(ISOLATION_STRICT, &why))
        fprintf(out, "  a wall around student code is missing here (make info lists them): grade on a "
                     "machine on which "
                     "nothing else of value lies, or on one where ISOLATION=strict starts\n");
}

static enum grade_status tell_slice(const struct grading *g, const struct going *going, FILE *out)
{
    fprintf(out, "Slice %u of %u: %zu checks, %zu of them now; grade without a slice to gather them\n",
            g->request->slice, g->request->slices, going->all, going->done);
    return grade_lacking(g) > 0 ? GRADE_INCOMPLETE : GRADE_DONE;
}

static enum grade_status tell_plan(const struct grading *g, FILE *out)
{
    fprintf(out, "On %s: %zu different check%s in %u slice%s\n", g->on, g->jobs_count, plural(g->jobs_count),
            g->request->slices, plural(g->request->slices));
    grade_tell_slices(g, out);
    return GRADE_DONE;
}

static enum grade_status tell(const struct grading *g, const struct going *going, FILE *out)
{
    size_t notes = 0, exercises = 0;
    for (size_t e = 0; e < g->exercises_count; e++)
        exercises += !g->exercises[e].before;
    for (size_t s = 0; s < g->class->students_count; s++) {
        bool odd = g->class->students[s].note != NULL;
        for (size_t e = 0; e < g->exercises_count; e++)
            odd = odd || g->class->students[s].entries[e].note;
        notes += odd;
    }
    fprintf(out, "Graded %zu student%s in %zu exercise%s: %zu different check%s, %zu of them now\n",
            g->class->students_count, plural(g->class->students_count), exercises, plural(exercises),
            g->jobs_count, plural(g->jobs_count), going->done);
    size_t none = tell_words(g, out);
    if (g->class->absent > 0)
        fprintf(out, "  %zu of the roster handed nothing in\n", g->class->absent);
    if (g->class->strangers > 0)
        fprintf(
            out,
            "  whose %zu submission%s, the roster does not say: write the gradebook's id into the student's "
            "column `also` (docs/course.md)\n",
            g->class->strangers, g->class->strangers == 1 ? " is" : "s are");
    grade_tell_slices(g, out);
    none += tell_unscored(g, out);
    grade_tell_before(g, out);
    grade_tell_nobody(g, out);
    grade_tell_hints(g, out);
    tell_words_of_their_own(g, out);
    tell_walls(out);
    if (notes > 0)
        fprintf(out, "  something was odd about %zu submission%s: see the notes in gradebook.csv\n", notes,
                plural(notes));
    for (size_t i = 0; i < g->class->ignored_count && i < MOST_TOLD; i++)
        fprintf(out, "  ignored: %s\n", g->class->ignored[i]);
    if (g->class->ignored_count > MOST_TOLD)
        fprintf(out, "  and %zu more ignored\n", g->class->ignored_count - MOST_TOLD);
    fprintf(out, "%s/index.html shows the class, %s/gradebook.csv has the points\n", g->request->out,
            g->request->out);
    grade_tell_back(g, out);
    return none > 0 ? GRADE_INCOMPLETE : GRADE_DONE;
}

static unsigned worker_count(const struct grading *g)
{
    cpu_set_t set;
    int count = 1;
    if (g->request->jobs > 0)
        return g->request->jobs < MOST_JOBS ? g->request->jobs : MOST_JOBS;
    if (strcmp(g->on, "native") != 0 && sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
    return (unsigned)count;
}

static enum grade_status run(struct grading *g, FILE *out, struct error *err)
{
    struct going going = {.began = now()};
    if (g->request->plan)
        return tell_plan(g, out);
    if (g->request->dry_run)
        return grade_tell_anew(g, out, err) ? GRADE_DONE : GRADE_FAILED;
    going.line = going.pages = going.began;
    if (!g->request->slice && !g->request->proof && !(g->similar = grade_find_similar(g))) {
        error_set(err, "out of memory");
        return GRADE_FAILED;
    }
    for (size_t i = 0; i < g->jobs_count; i++) {
        going.all += g->jobs[i].ours;
        going.before += g->jobs[i].ours && g->jobs[i].outcome.known;
    }
    enum grade_ended ended = grade_run(g, worker_count(g), step, &going, err);
    progress_end();
    if (ended == GRADE_BROKEN)
        return GRADE_FAILED;
    if (g->request->proof)
        return ended == GRADE_INTERRUPTED ? GRADE_STOPPED : grade_tell_proof(g, out);
    if (!g->request->slice && !write_all(g, err))
        return GRADE_FAILED;
    if (ended == GRADE_INTERRUPTED) {
        fprintf(out, "Stopped: %zu of %zu checks are done and kept; the same command goes on with the rest\n",
                going.before + going.done, going.all);
        return GRADE_STOPPED;
    }
    return g->request->slice ? tell_slice(g, &going, out) : tell(g, &going, out);
}

static void end_exercise(struct grade_exercise *exercise)
{
    exercise_free(exercise->exercise);
    cJSON_Delete(exercise->record);
}

enum grade_status grade(const struct grade_request *request, FILE *out, struct error *err)
{
    struct grading g = {.request = request, .locks = {-1, -1}, .umask = umask(077)};
    enum grade_status status = GRADE_USAGE;
    /* An earlier run's records are read under the lock; a new OUT is made when there is what to grade. */
    const bool again = grade_store_is_there(request);
    if ((!again || grade_store_open(&g, err)) && take_course(&g, err) && take_submissions(&g, err) &&
        (again || grade_store_open(&g, err))) {
        status =
            grade_make_jobs(&g, err) && grade_settle_lateness(&g, err) ? run(&g, out, err) : GRADE_FAILED;
        grade_free_jobs(&g);
    }
    grade_store_close(&g);
    grade_similar_free(g.similar);
    free(g.lateness);
    grade_free_names(&g);
    grade_class_free(g.class);
    for (size_t i = 0; i < g.exercises_count; i++)
        end_exercise(&g.exercises[i]);
    free(g.exercises);
    free(g.plain);
    course_close(g.course);
    umask(g.umask);
    return status;
}
