/* OUT/history.csv: a line for each grade when it is new and whenever it changes, and what it came from. The
 * last line of a student and an exercise is what the next run compares with, so a run that was stopped loses
 * nothing. Lines are never changed. */
#include "grader/class/grade_internal.h"

#include <limits.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/csv.h"
#include "grader/base/strings.h"
#include "grader/base/textfile.h"
#include "grader/base/version.h"
#include "grader/reports/clean.h"
#include "grader/reports/digest.h"

enum { MOST_BYTES = 256 << 20, MOST_NAME = 300, SHORT = 16, MOST_SUITE = VERSION_TEXT + SHORT + 2 };

enum column {
    TIME,
    BY,
    FOLDER,
    EXERCISE,
    BEFORE,
    POINTS,
    MOST,
    VERDICT,
    PERCENT,
    DIFFERS,
    OVERRIDE,
    SUBMISSION,
    SUITE,
    TOOLS,
    RULES,
    COLUMNS
};

static const char head[] = "time,by,folder,exercise,before,points,max,verdict,percent,differs,override,"
                           "submission,suite,tools,rules\n";

/* What says that a grade is another one, and where it came from. */
static const struct {
    enum column column;
    const char *word;
} compared[] = {{SUBMISSION, "submission"}, {SUITE, "suite"},       {TOOLS, "compiler or emulator"},
                {RULES, "rules"},           {OVERRIDE, "override"}, {PERCENT, "lateness"}};

struct line {
    char *cells[COLUMNS]; /* in the text that was read */
};

struct history {
    char *text, *cells; /* as it is, and a copy that is cut into cells */
    size_t size;
    void *last; /* a tree: of each student and exercise */
    time_t now;
    const char *by;
    char suite[MOST_SUITE];
};

/* ---- reading ---- */

static int compare_lines(const void *a, const void *b)
{
    const struct line *left = a, *right = b;
    const int order = strcmp(left->cells[FOLDER], right->cells[FOLDER]);
    return order ? order : strcmp(left->cells[EXERCISE], right->cells[EXERCISE]);
}

static bool keep(struct history *history, const struct line *line)
{
    struct line *one = malloc(sizeof *one);
    if (!one)
        return false;
    *one = *line;
    struct line **found = tsearch(one, &history->last, compare_lines);
    if (found && *found != one) {
        **found = *line;
        free(one);
    } else if (!found) {
        free(one);
    }
    return found;
}

/* What a person added or cut is passed over, as is half a line. */
static bool take_line(struct history *history, char *text)
{
    struct line line = {{NULL}};
    char *at = text;
    for (unsigned i = 0; i < COLUMNS; i++) {
        line.cells[i] = at ? csv_take_own_cell(&at) : NULL;
        if (!line.cells[i])
            return true;
    }
    return keep(history, &line);
}

static bool read_history(struct history *history, const char *path, struct error *err)
{
    if (access(path, F_OK) != 0)
        return true;
    history->text = textfile_read(path, MOST_BYTES, &history->size, err);
    if (!history->text)
        return false;
    history->cells = strdup(history->text);
    bool good = history->cells || error_set(err, "out of memory");
    for (char *text = history->cells; good && text;)
        good = take_line(history, csv_take_line(&text)) || error_set(err, "out of memory");
    return good;
}

/* ---- writing ---- */

static const char *who_am_i(void)
{
    const struct passwd *entry = getpwuid(getuid());
    return entry ? entry->pw_name : "?";
}

static const char *cell_of(const struct line *line, enum column column)
{
    return line ? line->cells[column] : "";
}

/* Which of what it came from is not as it was; "" where all is. */
static const char *differences(const struct line *before, char now[COLUMNS][MOST_NAME], char buffer[200])
{
    *buffer = '\0';
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        if (strcmp(cell_of(before, compared[i].column), now[compared[i].column]) != 0)
            strings_append(buffer, 200, ", ", compared[i].word);
    return buffer;
}

static bool is_changed(const struct line *before, char now[COLUMNS][MOST_NAME])
{
    static const enum column grade[] = {POINTS, MOST, VERDICT, PERCENT, OVERRIDE, SUBMISSION};
    for (size_t i = 0; before && i < sizeof grade / sizeof *grade; i++)
        if (strcmp(before->cells[grade[i]], now[grade[i]]) != 0)
            return true;
    return !before;
}

static void print_line(const struct history *history, const struct line *before, bool checked,
                       char now[COLUMNS][MOST_NAME], FILE *out)
{
    char why[200];
    struct tm utc;
    snprintf(now[DIFFERS], MOST_NAME, "%s", before ? differences(before, now, why) : "the first grade");
    if (!*now[DIFFERS])
        snprintf(now[DIFFERS], MOST_NAME, "%s", checked ? "checked again" : "points");
    snprintf(now[BEFORE], MOST_NAME, "%s", cell_of(before, POINTS));
    snprintf(now[BY], MOST_NAME, "%s", history->by);
    if (!gmtime_r(&history->now, &utc) || !strftime(now[TIME], MOST_NAME, "%Y-%m-%d %H:%M:%SZ", &utc))
        *now[TIME] = '\0';
    for (unsigned i = 0; i < COLUMNS; i++) {
        fputs(i > 0 ? "," : "", out);
        csv_cell(out, now[i]);
    }
    fputc('\n', out);
}

/* A cell's text, as it will be read again. */
static void set(char cell[MOST_NAME], const char *text)
{
    char *line = clean_line(text, MOST_NAME / 2);
    snprintf(cell, MOST_NAME, "%s", line ? line : "");
    free(line);
}

/* Of an exercise graded before: what its last line says, since its checks were not made by this run. */
static void keep_origin(const struct line *before, char now[COLUMNS][MOST_NAME])
{
    static const enum column origin[] = {SUITE, TOOLS, RULES};
    for (size_t i = 0; i < sizeof origin / sizeof *origin; i++)
        snprintf(now[origin[i]], MOST_NAME, "%s", cell_of(before, origin[i]));
}

/* What a grade comes from. */
static void set_origin(const struct grading *g, const struct history *history, size_t s, size_t e,
                       char now[COLUMNS][MOST_NAME])
{
    snprintf(now[SUBMISSION], MOST_NAME, "%.*s", SHORT, g->class->students[s].entries[e].hash);
    set(now[SUITE], history->suite);
    snprintf(now[TOOLS], MOST_NAME, "%.*s", SHORT, g->tools);
    snprintf(now[RULES], MOST_NAME, "%.*s", SHORT, g->exercises[e].rules);
}

static void add(const struct grading *g, const struct history *history, size_t s, size_t e, FILE *out)
{
    static char now[COLUMNS][MOST_NAME];
    const struct grade_student *student = &g->class->students[s];
    const struct grade_mark mark = grade_mark(g, s, e);
    char points[32], override[MOST_NAME] = "";
    if (strcmp(mark.word, "pending") == 0)
        return;
    memset(now, 0, sizeof now);
    snprintf(now[FOLDER], MOST_NAME, "%s", student->safe); /* whole: it tells students apart */
    set(now[EXERCISE], g->exercises[e].exercise->id);
    set(now[POINTS], grade_points(points, mark.score));
    set(now[MOST], grade_points(points, mark.most));
    set(now[VERDICT], mark.word);
    snprintf(now[PERCENT], MOST_NAME, "%u", grade_lateness(g, s, e).percent);
    if (mark.override)
        snprintf(override, sizeof override, "%s points: %.200s", grade_points(points, mark.score),
                 mark.override->reason);
    set(now[OVERRIDE], override);
    set_origin(g, history, s, e, now);
    const struct line key = {.cells = {[FOLDER] = now[FOLDER], [EXERCISE] = now[EXERCISE]}};
    struct line *const *found = tfind(&key, &history->last, compare_lines);
    const struct line *before = found ? *found : NULL;
    if (grade_is_recalled(g, s, e))
        keep_origin(before, now);
    if (is_changed(before, now))
        print_line(history, before, !grade_is_recalled(g, s, e), now, out);
}

static bool write_history(const struct grading *g, const struct history *history, const char *path,
                          struct error *err)
{
    struct digest_text text;
    if (!digest_open(&text))
        return error_set(err, "out of memory");
    if (history->size > 0)
        fwrite(history->text, 1, history->size, text.out);
    else
        fputs(head, text.out);
    if (history->size > 0 && history->text[history->size - 1] != '\n')
        fputc('\n', text.out);
    for (size_t s = 0; s < g->class->students_count; s++)
        for (size_t e = 0; e < g->exercises_count; e++)
            add(g, history, s, e, text.out);
    fflush(text.out);
    const size_t size = text.size;
    char *whole = digest_close(&text);
    const bool good = whole ? grade_write(path, whole, size, err) : error_set(err, "out of memory");
    free(whole);
    return good;
}

static bool open_history(const struct grading *g, struct history *history, char **path, struct error *err)
{
    char version[VERSION_TEXT];
    *history = (struct history){.now = time(NULL), .by = who_am_i()};
    *path = textfile_join(g->request->out, "history.csv");
    if (!*path)
        return error_set(err, "out of memory");
    snprintf(history->suite, sizeof history->suite, "%s %.*s", version_read(g->request->build, version),
             SHORT, g->suite);
    return read_history(history, *path, err);
}

static void close_history(struct history *history, char *path)
{
    tdestroy(history->last, free);
    free(history->cells);
    free(history->text);
    free(path);
}

bool grade_write_history(const struct grading *g, struct error *err)
{
    struct history history;
    char *path;
    const bool good = open_history(g, &history, &path, err) && write_history(g, &history, path, err);
    close_history(&history, path);
    return good;
}

/* ---- what would be checked anew ---- */

enum { REASONS = 16 };

/* How many students' grades of an exercise have this reason. */
struct reason {
    char text[200];
    size_t count;
};

static void count_reason(struct reason reasons[REASONS], const char *text)
{
    size_t i = 0;
    while (i < REASONS - 1 && reasons[i].count > 0 && strcmp(reasons[i].text, text) != 0)
        i++;
    if (reasons[i].count++ == 0)
        snprintf(reasons[i].text, sizeof reasons[i].text, "%s", text);
}

static bool is_to_check(const struct grading *g, size_t s, size_t e)
{
    const struct grade_cell *cell = grade_cell(g, s, e);
    for (size_t i = 0; i < cell->count; i++)
        if (g->jobs[cell->jobs[i]].ours && !g->jobs[cell->jobs[i]].outcome.known)
            return true;
    return false;
}

static const struct line *last_line(const struct history *history, const char *folder, const char *exercise)
{
    const struct line key = {.cells = {[FOLDER] = (char *)folder, [EXERCISE] = (char *)exercise}};
    struct line *const *found = tfind(&key, &history->last, compare_lines);
    return found ? *found : NULL;
}

static const char *why_anew(const struct grading *g, const struct history *history, size_t s, size_t e,
                            char text[200])
{
    static char now[COLUMNS][MOST_NAME];
    const struct line *before = last_line(history, g->class->students[s].safe, g->exercises[e].exercise->id);
    if (!before)
        return "no grade yet";
    memset(now, 0, sizeof now);
    set_origin(g, history, s, e, now);
    snprintf(now[OVERRIDE], MOST_NAME, "%s", before->cells[OVERRIDE]); /* for these nothing is checked */
    snprintf(now[PERCENT], MOST_NAME, "%s", before->cells[PERCENT]);
    if (strcmp(before->cells[VERDICT], "missing") == 0)
        return "handed in since";
    return *differences(before, now, text) ? text : "no score, or its kept result is gone";
}

static void tell_exercise(const struct grading *g, const struct history *history, size_t e, FILE *out)
{
    struct reason reasons[REASONS] = {0};
    size_t anew = 0, all = 0;
    char text[200];
    for (size_t s = 0; s < g->class->students_count; s++) {
        all += grade_cell(g, s, e)->count > 0;
        if (!is_to_check(g, s, e))
            continue;
        anew++;
        count_reason(reasons, why_anew(g, history, s, e, text));
    }
    fprintf(out, "  %s: %zu of %zu submissions", g->exercises[e].exercise->id, anew, all);
    for (size_t i = 0; i < REASONS && reasons[i].count > 0; i++)
        fprintf(out, "%s%zu: %s", i == 0 ? "; " : ", ", reasons[i].count, reasons[i].text);
    fputc('\n', out);
}

bool grade_tell_anew(const struct grading *g, FILE *out, struct error *err)
{
    struct history history;
    size_t checks = 0;
    char *path;
    const bool good = open_history(g, &history, &path, err);
    for (size_t i = 0; i < g->jobs_count; i++)
        checks += g->jobs[i].ours && !g->jobs[i].outcome.known;
    if (good)
        fprintf(out, "Would check anew, %zu of %zu different checks:\n", checks, g->jobs_count);
    for (size_t e = 0; good && e < g->exercises_count; e++)
        if (!g->exercises[e].before)
            tell_exercise(g, &history, e, out);
    if (good)
        fputs("Nothing was checked, and no page or file was changed.\n", out);
    close_history(&history, path);
    return good;
}
