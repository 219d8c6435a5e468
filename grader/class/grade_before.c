/* Exercises that an earlier run graded, and this one does not: OUT/.work/graded/ID.json says which checks
 * gave everybody's grade, and how late it was, so that pages of all exercises can be made whatever is graded
 * now. Records of the first versions have no `id`, `name`, `late` or `note`, later ones no `roster_id`,
 * `unsure` or `by`, and `rules` for all alone: now a student's are another's where --only graded one. Some
 * have no `folder` and `untouched`.
 *
 *   {"points": 9, "rules": "...", "cores": ["cortex-a55"],
 *    "students": {"ada": {"id": "ada", "roster_id": "s7", "name": "Ada", "found": 1, "note": null,
 *                         "submission": "...", "folder": "3", "untouched": false, "unsure": false, "by":
 * "cyclelab 1.0, ...", "rules": "...", "late": {"hours": 30, "grace": 1, "percent": 80, "extension": 24,
 * "reason": "ill"}, "checks": [{"key": "...", "core": "cortex-a55"}]}}} */
#include "grader/class/grade_internal.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/textfile.h"
#include "grader/base/version.h"
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

/* ---- whose grade is a recorded one ---- */

static const cJSON *at(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* NULL: who came later. */
static const cJSON *record_of(const struct grading *g, size_t student, size_t exercise)
{
    return at(at(g->exercises[exercise].record, "students"), g->class->students[student].safe);
}

bool grade_is_recalled(const struct grading *g, size_t student, size_t e)
{
    const struct grade_student *one = &g->class->students[student];
    return g->exercises[e].before || ((!g->asked[student] || one->earlier) && record_of(g, student, e));
}

bool grade_is_as_recorded(const struct grading *g, size_t student, size_t exercise)
{
    const char *hash = cJSON_GetStringValue(at(record_of(g, student, exercise), "submission"));
    return hash && strcmp(hash, g->class->students[student].entries[exercise].hash) == 0;
}

const char *grade_by(const struct grading *g, size_t student, size_t exercise, char by[GRADE_BY])
{
    char version[VERSION_TEXT];
    if (grade_is_recalled(g, student, exercise)) {
        const char *text = cJSON_GetStringValue(at(record_of(g, student, exercise), "by"));
        snprintf(by, GRADE_BY, "%s", text ? text : "");
    } else {
        snprintf(by, GRADE_BY, "cyclelab %s, %.16s; compiler and emulator %.16s",
                 version_read(g->request->build, version), g->suite, g->tools);
    }
    return by;
}

const char *grade_rules(const struct grading *g, size_t student, size_t exercise)
{
    if (!grade_is_recalled(g, student, exercise))
        return g->exercises[exercise].public_rules;
    const char *own = cJSON_GetStringValue(at(record_of(g, student, exercise), "rules"));
    const char *all = cJSON_GetStringValue(at(g->exercises[exercise].record, "rules"));
    return own ? own : all ? all : "";
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

static cJSON *make_late(const struct grade_lateness *late)
{
    cJSON *record = cJSON_CreateObject();
    if (record && json_add_number(record, "hours", late->before_grace) &&
        json_add_number(record, "grace", late->grace) && json_add_number(record, "percent", late->percent) &&
        json_add_number(record, "extension", late->extension) &&
        json_add_string(record, "reason", late->reason))
        return record;
    cJSON_Delete(record);
    return NULL;
}

static cJSON *make_student(const struct grading *g, size_t student, size_t exercise)
{
    const struct grade_cell *cell = grade_cell(g, student, exercise);
    const struct grade_entry *entry = &g->class->students[student].entries[exercise];
    const struct grade_lateness late = grade_lateness(g, student, exercise);
    char by[GRADE_BY];
    cJSON *record = cJSON_CreateObject(), *checks = cJSON_CreateArray();
    bool good = record && checks && json_add_string(record, "id", g->class->students[student].id) &&
                json_add_string(record, "roster_id", g->class->students[student].roster_id) &&
                json_add_string(record, "name", g->class->students[student].name) &&
                json_add_number(record, "found", entry->found) &&
                json_add_string(record, "submission", entry->hash) &&
                json_add_string(record, "note", entry->note) &&
                json_add_string(record, "folder", entry->folder) &&
                json_add(record, "untouched", cJSON_CreateBool(entry->untouched)) &&
                json_add(record, "unsure", cJSON_CreateBool(entry->unsure)) &&
                json_add_string(record, "by", grade_by(g, student, exercise, by)) &&
                json_add_string(record, "rules", grade_rules(g, student, exercise)) &&
                json_add(record, "late", make_late(&late));
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
                json_add_string(whole, "all_rules", exercise->rules) &&
                json_add(whole, "course", cJSON_CreateBool(g->request->course != NULL)) &&
                json_add(whole, "roster", cJSON_CreateBool(g->course->roster != NULL)) &&
                json_add(whole, "anonymous", cJSON_CreateBool(g->course->anonymous)) &&
                json_add(whole, "cores", make_cores(&exercise->cores));
    for (size_t s = 0; good && s < g->class->students_count; s++)
        good = json_add(students, g->class->students[s].safe, make_student(g, s, e));
    good =
        json_add(whole, "students", students) && good && json_add(whole, "similar", grade_keep_similar(g, e));
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

static bool recall_text(const cJSON *record, const char *key, char **text)
{
    const char *found = cJSON_GetStringValue(at(record, key));
    free(*text);
    *text = found ? strdup(found) : NULL;
    return !found || *text;
}

static bool recall_student(struct grading *g, size_t student, size_t exercise)
{
    struct grade_entry *entry = &g->class->students[student].entries[exercise];
    const cJSON *record = record_of(g, student, exercise), *check = at(record, "checks");
    if (!record) {
        entry->found = FOUND_FILES; /* nobody looked for any when it was graded: there is no grade */
        return add_check(g, student, exercise);
    }
    entry->unsure = cJSON_IsTrue(at(record, "unsure"));
    entry->found = (enum grade_found)at(record, "found")->valueint;
    take_hash(record, "submission", entry->hash);
    entry->untouched = cJSON_IsTrue(at(record, "untouched"));
    /* what was odd is of the files that were graded */
    if (!recall_text(record, "note", &entry->note) || !recall_text(record, "folder", &entry->folder))
        return false;
    for (check = check ? check->child : NULL; check; check = check->next)
        if (!recall_check(g, student, exercise, check))
            return false;
    return true;
}

bool grade_recall_lateness(const struct grading *g, size_t student, size_t exercise,
                           struct grade_lateness *lateness)
{
    const cJSON *record = record_of(g, student, exercise), *late = at(record, "late");
    if (!grade_is_recalled(g, student, exercise) || (record && !late))
        return false;
    *lateness = (struct grade_lateness){.percent = 100, .recorded = true};
    if (!record)
        return true;
    lateness->before_grace = (uint32_t)at(late, "hours")->valuedouble;
    lateness->grace = (uint32_t)at(late, "grace")->valuedouble;
    lateness->percent = (uint32_t)at(late, "percent")->valuedouble;
    lateness->extension = (uint32_t)at(late, "extension")->valuedouble;
    lateness->reason = cJSON_GetStringValue(at(late, "reason"));
    return true;
}

static bool is_up_to(const cJSON *number, double most)
{
    return cJSON_IsNumber(number) && number->valuedouble >= 0 && number->valuedouble <= most;
}

static bool is_whole(const cJSON *record)
{
    const cJSON *late = at(record, "late");
    return is_up_to(at(record, "found"), FOUND_UNREADABLE) &&
           (!late || (is_up_to(at(late, "hours"), UINT32_MAX) && is_up_to(at(late, "grace"), UINT16_MAX) &&
                      is_up_to(at(late, "percent"), 100) && is_up_to(at(late, "extension"), UINT32_MAX)));
}

static void recall_cores(struct grade_exercise *exercise)
{
    const cJSON *name = at(exercise->record, "cores");
    exercise->cores = (struct course_cores){0};
    for (name = name ? name->child : NULL; name && exercise->cores.count < COURSE_CORES; name = name->next)
        if (cJSON_IsString(name))
            exercise->cores.name[exercise->cores.count++] = name->valuestring;
}

/* Is anybody's grade of this exercise taken from what an earlier run recorded? Where not all is graded, and
 * there is no roster, who has nothing here now may be in the course all the same. */
static bool has_recalled(const struct grading *g, size_t e)
{
    const struct grade_request *request = g->request;
    const bool some = request->only || (request->exercises && !g->course->roster);
    return g->exercises[e].before || (some && !request->slice && !request->plan &&
                                      grade_was_before(request, g->exercises[e].exercise->id));
}

static bool read_record(struct grading *g, size_t e, struct error *err)
{
    struct grade_exercise *exercise = &g->exercises[e];
    char path[PATH_MAX];
    if (exercise->record)
        return true;
    path_of(g->request, exercise->exercise->id, path);
    char *text = textfile_read(path, MOST_BYTES, NULL, err);
    exercise->record = text ? cJSON_Parse(text) : NULL;
    free(text);
    const cJSON *one = at(exercise->record, "students");
    bool good = cJSON_IsNumber(at(exercise->record, "points"));
    for (one = one ? one->child : NULL; good && one; one = one->next)
        good = is_whole(one);
    return good ||
           error_set(err, "OUT: %s is damaged: remove it, and grade %s again, with EX=%u or without EX", path,
                     exercise->exercise->id, exercise->exercise->number);
}

/* Does the record say otherwise? Those of the first versions say nothing. */
static bool differs(const cJSON *record, const char *key, bool now)
{
    return cJSON_IsBool(at(record, key)) && cJSON_IsTrue(at(record, key)) != now;
}

/* Grades that stay would be others' or of other points by another course file. */
static bool goes_with(const struct grading *g, size_t e, struct error *err)
{
    const struct grade_exercise *exercise = &g->exercises[e];
    const cJSON *record = exercise->record;
    const char *again = exercise->before ? "name it in EX too" : "grade it without --only";
    if (!g->request->course && differs(record, "course", false))
        return error_set(err,
                         "COURSE: %s was graded by a course file, and none is given now: give it, or %s, by "
                         "which everybody is graded anew",
                         exercise->exercise->id, again);
    if (differs(record, "roster", g->course->roster) || differs(record, "anonymous", g->course->anonymous))
        return error_set(
            err,
            "COURSE: students are called otherwise than when %s was graded (`roster` or `anonymous` "
            "is another one): give that course file, or %s",
            exercise->exercise->id, again);
    const double points = at(record, "points")->valuedouble;
    if (!exercise->before && (points < exercise->points || points > exercise->points))
        return error_set(err,
                         "COURSE: %s had %g points when it was graded and has %g now, which would change "
                         "everybody's: give that course file, or %s",
                         exercise->exercise->id, points, exercise->points, again);
    return true;
}

bool grade_check_course(struct grading *g, struct error *err)
{
    for (size_t e = 0; e < g->exercises_count; e++)
        if (has_recalled(g, e) && (!read_record(g, e, err) || !goes_with(g, e, err)))
            return false;
    return true;
}

static void recall_exercise(struct grade_exercise *exercise)
{
    exercise->points = at(exercise->record, "points")->valuedouble;
    take_hash(exercise->record, "rules", exercise->public_rules);
    recall_cores(exercise);
}

bool grade_recall(struct grading *g, struct error *err)
{
    for (size_t e = 0; e < g->exercises_count; e++) {
        if (!has_recalled(g, e))
            continue;
        if (!read_record(g, e, err))
            return false;
        if (g->exercises[e].before)
            recall_exercise(&g->exercises[e]);
        for (size_t s = 0; s < g->class->students_count; s++) {
            if (!grade_is_recalled(g, s, e))
                continue;
            grade_cell(g, s, e)->count = 0;
            if (!recall_student(g, s, e))
                return error_set(err, "out of memory");
        }
    }
    return true;
}

/* ---- who is in the records alone ---- */

static bool has_student(const struct grade_class *class, const char *safe)
{
    for (size_t s = 0; s < class->students_count; s++)
        if (strcmp(class->students[s].safe, safe) == 0)
            return true;
    return false;
}

static bool add_earlier(struct grade_class *class, const cJSON *record)
{
    const char *id = cJSON_GetStringValue(at(record, "id")), *name = cJSON_GetStringValue(at(record, "name"));
    struct grade_student *student =
        grade_add_student(class, id ? id : record->string, name ? name : record->string, "");
    char *safe = student ? strdup(record->string) : NULL;
    if (!safe)
        return false;
    free(student->safe);
    student->safe = safe;
    student->earlier = true;
    return true;
}

bool grade_add_earlier(struct grading *g, struct error *err)
{
    if (g->course->roster)
        return true;
    for (size_t e = 0; e < g->exercises_count; e++) {
        if (!has_recalled(g, e))
            continue;
        if (!read_record(g, e, err))
            return false;
        const cJSON *students = at(g->exercises[e].record, "students");
        for (const cJSON *one = students ? students->child : NULL; one; one = one->next)
            if (!has_student(g->class, one->string) && !add_earlier(g->class, one))
                return error_set(err, "out of memory");
    }
    grade_sort_students(g->class);
    return true;
}

/* ---- telling ---- */

/* Who was graded then and is called otherwise now, or not in the course. */
static size_t count_gone(const struct grading *g, size_t e)
{
    const cJSON *students = at(g->exercises[e].record, "students");
    size_t gone = 0;
    for (const cJSON *one = students ? students->child : NULL; one; one = one->next)
        gone += !has_student(g->class, one->string);
    return gone;
}

void grade_tell_before(const struct grading *g, FILE *out)
{
    for (size_t e = 0; e < g->exercises_count; e++) {
        size_t later = 0, none = 0, unsure = 0;
        bool recorded = true;
        if (!g->exercises[e].before)
            continue;
        for (size_t s = 0; s < g->class->students_count; s++) {
            const bool scored = isfinite(grade_mark(g, s, e).score);
            later += !scored && !record_of(g, s, e);
            none += !scored && record_of(g, s, e);
            unsure += g->class->students[s].entries[e].unsure;
            recorded = recorded && grade_lateness(g, s, e).recorded;
        }
        const size_t gone = count_gone(g, e);
        fprintf(out, "  as it was graded before: %s", g->exercises[e].exercise->id);
        if (later > 0)
            fprintf(out, ", without a grade for %zu who came later", later);
        if (none > 0)
            fprintf(out, ", without one for %zu who got none then", none);
        if (unsure > 0)
            fprintf(out, ", without one for %zu whose submission could be another's then", unsure);
        if (gone > 0)
            fprintf(out, ", and with grades of %zu who %s not in the class now", gone,
                    gone == 1 ? "is" : "are");
        if (later + none + unsure + gone > 0)
            fputs(": name it in EX too", out);
        if (!recorded)
            fputs(", by a version that did not record who was late: lateness goes by this class's times",
                  out);
        fputc('\n', out);
    }
    for (size_t e = 0; g->request->only && e < g->exercises_count; e++) {
        const char *rules = cJSON_GetStringValue(at(g->exercises[e].record, "all_rules"));
        if (!g->exercises[e].before && rules && strcmp(rules, g->exercises[e].rules) != 0)
            fprintf(out,
                    "  --only: %s is checked by other rules than the others' (course file, core or suite): "
                    "grade it without --only to have one rule for all\n",
                    g->exercises[e].exercise->id);
    }
    size_t earlier = 0;
    for (size_t s = 0; s < g->class->students_count; s++)
        earlier += g->class->students[s].earlier;
    if (earlier > 0)
        fprintf(
            out,
            "  %zu student%s graded before %s nothing here and keep%s the grades: make forget takes out who "
            "has left\n",
            earlier, earlier == 1 ? "" : "s", earlier == 1 ? "has" : "have", earlier == 1 ? "s" : "");
}
