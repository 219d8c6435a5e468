#include "grader/check/result.h"

#include "grader/base/strings.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"pass", "fail", "unstable", "rejected", "error", "skip"};
    return names[verdict];
}

const char *check_kind_name(enum check_kind kind)
{
    static const char *const names[] = {"build", "correctness", "bound", "mechanism"};
    return names[kind];
}

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

int result_format_value(char *buffer, size_t size, double value, const char *unit)
{
    const double magnitude = fabs(value);
    const int digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 0.1 ? 2 : 4;
    const char *between = !unit || !*unit || strcmp(unit, "x") == 0 ? "" : " ";
    unit = unit ? unit : "";
    if (!isfinite(value))
        return snprintf(buffer, size, "?");
    return snprintf(buffer, size, "%.*f%s%s", digits, value, between, unit);
}

int result_format_asked(char *buffer, size_t size, const struct check *check)
{
    const char *comparison = check->comparison ? check->comparison : "";
    char bound[64], trusted[64], yours[64];
    if (strcmp(comparison, "within") == 0) {
        const int length = snprintf(buffer, size, "%.2fx to %.2fx of the trusted value",
                                    1 / (1 + check->bound), 1 + check->bound);
        if (check->trusted <= 0 || length < 0 || (size_t)length >= size)
            return length;
        result_format_value(trusted, sizeof trusted, check->trusted, NULL);
        result_format_value(yours, sizeof yours, check->measured * check->trusted, NULL);
        return length + snprintf(buffer + length, size - (size_t)length, ", %s; yours %s", trusted, yours);
    }
    result_format_value(bound, sizeof bound, check->bound, check->unit);
    return snprintf(buffer, size, "%s %s", comparison, bound);
}

static char *copy(const char *text)
{
    return text ? must(strdup(text)) : NULL;
}

static char *format_text(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        abort();
    return text;
}

void result_set(char **text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *fresh = format_text(format, args); /* before free: the old text may be an argument */
    va_end(args);
    free(*text);
    *text = fresh;
}

static void rename_in(char **text, const char *from, const char *to)
{
    if (*text) {
        char *fresh = must(strings_replace(*text, from, to));
        free(*text);
        *text = fresh;
    }
}

void check_rename(struct check *check, const char *from, const char *to)
{
    rename_in(&check->message, from, to);
    rename_in(&check->next, from, to);
}

void result_rename(struct result *result, const char *from, const char *to)
{
    rename_in(&result->headline, from, to);
    rename_in(&result->next, from, to);
    for (size_t i = 0; i < result->checks_count; i++)
        check_rename(&result->checks[i], from, to);
}

struct result *result_new(const struct exercise *exercise)
{
    struct result *result = must(calloc(1, sizeof *result));
    result->number = exercise->number;
    result->id = copy(exercise->id);
    result->slug = copy(exercise->slug);
    result->title = copy(exercise->title);
    result->max_score = exercise_points(exercise);
    result->verdict = VERDICT_ERROR; /* until it is concluded */
    return result;
}

void result_free(struct result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->checks_count; i++) {
        free(result->checks[i].name);
        free(result->checks[i].case_name);
        free(result->checks[i].message);
        free(result->checks[i].next);
    }
    for (size_t i = 0; i < result->measurements_count; i++) {
        free(result->measurements[i].case_name);
        free(result->measurements[i].waits_for);
    }
    free(result->checks);
    free(result->measurements);
    free(result->id);
    free(result->slug);
    free(result->title);
    free(result->on);
    free(result->isa);
    free(result->cpu);
    free(result->source);
    free(result->files);
    free(result->seed);
    free(result->annex);
    free(result->headline);
    free(result->next);
    free(result->mistake);
    free(result->remarks);
    free(result);
}

struct check *result_add_check(struct result *result, enum check_kind kind, const char *name,
                               const char *case_name, enum verdict verdict, uint32_t points,
                               const char *message_format, ...)
{
    va_list args;
    va_start(args, message_format);
    char *message = format_text(message_format, args);
    va_end(args);

    result->checks = must(realloc(result->checks, (result->checks_count + 1) * sizeof *result->checks));
    struct check *check = &result->checks[result->checks_count++];
    *check = (struct check){
        .name = copy(name),
        .kind = kind,
        .case_name = copy(case_name),
        .verdict = verdict,
        .message = message,
        .points = points,
        .score = verdict == VERDICT_PASS       ? (double)points
                 : verdict == VERDICT_UNSTABLE ? (double)NAN
                                               : 0.0,
    };
    return check;
}

const struct check *result_find_check(const struct result *result, const char *name)
{
    for (size_t i = 0; i < result->checks_count; i++)
        if (strcmp(result->checks[i].name, name) == 0)
            return &result->checks[i];
    return NULL;
}

struct measurement *result_add_measurement(struct result *result, const char *case_name, const char *variant)
{
    result->measurements =
        must(realloc(result->measurements, (result->measurements_count + 1) * sizeof *result->measurements));
    struct measurement *measurement = &result->measurements[result->measurements_count++];
    *measurement = (struct measurement){
        .case_name = copy(case_name),
        .variant = variant,
        .ticks = NAN,
        .cycles = NAN,
        .nanoseconds = NAN,
        .minimum_ticks = NAN,
    };
    return measurement;
}

/* ---- the conclusion ---- */

static const struct check *first_of(const struct result *result, enum verdict verdict)
{
    for (size_t i = 0; i < result->checks_count; i++)
        if (result->checks[i].verdict == verdict)
            return &result->checks[i];
    return NULL;
}

static size_t count_of(const struct result *result, enum verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < result->checks_count; i++)
        count += result->checks[i].verdict == verdict;
    return count;
}

/* What does not build or is not right, so that no points count; or NULL. */
static const struct check *first_wrong(const struct result *result)
{
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        if (check->verdict == VERDICT_REJECTED ||
            (check->verdict == VERDICT_FAIL &&
             (check->kind == CHECK_BUILD || check->kind == CHECK_CORRECTNESS)))
            return check;
    }
    return NULL;
}

/* The line of the compiler's output that says what is wrong, or else the first one. */
static const char *telling_line(const char *text, int *length)
{
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t size = strcspn(line, "\n");
        if (memmem(line, size, "error:", 6) || memmem(line, size, "Error:", 6) ||
            memmem(line, size, "undefined reference", 19)) {
            *length = (int)size;
            return line;
        }
    }
    *length = (int)strcspn(text, "\n");
    return text;
}

static void conclude_fail(struct result *result, const struct check *check)
{
    int length = (int)strcspn(check->message, "\n");
    char debug[96];
    const char *otherwise = "Read what the exercise's README.md says about this bound.";
    if (check->kind == CHECK_BUILD) {
        const char *line = telling_line(check->message, &length);
        result_set(&result->headline, "FAIL: it does not build: %.*s", length, line);
        otherwise = "Fix that error first: it often causes the others.";
    } else if (check->kind == CHECK_CORRECTNESS) {
        result_set(&result->headline, "FAIL: correctness on `%s`: %.*s",
                   check->case_name ? check->case_name : check->name, length, check->message);
        snprintf(debug, sizeof debug, "Follow that call by hand, or in gdb with `make debug EX=%u`.",
                 result->number);
        otherwise = debug;
    } else if (check->has_measured) {
        char measured[64], asked[96];
        result_format_value(measured, sizeof measured, check->measured, check->unit);
        result_format_asked(asked, sizeof asked, check);
        result_set(&result->headline, "FAIL: `%s`%s%s%s: %s %s, asked for %s", check->name,
                   check->case_name ? " on `" : "", check->case_name ? check->case_name : "",
                   check->case_name ? "`" : "", check->metric ? check->metric : "measured", measured, asked);
    } else {
        result_set(&result->headline, "FAIL: `%s`: %.*s", check->name, length, check->message);
    }
    result_set(&result->next, "%s", check->next ? check->next : otherwise);
}

/* The bound that brings most points, where it was skipped: what matters has not been judged. Else NULL. */
static const struct check *main_unasked(const struct result *result)
{
    const struct check *most = NULL;
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        if (check->kind == CHECK_BOUND && (!most || check->points > most->points))
            most = check;
    }
    return most && most->verdict == VERDICT_SKIP ? most : NULL;
}

static void conclude_unasked(struct result *result, const struct check *unasked)
{
    const bool modelled = result->on && strcmp(result->on, "qemu") == 0;
    result->verdict = VERDICT_UNSTABLE;
    result_set(&result->headline, "UNSTABLE: `%s`, worth most points, cannot be judged here: %s",
               unasked->name, unasked->message);
    result_set(&result->next, "Check it %s: `make check EX=%u%s`. Everything else passed.",
               modelled ? "on this machine, or on another core" : "on a model core", result->number,
               modelled ? "" : " ON=qemu");
}

static void conclude_pass(struct result *result)
{
    const struct check *skipped = first_of(result, VERDICT_SKIP);
    size_t bounds = 0;
    for (size_t i = 0; i < result->checks_count; i++)
        bounds += result->checks[i].kind >= CHECK_BOUND && result->checks[i].verdict == VERDICT_PASS;
    const size_t missing = count_of(result, VERDICT_SKIP);
    char could_not[64] = "";
    if (missing > 0)
        snprintf(could_not, sizeof could_not, "; %zu check%s could not run on this machine", missing,
                 missing == 1 ? "" : "s");
    result_set(&result->headline, "PASS: %s%s", bounds ? "correct and fast" : "correct", could_not);
    if (skipped)
        result_set(&result->next, "Go on to the next exercise (`make status`). `%s` could not run: %s",
                   skipped->name, skipped->message);
    else
        result_set(&result->next, "Go on to the next exercise: `make status` lists what is left.");
}

bool result_is_open(const struct result *result, double *certain, double *open)
{
    double reached = 0, at_stake = 0;
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        if (check->verdict == VERDICT_UNSTABLE)
            at_stake += check->points;
        else if (check->score > 0)
            reached += fmin(check->score, check->points);
    }
    if (certain)
        *certain = reached;
    if (open)
        *open = at_stake;
    return count_of(result, VERDICT_UNSTABLE) > 0;
}

static void conclude_unstable(struct result *result, const struct check *check)
{
    double certain, open;
    result_is_open(result, &certain, &open);
    result_set(
        &result->headline,
        "UNSTABLE: `%s` is not decided yet (%.*s); %.3g of %" PRIu32 " points are certain, %.3g undecided",
        check->name, (int)strcspn(check->message, "\n"), check->message, certain, result->max_score, open);
    if (check->next)
        result_set(&result->next, "%s", check->next);
    else
        result_set(
            &result->next,
            "Close other programs and run it again, or give it more time: `make check EX=%u PATIENCE=60`. A "
            "model core has no noise: `make check EX=%u ON=qemu`.",
            result->number, result->number);
}

static void conclude_words(struct result *result)
{
    static const enum verdict order[] = {VERDICT_ERROR, VERDICT_REJECTED, VERDICT_FAIL, VERDICT_UNSTABLE};
    const struct check *check = NULL, *wrong = first_wrong(result);
    /* What is shown to be wrong is wrong, whatever else the suite could not check; a bound that is missed
     * beside that is not all. */
    if (wrong && !(check = first_of(result, VERDICT_REJECTED)))
        check = wrong;
    for (size_t i = 0; !check && i < sizeof order / sizeof *order; i++)
        check = first_of(result, order[i]);

    if (!check && count_of(result, VERDICT_PASS) == 0) {
        /* Nothing asked is nothing passed. */
        const struct check *skipped = first_of(result, VERDICT_SKIP);
        result->verdict = VERDICT_ERROR;
        result_set(&result->headline, "ERROR: no check could run on this machine");
        result_set(&result->next, "Try the other bench or another machine%s%s", skipped ? ": " : "",
                   skipped ? skipped->message : "");
        return;
    }
    result->verdict = check ? check->verdict : VERDICT_PASS;
    if (!check) {
        const struct check *unasked = main_unasked(result);
        if (unasked)
            conclude_unasked(result, unasked);
        else
            conclude_pass(result);
        return;
    }
    int length = (int)strcspn(check->message, "\n");
    switch (check->verdict) {
    case VERDICT_FAIL:
        conclude_fail(result, check);
        break;
    case VERDICT_UNSTABLE:
        conclude_unstable(result, check);
        break;
    case VERDICT_REJECTED:
        result_set(&result->headline, "REJECTED: %.*s", length, check->message);
        result_set(&result->next, "%s", check->next ? check->next : "Remove what is named above.");
        break;
    default:
        result_set(&result->headline, "ERROR: the suite could not check this: %.*s", length, check->message);
        result_set(&result->next, "%s",
                   check->next ? check->next
                               : "Fix what the message above names; your code is not the cause.");
        break;
    }
}

static void conclude_score(struct result *result)
{
    result->score = 0;
    if (first_wrong(result)) {
        for (size_t i = 0; i < result->checks_count; i++)
            result->checks[i].score = 0;
        return;
    }
    if (result->verdict == VERDICT_ERROR || count_of(result, VERDICT_UNSTABLE) > 0 || main_unasked(result)) {
        result->score = NAN;
        return;
    }
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        if (check->score > 0) /* false for NAN as well */
            result->score += fmin(check->score, check->points);
    }
}

/* What was skipped is not asked where the work is right. */
static void forget_skipped(struct result *result)
{
    if (first_wrong(result) || count_of(result, VERDICT_ERROR) > 0 || main_unasked(result) ||
        count_of(result, VERDICT_SKIP) == result->checks_count)
        return;
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        if (check->verdict == VERDICT_SKIP)
            result->max_score -= check->points < result->max_score ? check->points : result->max_score;
    }
}

void result_conclude(struct result *result)
{
    forget_skipped(result);
    conclude_words(result);
    conclude_score(result);
}

int result_exit_status(const struct result *result)
{
    switch (result->verdict) {
    case VERDICT_PASS:
        return 0;
    case VERDICT_FAIL:
    case VERDICT_REJECTED:
        return 1;
    case VERDICT_UNSTABLE:
        return 3;
    default:
        return 4;
    }
}

int results_exit_status(struct result *const *results, size_t count)
{
    static const int worse[] = {[0] = 0, [1] = 2, [2] = 0, [3] = 1, [4] = 3};
    int worst = 0;
    for (size_t i = 0; i < count; i++) {
        int status = result_exit_status(results[i]);
        if (worse[status] > worse[worst])
            worst = status;
    }
    return worst;
}
