/* A course's rules before the term: the reference and the stub of every exercise, graded by them. */
#include "grader/class/grade_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"
#include "grader/base/workdir.h"
#include "grader/exercise/stubs.h"

enum answer { REFERENCE, STUB, ANSWERS };
static const char *const names[ANSWERS] = {"reference", "stub"};

/* ---- the two of them as a class ---- */

/* A file of an answer, if there is one of that name. */
static bool copy_file(const char *from, const char *to, const char *name, struct error *err)
{
    char *source = textfile_join(from, name), *target = textfile_join(to, name), *folder = NULL, *text = NULL;
    size_t size = 0;
    struct error why;
    bool good = true;
    if (!source || !target) {
        good = error_set(err, "out of memory");
    } else if ((text = textfile_read(source, STUB_LIMIT, &size, &why))) {
        folder = strndup(target, (size_t)(textfile_base_name(target) - target) - 1);
        good = folder ? textfile_make_folder(folder, err) && textfile_replace(target, text, size, err)
                      : error_set(err, "out of memory");
    } else if (errno != ENOENT) {
        good = error_set(err, "%s", why.text);
    }
    free(source);
    free(target);
    free(folder);
    free(text);
    return good;
}

/* All forms of all files of an exercise from folder `from`. */
static bool copy_answer(const struct exercise *exercise, const char *from, const char *to, struct error *err)
{
    static const char *const forms[][2] = {{"", ".c"}, {"x86_64/", ".S"}, {"aarch64/", ".S"}};
    char name[300];
    bool good = true;
    for (unsigned s = 0; good && s < exercise->sources_count; s++)
        for (size_t f = 0; good && f < sizeof forms / sizeof *forms; f++) {
            snprintf(name, sizeof name, "%s%.200s%s", forms[f][0], exercise->sources[s], forms[f][1]);
            good = copy_file(from, to, name, err);
        }
    return good;
}

static bool copy_both(const struct exercise *exercise, const char *class, struct error *err)
{
    char *stub = stub_folder(exercise);
    const char *const from[ANSWERS] = {exercise->solution, stub};
    bool good = stub || error_set(err, "out of memory");
    for (enum answer a = 0; good && a < ANSWERS; a++) {
        char *folder = textfile_join(class, names[a]),
             *to = folder ? textfile_join(folder, exercise->id) : NULL;
        good = to ? copy_answer(exercise, from[a], to, err) : error_set(err, "out of memory");
        free(folder);
        free(to);
    }
    free(stub);
    return good;
}

static bool make_class(const char *root, const char *class, struct error *err)
{
    char **ids = exercise_list(root, err);
    bool good = ids != NULL;
    for (size_t i = 0; good && ids[i]; i++) {
        struct exercise *exercise = exercise_read(root, ids[i], err);
        good = exercise && copy_both(exercise, class, err);
        exercise_free(exercise);
    }
    textfile_names_free(ids);
    return good;
}

enum grade_status grade_prove(const struct grade_request *request, FILE *out, struct error *err)
{
    struct grade_request proof = *request;
    enum grade_status status = GRADE_FAILED;
    struct workdir *workdir = workdir_create(err);
    char *class = workdir ? textfile_join(workdir_path(workdir), "class") : NULL,
         *grades = workdir ? textfile_join(workdir_path(workdir), "grades") : NULL;
    if (workdir && !(class && grades))
        error_set(err, "out of memory");
    if (class && grades && make_class(request->root, class, err)) {
        proof.submissions = class;
        proof.out = grades;
        proof.proof = true;
        status = grade(&proof, out, err);
    }
    free(class);
    free(grades);
    workdir_destroy(workdir);
    return status;
}

/* ---- what came of it ---- */

static size_t student_of(const struct grading *g, enum answer answer)
{
    size_t s = 0;
    while (s < g->class->students_count && !grade_called(&g->class->students[s], names[answer]))
        s++;
    return s;
}

/* "10 of 10, pass" */
static const char *marked(const struct grade_mark *mark, char text[100])
{
    char score[32], most[32];
    if (isnan(mark->score))
        snprintf(text, 100, "%s", mark->word);
    else
        snprintf(text, 100, "%s of %s, %s", grade_points(score, mark->score), grade_points(most, mark->most),
                 mark->word);
    return text;
}

/* What is wrong with an exercise's rules; NULL: nothing. */
static const char *amiss(const struct grade_mark mark[ANSWERS])
{
    if (strcmp(mark[STUB].word, "pass") == 0)
        return "the stub passes: it asks for nothing";
    if (strcmp(mark[REFERENCE].word, "pass") != 0)
        return "the reference does not pass: it asks for too much, or for what this bench cannot tell";
    if (!(mark[REFERENCE].score >= mark[REFERENCE].most))
        return "the reference does not get all points";
    if (mark[REFERENCE].most > 0 && !(mark[STUB].score < mark[REFERENCE].most / 2))
        return "the stub gets half of the points or more";
    return NULL;
}

static const char *cores_of(const struct grading *g, size_t e, char text[200])
{
    size_t length = 0;
    text[0] = '\0';
    for (unsigned c = 0; c < g->exercises[e].cores.count && length < 150; c++)
        if (g->exercises[e].cores.name[c])
            length += (size_t)snprintf(text + length, 200 - length, "%s%s", c ? " " : "",
                                       g->exercises[e].cores.name[c]);
    return *text ? text : "native";
}

enum grade_status grade_tell_proof(const struct grading *g, FILE *out)
{
    const size_t student[ANSWERS] = {student_of(g, REFERENCE), student_of(g, STUB)};
    size_t wrong = 0;
    fprintf(out, "  %-24s %-20s %-20s %s\n", "exercise", "reference", "stub", "on");
    for (size_t e = 0; e < g->exercises_count; e++) {
        struct grade_mark mark[ANSWERS];
        char reference[100], stub[100], cores[200];
        for (enum answer a = 0; a < ANSWERS; a++)
            mark[a] = grade_mark(g, student[a], e);
        const char *why = amiss(mark);
        wrong += why != NULL;
        fprintf(out, "  %-24s %-20s %-20s %s\n", g->exercises[e].exercise->id,
                marked(&mark[REFERENCE], reference), marked(&mark[STUB], stub), cores_of(g, e, cores));
        for (enum answer a = 0; a < ANSWERS; a++)
            if (why && mark[a].job && mark[a].job->outcome.headline)
                fprintf(out, "    %s: %s\n", names[a], mark[a].job->outcome.headline);
        if (why)
            fprintf(out, "    -> %s\n", why);
    }
    if (wrong == 0)
        fprintf(
            out,
            "Every reference passes with all points and no stub does: a term can begin with these rules.\n");
    else
        fprintf(out, "%zu of %zu exercises need other rules: see the lines with ->, and docs/course.md.\n",
                wrong, g->exercises_count);
    return wrong == 0 ? GRADE_DONE : GRADE_UNPROVEN;
}
