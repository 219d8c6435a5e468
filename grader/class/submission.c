#include "grader/class/submission.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/strings.h"
#include "grader/exercise/course.h"
#include "grader/class/grade_find_internal.h"
#include "grader/class/full_marks.h"

struct submission {
    const char *root, *folder, *course_file;
    enum isa isa;
    bool has_course;
    struct course *course;
    struct exercise **exercises;
    const struct course_exercise **settings;
    char **ids;
    size_t count;
    struct grade_class *class; /* of one */
};

/* ---- which exercises ---- */

static bool take_exercises(struct submission *s, const struct submission_request *request, struct error *err)
{
    const struct course *course = s->course;
    size_t room = course->exercises_count + 1U;
    struct strings named = {0};
    s->exercises = calloc(room, sizeof(void *));
    s->settings = calloc(room, sizeof(void *));
    s->ids = calloc(room, sizeof *s->ids);
    if (!s->exercises || !s->settings || !s->ids)
        return error_set(err, "out of memory");
    bool good = !request->exercises || exercise_find_each(s->root, request->exercises, &named, err);
    for (size_t i = 0; good && i < course->exercises_count; i++) {
        const struct course_exercise *settings = &course->exercises[i];
        if ((request->exercises && !strings_has(&named, settings->id)) || !settings->graded)
            continue;
        s->exercises[s->count] = exercise_read(s->root, settings->id, err);
        s->settings[s->count] = settings;
        s->ids[s->count] = settings->id;
        s->count += good = s->exercises[s->count] != NULL;
        if (good && !course_change(settings, s->exercises[s->count - 1]))
            good = error_set(err, "out of memory");
    }
    strings_free(&named);
    if (!good)
        return false;
    return s->count > 0 || error_set(err, "EX=%.80s: no exercise of that name is graded",
                                     request->exercises ? request->exercises : "");
}

struct submission *submission_open(const struct submission_request *request, struct error *err)
{
    struct submission *s = calloc(1, sizeof *s);
    if (!s) {
        error_set(err, "out of memory");
        return NULL;
    }
    s->root = request->root;
    s->folder = request->folder;
    s->isa = request->isa;
    s->has_course = request->course != NULL;
    s->course_file = request->course;
    s->course = course_open_rules(request->root, request->course, err);
    if (s->course && take_exercises(s, request, err))
        s->class = grade_find_one(request->folder, (const struct exercise *const *)s->exercises, s->count,
                                  request->isa, err);
    if (s->class)
        return s;
    submission_close(s);
    return NULL;
}

void submission_close(struct submission *s)
{
    if (!s)
        return;
    grade_class_free(s->class);
    for (size_t i = 0; i < s->count; i++)
        exercise_free(s->exercises[i]);
    free(s->exercises);
    free(s->settings);
    free(s->ids);
    course_close(s->course);
    free(s);
}

char **submission_ids(const struct submission *s)
{
    return s->ids;
}

/* ---- results ---- */

/* Where a file lies below the submission, for people: "work/03-branch-elimination/clamp.c". */
static const char *shown_path(const struct grade_file *file)
{
    return file->path ? find_shown(file->path + strlen("./")) : file->name;
}

/* Files are named as they lie in what was handed in, not as in the work folder. */
static void name_files(struct result *result, const struct grade_entry *entry, const char *folder)
{
    char *staged = NULL;
    for (size_t i = 0; i < entry->files_count; i++) {
        const char *shown = shown_path(&entry->files[i]);
        if (asprintf(&staged, "%s/%s", folder, entry->files[i].name) < 0)
            staged = NULL;
        if (staged)
            result_rename(result, staged, shown);
        free(staged);
    }
    result_rename(result, folder, "the submission");
}

static bool marks_of(const struct submission *s, size_t index, const struct check_context *context,
                     uint32_t *marks, struct error *err)
{
    const struct course_exercise *settings = s->settings[index];
    const bool native = strcmp(context->on, "qemu") != 0;
    struct course_cores cores = settings->cores;
    if (context->core || cores.count == 0)
        cores = (struct course_cores){1, {context->core ? context->core : s->exercises[index]->core}};
    return full_marks(s->root, s->exercises[index], settings, native, &cores, marks, err);
}

/* Nothing to build, because of what was found; `note`: more of that, or NULL. NULL with err when a core is
 * not there. */
static struct result *without_files(const struct submission *s, size_t index,
                                    const struct check_context *context, enum grade_found found,
                                    const char *note, struct error *err)
{
    uint32_t marks = 0;
    if (!marks_of(s, index, context, &marks, err))
        return NULL;
    struct exercise *exercise = s->exercises[index];
    struct result *result = result_new(exercise);
    result->max_score = marks;
    char *what = NULL;
    for (unsigned i = 0; i < exercise->sources_count; i++) {
        char *more = NULL;
        if (asprintf(&more, "%s%s%s.c", what ? what : "", what ? ", " : "", exercise->sources[i]) < 0)
            more = NULL;
        free(what);
        what = more;
    }
    enum verdict verdict = found == FOUND_REFUSED      ? VERDICT_REJECTED
                           : found == FOUND_UNREADABLE ? VERDICT_ERROR
                                                       : VERDICT_FAIL;
    result->on = strdup(context->on);
    result->isa = strdup(isa_name(s->isa));
    result->cpu = strdup(context->core ? context->core : exercise->core ? exercise->core : "");
    result->tier = context->tier;
    result->seed = s->has_course ? NULL : strdup(context->seed);
    result->source = strdup(s->folder);
    struct check *check =
        result_add_check(result, CHECK_BUILD, "build", NULL, verdict, 0, "%s (expected %s)%s%s",
                         found == FOUND_NOTHING   ? "nothing was handed in"
                         : found == FOUND_REFUSED ? "the files are such that they were not opened"
                                                  : "the files cannot be read on this machine",
                         what ? what : "?", note ? ": " : "", note ? note : "");
    result_set(&check->next, "Files are found by the names of the stub's: %s, or assembly in %s/",
               what ? what : "?", isa_name(s->isa));
    result_conclude(result);
    free(what);
    return result;
}

static double share(const struct result *result)
{
    return result->max_score > 0 ? result->score / result->max_score : result->score;
}

/* What has no score has to be looked at; then the worst, the first of equals. */
static bool is_worse(const struct result *a, const struct result *b)
{
    return isfinite(share(b)) && (!isfinite(share(a)) || share(a) < share(b));
}

/* The worst of the course's cores and seeds, of the maximum that everybody has. */
static struct result *check_with(const struct submission *s, size_t index,
                                 const struct check_context *context, struct error *err)
{
    const struct course_exercise *settings = s->settings[index];
    struct check_context one = *context;
    struct result *worst = NULL;
    uint32_t marks = 0;
    const bool native = strcmp(context->on, "qemu") != 0;
    unsigned cores = context->core || native ? 0 : settings->cores.count;
    if (!marks_of(s, index, context, &marks, err))
        return NULL;
    one.settings = settings;
    for (unsigned i = 0; i < (cores ? cores : 1); i++) {
        for (unsigned k = 0; k < settings->seeds.count; k++) {
            if (cores)
                one.core = settings->cores.name[i];
            if (!native)
                one.seed = settings->seeds.name[k];
            struct result *result = check_exercise(&one, s->ids[index], err);
            bool worse = result && (!worst || is_worse(result, worst));
            result_free(worse ? worst : result);
            worst = worse ? result : worst;
            if (!result) {
                result_free(worst);
                return NULL;
            }
        }
    }
    if (!worst) {
        error_set(err, "the course has no seed");
        return NULL;
    }
    free(worst->seed);
    worst->seed = NULL;
    if (worst->max_score > 0) {
        worst->score *= (double)marks / worst->max_score;
        worst->max_score = marks;
    }
    return worst;
}

struct result *submission_check(const struct submission *s, const struct check_context *context,
                                const char *id, submission_look look, void *state, struct error *err)
{
    size_t index = 0;
    while (index + 1 < s->count && strcmp(s->ids[index], id) != 0)
        index++;
    const struct grade_student *student = &s->class->students[0];
    const struct grade_entry *entry = &student->entries[index];
    if (!course_goes_with(s->course, s->course_file, context->on, err))
        return NULL;
    if (entry->found != FOUND_FILES)
        return without_files(s, index, context, entry->found, entry->note ? entry->note : student->note, err);
    struct error failure;
    struct workdir *workdir = workdir_create(&failure);
    struct result *result = NULL;
    if (!workdir || !grade_stage(entry, workdir_path(workdir), &failure)) {
        result = without_files(s, index, context, FOUND_UNREADABLE, failure.text, err);
    } else {
        struct check_context one = *context;
        one.source = workdir_path(workdir);
        result = s->has_course ? check_with(s, index, &one, err) : check_exercise(&one, id, err);
        if (result && look)
            look(state, one.source, result);
    }
    if (result && workdir) {
        name_files(result, entry, workdir_path(workdir));
        result_set(&result->source, "%s", s->folder);
        if (entry->note && result->next && result->verdict != VERDICT_PASS)
            result_set(&result->next, "%s. %s", entry->note, result->next);
    }
    workdir_destroy(workdir);
    return result;
}
