/* How late each exercise of each student is, and what that leaves of its points. */
#include "grader/class/grade_internal.h"

#include <string.h>

#include "grader/base/when.h"

enum { HOUR = 3600, DAY = 24 };

/* What the course's list says of the whole submission; 0 where it is not there. */
static uint32_t listed_hours(const struct grading *g, size_t s)
{
    const struct grade_student *who = &g->class->students[s];
    const char *const names[] = {who->id, who->name, who->roster_id, who->roster_name};
    uint32_t hours = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && hours == 0; i++)
        hours = course_hours_late(g->course, names[i]);
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
            grade_is_called(&g->class->students[s], one->student) &&
            (!longest || one->hours > longest->hours))
            longest = one;
    }
    return longest;
}

/* Before grace days. */
static uint32_t hours_late(const struct grading *g, size_t s, size_t e)
{
    const struct grade_student *who = &g->class->students[s];
    const struct course_extension *extension = extension_of(g, s, e);
    const uint32_t listed = listed_hours(g, s), extended = extension ? extension->hours : 0;
    time_t due, came;
    uint32_t hours = listed;
    if (who->entries[e].found == FOUND_NOTHING)
        return 0;
    if (listed == 0 && when_read(due_of(g, e), &due) && when_read(who->time, &came) && came > due)
        hours = (uint32_t)((came - due + HOUR - 1) / HOUR);
    return hours > extended ? hours - extended : 0;
}

/* Late together with another exercise, by as much: grace days are spent once for both. */
static bool is_late_with(const struct grading *g, size_t s, size_t a, size_t b)
{
    return strcmp(due_of(g, a), due_of(g, b)) == 0 && hours_late(g, s, a) == hours_late(g, s, b);
}

/* Grace days go to the first exercises that are late. */
static uint32_t grace_of(const struct grading *g, size_t s, size_t exercise)
{
    uint32_t rest = g->course->late_grace;
    for (size_t e = 0; e <= exercise; e++) {
        const uint32_t days = (hours_late(g, s, e) + DAY - 1) / DAY, spent = days < rest ? days : rest;
        bool again = false;
        if (is_late_with(g, s, e, exercise))
            return spent;
        for (size_t i = 0; i < e && !again; i++)
            again = is_late_with(g, s, i, e);
        rest -= again ? 0 : spent;
    }
    return 0;
}

struct grade_lateness grade_lateness(const struct grading *g, size_t student, size_t exercise)
{
    struct grade_lateness late = {.extension = extension_of(g, student, exercise),
                                  .grace = g->course->late_grace > 0 ? grace_of(g, student, exercise) : 0};
    const uint32_t hours = hours_late(g, student, exercise);
    late.hours = hours > DAY * late.grace ? hours - DAY * late.grace : 0;
    late.percent = course_late_percent(g->course, late.hours);
    return late;
}
