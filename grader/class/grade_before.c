/* Exercises that an earlier run graded, and this one does not: OUT/.work/graded/ID.json says which checks
 * gave everybody's grade, so that pages of all exercises can be made whatever is graded now.
 *
 *   {"points": 9, "rules": "...", "cores": ["cortex-a55"],
 *    "students": {"ada": {"found": 1, "submission": "...",
 *                         "checks": [{"key": "...", "core": "cortex-a55"}]}}} */
#include "grader/class/grade_internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/textfile.h"
#include "grader/reports/jsonparts.h"

enum { MOST_BYTES = 64 << 20 };

static void path_of(const struct grade_request *request, const char *id, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/.work/graded/%s.json", request->out, id);
}

bool grade_was_before(const struct grade_request *request, const char *id)
{
    char path[PATH_MAX];
    path_of(request, id, path);
    return access(path, F_OK) == 0;
}

/* ---- writing ---- */

static cJSON *make_check(const struct grade_job *job)
{
    cJSON *check = cJSON_CreateObject();
    if (check && json_add_string(check, "key", job->key) && json_add_string(check, "core", job->core))
        return check;
    cJSON_Delete(check);
    return NULL;
}

static cJSON *make_student(const struct grading *g, size_t student, size_t exercise)
{
    const struct grade_cell *cell = grade_cell(g, student, exercise);
    cJSON *record = cJSON_CreateObject(), *checks = cJSON_CreateArray();
    bool good = record && checks &&
                json_add_number(record, "found", g->class->students[student].entries[exercise].found) &&
                json_add_string(record, "submission", g->class->students[student].entries[exercise].hash);
    for (size_t i = 0; good && i < cell->count; i++)
        good = json_append(checks, make_check(&g->jobs[cell->jobs[i]]));
    if (json_add(record, "checks", checks) && good)
        return record;
    cJSON_Delete(record);
    return NULL;
}

static cJSON *make_cores(const struct course_cores *cores)
{
    cJSON *names = cJSON_CreateArray();
    for (unsigned i = 0; names && i < cores->count && cores->name[i]; i++)
        json_append(names, cJSON_CreateString(cores->name[i]));
    return names;
}

static char *make_record(const struct grading *g, size_t e)
{
    const struct grade_exercise *exercise = &g->exercises[e];
    cJSON *whole = cJSON_CreateObject(), *students = cJSON_CreateObject();
    bool good = whole && students && json_add_number(whole, "points", exercise->points) &&
                json_add_string(whole, "rules", exercise->public_rules) &&
                json_add(whole, "cores", make_cores(&exercise->cores));
    for (size_t s = 0; good && s < g->class->students_count; s++)
        good = json_add(students, g->class->students[s].safe, make_student(g, s, e));
    good = json_add(whole, "students", students) && good;
    char *text = good ? cJSON_PrintUnformatted(whole) : NULL;
    cJSON_Delete(whole);
    return text;
}

bool grade_record(const struct grading *g, struct error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/graded", g->work);
    bool good = textfile_make_folder(path, err);
    for (size_t e = 0; good && e < g->exercises_count; e++) {
        if (g->exercises[e].before)
            continue;
        char *text = make_record(g, e);
        path_of(g->request, g->exercises[e].exercise->id, path);
        good = text ? grade_write(path, text, strlen(text), err) : error_set(err, "out of memory");
        free(text);
    }
    return good;
}

/* ---- reading ---- */

static const cJSON *at(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* A check for the end of a cell. */
static struct grade_job *add_check(struct grading *g, size_t student, size_t exercise)
{
    struct grade_cell *cell = grade_cell(g, student, exercise);
    const size_t index = g->jobs_count + g->before_count;
    struct grade_job *jobs = realloc(g->jobs, (index + 1) * sizeof *jobs);
    if (!jobs)
        return NULL;
    g->jobs = jobs;
    size_t *own = realloc(cell->jobs, (cell->count + 1) * sizeof *own);
    if (!own)
        return NULL;
    cell->jobs = own;
    cell->jobs[cell->count++] = index;
    g->before_count++;
    g->jobs[index] = (struct grade_job){.student = student, .exercise = exercise, .outcome = {.score = NAN}};
    return &g->jobs[index];
}

/* A check of the earlier run, with what came of it. */
static bool recall_check(struct grading *g, size_t student, size_t exercise, const cJSON *check)
{
    const char *key = cJSON_GetStringValue(at(check, "key"));
    struct grade_job *job = add_check(g, student, exercise);
    if (!job)
        return false;
    job->core = cJSON_GetStringValue(at(check, "core"));
    snprintf(job->key, sizeof job->key, "%s", key ? key : "");
    if (strlen(job->key) == SHA256_TEXT - 1)
        grade_look_up(g, job);
    return true;
}

/* A hash that stands there; "" where there is none. */
static void take_hash(const cJSON *object, const char *key, char hash[SHA256_TEXT])
{
    const char *text = cJSON_GetStringValue(at(object, key));
    snprintf(hash, SHA256_TEXT, "%s", text ? text : "");
}

static bool recall_student(struct grading *g, size_t student, size_t exercise)
{
    struct grade_entry *entry = &g->class->students[student].entries[exercise];
    const cJSON *record = at(at(g->exercises[exercise].record, "students"), g->class->students[student].safe);
    const cJSON *found = at(record, "found"), *check = at(record, "checks");
    if (!cJSON_IsNumber(found)) /* who came later */
        return entry->found != FOUND_FILES || add_check(g, student, exercise);
    entry->found = (enum grade_found)found->valueint;
    take_hash(record, "submission", entry->hash);
    for (check = check ? check->child : NULL; check; check = check->next)
        if (!recall_check(g, student, exercise, check))
            return false;
    return true;
}

static void recall_cores(struct grade_exercise *exercise)
{
    const cJSON *name = at(exercise->record, "cores");
    exercise->cores = (struct course_cores){0};
    for (name = name ? name->child : NULL; name && exercise->cores.count < COURSE_CORES; name = name->next)
        if (cJSON_IsString(name))
            exercise->cores.name[exercise->cores.count++] = name->valuestring;
}

static bool recall_exercise(struct grading *g, size_t e, struct error *err)
{
    struct grade_exercise *exercise = &g->exercises[e];
    char path[PATH_MAX];
    path_of(g->request, exercise->exercise->id, path);
    char *text = textfile_read(path, MOST_BYTES, NULL, err);
    exercise->record = text ? cJSON_Parse(text) : NULL;
    free(text);
    const cJSON *points = at(exercise->record, "points");
    if (!cJSON_IsNumber(points))
        return error_set(err, "OUT: %s is damaged: grade %s again, with EX=%u or without EX", path,
                         exercise->exercise->id, exercise->exercise->number);
    exercise->points = points->valuedouble;
    take_hash(exercise->record, "rules", exercise->public_rules);
    recall_cores(exercise);
    for (size_t s = 0; s < g->class->students_count; s++)
        if (!recall_student(g, s, e))
            return error_set(err, "out of memory");
    return true;
}

bool grade_recall(struct grading *g, struct error *err)
{
    for (size_t e = 0; e < g->exercises_count; e++)
        if (g->exercises[e].before && !recall_exercise(g, e, err))
            return false;
    return true;
}

void grade_tell_before(const struct grading *g, FILE *out)
{
    for (size_t e = 0; e < g->exercises_count; e++) {
        size_t later = 0;
        if (!g->exercises[e].before)
            continue;
        for (size_t s = 0; s < g->class->students_count; s++)
            later += strcmp(grade_mark(g, s, e).word, "pending") == 0;
        fprintf(out, "  as it was graded before: %s", g->exercises[e].exercise->id);
        if (later > 0)
            fprintf(out, ", without a grade for %zu who came later: name it in EX too", later);
        fputc('\n', out);
    }
}
