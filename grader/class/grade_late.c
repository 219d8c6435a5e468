/* How late each exercise of each student is, and what that leaves of its points. */
#include "grader/class/grade_internal.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/when.h"

enum { HOUR = 3600, DAY = 24 };

/* What the course's list says of the whole submission; 0 where it is not there. */
static uint32_t listed_hours(const struct grading *g, size_t s)
{
    uint32_t hours = 0;
    for (unsigned i = 0; i < g->course->late_count && hours == 0; i++)
        hours = g->listed[GRADE_LATE][i] == s ? g->course->late[i].hours : 0;
    return hours;
}

static const char *due_of(const struct grading *g, size_t e)
{
    const char *own = g->exercises[e].settings->due;
    return own ? own : g->course->due;
}

/* The longest of those that are for this exercise; NULL: none is. */
static const struct course_extension *extension_of(const struct grading *g, size_t s, size_t e)
{
    const struct course_extension *longest = NULL;
    for (unsigned i = 0; i < g->course->extensions_count; i++) {
        const struct course_extension *one = &g->course->extensions[i];
        if ((!one->exercise || strcmp(one->exercise, g->exercises[e].exercise->id) == 0) &&
            g->listed[GRADE_EXTENSIONS][i] == s && (!longest || one->hours > longest->hours))
            longest = one;
    }
    return longest;
}

/* Before grace days. */
static uint32_t hours_late(const struct grading *g, size_t s, size_t e,
                           const struct course_extension *extension)
{
    const struct grade_student *who = &g->class->students[s];
    const uint32_t listed = listed_hours(g, s), extended = extension ? extension->hours : 0;
    time_t due, came;
    uint32_t hours = listed;
    if (who->entries[e].found == FOUND_NOTHING)
        return 0;
    if (listed == 0 && when_read(due_of(g, e), &due) && when_read(who->time, &came) && came > due)
        hours = (uint32_t)((came - due + HOUR - 1) / HOUR);
    return hours > extended ? hours - extended : 0;
}

/* Is exercise `a` due before `b`? Of those that are due together, or whose time is not known, the first. */
static bool is_before(const struct grading *g, size_t a, size_t b)
{
    time_t due_a, due_b;
    const bool known = when_read(due_of(g, a), &due_a) && when_read(due_of(g, b), &due_b);
    return known && due_a != due_b ? due_a < due_b : a < b;
}

/* The first of those that are not done, NULL: all are. */
static struct grade_lateness *next_due(const struct grading *g, struct grade_lateness *late, const bool *done)
{
    size_t next = g->exercises_count;
    for (size_t e = 0; e < g->exercises_count; e++)
        if (!done[e] && (next == g->exercises_count || is_before(g, e, next)))
            next = e;
    return next < g->exercises_count ? &late[next] : NULL;
}

/* Grace days go to the exercises that are late in the order in which they were due, so that a later one takes
 * none from an earlier one; what was due together and is late by as much spends them once. `late` has the
 * hours before grace; `done` has room for each exercise. */
static void spend_grace(const struct grading *g, struct grade_lateness *late, bool *done)
{
    uint32_t rest = g->course->late_grace;
    struct grade_lateness *one;
    memset(done, 0, g->exercises_count * sizeof *done);
    while ((one = next_due(g, late, done))) {
        const size_t e = (size_t)(one - late);
        const uint32_t days = (one->hours + DAY - 1) / DAY;
        size_t with = 0;
        while (with < g->exercises_count &&
               (!done[with] || late[with].hours != one->hours || strcmp(due_of(g, with), due_of(g, e)) != 0))
            with++;
        const bool together = with < g->exercises_count;
        one->grace = together ? late[with].grace : days < rest ? days : rest;
        rest -= together ? 0 : one->grace;
        done[e] = true;
    }
}

bool grade_settle_lateness(struct grading *g, struct error *err)
{
    g->lateness = calloc(g->class->students_count * g->exercises_count + 1, sizeof *g->lateness);
    bool *done = calloc(g->exercises_count + 1, sizeof *done);
    for (size_t s = 0; g->lateness && done && s < g->class->students_count; s++) {
        struct grade_lateness *late = &g->lateness[s * g->exercises_count];
        for (size_t e = 0; e < g->exercises_count; e++) {
            late[e].extension = extension_of(g, s, e);
            late[e].hours = hours_late(g, s, e, late[e].extension);
        }
        spend_grace(g, late, done);
        for (size_t e = 0; e < g->exercises_count; e++) {
            late[e].hours -= late[e].hours < DAY * late[e].grace ? late[e].hours : DAY * late[e].grace;
            late[e].percent = course_late_percent(g->course, late[e].hours);
        }
    }
    const bool good = g->lateness && done;
    free(done);
    return good || error_set(err, "out of memory");
}

struct grade_lateness grade_lateness(const struct grading *g, size_t student, size_t exercise)
{
    return g->lateness[student * g->exercises_count + exercise];
}
