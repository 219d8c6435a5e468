/* What a student gets: JSON, text and HTML. No seed, no time, no place of this machine's. */
#include "grader/class/full_marks.h"
#include "grader/class/grade_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/reports/clean.h"
#include "grader/reports/digest.h"
#include "grader/reports/page.h"
#include "grader/reports/jsonparts.h"
#include "grader/reports/report.h"
#include "grader/base/textfile.h"

enum { MOST_LINES = 40, MOST_NAME = 300 };

/* What is known of one student, exercise by exercise. */
struct student_page {
    const struct grading *g;
    size_t student;
    struct grade_mark *marks;
    cJSON **kept; /* NULL where there is nothing */
};

static const struct grade_student *student_of(const struct student_page *page)
{
    return &page->g->class->students[page->student];
}

static const char *text_at(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

static double number_at(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

/* One sentence for what has no report. */
static const char *instead(const struct student_page *page, size_t e)
{
    const struct grade_mark *mark = &page->marks[e];
    switch (student_of(page)->entries[e].found) {
    case FOUND_NOTHING:
        return "Not submitted: no file of this exercise was found. 0 points.";
    case FOUND_REFUSED:
        return "Rejected: the files are such that they were not opened. 0 points.";
    case FOUND_UNREADABLE:
        return "The files could not be read on the grading machine: no points yet.";
    default:
        return mark->job && mark->job->outcome.headline ? mark->job->outcome.headline : "Not graded yet.";
    }
}

static const char *late_text(const struct student_page *page, char *buffer, size_t size)
{
    const struct grade_total total = grade_total(page->g, page->student);
    char points[32];
    *buffer = '\0';
    if (total.hours > 0)
        snprintf(buffer, size, "%u hour%s late: %u %% of the points count, %s", total.hours,
                 total.hours == 1 ? "" : "s", total.percent,
                 isfinite(total.counts) ? grade_points(points, total.counts) : "?");
    return buffer;
}

/* What an extension and lateness are to one exercise. */
static const char *late_by(const struct student_page *page, size_t e, char buffer[400])
{
    const struct grade_lateness late = grade_lateness(page->g, page->student, e);
    size_t used = 0;
    *buffer = '\0';
    if (late.extension > 0)
        used =
            (size_t)snprintf(buffer, 400, "%u hours more to hand in%s%s%s", late.extension,
                             late.reason ? " (" : "", late.reason ? late.reason : "", late.reason ? ")" : "");
    if (late.grace > 0)
        used += (size_t)snprintf(buffer + used, 400 - used, "%s%u day%s of grace spent", used > 0 ? "; " : "",
                                 late.grace, late.grace == 1 ? "" : "s");
    if (late.hours > 0)
        snprintf(buffer + used, 400 - used, "%s%u hour%s late: %u %% of the points count",
                 used > 0 ? "; " : "", late.hours, late.hours == 1 ? "" : "s", late.percent);
    return buffer;
}

/* What the grades came from. The course's seeds are in none of these hashes. */
static void print_origin(const struct student_page *page, FILE *out)
{
    const struct grading *g = page->g;
    char by[GRADE_BY], before[GRADE_BY] = "";
    for (size_t e = 0; e < g->exercises_count; e++) {
        const struct grade_entry *entry = &student_of(page)->entries[e];
        if (entry->found != FOUND_FILES || !*entry->hash)
            continue;
        if (*grade_by(g, page->student, e, by) && strcmp(by, before) != 0)
            fprintf(out, "Graded by %s\n", by);
        fprintf(out, "Exercise %u: submission %.16s, rules %.16s\n", g->exercises[e].exercise->number,
                entry->hash, grade_rules(g, page->student, e));
        memcpy(before, by, sizeof before);
    }
}

/* ---- JSON ---- */

/* A result for what was not checked, so that every exercise has one. */
static cJSON *make_absent(const struct student_page *page, size_t e)
{
    static const enum verdict verdicts[] = {[FOUND_NOTHING] = VERDICT_FAIL,
                                            [FOUND_REFUSED] = VERDICT_REJECTED,
                                            [FOUND_FILES] = VERDICT_ERROR,
                                            [FOUND_UNREADABLE] = VERDICT_ERROR};
    const struct grade_exercise *exercise = &page->g->exercises[e];
    const struct grade_entry *entry = &student_of(page)->entries[e];
    struct result *result = result_new(exercise->exercise);
    const bool native = strcmp(page->g->on, "native") == 0;
    uint32_t marks = 0;
    struct error ignored;
    if (full_marks(page->g->request->root, exercise->exercise, &(struct course_exercise){0}, native,
                   &exercise->cores, &marks, &ignored))
        result->max_score = marks;
    result_set(&result->on, "%s", page->g->on);
    result_set(&result->isa, "%s", isa_name(page->g->isa));
    result_set(&result->cpu, "%s", exercise->cores.name[0] ? exercise->cores.name[0] : "");
    result_add_check(result, CHECK_BUILD, "submitted", NULL, verdicts[entry->found], 0, "%s%s%s",
                     instead(page, e), entry->note ? "\n" : "", entry->note ? entry->note : "");
    result_conclude(result);
    result_set(&result->headline, "%s", instead(page, e));
    struct result *const list[] = {result};
    char *text = report_json(list, 1);
    cJSON *whole = text ? cJSON_Parse(text) : NULL;
    cJSON *one = cJSON_DetachItemFromArray(cJSON_GetObjectItem(whole, "results"), 0);
    cJSON_Delete(whole);
    free(text);
    result_free(result);
    return one;
}

static char *make_json(const struct student_page *page)
{
    char *text = NULL;
    cJSON *report = cJSON_CreateObject(), *list = cJSON_CreateArray();
    bool good = report && list && json_add_number(report, "schema", REPORT_SCHEMA);
    for (size_t e = 0; good && e < page->g->exercises_count; e++) {
        const char *folder = student_of(page)->entries[e].folder;
        cJSON *kept = page->kept[e] ? cJSON_GetObjectItem(page->kept[e], "result") : NULL;
        cJSON *result = kept ? cJSON_Duplicate(kept, true) : make_absent(page, e);
        char *clean = clean_utf8(folder ? folder : ".");
        good = result && clean && grade_make_neutral(result, clean);
        free(clean);
        good = json_append(list, result) && good;
    }
    if (json_add(report, "results", list) && good)
        text = cJSON_Print(report);
    cJSON_Delete(report);
    return text;
}

/* ---- text ---- */

static void print_line(FILE *out, const char *before, const char *text)
{
    fputs(before, out);
    clean_print_line(out, text, MOST_NAME);
    fputc('\n', out);
}

static char *make_text(const struct student_page *page)
{
    const struct grading *g = page->g;
    const struct grade_student *student = student_of(page);
    const struct grade_total total = grade_total(g, page->student);
    struct digest_text text;
    char points[32], most[32], late[200], override[400], by[400];
    if (!digest_open(&text))
        return NULL;
    FILE *out = text.out;
    if (*g->course->title)
        print_line(out, "", g->course->title);
    print_line(out, "Student: ", student->name);
    if (*student->roster_id && strcmp(student->id, student->name) != 0)
        print_line(out, "Id: ", student->id);
    if (*student->section)
        print_line(out, "Section: ", student->section);
    if (*g->course->due)
        print_line(out, "Due: ", g->course->due);
    if (*student->time)
        print_line(out, "Submitted: ", student->time);
    if (student->note)
        print_line(out, "Note: ", student->note);
    fputc('\n', out);
    for (size_t e = 0; e < g->exercises_count; e++) {
        const struct grade_mark *mark = &page->marks[e];
        fprintf(out, "  %2u  %-9s %6s of %-6s ", g->exercises[e].exercise->number, mark->word,
                isfinite(mark->score) ? grade_points(points, mark->score) : "?",
                grade_points(most, mark->most));
        print_line(out, "", g->exercises[e].exercise->title);
        if (*late_by(page, e, by))
            print_line(out, "                ", by);
        if (*grade_override_text(mark, override))
            print_line(out, "                Your instructor gives ", override);
    }
    fprintf(out, "\n%s of %s points\n", isfinite(total.score) ? grade_points(points, total.score) : "?",
            grade_points(most, total.most));
    if (*late_text(page, late, sizeof late))
        fprintf(out, "%s\n", late);
    for (size_t e = 0; e < g->exercises_count; e++) {
        const struct grade_entry *entry = &student->entries[e];
        fputs("\n----------------------------------------------------------------------\n", out);
        if (page->kept[e])
            clean_print(out, text_at(page->kept[e], "text"), "", SIZE_MAX, SIZE_MAX);
        else
            fprintf(out, "Exercise %u: %s\n%s\n", g->exercises[e].exercise->number,
                    g->exercises[e].exercise->title, instead(page, e));
        if (page->marks[e].trials > 1)
            fprintf(out, "The worst of %zu checks%s%s.\n", page->marks[e].trials,
                    page->marks[e].job && page->marks[e].job->core ? ", on " : "",
                    page->marks[e].job && page->marks[e].job->core ? page->marks[e].job->core : "");
        if (entry->note)
            print_line(out, "Note: ", entry->note);
    }
    fputs("\n----------------------------------------------------------------------\n", out);
    print_origin(page, out);
    return digest_close(&text);
}

/* ---- HTML ---- */

static void print_value(FILE *out, double value, const char *unit)
{
    char text[64];
    result_format_value(text, sizeof text, value, unit);
    page_text(out, text);
}

static void print_check(FILE *out, const cJSON *check)
{
    const char *verdict = text_at(check, "verdict"), *comparison = text_at(check, "comparison");
    char points[32], most[32];
    double measured = number_at(check, "measured"), bound = number_at(check, "bound");
    fputs("<tr><th scope=\"row\"><code>", out);
    page_text(out, text_at(check, "name"));
    fputs("</code></th><td>", out);
    page_chip(out, verdict, verdict);
    fputs("</td><td class=\"n\">", out);
    if (number_at(check, "points") > 0 && strcmp(verdict, "skip") != 0)
        fprintf(out, "%s/%s", grade_points(points, number_at(check, "score")),
                grade_points(most, number_at(check, "points")));
    fputs("</td><td class=\"w\">", out);
    if (isfinite(measured)) {
        page_text(out, text_at(check, "metric"));
        fputc(' ', out);
        print_value(out, measured, text_at(check, "unit"));
        fputs(", asked for ", out);
        if (strcmp(comparison, "within") == 0) {
            fprintf(out, "within %.3g %%", 100 * bound);
        } else {
            page_text(out, comparison);
            fputc(' ', out);
            print_value(out, bound, text_at(check, "unit"));
        }
        fputs("</td></tr>\n", out);
        return;
    }
    page_message(out, text_at(check, "message"));
    fputs("</td></tr>\n", out);
}

/* Passed checks of correctness are many and say little: one line for them. */
static void print_checks(FILE *out, const cJSON *result)
{
    const cJSON *check;
    size_t right = 0;
    char name[64];
    snprintf(name, sizeof name, "Checks of exercise %.0f", number_at(result, "exercise"));
    page_table_begin(out, name,
                     (const struct page_column[]){{"Check", false},
                                                  {"verdict", false},
                                                  {"points", true},
                                                  {"what was found", false},
                                                  {NULL, false}});
    check = cJSON_GetObjectItemCaseSensitive(result, "checks");
    for (check = check ? check->child : NULL; check; check = check->next) {
        bool plain = strcmp(text_at(check, "kind"), "correctness") == 0 ||
                     strcmp(text_at(check, "kind"), "build") == 0;
        if (plain && strcmp(text_at(check, "verdict"), "pass") == 0)
            right++;
        else
            print_check(out, check);
    }
    if (right > 0)
        fprintf(out,
                "<tr><td colspan=\"4\">%zu check%s of building and of correctness <span class=\"chip pass\">"
                "pass</span></td></tr>\n",
                right, right == 1 ? "" : "s");
    page_table_end(out);
}

static void print_result(FILE *out, const cJSON *kept)
{
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(kept, "result");
    fputs("<p><strong>", out);
    page_prose(out, text_at(result, "headline"));
    fputs("</strong></p>\n<p>Next: ", out);
    page_prose(out, text_at(result, "next"));
    fputs("</p>\n", out);
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(result, "student_number");
    if (cJSON_IsNumber(number))
        fprintf(out, "<p>student number: %.0f</p>\n", number->valuedouble);
    print_checks(out, result);
    fputs("<details><summary>All of the report</summary><pre tabindex=\"0\">", out);
    page_lines(out, text_at(kept, "text"), SIZE_MAX);
    fputs("</pre></details>\n", out);
}

static void print_exercise(const struct student_page *page, size_t e, FILE *out)
{
    const struct exercise *exercise = page->g->exercises[e].exercise;
    const struct grade_mark given = grade_mark(page->g, page->student, e), *mark = &given;
    const struct grade_entry *entry = &student_of(page)->entries[e];
    char points[32], most[32], override[400], by[400];
    fprintf(out, "<h2 id=\"%s\">%u. ", exercise->id, exercise->number);
    page_text(out, exercise->title);
    fprintf(out, " <span class=\"chip %s\">%s</span> <span class=\"dim\">%s of %s</span></h2>\n", mark->word,
            strcmp(mark->word, "missing") == 0 ? "not submitted" : mark->word,
            isfinite(mark->score) ? grade_points(points, mark->score) : "?", grade_points(most, mark->most));
    if (entry->note) {
        fputs("<p class=\"note\">", out);
        page_text(out, entry->note);
        fputs("</p>\n", out);
    }
    if (*late_by(page, e, by)) {
        fputs("<p class=\"dim\">", out);
        page_text(out, by);
        fputs("</p>\n", out);
    }
    if (*grade_override_text(mark, override)) {
        fputs("<p class=\"note\">Your instructor gives ", out);
        page_text(out, override);
        fputs("</p>\n", out);
    }
    if (mark->trials > 1)
        fprintf(out, "<p class=\"dim\">The worst of %zu checks.</p>\n", mark->trials);
    if (page->kept[e]) {
        print_result(out, page->kept[e]);
    } else {
        fputs("<p>", out);
        page_text(out, instead(page, e));
        fputs("</p>\n", out);
    }
}

static char *make_html(const struct student_page *page)
{
    const struct grading *g = page->g;
    const struct grade_student *student = student_of(page);
    const struct grade_total total = grade_total(g, page->student);
    struct digest_text text;
    char points[32], most[32], late[200];
    if (!digest_open(&text))
        return NULL;
    FILE *out = text.out;
    page_begin(out, student->name, NULL);
    fputs("<h1>", out);
    page_text(out, student->name);
    fprintf(out, "</h1>\n<p>%s of %s points", isfinite(total.score) ? grade_points(points, total.score) : "?",
            grade_points(most, total.most));
    if (*late_text(page, late, sizeof late))
        fprintf(out, "; %s", late);
    fputs("</p>\n<p class=\"dim\">", out);
    if (*student->section) {
        page_text(out, student->section);
        fputs("; ", out);
    }
    page_text(out, g->course->title);
    if (*g->course->due) {
        fputs(*g->course->title ? "; due " : "due ", out);
        page_text(out, g->course->due);
    }
    fputs("</p>\n", out);
    if (student->note) {
        fputs("<p class=\"note\">", out);
        page_text(out, student->note);
        fputs("</p>\n", out);
    }
    for (size_t e = 0; e < g->exercises_count; e++)
        print_exercise(page, e, out);
    fputs("<pre class=\"dim\" tabindex=\"0\">", out);
    print_origin(page, out);
    fputs("</pre>\n", out);
    page_end(out);
    return digest_close(&text);
}

/* ---- all three ---- */

static bool put(const struct student_page *page, const char *name, char *text, struct error *err)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/students/%s/%s", page->g->request->out, student_of(page)->safe, name);
    bool good = text ? grade_write(path, text, strlen(text), err) : error_set(err, "out of memory");
    free(text);
    return good;
}

const char *const grade_pages[GRADE_PAGES] = {"report.json", "report.txt", "report.html"};
static char *(*const makers[GRADE_PAGES])(const struct student_page *page) = {make_json, make_text,
                                                                              make_html};

static bool write_student(struct student_page *page, struct error *err)
{
    const struct grading *g = page->g;
    char path[PATH_MAX];
    for (size_t e = 0; e < g->exercises_count; e++) {
        page->marks[e] = grade_mark(g, page->student, e);
        if (page->marks[e].job)
            page->kept[e] = grade_store_get(g, page->marks[e].job->key, NULL);
    }
    snprintf(path, sizeof path, "%s/students/%s", g->request->out, student_of(page)->safe);
    bool good = textfile_make_folder(path, err);
    for (size_t i = 0; good && i < GRADE_PAGES; i++)
        good = put(page, grade_pages[i], makers[i](page), err);
    for (size_t e = 0; e < g->exercises_count; e++)
        cJSON_Delete(page->kept[e]);
    return good;
}

bool grade_write_student(const struct grading *g, size_t student, struct error *err)
{
    if (grade_stamp_holds(g, student))
        return true;
    struct student_page page = {.g = g,
                                .student = student,
                                .marks = calloc(g->exercises_count + 1, sizeof *page.marks),
                                .kept = calloc(g->exercises_count + 1, sizeof(cJSON *))};
    bool good = page.marks && page.kept ? write_student(&page, err) : error_set(err, "out of memory");
    free(page.kept);
    free(page.marks);
    return good && grade_stamp(g, student, err);
}

/* Ours alone, and what a kill left unfinished: a folder with anything else in it stays. */
void grade_sweep_students(const struct grading *g)
{
    char path[PATH_MAX], stamp[PATH_MAX];
    snprintf(path, sizeof path, "%s/students", g->request->out);
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        bool there = *entry->d_name == '.';
        for (size_t s = 0; !there && s < g->class->students_count; s++)
            there = strcmp(g->class->students[s].safe, entry->d_name) == 0;
        char *inner = textfile_join(path, entry->d_name);
        if (inner && *entry->d_name != '.')
            grade_sweep(inner);
        free(inner);
        if (there)
            continue;
        int fd = openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        for (size_t i = 0; fd >= 0 && i < GRADE_PAGES; i++)
            unlinkat(fd, grade_pages[i], 0);
        if (fd >= 0)
            close(fd);
        unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
        snprintf(stamp, sizeof stamp, "%s/pages/%s", g->work, entry->d_name);
        unlink(stamp);
    }
    if (folder)
        closedir(folder);
}
