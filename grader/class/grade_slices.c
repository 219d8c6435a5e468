/* A class in parts, each graded for itself, and what they left gathered. */
#include "grader/class/grade_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SLICES = 1000 };

/* From 1 to MOST_SLICES; *end is behind it. */
static bool parse_part(const char *text, const char **end, unsigned *part)
{
    char *behind;
    if (*text < '1' || *text > '9')
        return false;
    unsigned long value = strtoul(text, &behind, 10);
    *end = behind;
    *part = (unsigned)value;
    return value <= MOST_SLICES;
}

bool grade_parse_slice(const char *text, unsigned *slice, unsigned *slices)
{
    return parse_part(text, &text, slice) && *text == '/' && grade_parse_slices(text + 1, slices) &&
           *slice <= *slices;
}

bool grade_parse_slices(const char *text, unsigned *slices)
{
    return parse_part(text, &text, slices) && *text == '\0';
}

/* Every so many of the checks that differ. */
static bool is_in(const struct grade_request *request, size_t job, unsigned slice)
{
    return job % request->slices == slice - 1;
}

void grade_take_slice(struct grading *g)
{
    for (size_t i = 0; g->request->slices && i < g->jobs_count; i++)
        g->jobs[i].ours = g->jobs[i].ours && g->request->slice && is_in(g->request, i, g->request->slice);
}

static bool has_grade(const struct grade_job *job)
{
    return job->outcome.known && isfinite(job->outcome.score);
}

size_t grade_lacking(const struct grading *g)
{
    size_t lacking = 0;
    for (size_t i = 0; i < g->jobs_count; i++)
        lacking += g->jobs[i].ours && !has_grade(&g->jobs[i]);
    return lacking;
}

void grade_tell_slices(const struct grading *g, FILE *out)
{
    for (unsigned slice = 1; slice <= g->request->slices; slice++) {
        size_t all = 0, lacking = 0;
        for (size_t i = 0; i < g->jobs_count; i++) {
            all += is_in(g->request, i, slice);
            lacking += is_in(g->request, i, slice) && !has_grade(&g->jobs[i]);
        }
        if (lacking > 0)
            fprintf(out, "  slice %u of %u: %zu of its %zu checks have no grade\n", slice, g->request->slices,
                    lacking, all);
    }
}
