/* How late each exercise of each student is, and what that leaves of its points. */
#include "grader/class/grade_internal.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/when.h"

enum { HOUR = 3600, DAY = 24 };

/* Is a line of the course's for this exercise? NULL is all of them. */
static bool is_for(const struct grading *g, size_t e, const char *exercise)
{
    return !exercise || strcmp(exercise, g->exercises[e].exercise->id) == 0;
}

/* The line of the course's list for the exercise, else the one for all; NULL: none. */
static const struct course_late *line_of(const struct grading *g, size_t s, size_t e)
{
    const struct course_late *line = NULL;
    for (unsigned i = 0; i < g->course->late_count; i++) {
        const struct course_late *one = &g->course->late[i];
        if (g->listed[GRADE_LATE][i] == s && is_for(g, e, one->exercise) &&
            (!line || (one->exercise && !line->exercise)))
            line = one;
    }
    return line;
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
        if (g->listed[GRADE_EXTENSIONS][i] == s && is_for(g, e, one->exercise) &&
            (!longest || one->hours > longest->hours))
            longest = one;
    }
    return longest;
}

/* Before grace days. */
static uint32_t hours_late(const struct grading *g, size_t s, size_t e, uint32_t extension)
{
    const struct grade_student *who = &g->class->students[s];
    const struct course_late *line = line_of(g, s, e);
    time_t seconds;
    uint32_t hours = line ? line->hours : 0;
    if (who->entries[e].found == FOUND_NOTHING)
        return 0;
    if (!line && when_late(due_of(g, e), who->time, &seconds))
        hours = (uint32_t)((seconds + HOUR - 1) / HOUR);
    return hours > extension ? hours - extension : 0;
}

/* Both times, where both are known: one moment can be written in several ways. */
static bool read_due(const struct grading *g, size_t a, size_t b, time_t *due_a, time_t *due_b)
{
    return when_read(due_of(g, a), due_a) && when_read(due_of(g, b), due_b);
}

static bool is_due_with(const struct grading *g, size_t a, size_t b)
{
    time_t due_a, due_b;
    return read_due(g, a, b, &due_a, &due_b) ? due_a == due_b : strcmp(due_of(g, a), due_of(g, b)) == 0;
}

/* Does exercise `a` get its grace before `b`? What was graded before has it; then what was due earlier; of
 * those that are due together, or whose time is not known, the first. */
static bool is_before(const struct grading *g, const struct grade_lateness *late, size_t a, size_t b)
{
    time_t due_a, due_b;
    if (late[a].recorded != late[b].recorded)
        return late[a].recorded;
    return read_due(g, a, b, &due_a, &due_b) && due_a != due_b ? due_a < due_b : a < b;
}

/* The first of those that are not done, NULL: all are. */
static struct grade_lateness *next_due(const struct grading *g, struct grade_lateness *late, const bool *done)
{
    size_t next = g->exercises_count;
    for (size_t e = 0; e < g->exercises_count; e++)
        if (!done[e] && (next == g->exercises_count || is_before(g, late, e, next)))
            next = e;
    return next < g->exercises_count ? &late[next] : NULL;
}

/* Grace days go to the exercises that are late in the order in which they were due, so that a later one takes
 * none from an earlier one; what was due together and is late by as much spends them once. `done` has room
 * for each exercise. */
static void spend_grace(const struct grading *g, struct grade_lateness *late, bool *done)
{
    uint32_t rest = g->course->late_grace;
    struct grade_lateness *one;
    memset(done, 0, g->exercises_count * sizeof *done);
    while ((one = next_due(g, late, done))) {
        const size_t e = (size_t)(one - late);
        const uint32_t days = one->before_grace / DAY + (one->before_grace % DAY > 0);
        size_t with = 0;
        while (with < g->exercises_count &&
               (!done[with] || late[with].before_grace != one->before_grace || !is_due_with(g, with, e)))
            with++;
        const bool together = with < g->exercises_count;
        if (!one->recorded)
            one->grace = together ? late[with].grace : days < rest ? days : rest;
        rest -= together ? 0 : one->grace < rest ? one->grace : rest;
        done[e] = true;
    }
}

/* All but the grace of what this run grades. */
static struct grade_lateness begin(const struct grading *g, size_t s, size_t e)
{
    struct grade_lateness late = {0};
    if (grade_recall_lateness(g, s, e, &late))
        return late;
    const struct course_extension *extension = extension_of(g, s, e);
    late.extension = extension ? extension->hours : 0;
    late.reason = extension ? extension->reason : NULL;
    late.before_grace = hours_late(g, s, e, late.extension);
    return late;
}

static void end(const struct grading *g, struct grade_lateness *late)
{
    const uint32_t hours = late->before_grace, grace = DAY * late->grace;
    late->hours = hours > grace ? hours - grace : 0;
    if (!late->recorded) /* where the course does not say what lateness costs, it costs nothing */
        late->percent = g->course->late_days > 0 ? course_late_percent(g->course, late->hours) : 100;
}

bool grade_settle_lateness(struct grading *g, struct error *err)
{
    g->lateness = calloc(g->class->students_count * g->exercises_count + 1, sizeof *g->lateness);
    bool *done = calloc(g->exercises_count + 1, sizeof *done);
    for (size_t s = 0; g->lateness && done && s < g->class->students_count; s++) {
        struct grade_lateness *late = &g->lateness[s * g->exercises_count];
        for (size_t e = 0; e < g->exercises_count; e++)
            late[e] = begin(g, s, e);
        spend_grace(g, late, done);
        for (size_t e = 0; e < g->exercises_count; e++)
            end(g, &late[e]);
    }
    const bool good = g->lateness && done;
    free(done);
    return good || error_set(err, "out of memory");
}

struct grade_lateness grade_lateness(const struct grading *g, size_t student, size_t exercise)
{
    return g->lateness[student * g->exercises_count + exercise];
}
