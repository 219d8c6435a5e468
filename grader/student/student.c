#include "grader/base/textfile.h"
#include "grader/student/student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "grader/student/predict.h"
#include "grader/student/record.h"
#include "grader/student/work.h"
#include "grader/reports/clean.h"
#include "grader/reports/digest.h"

enum { DONE = 0, REFUSED = 1, CONFIGURATION = 2, IMPOSSIBLE = 4 };

static int out_of_memory(struct error *err)
{
    error_set(err, "out of memory");
    return IMPOSSIBLE;
}

static void read_record(const char *folder, const char *id, struct record *record, FILE *out)
{
    struct error why;
    if (!record_read(folder, id, record, &why))
        fprintf(out, "note: progress so far is not counted: %s\n", why.text);
}

/* ---- hint ---- */

static void print_hint(FILE *out, const struct exercise *exercise, unsigned index)
{
    fprintf(out, "Hint %u of %u: %s\n", index + 1, exercise->hints_count, exercise->hints[index]);
}

static void print_all_hints(FILE *out, const struct exercise *exercise)
{
    for (unsigned i = 0; i < exercise->hints_count; i++)
        print_hint(out, exercise, i);
}

static void next_hint(const char *folder, const struct exercise *exercise, FILE *out)
{
    struct record record;
    struct error why;
    read_record(folder, exercise->id, &record, out);
    if (record.hints >= exercise->hints_count) {
        print_all_hints(out, exercise);
        return;
    }
    unsigned index = record.hints++;
    if (!record_write(folder, exercise->id, &record, &why)) {
        /* Otherwise the second hint could never be reached. */
        fprintf(out, "note: which hints you have seen cannot be kept (%s), so here are all of them\n",
                why.text);
        print_all_hints(out, exercise);
        return;
    }
    print_hint(out, exercise, index);
    unsigned left = exercise->hints_count - index - 1;
    if (left > 0)
        fprintf(out, "(%u more: make hint EX=%u)\n", left, exercise->number);
    else
        fputs("(that was the last one)\n", out);
}

int student_hint(const char *work, const struct exercise *exercise, FILE *out, struct error *err)
{
    char *folder = record_folder(work);
    if (!folder)
        return out_of_memory(err);
    int lock = record_lock(folder);
    next_hint(folder, exercise, out);
    record_unlock(lock);
    free(folder);
    return DONE;
}

/* ---- record ---- */

static bool same_folder(const char *a, const char *b)
{
    struct stat x, y;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static double share(double score, uint32_t most)
{
    return isfinite(score) && most > 0 ? score / most : -1;
}

static void count_result(struct record *record, const struct result *result)
{
    record->checks++;
    record->has_last = true;
    record->last = result->verdict;
    record->last_score = result->score;
    record->last_max = result->max_score;
    record->failing = result->failing;
    record->passed = record->passed || result->verdict == VERDICT_PASS;
    double now = share(result->score, result->max_score), best = share(record->best_score, record->best_max);
    if (now >= 0 && (now > best || (now >= best && result->max_score >= record->best_max))) {
        record->best_score = result->score;
        record->best_max = result->max_score;
    }
}

int student_record(const char *work, const struct exercise *exercise, struct result *result, FILE *out,
                   struct error *err)
{
    char *own = work_folder(work, exercise->id), *folder = own ? record_folder(work) : NULL;
    bool counts =
        result->verdict <= VERDICT_REJECTED && (!result->source || (own && same_folder(result->source, own)));
    free(own);
    if (!folder || !counts) {
        free(folder);
        return counts ? out_of_memory(err) : DONE;
    }

    struct record record;
    struct error why;
    int lock = record_lock(folder);
    read_record(folder, exercise->id, &record, out);
    count_result(&record, result);
    predict_settle(exercise, &record, result);
    if (!record_write(folder, exercise->id, &record, &why))
        fprintf(out, "note: progress cannot be kept: %s\n", why.text);
    record_unlock(lock);
    free(folder);
    return DONE;
}

/* ---- status ---- */

static void score_text(char *buffer, size_t size, double score, uint32_t most)
{
    size_t used;
    snprintf(buffer, size, "-");
    if (!isfinite(score))
        return;
    digest_points_text(buffer, size, score);
    used = strlen(buffer);
    snprintf(buffer + used, size - used, "/%u", most);
}

static void print_row(FILE *out, const struct exercise *exercise, const struct record *record)
{
    char last[32], best[32], hints[32];
    score_text(last, sizeof last, record->last_score, record->last_max);
    score_text(best, sizeof best, record->best_score, record->best_max);
    snprintf(hints, sizeof hints, "%u/%u", record->hints, exercise->hints_count);
    fprintf(out, "  %2u  %-8s  %7s  %7s  %5s  ", exercise->number,
            record->has_last ? verdict_name(record->last) : "-", last, best, hints);
    clean_print_line(out, exercise->title, 60);
    fputc('\n', out);
    for (unsigned i = 0; i < record->reached_count; i++)
        fprintf(out, "        %s cycles an element on %s; the reference %s\n",
                predict_figure(record->reached[i].cycles, 3).text, record->reached[i].on,
                predict_figure(record->reached[i].reference, 3).text);
}

static void print_bar(FILE *out, size_t passed, size_t count)
{
    enum { WIDTH = 20 };
    size_t filled = count ? passed * WIDTH / count : 0;
    fputs("\n  [", out);
    for (size_t i = 0; i < WIDTH; i++)
        fputc(i < filled ? '#' : '.', out);
    fprintf(out, "] %zu of %zu passed\n", passed, count);
}

struct next {
    bool known, checked, begun;
    unsigned number;
    char folder[400];
};

static void print_next(FILE *out, const struct next *next, size_t passed, size_t count)
{
    if (next->known && next->checked)
        fprintf(out, "  Next: make check EX=%u after your next change, or make hint EX=%u\n", next->number,
                next->number);
    else if (next->known && next->begun)
        fprintf(out, "  Next: read %s/README.md, edit the file that it names, then make check EX=%u\n",
                next->folder, next->number);
    else if (next->known)
        fprintf(out, "  Next: read %s/README.md, then make begin EX=%u\n", next->folder, next->number);
    else if (passed == count)
        fputs("  All done. Compare with the references: make solution EX=n\n", out);
}

int student_status(const char *root, const char *work, FILE *out, struct error *err)
{
    char **ids = exercise_list(root, err);
    if (!ids)
        return CONFIGURATION;
    char *folder = record_folder(work);
    if (!folder) {
        textfile_names_free(ids);
        return out_of_memory(err);
    }
    size_t count = 0, passed = 0;
    struct next next = {0};
    struct predict_progress progress = {0};
    int status = DONE;

    fprintf(out, "  %2s  %-8s  %7s  %7s  %5s  %s\n", "EX", "last", "score", "best", "hints", "title");
    for (char **id = ids; *id; id++, count++) {
        struct record record;
        struct error why;
        struct exercise *exercise = exercise_read(root, *id, &why);
        if (!exercise) { /* the others are still worth seeing */
            fprintf(out, "  %.2s  cannot be read; see below\n", *id);
            *err = why;
            status = CONFIGURATION;
            continue;
        }
        read_record(folder, *id, &record, out);
        print_row(out, exercise, &record);
        predict_add(&progress, &record);
        passed += record.passed;
        bool begun = record.has_last && !next.checked; /* goes before what was not */
        if (!record.passed && (begun || !next.known)) {
            next = (struct next){.known = true,
                                 .checked = record.has_last,
                                 .begun = work_begun(work, *id),
                                 .number = exercise->number};
            snprintf(next.folder, sizeof next.folder, "%s", exercise->folder);
        }
        exercise_free(exercise);
    }
    print_bar(out, passed, count);
    predict_print(out, &progress);
    print_next(out, &next, passed, count);
    textfile_names_free(ids);
    free(folder);
    return status;
}
