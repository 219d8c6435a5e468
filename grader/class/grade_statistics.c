/* What a class found hard, for the instructor: hints, no verdicts. */
#include "grader/class/grade_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/reports/page.h"

enum { MOST_SHOWN = 15 };

/* One bound, or one mistake, of an exercise. */
struct item {
    size_t exercise;
    unsigned number;
    size_t asked, found; /* students of whom it was asked, and who missed it; or who made the mistake */
    double separates;    /* NAN: too few students */
};

static int compare_items(const void *a, const void *b)
{
    const struct item *left = a, *right = b;
    if (left->found != right->found)
        return left->found < right->found ? 1 : -1;
    if (left->exercise != right->exercise)
        return left->exercise < right->exercise ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

/* ---- how well a bound separates ---- */

/* A student of whom a bound was asked. */
struct asked {
    double rest; /* the share of the points of the other exercises */
    bool met;
};

static int compare_asked(const void *a, const void *b)
{
    const struct asked *left = a, *right = b;
    return (left->rest > right->rest) - (left->rest < right->rest);
}

/* Of the students with the most points in the other exercises so many more met it than of those with the
 * least: the upper and the lower 27 in a hundred, after T. L. Kelley: The selection of upper and lower groups
 * for the validation of test items, 1939. -1 to 1; of less than ten students it says nothing. `list` is
 * reordered. */
static double discrimination(struct asked *list, size_t count)
{
    enum { LEAST = 10 };
    if (count < LEAST)
        return NAN;
    const size_t group = (count * 27 + 50) / 100;
    double difference = 0;
    qsort(list, count, sizeof *list, compare_asked);
    for (size_t i = 0; i < group; i++)
        difference += (double)list[count - 1 - i].met - (double)list[i].met;
    return difference / (double)group;
}

/* The share of the points that a student has in all exercises but one. NAN: there is no other with points. */
static double rest_of(const struct grading *g, size_t student, size_t but)
{
    double score = 0, most = 0;
    for (size_t e = 0; e < g->exercises_count; e++) {
        const struct grade_mark mark = grade_mark(g, student, e);
        if (e == but || !isfinite(mark.score))
            continue;
        score += mark.score;
        most += mark.most;
    }
    return most > 0 ? score / most : (double)NAN;
}

/* ---- bounds ---- */

/* Fills *item; `list` has room for each student, `rest` their shares. */
static void look_at_bound(const struct grading *g, const double *rest, struct asked *list, struct item *item)
{
    size_t known = 0;
    for (size_t s = 0; s < g->class->students_count; s++) {
        const struct grade_mark mark = grade_mark(g, s, item->exercise);
        if (!mark.job || !(mark.job->outcome.asked >> item->number & 1))
            continue;
        const bool missed = mark.job->outcome.missed >> item->number & 1;
        item->asked++;
        item->found += missed;
        if (isfinite(rest[s]))
            list[known++] = (struct asked){.rest = rest[s], .met = !missed};
    }
    item->separates = discrimination(list, known);
}

static bool find_missed(const struct grading *g, struct item *items, size_t *count)
{
    double *rest = calloc(g->class->students_count + 1, sizeof *rest);
    struct asked *list = calloc(g->class->students_count + 1, sizeof *list);
    *count = 0;
    for (size_t e = 0; rest && list && e < g->exercises_count; e++) {
        for (size_t s = 0; s < g->class->students_count; s++)
            rest[s] = rest_of(g, s, e);
        for (unsigned b = 0; b < g->exercises[e].exercise->bounds_count && b < GRADE_BOUNDS; b++) {
            struct item *item = &items[*count];
            *item = (struct item){.exercise = e, .number = b};
            look_at_bound(g, rest, list, item);
            *count += item->found > 0;
        }
    }
    const bool good = rest && list;
    free(rest);
    free(list);
    return good;
}

static void print_row(const struct grading *g, const struct item *item, const char *name, FILE *out)
{
    fprintf(out, "<tr><th scope=\"row\">%u: <code>%s</code></th><td class=\"n\">%zu of %zu</td>",
            g->exercises[item->exercise].exercise->number, name, item->found, item->asked);
}

static void print_missed(const struct grading *g, const struct item *items, size_t count, FILE *out)
{
    fputs("<h2>Missed most</h2>\n", out);
    if (count == 0) {
        fputs("<p>No bound was missed by work that gives correct results.</p>\n", out);
        return;
    }
    page_table_begin(out, "Bounds that were missed most",
                     (const struct page_column[]){{"Bound", false},
                                                  {"missed", true},
                                                  {"share", false},
                                                  {"separates", true},
                                                  {"what it asks", false},
                                                  {NULL, false}});
    for (size_t i = 0; i < count && i < MOST_SHOWN; i++) {
        const struct bound_spec *bound = &g->exercises[items[i].exercise].exercise->bounds[items[i].number];
        char goal[BOUND_GOAL];
        print_row(g, &items[i], bound->name, out);
        fprintf(out, "<td><div class=\"bar\"><i style=\"width:%zu%%\"></i></div></td>",
                items[i].found * 100 / items[i].asked);
        if (isfinite(items[i].separates))
            fprintf(out, "<td class=\"n\">%.2f</td>", items[i].separates);
        else
            fputs("<td class=\"n\">&ndash;</td>", out);
        fputs("<td class=\"w\">", out);
        bound_goal(bound, goal);
        page_text(out, goal);
        fputs("</td></tr>\n", out);
    }
    page_table_end(out);
    fputs("<p class=\"dim\"><i>separates</i>: of the 27 % with the most points in the other exercises so "
          "many more met "
          "the bound than of the 27 % with the least; 0 or less hints at a bound that measures something "
          "else. It "
          "takes ten students and a second exercise.</p>\n",
          out);
}

/* ---- typical mistakes ---- */

static size_t find_mistakes(const struct grading *g, struct item *items)
{
    size_t count = 0;
    for (size_t e = 0; e < g->exercises_count; e++)
        for (unsigned m = 0; m < g->exercises[e].exercise->mistakes_count; m++) {
            struct item *item = &items[count];
            *item = (struct item){.exercise = e, .number = m};
            for (size_t s = 0; s < g->class->students_count; s++) {
                const struct grade_mark mark = grade_mark(g, s, e);
                item->asked += mark.job != NULL;
                item->found += mark.job && mark.job->outcome.mistake == m + 1;
            }
            count += item->found > 0;
        }
    return count;
}

static void print_mistakes(const struct grading *g, const struct item *items, size_t count, FILE *out)
{
    if (count == 0)
        return;
    fputs("<h2>Typical mistakes</h2>\n", out);
    page_table_begin(
        out, "Typical mistakes, the most frequent first",
        (const struct page_column[]){
            {"Mistake", false}, {"made by", true}, {"what the report says", false}, {NULL, false}});
    for (size_t i = 0; i < count && i < MOST_SHOWN; i++) {
        const struct mistake_spec *mistake =
            &g->exercises[items[i].exercise].exercise->mistakes[items[i].number];
        print_row(g, &items[i], mistake->name, out);
        fputs("<td class=\"w\">", out);
        page_prose(out, mistake->says);
        fputs("</td></tr>\n", out);
    }
    page_table_end(out);
}

bool grade_print_statistics(const struct grading *g, FILE *out)
{
    size_t room = 1, count = 0;
    for (size_t e = 0; e < g->exercises_count; e++)
        room += g->exercises[e].exercise->bounds_count + g->exercises[e].exercise->mistakes_count;
    struct item *items = calloc(room, sizeof *items);
    const bool good = items && find_missed(g, items, &count);
    if (good) {
        qsort(items, count, sizeof *items, compare_items);
        print_missed(g, items, count, out);
        count = find_mistakes(g, items);
        qsort(items, count, sizeof *items, compare_items);
        print_mistakes(g, items, count, out);
    }
    free(items);
    return good;
}
