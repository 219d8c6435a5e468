/* How late each exercise of each student is, and what that leaves of its points. */
#include "grader/class/grade_internal.h"

#include <stdlib.h>
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

/* Grace days go to the first exercises that are late; what was due together and is late by as much spends
 * them once. `late` has the hours before grace. */
static void spend_grace(const struct grading *g, struct grade_lateness *late)
{
    uint32_t rest = g->course->late_grace;
    for (size_t e = 0; e < g->exercises_count; e++) {
        const uint32_t days = (late[e].hours + DAY - 1) / DAY;
        size_t with = 0;
        while (with < e && (late[with].hours != late[e].hours || strcmp(due_of(g, with), due_of(g, e)) != 0))
            with++;
        late[e].grace = with < e ? late[with].grace : days < rest ? days : rest;
        rest -= with < e ? 0 : late[e].grace;
    }
}

bool grade_settle_lateness(struct grading *g, struct error *err)
{
    g->lateness = calloc(g->class->students_count * g->exercises_count + 1, sizeof *g->lateness);
    for (size_t s = 0; g->lateness && s < g->class->students_count; s++) {
        struct grade_lateness *late = &g->lateness[s * g->exercises_count];
        for (size_t e = 0; e < g->exercises_count; e++) {
            late[e].extension = extension_of(g, s, e);
            late[e].hours = hours_late(g, s, e, late[e].extension);
        }
        spend_grace(g, late);
        for (size_t e = 0; e < g->exercises_count; e++) {
            late[e].hours -= late[e].hours < DAY * late[e].grace ? late[e].hours : DAY * late[e].grace;
            late[e].percent = course_late_percent(g->course, late[e].hours);
        }
    }
    return g->lateness || error_set(err, "out of memory");
}

struct grade_lateness grade_lateness(const struct grading *g, size_t student, size_t exercise)
{
    return g->lateness[student * g->exercises_count + exercise];
}
