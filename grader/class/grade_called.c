/* Students as the command and the course's lists call them. */
#include "grader/class/grade_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/reports/clean.h"

struct list {
    const char *what, *key;
    unsigned count;
    const char *(*name_at)(const struct course *course, unsigned i);
    const char *(*exercise_at)(const struct course *course, unsigned i); /* NULL: of all */
    bool adds; /* several lines of one student and exercise go together */
};

static const char *late_name(const struct course *course, unsigned i)
{
    return course->late[i].student;
}

static const char *override_name(const struct course *course, unsigned i)
{
    return course->overrides[i].student;
}

static const char *extension_name(const struct course *course, unsigned i)
{
    return course->extensions[i].student;
}

static const char *late_exercise(const struct course *course, unsigned i)
{
    return course->late[i].exercise;
}

static const char *override_exercise(const struct course *course, unsigned i)
{
    return course->overrides[i].exercise;
}

static const char *extension_exercise(const struct course *course, unsigned i)
{
    return course->extensions[i].exercise;
}

static struct list list_of(const struct course *course, enum grade_list list)
{
    const struct list lists[GRADE_LISTS] = {
        [GRADE_LATE] = {"late", "late", course->late_count, late_name, late_exercise, false},
        [GRADE_OVERRIDES] = {"in overrides", "overrides", course->overrides_count, override_name,
                             override_exercise, false},
        [GRADE_EXTENSIONS] = {"in extensions", "extensions", course->extensions_count, extension_name,
                              extension_exercise, true},
    };
    return lists[list];
}

/* By what those who are meant are called so. */
static enum grade_called best_of(const struct grade_class *class, const char *name)
{
    enum grade_called best = CALLED_NOT;
    for (size_t s = 0; s < class->students_count; s++) {
        const enum grade_called by = grade_called(&class->students[s], name);
        best = by > best ? by : best;
    }
    return best;
}

/* False: there is none. */
static bool ask_for(struct grading *g, const char *name)
{
    const enum grade_called best = best_of(g->class, name);
    for (size_t s = 0; s < g->class->students_count; s++)
        g->asked[s] =
            g->asked[s] || (best != CALLED_NOT && grade_called(&g->class->students[s], name) == best);
    return best != CALLED_NOT;
}

/* How many are meant. `who`: one of them; the ids of all, with commas between, go to `ids`. */
static size_t find_called(const struct grade_class *class, const char *name, size_t *who, char ids[200])
{
    const enum grade_called best = best_of(class, name);
    size_t count = 0;
    *who = GRADE_NOBODY;
    *ids = '\0';
    for (size_t s = 0; best != CALLED_NOT && s < class->students_count; s++) {
        const size_t used = strlen(ids);
        if (grade_called(&class->students[s], name) != best)
            continue;
        snprintf(ids + used, 200 - used, "%s%s", count++ > 0 ? ", " : "", class->students[s].id);
        *who = s;
    }
    return count;
}

static bool is_for_the_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A student can stand there by the id and by the name. */
static bool check_once(const struct grading *g, enum grade_list which, const struct list *list, unsigned i,
                       struct error *err)
{
    const char *exercise = list->exercise_at(g->course, i);
    const size_t student = g->listed[which][i];
    for (unsigned k = 0; !list->adds && student != GRADE_NOBODY && k < i; k++)
        if (g->listed[which][k] == student && is_for_the_same(list->exercise_at(g->course, k), exercise))
            return error_set(
                err, "%.400s: in %s, `%.80s` and `%.80s` are one student%s%.80s: keep one of the two",
                g->request->course, list->key, list->name_at(g->course, k), list->name_at(g->course, i),
                exercise ? ", both with exercise " : "", exercise ? exercise : "");
    return true;
}

static bool take_list(struct grading *g, enum grade_list which, struct error *err)
{
    const struct list list = list_of(g->course, which);
    char ids[200];
    g->listed[which] = calloc(list.count + 1, sizeof *g->listed[which]);
    if (!g->listed[which])
        return error_set(err, "out of memory");
    for (unsigned i = 0; i < list.count; i++) {
        const char *name = list.name_at(g->course, i);
        const size_t count = find_called(g->class, name, &g->listed[which][i], ids);
        if (count <= 1 && !check_once(g, which, &list, i, err))
            return false;
        if (count <= 1)
            continue;
        char *clean = clean_line(ids, sizeof ids);
        error_set(err, "%.400s: in %s, `%.80s` is what %zu students are called: name one by the id (%.300s)",
                  g->request->course, list.key, name, count, clean ? clean : "?");
        free(clean);
        return false;
    }
    return true;
}

bool grade_take_names(struct grading *g, struct error *err)
{
    g->asked = calloc(g->class->students_count + 1, sizeof *g->asked);
    if (!g->asked)
        return error_set(err, "out of memory");
    for (size_t s = 0; s < g->class->students_count; s++)
        g->asked[s] = !g->request->only;
    for (const char *const *only = g->request->only; only && *only; only++)
        if (!ask_for(g, *only))
            return error_set(err, "--only: there is no submission `%.80s` in %.800s", *only,
                             g->request->submissions);
    for (unsigned l = 0; l < GRADE_LISTS; l++)
        if (!take_list(g, (enum grade_list)l, err))
            return false;
    return true;
}

void grade_free_names(struct grading *g)
{
    free(g->asked);
    for (unsigned l = 0; l < GRADE_LISTS; l++)
        free(g->listed[l]);
}

void grade_tell_nobody(const struct grading *g, FILE *out)
{
    for (unsigned l = 0; l < GRADE_LISTS; l++) {
        const struct list list = list_of(g->course, (enum grade_list)l);
        for (unsigned i = 0; i < list.count; i++) {
            if (g->listed[l][i] != GRADE_NOBODY)
                continue;
            fprintf(out, "  %s, but there is no such submission: ", list.what);
            clean_print_line(out, list.name_at(g->course, i), 80);
            fputc('\n', out);
        }
    }
}
