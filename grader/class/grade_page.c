/* The class page. */
#include "grader/class/grade_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/reports/digest.h"
#include "grader/reports/page.h"
#include "grader/base/textfile.h"

enum { BUCKETS = 11, WORDS = 7 };

static const char *const words[WORDS] = {"pass",  "fail",    "rejected", "unstable",
                                         "error", "missing", "pending"};

static const char *word_shown(const char *word)
{
    return strcmp(word, "missing") == 0   ? "not submitted"
           : strcmp(word, "pending") == 0 ? "not graded yet"
                                          : word;
}

/* ---- one exercise ---- */

struct spread {
    size_t bucket[BUCKETS]; /* tenths of the points; the last: all of them */
    size_t word[WORDS];
    size_t wrong;     /* handed in, and no bound was asked */
    size_t untouched; /* handed in as the stub came */
    double *shares;
    size_t count;
};

static int compare_numbers(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Of those who handed something in. */
static bool spread_of(const struct grading *g, size_t exercise, struct spread *spread)
{
    *spread = (struct spread){.shares = calloc(g->class->students_count + 1, sizeof *spread->shares)};
    if (!spread->shares)
        return false;
    for (size_t s = 0; s < g->class->students_count; s++) {
        struct grade_mark mark = grade_mark(g, s, exercise);
        for (size_t i = 0; i < WORDS; i++)
            spread->word[i] += strcmp(mark.word, words[i]) == 0;
        if (!mark.job || !isfinite(mark.score))
            continue;
        double share = mark.most > 0 ? mark.score / mark.most : 0;
        spread->shares[spread->count++] = share;
        spread->bucket[share >= 1 ? BUCKETS - 1 : (size_t)(share * 10)]++;
        spread->untouched += g->class->students[s].entries[exercise].untouched;
        spread->wrong += !mark.job->outcome.right && mark.job->outcome.verdict == VERDICT_FAIL;
    }
    qsort(spread->shares, spread->count, sizeof *spread->shares, compare_numbers);
    return true;
}

static void print_histogram(FILE *out, const struct spread *spread)
{
    enum { WIDTH = 20, HEIGHT = 60 };
    size_t most = 1;
    for (size_t i = 0; i < BUCKETS; i++)
        most = spread->bucket[i] > most ? spread->bucket[i] : most;
    fprintf(out,
            "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Scores:", BUCKETS * WIDTH,
            HEIGHT + 26);
    for (size_t i = 0; i < BUCKETS; i++)
        fprintf(out, " %zu%s%s%zu", i * 10, i + 1 < BUCKETS ? " % and more" : " %", ": ", spread->bucket[i]);
    fputs("\">", out);
    for (size_t i = 0; i < BUCKETS; i++) {
        size_t height = (spread->bucket[i] * HEIGHT + most - 1) / most;
        size_t x = i * WIDTH;
        if (spread->bucket[i] > 0)
            fprintf(out,
                    "<rect%s x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%zu\" rx=\"1\"/>"
                    "<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\">%zu</text>",
                    i + 1 == BUCKETS ? " class=\"full\"" : "", x + 2, HEIGHT + 12 - height, WIDTH - 4, height,
                    x + WIDTH / 2, HEIGHT + 9 - height, spread->bucket[i]);
        if (i % 5 == 0)
            fprintf(out, "<text x=\"%zu\" y=\"%d\" text-anchor=\"%s\">%zu %%</text>",
                    i == 0             ? x + 2
                    : i + 1 == BUCKETS ? x + WIDTH - 2
                                       : x + WIDTH / 2,
                    HEIGHT + 23,
                    i == 0             ? "start"
                    : i + 1 == BUCKETS ? "end"
                                       : "middle",
                    i * 10);
    }
    fprintf(out, "<line x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/></svg>", BUCKETS * WIDTH, HEIGHT + 12,
            HEIGHT + 12);
}

static void print_exercise(const struct grading *g, size_t e, FILE *out)
{
    const struct grade_exercise *exercise = &g->exercises[e];
    struct spread spread;
    char points[32];
    double sum = 0;
    if (!spread_of(g, e, &spread))
        return;
    for (size_t i = 0; i < spread.count; i++)
        sum += spread.shares[i];
    fprintf(out, "<div class=\"card\"><h2>%u. ", exercise->exercise->number);
    page_text(out, exercise->exercise->title);
    fprintf(out, "</h2><p class=\"dim\">%s points", grade_points(points, exercise->points));
    for (unsigned i = 0; i < exercise->cores.count; i++)
        if (exercise->cores.name[i])
            fprintf(out, "%s%s", i == 0 ? ", on " : ", ", exercise->cores.name[i]);
    fputs("</p>", out);
    print_histogram(out, &spread);
    fputs("<p>", out);
    for (size_t i = 0; i < WORDS; i++)
        if (spread.word[i] > 0)
            fprintf(out, "<span class=\"chip %s\">%zu %s</span> ", words[i], spread.word[i],
                    word_shown(words[i]));
    fputs("</p><p class=\"dim\">", out);
    if (spread.count > 0)
        fprintf(out, "of those handed in: mean %.0f %%, median %.0f %%", 100 * sum / (double)spread.count,
                50 * (spread.shares[spread.count / 2] + spread.shares[(spread.count - 1) / 2]));
    if (spread.wrong > 0)
        fprintf(out, "; %zu wrong or not to be built", spread.wrong);
    if (spread.untouched > 0)
        fprintf(out, "; %zu handed in the stub as it came", spread.untouched);
    fputs("</p></div>\n", out);
    free(spread.shares);
}

/* ---- students ---- */

static void print_student(const struct grading *g, size_t s, bool lateness, FILE *out)
{
    const struct grade_student *student = &g->class->students[s];
    const struct grade_total total = grade_total(g, s);
    char points[32];
    bool odd = student->note != NULL;
    fprintf(out, "<tr><th scope=\"row\" class=\"name\"><a href=\"students/%s/report.html\">", student->safe);
    page_text(out, student->name);
    fputs("</a>", out);
    if (*student->section) {
        fputs(" <span class=\"dim\">", out);
        page_text(out, student->section);
        fputs("</span>", out);
    }
    for (size_t i = 0; i < g->exercises_count; i++)
        odd = odd || student->entries[i].note;
    if (odd)
        fputs(" <span class=\"fail\" role=\"img\" aria-label=\"something was odd: see the report\" "
              "title=\"something was odd: see the report\">&#9888;</span>",
              out);
    fputs("</th>", out);
    for (size_t i = 0; i < g->exercises_count; i++) {
        const struct grade_mark mark = grade_mark(g, s, i);
        const bool shown = isfinite(mark.score) && (mark.job || mark.override);
        fprintf(out, "<td><a class=\"chip %s\" href=\"students/%s/report.html#%s\"", mark.word, student->safe,
                g->exercises[i].exercise->id);
        if (mark.job && mark.job->outcome.headline) {
            fputs(" title=\"", out);
            page_text(out, mark.job->outcome.headline);
            fputs("\"", out);
        }
        fprintf(out, ">%s%s%s</a></td>", shown ? grade_points(points, mark.score) : "", shown ? " " : "",
                word_shown(mark.word));
    }
    fprintf(out, "<td class=\"n\">%s</td>",
            isfinite(total.score) ? grade_points(points, total.score) : "&ndash;");
    if (lateness) {
        fprintf(out, "<td class=\"n\">%u h</td>", total.hours);
        fprintf(out, "<td class=\"n\">%s</td>",
                isfinite(total.counts) ? grade_points(points, total.counts) : "&ndash;");
    }
    fputs("</tr>\n", out);
}

/* Does the course have rules for it, or was anybody? */
static bool shows_lateness(const struct grading *g)
{
    bool shows = g->course->late_days > 0;
    for (size_t s = 0; s < g->class->students_count; s++)
        shows = shows || grade_total(g, s).hours > 0;
    return shows;
}

static void print_students(const struct grading *g, FILE *out)
{
    const bool lateness = shows_lateness(g);
    double most = 0;
    char points[32];
    for (size_t i = 0; i < g->exercises_count; i++)
        most += g->exercises[i].points;
    fputs("<h2>Students</h2>\n<section class=\"scroll\" tabindex=\"0\" "
          "aria-label=\"Students and their points\"><table><caption>Students and their points</caption>\n"
          "<thead><tr><th scope=\"col\">Student</th>",
          out);
    for (size_t i = 0; i < g->exercises_count; i++) {
        fprintf(out, "<th scope=\"col\">%u ", g->exercises[i].exercise->number);
        page_text(out, g->exercises[i].exercise->slug);
        fputs("</th>", out);
    }
    fprintf(out, "<th scope=\"col\" class=\"n\">of %s</th>", grade_points(points, most));
    if (lateness)
        fputs("<th scope=\"col\" class=\"n\">late</th><th scope=\"col\" class=\"n\">counts</th>", out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t s = 0; s < g->class->students_count; s++)
        print_student(g, s, lateness, out);
    page_table_end(out);
    if (g->class->ignored_count > 0)
        fputs("<h2>Not taken for submissions</h2>\n<ul>", out);
    for (size_t i = 0; i < g->class->ignored_count; i++) {
        fputs("<li>", out);
        page_text(out, g->class->ignored[i]);
        fputs("</li>", out);
    }
    if (g->class->ignored_count > 0)
        fputs("</ul>\n", out);
}

static void print_head_and_begin_counts(const struct grading *g, FILE *out)
{
    size_t pending = 0;
    for (size_t s = 0; s < g->class->students_count; s++)
        for (size_t e = 0; e < g->exercises_count; e++)
            pending += !g->exercises[e].before && strcmp(grade_mark(g, s, e).word, "pending") == 0;
    const char *title = *g->course->title ? g->course->title : "Grades";
    page_begin(out, title, NULL);
    fputs("<h1>", out);
    page_text(out, title);
    fprintf(out, "</h1>\n<p class=\"dim\">%zu exercise%s, on %s", g->exercises_count,
            g->exercises_count == 1 ? "" : "s", strcmp(g->on, "qemu") == 0 ? "model cores" : "this machine");
    if (*g->course->due) {
        fputs("; due ", out);
        page_text(out, g->course->due);
    }
    fputs(". <a href=\"gradebook.csv\">gradebook.csv</a></p>\n", out);
    grade_begin_counts(out);
    fprintf(out, "<p class=\"dim\">%zu student%s</p>\n", g->class->students_count,
            g->class->students_count == 1 ? "" : "s");
    if (pending > 0)
        fprintf(out,
                "<p class=\"note\">%zu results are not there yet: grading goes on, or was stopped.</p>\n",
                pending);
}

bool grade_write_index(const struct grading *g, struct error *err)
{
    struct digest_text text;
    bool good;
    if (!digest_open(&text))
        return error_set(err, "out of memory");
    print_head_and_begin_counts(g, text.out);
    fputs("<div class=\"cards\">\n", text.out);
    for (size_t e = 0; e < g->exercises_count; e++)
        print_exercise(g, e, text.out);
    fputs("</div>\n", text.out);
    good = grade_print_statistics(g, text.out);
    grade_end_counts(text.out);
    grade_print_similar(g, text.out);
    print_students(g, text.out);
    page_end(text.out);
    char *page = digest_close(&text), *path = textfile_join(g->request->out, "index.html");
    good =
        good && page && path ? grade_write(path, page, strlen(page), err) : error_set(err, "out of memory");
    free(page);
    free(path);
    return good;
}
