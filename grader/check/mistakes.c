#include "grader/check/mistakes.h"

#include <math.h>
#include <string.h>

/* A check of correctness is meant by its case, wherever it was tried: natively, under Linux, when timed. */
static bool is_meant(const struct check *check, const char *name)
{
    if (strncmp(name, CHECK_RIGHT, sizeof CHECK_RIGHT - 1) != 0)
        return strcmp(check->name, name) == 0;
    return check->kind == CHECK_CORRECTNESS && check->case_name &&
           strcmp(check->case_name, name + sizeof CHECK_RIGHT - 1) == 0;
}

static struct check *find(const struct result *result, const char *name, enum verdict verdict)
{
    for (size_t i = 0; i < result->checks_count; i++)
        if (result->checks[i].verdict == verdict && is_meant(&result->checks[i], name))
            return &result->checks[i];
    return NULL;
}

static bool within(double figure, uint32_t least, uint32_t most)
{
    return figure * 1000 >= least && (most == MISTAKE_ANY || figure * 1000 <= most); /* false for NAN */
}

/* Of the student's code, for an element; NAN where nobody counted. */
static double counted(const struct result *result, const char *case_name, const char *counter)
{
    const enum model_event event = model_event_find(counter);
    for (size_t i = 0; i < result->measurements_count && event < MODEL_EVENT_COUNT; i++) {
        const struct measurement *of = &result->measurements[i];
        if (of->modelled && strcmp(of->variant, "student") == 0 && strcmp(of->case_name, case_name) == 0)
            return (double)of->model.value[event] / (double)of->elements;
    }
    return NAN;
}

static bool is_there(const struct mistake_spec *mistake, const struct result *result,
                     const struct check *first)
{
    const struct check *telling = find(result, mistake->fails[0], VERDICT_FAIL);
    bool decides = false;
    if (mistake->on != BENCH_ANY && (!result->on || strcmp(bench_set_name(mistake->on), result->on) != 0))
        return false;
    for (unsigned i = 0; i < mistake->fails_count; i++) {
        if (!find(result, mistake->fails[i], VERDICT_FAIL))
            return false;
        decides = decides || is_meant(first, mistake->fails[i]);
    }
    for (unsigned i = 0; i < mistake->passes_count; i++) /* wherever it was tried */
        if (!find(result, mistake->passes[i], VERDICT_PASS) || find(result, mistake->passes[i], VERDICT_FAIL))
            return false;
    const bool figure = mistake->least > 0 || mistake->most != MISTAKE_ANY;
    if (!decides || !strstr(telling->message, mistake->message) ||
        (figure && !(telling->has_measured && within(telling->measured, mistake->least, mistake->most))))
        return false;
    return !*mistake->counted.counter ||
           within(counted(result, mistake->counted.case_name, mistake->counted.counter),
                  mistake->counted.least, mistake->counted.most);
}

void mistakes_recognise(const struct exercise *exercise, struct result *result)
{
    struct check *first = NULL;
    for (size_t i = 0; i < result->checks_count; i++) {
        struct check *check = &result->checks[i];
        if (check->verdict == VERDICT_ERROR || check->verdict == VERDICT_REJECTED)
            return;
        if (check->verdict == VERDICT_FAIL && !first)
            first = check;
    }
    for (unsigned i = 0; first && i < exercise->mistakes_count; i++) {
        const struct mistake_spec *mistake = &exercise->mistakes[i];
        if (!is_there(mistake, result, first))
            continue;
        result_set(&result->mistake, "%s", mistake->name);
        result_set(&first->next, "%s", mistake->says);
        return;
    }
}
