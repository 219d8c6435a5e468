/* What a summary tells an instructor who may not expect it. */
#include "grader/class/grade_internal.h"

#include <string.h>

#include "grader/base/when.h"

static bool anybody_has(const struct grading *g, size_t e)
{
    for (size_t s = 0; s < g->class->students_count; s++)
        if (g->class->students[s].entries[e].found != FOUND_NOTHING || g->class->students[s].entries[e].note)
            return true;
    return false;
}

/* Exercises that were not asked for yet count 0 for everybody, unless the command says which are. */
static void tell_untouched(const struct grading *g, FILE *out)
{
    size_t untouched = 0, rest = 0;
    for (size_t e = 0; e < g->exercises_count; e++) {
        const bool any = g->exercises[e].before || anybody_has(g, e);
        untouched += !any;
        rest += any;
    }
    if (untouched == 0 || rest == 0)
        return;
    fprintf(out, "  nobody handed in anything of %zu exercise%s, which count%s 0 of the points: EX='",
            untouched, untouched == 1 ? "" : "s", untouched == 1 ? "s" : "");
    const char *before = "";
    for (size_t e = 0; e < g->exercises_count; e++) {
        if (!g->exercises[e].before && !anybody_has(g, e))
            continue;
        fprintf(out, "%s%u", before, g->exercises[e].exercise->number);
        before = " ";
    }
    fputs("' with an empty OUT leaves them out, and so does `graded: false` in course.yml\n", out);
}

/* A due date does nothing where no submission has a time. */
static void tell_timeless(const struct grading *g, FILE *out)
{
    time_t when;
    bool due = when_read(g->course->due, &when), timed = false;
    for (size_t e = 0; e < g->exercises_count; e++)
        due = due || (g->exercises[e].settings->due && when_read(g->exercises[e].settings->due, &when));
    for (size_t s = 0; s < g->class->students_count; s++)
        timed = timed || *g->class->students[s].time;
    if (due && !timed && g->course->late_count == 0)
        fprintf(out,
                "  nobody is late: %s does not say when something was handed in, so list who was late in "
                "course.yml "
                "(`late`)\n",
                g->class->service ? g->class->service : "a folder");
}

/* Nor does lateness where no rule says what it costs. */
static void tell_costless(const struct grading *g, FILE *out)
{
    size_t late = 0;
    for (size_t s = 0; s < g->class->students_count; s++) {
        const struct grade_total total = grade_total(g, s);
        late += total.hours > 0 && total.percent == 100;
    }
    if (late > 0 && g->course->late_days == 0)
        fprintf(out, "  %zu handed in late, which costs nothing: course.yml has no `late`\n", late);
}

void grade_tell_hints(const struct grading *g, FILE *out)
{
    tell_untouched(g, out);
    tell_timeless(g, out);
    tell_costless(g, out);
}
