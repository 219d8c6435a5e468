/* Points: from the checks' scores to the gradebook. */
#include "grader/class/grade_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/layout.h"
#include "grader/reports/clean.h"
#include "grader/base/csv.h"
#include "grader/reports/digest.h"
#include "grader/reports/jsonparts.h"
#include "grader/base/textfile.h"

enum { MOST_NAME = 300, MOST_NOTE = 1000, SCHEMA = 1 };

/* ---- marks ---- */

static double share_of(const struct grade_outcome *outcome)
{
    return isfinite(outcome->score) && outcome->most > 0 ? fmin(1, outcome->score / outcome->most)
                                                         : (double)NAN;
}

/* Is a the one that counts? What has no score has to be looked at; then the worst, the first of equals. */
static bool is_worse(const struct grade_outcome *a, const struct grade_outcome *b)
{
    double left = share_of(a), right = share_of(b);
    return isfinite(right) && (!isfinite(left) || left < right);
}

static struct grade_mark checked_mark(const struct grading *g, size_t student, size_t exercise)
{
    const struct grade_cell *cell = grade_cell(g, student, exercise);
    const struct grade_entry *entry = &g->class->students[student].entries[exercise];
    struct grade_mark mark = {.word = "missing", .most = g->exercises[exercise].points};
    if (entry->found == FOUND_REFUSED)
        mark.word = verdict_name(VERDICT_REJECTED);
    if (entry->found == FOUND_UNREADABLE) {
        mark.word = verdict_name(VERDICT_ERROR);
        mark.score = NAN;
    }
    for (size_t i = 0; i < cell->count; i++) {
        const struct grade_job *job = &g->jobs[cell->jobs[i]];
        if (!job->outcome.known) {
            mark.word = "pending";
            mark.score = NAN;
            mark.job = NULL;
            return mark;
        }
        if (!mark.job || is_worse(&job->outcome, &mark.job->outcome))
            mark.job = job;
    }
    mark.trials = cell->count;
    if (mark.job) {
        mark.word = verdict_name(mark.job->outcome.verdict);
        mark.score = share_of(&mark.job->outcome) * mark.most;
    }
    return mark;
}

struct grade_mark grade_mark(const struct grading *g, size_t student, size_t exercise)
{
    struct grade_mark mark = checked_mark(g, student, exercise);
    mark.checked = mark.score;
    for (unsigned i = 0; i < g->course->overrides_count; i++) {
        const struct course_override *one = &g->course->overrides[i];
        if (strcmp(one->exercise, g->exercises[exercise].exercise->id) != 0 ||
            g->listed[GRADE_OVERRIDES][i] != student)
            continue;
        mark.override = one;
        mark.score = one->hundredths / 100.0;
    }
    return mark;
}

const char *grade_override_text(const struct grade_mark *mark, char buffer[400])
{
    char points[32], checked[32];
    *buffer = '\0';
    if (mark->override)
        snprintf(buffer, 400, "%s points in place of %s: %.300s", grade_points(points, mark->score),
                 isfinite(mark->checked) ? grade_points(checked, mark->checked) : "none",
                 mark->override->reason);
    return buffer;
}

struct grade_total grade_total(const struct grading *g, size_t student)
{
    struct grade_total total = {0};
    bool alike = true;
    uint32_t first = 100, seen = 0;
    for (size_t i = 0; i < g->exercises_count; i++) {
        const struct grade_mark mark = grade_mark(g, student, i);
        const struct grade_lateness late = grade_lateness(g, student, i);
        total.score += mark.score;
        total.most += mark.most;
        total.counts += mark.score * late.percent / 100;
        total.hours = late.hours > total.hours ? late.hours : total.hours;
        if (g->class->students[student].entries[i].found == FOUND_NOTHING && !mark.override)
            continue;
        first = seen++ == 0 ? late.percent : first;
        alike = alike && late.percent == first;
    }
    total.percent = alike || !(total.score > 0) ? first : (uint32_t)lround(100 * total.counts / total.score);
    return total;
}

const char *grade_points(char buffer[32], double points)
{
    *buffer = '\0';
    if (!isfinite(points))
        return buffer;
    snprintf(buffer, 32, "%.2f", points);
    for (size_t length = strlen(buffer); buffer[length - 1] == '0' || buffer[length - 1] == '.'; length--) {
        bool point = buffer[length - 1] == '.';
        buffer[length - 1] = '\0';
        if (point)
            break;
    }
    return buffer;
}

/* ---- text ---- */

void grade_csv_cell(FILE *out, const char *text, size_t bytes)
{
    char *clean = clean_line(text, bytes);
    csv_cell(out, clean ? clean : "?");
    free(clean);
}

/* All that was odd about a student's submission, exercise by exercise, and the number that the work was drawn
 * by. */
static char *notes_of(const struct grading *g, size_t s)
{
    const struct grade_student *student = &g->class->students[s];
    struct digest_text notes;
    const char *before = "";
    if (!digest_open(&notes))
        return NULL;
    /* the instructor's and the grader's own words first: what a student's names make long is cut at the end
     */
    for (size_t i = 0; i < g->exercises_count; i++) {
        const struct grade_mark mark = grade_mark(g, s, i);
        char override[400], number[40] = "";
        const char *const texts[] = {number, grade_override_text(&mark, override)};
        if (mark.job && mark.job->outcome.student_number)
            snprintf(number, sizeof number, "student number %" PRIu32, mark.job->outcome.student_number);
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
            if (!texts[t] || !*texts[t])
                continue;
            fprintf(notes.out, "%s%s: %s", before, g->exercises[i].exercise->id, texts[t]);
            before = "; ";
        }
    }
    if (student->note) {
        fprintf(notes.out, "%s%s", before, student->note);
        before = "; ";
    }
    for (size_t i = 0; i < g->exercises_count; i++) {
        if (!student->entries[i].note)
            continue;
        fprintf(notes.out, "%s%s: %s", before, g->exercises[i].exercise->id, student->entries[i].note);
        before = "; ";
    }
    return digest_close(&notes);
}

/* ---- gradebook.csv ---- */

static void print_row(const struct grading *g, size_t s, FILE *out)
{
    const struct grade_student *student = &g->class->students[s];
    struct grade_total total = grade_total(g, s);
    char points[32], *notes = notes_of(g, s);
    grade_csv_cell(out, student->name, MOST_NAME);
    fputc(',', out);
    grade_csv_cell(out, student->safe, MOST_NAME);
    for (size_t i = 0; i < g->exercises_count; i++) {
        struct grade_mark mark = grade_mark(g, s, i);
        fprintf(out, ",%s,", grade_points(points, mark.score));
        fprintf(out, "%s,%s", grade_points(points, mark.most), mark.word);
    }
    fprintf(out, ",%s,", grade_points(points, total.score));
    fprintf(out, "%s,%u,%u,", grade_points(points, total.most), total.hours, total.percent);
    fprintf(out, "%s,", grade_points(points, total.counts));
    grade_csv_cell(out, student->id, MOST_NAME);
    fputc(',', out);
    grade_csv_cell(out, student->email, MOST_NAME);
    fputc(',', out);
    grade_csv_cell(out, student->section, MOST_NAME);
    fputc(',', out);
    grade_csv_cell(out, student->time, MOST_NAME);
    fputc(',', out);
    grade_csv_cell(out, notes ? notes : "", MOST_NOTE);
    fputc('\n', out);
    free(notes);
}

static char *make_csv(const struct grading *g)
{
    struct digest_text text;
    if (!digest_open(&text))
        return NULL;
    fputs("student,folder", text.out);
    for (size_t i = 0; i < g->exercises_count; i++) {
        const char *id = g->exercises[i].exercise->id;
        fprintf(text.out, ",%s score,%s max,%s verdict", id, id, id);
    }
    fputs(",total,max,hours late,percent,counts,id,email,section,submitted,notes\n", text.out);
    for (size_t s = 0; s < g->class->students_count; s++)
        print_row(g, s, text.out);
    return digest_close(&text);
}

/* ---- class.json ---- */

static cJSON *make_mark(const struct grading *g, size_t s, size_t e)
{
    const struct grade_mark mark = grade_mark(g, s, e);
    const struct grade_entry *entry = &g->class->students[s].entries[e];
    const struct exercise *exercise = g->exercises[e].exercise;
    const uint32_t number = mark.job ? mark.job->outcome.student_number : 0;
    char override[400];
    cJSON *o = cJSON_CreateObject(), *missed = cJSON_CreateArray();
    bool good = o && json_add_string(o, "exercise", exercise->id) &&
                json_add_string(o, "verdict", mark.word) && json_add_number(o, "score", mark.score) &&
                json_add_number(o, "max_score", mark.most) &&
                json_add_string(o, "core", mark.job ? mark.job->core : NULL) &&
                json_add_string(o, "headline", mark.job ? mark.job->outcome.headline : NULL) &&
                json_add_number(o, "student_number", number ? number : (double)NAN) &&
                json_add_string(o, "override", mark.override ? grade_override_text(&mark, override) : NULL) &&
                json_add_string(o, "found_in", entry->folder) && json_add_string(o, "note", entry->note);
    for (unsigned i = 0; good && mark.job && i < exercise->bounds_count && i < GRADE_BOUNDS; i++)
        if (mark.job->outcome.missed >> i & 1)
            good = missed && json_append(missed, cJSON_CreateString(exercise->bounds[i].name));
    if (good && json_add(o, "missed", missed))
        return o;
    if (!good)
        cJSON_Delete(missed);
    cJSON_Delete(o);
    return NULL;
}

/* Where it is no number of a platform's own it is a login, an address or the folder's name. */
static bool hides_platform_id(const struct grading *g, const struct grade_student *student)
{
    const struct layout_service *service = layout_service_of(g->class->service);
    const bool says_who = !service || !service->numbers;
    return !*student->platform_id || (g->course->anonymous && *student->roster_id && says_who);
}

static cJSON *make_student(const struct grading *g, size_t s)
{
    const struct grade_student *student = &g->class->students[s];
    const struct grade_total total = grade_total(g, s);
    char report[400];
    snprintf(report, sizeof report, "students/%s/report.json", student->safe);
    cJSON *o = cJSON_CreateObject(), *marks = cJSON_CreateArray();
    bool good = o && marks;
    for (size_t i = 0; good && i < g->exercises_count; i++)
        good = json_append(marks, make_mark(g, s, i));
    good = json_add_string(o, "student", student->name) && json_add_string(o, "id", student->id) &&
           json_add_string(o, "platform_id", hides_platform_id(g, student) ? NULL : student->platform_id) &&
           json_add_string(o, "email", *student->email ? student->email : NULL) &&
           json_add_string(o, "section", *student->section ? student->section : NULL) &&
           json_add_string(o, "submitted", *student->time ? student->time : NULL) && good;
    if (json_add(o, "exercises", marks) && good && json_add_string(o, "folder", student->safe) &&
        json_add_string(o, "report", report) && json_add_string(o, "note", student->note) &&
        json_add_number(o, "score", total.score) && json_add_number(o, "max_score", total.most) &&
        json_add_number(o, "hours_late", total.hours) && json_add_number(o, "percent", total.percent) &&
        json_add_number(o, "counts", total.counts))
        return o;
    cJSON_Delete(o);
    return NULL;
}

static char *make_json(const struct grading *g)
{
    char *text = NULL;
    cJSON *o = cJSON_CreateObject(), *students = cJSON_CreateArray(), *ignored = cJSON_CreateArray();
    bool good = o && students && ignored && json_add_number(o, "schema", SCHEMA) &&
                json_add_string(o, "title", g->course->title) && json_add_string(o, "due", g->course->due) &&
                json_add_string(o, "on", g->on);
    for (size_t s = 0; good && s < g->class->students_count; s++)
        good = json_append(students, make_student(g, s));
    for (size_t i = 0; good && i < g->class->ignored_count; i++)
        good = json_append(ignored, cJSON_CreateString(g->class->ignored[i]));
    bool added = json_add(o, "students", students);
    added = json_add(o, "ignored", ignored) && added;
    added = json_add(o, "similar", grade_make_similar(g)) && added;
    if (good && added)
        text = cJSON_Print(o);
    cJSON_Delete(o);
    return text;
}

/* ---- both ---- */

bool grade_write_text(const struct grading *g, const char *name, char *text, struct error *err)
{
    char *path = textfile_join(g->request->out, name);
    bool good = path && text ? grade_write(path, text, strlen(text), err) : error_set(err, "out of memory");
    free(path);
    free(text);
    return good;
}

bool grade_write_book(const struct grading *g, struct error *err)
{
    return grade_write_text(g, "gradebook.csv", make_csv(g), err) &&
           grade_write_text(g, "class.json", make_json(g), err);
}
