/* Students as the command and the course's lists call them. */
#include "grader/class/grade_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/reports/clean.h"

/* The ids of those who are called so, with commas between, go to `ids`. */
static size_t count_called(const struct grade_class *class, const char *name, char ids[200])
{
    size_t count = 0;
    *ids = '\0';
    for (size_t s = 0; s < class->students_count; s++) {
        const size_t used = strlen(ids);
        if (grade_is_called(&class->students[s], name))
            snprintf(ids + used, 200 - used, "%s%s", count++ > 0 ? ", " : "", class->students[s].id);
    }
    return count;
}

struct list {
    const char *what, *key;
    unsigned count;
    const char *(*name_at)(const struct course *course, unsigned i);
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

enum { LISTS = 3 };

static void lists_of(const struct course *course, struct list lists[LISTS])
{
    lists[0] = (struct list){"late", "late", course->late_count, late_name};
    lists[1] = (struct list){"in overrides", "overrides", course->overrides_count, override_name};
    lists[2] = (struct list){"in extensions", "extensions", course->extensions_count, extension_name};
}

bool grade_check_names(const struct grading *g, struct error *err)
{
    struct list lists[LISTS];
    char ids[200];
    for (const char *const *only = g->request->only; only && *only; only++)
        if (count_called(g->class, *only, ids) == 0)
            return error_set(err, "--only: there is no submission `%.80s` in %.800s", *only,
                             g->request->submissions);
    lists_of(g->course, lists);
    for (size_t l = 0; l < LISTS; l++) {
        for (unsigned i = 0; i < lists[l].count; i++) {
            const char *name = lists[l].name_at(g->course, i);
            const size_t count = count_called(g->class, name, ids);
            char *clean = count > 1 ? clean_line(ids, sizeof ids) : NULL;
            if (count > 1)
                error_set(
                    err,
                    "%.400s: in %s, `%.80s` is what %zu students are called: name one by the id (%.300s)",
                    g->request->course, lists[l].key, name, count, clean ? clean : "?");
            free(clean);
            if (count > 1)
                return false;
        }
    }
    return true;
}

void grade_tell_nobody(const struct grading *g, FILE *out)
{
    struct list lists[LISTS];
    char ids[200];
    lists_of(g->course, lists);
    for (size_t l = 0; l < LISTS; l++) {
        for (unsigned i = 0; i < lists[l].count; i++) {
            const char *name = lists[l].name_at(g->course, i);
            if (count_called(g->class, name, ids) > 0)
                continue;
            fprintf(out, "  %s, but there is no such submission: ", lists[l].what);
            clean_print_line(out, name, 80);
            fputc('\n', out);
        }
    }
}
