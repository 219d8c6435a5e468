/* Grades and reports as platforms import them. The layouts and where they are from: docs/formats.md. */
#include "grader/class/grade_internal.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/textfile.h"
#include "grader/reports/digest.h"

enum { MOST_CELL = 300, MOST_REPORT = 64 << 20 };
/* 1980-01-01 12:00 UTC, since an archive of the same reports shall be the same. */
enum { ARCHIVE_TIME = 315576000 };

static bool is_from(const struct grading *g, const char *service)
{
    return g->class->service && strcmp(g->class->service, service) == 0;
}

static bool goes_to_canvas(const struct grading *g)
{
    return is_from(g, "Canvas") || (g->course->roster && !is_from(g, "Moodle"));
}

static bool goes_to_assignment(const struct grading *g)
{
    return is_from(g, "Moodle");
}

static bool goes_to_gradebook(const struct grading *g)
{
    return g->course->roster && !is_from(g, "Canvas");
}

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

/* An exercise that is graded here, as the platform calls its column. */
static const char *column_of(const struct grading *g, size_t e)
{
    const char *column = g->exercises[e].settings->column;
    return column ? column : g->exercises[e].exercise->id;
}

/* Is it not known whether the student has a grade? */
static bool is_unsure(const struct grading *g, size_t s, size_t e)
{
    return g->class->students[s].entries[e].unsure && !grade_mark(g, s, e).override;
}

/* Points of each exercise, with what lateness leaves of them; nothing where there is no grade, or where it is
 * not known whether there is. */
static void print_points(const struct grading *g, size_t s, FILE *out)
{
    char points[32];
    for (size_t e = 0; e < g->exercises_count; e++) {
        const struct grade_mark mark = grade_mark(g, s, e);
        const double left = mark.score * grade_lateness(g, s, e).percent / 100;
        fprintf(out, ",%s", is_unsure(g, s, e) ? "" : grade_points(points, left));
    }
    fputc('\n', out);
}

static void print_columns(const struct grading *g, FILE *out)
{
    for (size_t e = 0; e < g->exercises_count; e++) {
        fputc(',', out);
        grade_csv_cell(out, column_of(g, e), MOST_CELL);
    }
    fputc('\n', out);
}

static void print_cells(FILE *out, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", out);
        grade_csv_cell(out, texts[i], MOST_CELL);
    }
}

/* Canvas finds a student by ID, else by SIS User ID, else by name: whoever has neither id is left out, or a
 * grade could go to somebody who is called so. */
static char *make_canvas(const struct grading *g)
{
    struct digest_text text;
    char points[32];
    if (!digest_open(&text))
        return NULL;
    fputs("Student,ID,SIS User ID,SIS Login ID,Section", text.out);
    print_columns(g, text.out);
    fputs("    Points Possible,,,,", text.out);
    for (size_t e = 0; e < g->exercises_count; e++)
        fprintf(text.out, ",%s", grade_points(points, g->exercises[e].points));
    fputc('\n', text.out);
    for (size_t s = 0; s < g->class->students_count; s++) {
        const struct grade_student *one = &g->class->students[s];
        const bool numbered = is_from(g, "Canvas") && is_number(one->platform_id);
        if (!numbered && !*one->roster_id)
            continue;
        print_cells(text.out,
                    (const char *const[]){one->name, numbered ? one->platform_id : "", one->roster_id, "",
                                          one->section},
                    5);
        print_points(g, s, text.out);
    }
    return digest_close(&text);
}

/* For Moodle's gradebook: an import there asks which column tells who it is. Where that cell is empty, it
 * takes the line for the student of the one before: addresses are there for all, or for nobody. */
static char *make_moodle(const struct grading *g)
{
    struct digest_text text;
    bool addresses = true;
    if (!digest_open(&text))
        return NULL;
    for (size_t s = 0; s < g->class->students_count; s++)
        addresses = addresses && (*g->class->students[s].email || !*g->class->students[s].roster_id);
    fputs(addresses ? "ID number,Email address" : "ID number", text.out);
    print_columns(g, text.out);
    for (size_t s = 0; s < g->class->students_count; s++) {
        const struct grade_student *one = &g->class->students[s];
        if (!*one->roster_id)
            continue;
        print_cells(text.out, (const char *const[]){one->roster_id, one->email}, addresses ? 2 : 1);
        print_points(g, s, text.out);
    }
    return digest_close(&text);
}

static void print_comment(const struct grading *g, size_t s, FILE *out)
{
    const struct grade_total total = grade_total(g, s);
    char points[32];
    fputs(",\"", out);
    for (size_t e = 0; e < g->exercises_count; e++) {
        const struct grade_mark mark = grade_mark(g, s, e);
        const bool known = isfinite(mark.score) && !is_unsure(g, s, e);
        fprintf(out, "%s%s: %s", e > 0 ? "; " : "", g->exercises[e].exercise->id, mark.word);
        if (known)
            fprintf(out, ", %s", grade_points(points, mark.score));
        fprintf(out, known ? " of %s" : ", no points yet of %s", grade_points(points, mark.most));
    }
    if (total.hours > 0)
        fprintf(out, "; %u hours late: %u %% count", total.hours, total.percent);
    fputs("\"\n", out);
}

/* An assignment's offline grading worksheet, which has one grade a participant. */
static char *make_worksheet(const struct grading *g)
{
    struct digest_text text;
    char points[32];
    if (!digest_open(&text))
        return NULL;
    fputs("Identifier,Full name,Email address,Grade,Maximum Grade,Last modified (grade),Feedback comments\n",
          text.out);
    for (size_t s = 0; s < g->class->students_count; s++) {
        const struct grade_student *one = &g->class->students[s];
        const struct grade_total total = grade_total(g, s);
        bool unsure = false;
        if (!is_number(one->platform_id))
            continue;
        for (size_t e = 0; e < g->exercises_count; e++)
            unsure = unsure || is_unsure(g, s, e);
        fprintf(text.out, "Participant %s,", one->platform_id);
        print_cells(text.out, (const char *const[]){one->name, one->email}, 2);
        fprintf(text.out, ",%s,", unsure ? "" : grade_points(points, total.counts));
        fprintf(text.out, "%s,-", grade_points(points, total.most));
        print_comment(g, s, text.out);
    }
    return digest_close(&text);
}

/* ---- reports in Moodle's folders ---- */

static bool add_report(const struct grading *g, const struct grade_student *one, struct archive *archive)
{
    char path[PATH_MAX], name[PATH_MAX];
    struct error ignored;
    size_t size;
    if (!is_number(one->platform_id))
        return true;
    snprintf(path, sizeof path, "%s/students/%s/report.html", g->request->out, one->safe);
    char *text = textfile_read(path, MOST_REPORT, &size, &ignored);
    if (!text) /* not graded to the end yet */
        return true;
    struct archive_entry *entry = archive_entry_new();
    snprintf(name, sizeof name, "Participant_%s_assignsubmission_file/report.html", one->platform_id);
    bool good = entry != NULL;
    if (good) {
        archive_entry_set_pathname(entry, name);
        archive_entry_set_size(entry, (int64_t)size);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_mtime(entry, ARCHIVE_TIME, 0);
        good = archive_write_header(archive, entry) == ARCHIVE_OK &&
               archive_write_data(archive, text, size) == (la_ssize_t)size;
        archive_entry_free(entry);
    }
    free(text);
    return good;
}

static bool write_feedback(const struct grading *g, const char *path, struct error *err)
{
    struct digest_text text;
    struct archive *archive = digest_open(&text) ? archive_write_new() : NULL;
    if (!archive) {
        free(text.out ? digest_close(&text) : NULL);
        return error_set(err, "out of memory");
    }
    bool good = archive_write_set_format_zip(archive) == ARCHIVE_OK &&
                archive_write_set_bytes_in_last_block(archive, 1) == ARCHIVE_OK &&
                archive_write_open_FILE(archive, text.out) == ARCHIVE_OK;
    for (size_t s = 0; good && s < g->class->students_count; s++)
        good = add_report(g, &g->class->students[s], archive);
    good = archive_write_close(archive) == ARCHIVE_OK && good;
    if (!good)
        error_set(err, "%s: %s", path, archive_error_string(archive) ? archive_error_string(archive) : "?");
    archive_write_free(archive);
    fflush(text.out);
    const size_t size = text.size;
    char *bytes = digest_close(&text);
    good = good && (bytes ? grade_write(path, bytes, size, err) : error_set(err, "out of memory"));
    free(bytes);
    return good;
}

/* ---- all ---- */

static const struct back {
    const char *name;
    bool (*is_wanted)(const struct grading *g);
    char *(*make)(const struct grading *g); /* NULL: the archive of reports */
    const char *goes;
} backs[] = {
    {"canvas.csv", goes_to_canvas, make_canvas, "Canvas: Grades, Import"},
    {"moodle.csv", goes_to_gradebook, make_moodle, "Moodle's gradebook: Import, CSV file"},
    {"moodle-worksheet.csv", goes_to_assignment, make_worksheet,
     "Moodle's assignment: Upload grading worksheet"},
    {"moodle-feedback.zip", goes_to_assignment, NULL,
     "Moodle's assignment: Upload multiple feedback files in a zip"},
};

static bool write_one(const struct grading *g, const struct back *back, struct error *err)
{
    char *path = textfile_join(g->request->out, back->name);
    bool good = true;
    if (!path)
        return error_set(err, "out of memory");
    if (!back->is_wanted(g)) /* of a class from elsewhere */
        good = unlink(path) == 0 || errno == ENOENT || error_set(err, "%s: %s", path, strerror(errno));
    else if (!back->make)
        good = write_feedback(g, path, err);
    else
        good = grade_write_text(g, back->name, back->make(g), err);
    free(path);
    return good;
}

bool grade_write_back(const struct grading *g, struct error *err)
{
    for (size_t i = 0; i < sizeof backs / sizeof *backs; i++)
        if (!write_one(g, &backs[i], err))
            return false;
    return true;
}

void grade_tell_back(const struct grading *g, FILE *out)
{
    for (size_t i = 0; i < sizeof backs / sizeof *backs; i++)
        if (backs[i].is_wanted(g))
            fprintf(out, "%s/%s is for %s\n", g->request->out, backs[i].name, backs[i].goes);
}
