#include "grader/student/predict.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USAGE = 2, SUITE = 4 };
#define MOST 1e6
#define NEAR 1.1 /* a guess within a tenth is right */

bool predict_parse(const char *text, double *guess)
{
    char number[32], *end;
    text += strspn(text, " \t");
    size_t length = strspn(text, "0123456789.,");
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    char *comma = strchr(number, ',');
    if (comma)
        *comma = '.';
    *guess = strtod(number, &end);
    text += length;
    text += strspn(text, " \t");
    text += *text == 'x' || *text == '%';
    text += strspn(text, " \t\r\n");
    return *end == '\0' && *text == '\0' && *guess > 0 && *guess < MOST;
}

struct figure predict_figure(double value, int digits)
{
    struct figure figure;
    const int before = value > 0 ? (int)floor(log10(value)) + 1 : 1,
              behind = before < digits ? digits - before : 0;
    snprintf(figure.text, sizeof figure.text, "%.*f", behind < 9 ? behind : 9, value);
    char *end = figure.text + strlen(figure.text);
    while (behind > 0 && end[-1] == '0')
        *--end = '\0';
    if (behind > 0 && end[-1] == '.')
        *--end = '\0';
    return figure;
}

static bool read_record(const char *work, const struct exercise *exercise, struct record *record,
                        char **folder)
{
    struct error ignored;
    *folder = record_folder(work);
    return *folder && record_read(*folder, exercise->id, record, &ignored);
}

bool predict_is_first(const char *work, const struct exercise *exercise)
{
    struct record record;
    char *folder;
    bool first = exercise->predict && read_record(work, exercise, &record, &folder) && record.checks == 0 &&
                 !record.has_guess;
    if (exercise->predict)
        free(folder);
    return first;
}

bool predict_keep(const char *work, const struct exercise *exercise, double guess, struct error *err)
{
    struct record record;
    char *folder = record_folder(work);
    if (!folder)
        return error_set(err, "out of memory");
    int lock = record_lock(folder);
    record_read(folder, exercise->id, &record,
                err); /* what cannot be read counts as none, and is put aside */
    record.has_guess = true;
    record.guess = guess;
    bool kept = record_write(folder, exercise->id, &record, err);
    record_unlock(lock);
    free(folder);
    return kept;
}

int predict_ask(const char *work, const struct exercise *exercise, FILE *in, FILE *out, struct error *err)
{
    char line[128];
    double guess;
    if (!exercise->predict) {
        error_set(err, "exercise %u asks for no figure before it is measured: go on with `make check EX=%u`",
                  exercise->number, exercise->number);
        return USAGE;
    }
    fprintf(out, "%s (Enter skips) ", exercise->predict->asks);
    fflush(out);
    if (!fgets(line, sizeof line, in) || line[strspn(line, " \t\r\n")] == '\0') {
        fputs("\nNothing is kept.\n", out);
        return 0;
    }
    if (!predict_parse(line, &guess)) {
        line[strcspn(line, "\r\n")] = '\0';
        error_set(err, "expected a figure above 0, like 2 or 0.5, found `%.40s`", line);
        return USAGE;
    }
    if (!predict_keep(work, exercise, guess, err))
        return SUITE;
    fprintf(out, "Kept. `make check EX=%u` measures it and tells how near you are.\n", exercise->number);
    return 0;
}

/* ---- what was measured ---- */

static const struct bound_spec *bound_of(const struct exercise *exercise, const char *name)
{
    for (unsigned i = 0; i < exercise->bounds_count; i++)
        if (strcmp(exercise->bounds[i].name, name) == 0)
            return &exercise->bounds[i];
    return NULL;
}

static const struct measurement *measurement_of(const struct result *result, const char *case_name,
                                                const char *variant)
{
    for (size_t i = 0; i < result->measurements_count; i++) {
        const struct measurement *m = &result->measurements[i];
        if (m->case_name && strcmp(m->case_name, case_name) == 0 && strcmp(m->variant, variant) == 0 &&
            m->elements > 0)
            return m;
    }
    return NULL;
}

static double count_of(const struct measurement *m, enum model_event modelled, enum pmu_event counted)
{
    if (m->modelled)
        return (double)m->model.value[modelled] / (double)m->elements;
    return m->counters.present[counted] ? (double)m->counters.value[counted] / (double)m->elements
                                        : (double)NAN;
}

bool predict_measured(const struct exercise *exercise, const struct result *result, double *measured)
{
    const struct predict_spec *spec = exercise->predict;
    const struct bound_spec *bound = spec ? bound_of(exercise, spec->bound) : NULL;
    const struct measurement *m = bound ? measurement_of(result, bound->case_name, "student") : NULL;
    *measured = NAN;
    if (bound && (spec->quantity == PREDICT_SPEEDUP || spec->quantity == PREDICT_VALUE)) {
        const struct check *check = result_find_check(result, bound->name);
        if (check && check->has_measured)
            *measured = check->measured * (spec->quantity == PREDICT_VALUE ? check->trusted : 1);
    } else if (m && spec->quantity == PREDICT_CYCLES) {
        *measured = m->cycles / (double)m->elements;
    } else if (m && spec->quantity == PREDICT_BRANCH_MISSES) {
        *measured = count_of(m, MODEL_BRANCH_MISSES, PMU_BRANCH_MISSES);
    } else if (m) {
        *measured = count_of(m, MODEL_L1D_LOAD_MISSES, PMU_L1D_LOAD_MISSES);
    }
    return isfinite(*measured) && *measured >= 0;
}

/* ---- what is said ---- */

static const char *const units[] = {[PREDICT_CYCLES] = " cycles an element",
                                    [PREDICT_SPEEDUP] = "x",
                                    [PREDICT_BRANCH_MISSES] = " branch misses an element",
                                    [PREDICT_L1D_LOAD_MISSES] = " L1 load misses an element",
                                    [PREDICT_VALUE] = ""};

/* What the model says binds the loop; else how to ask it. */
static void say_why(FILE *out, const struct exercise *exercise, const struct bound_spec *bound,
                    const struct measurement *student)
{
    if (student && student->waits_for)
        fprintf(out, " Why: %s", student->waits_for);
    else if (strcmp(bound->case_name, "") != 0)
        fprintf(out, " Why: `make explain EX=%u` shows what the loop waits for.", exercise->number);
}

static void say_guess(FILE *out, const struct exercise *exercise, const struct result *result, double guess,
                      double measured)
{
    const char *unit = units[exercise->predict->quantity];
    const struct bound_spec *bound = bound_of(exercise, exercise->predict->bound);
    const double ratio = measured > 0 ? guess / measured : INFINITY;
    fprintf(out, "Your guess: %s%s; measured: %s", predict_figure(guess, 3).text, unit,
            predict_figure(measured, 3).text);
    if (ratio < NEAR && ratio > 1 / NEAR)
        fputs(". Right.", out);
    else if (isinf(ratio))
        fputs(".", out);
    else
        fprintf(out, ": %s times too %s.", predict_figure(ratio > 1 ? ratio : 1 / ratio, 2).text,
                ratio > 1 ? "high" : "low");
    say_why(out, exercise, bound, measurement_of(result, bound->case_name, "student"));
    fputc('\n', out);
}

static void keep_guess(struct record *record, double measured, const char *on)
{
    if (record->guesses_count == RECORD_GUESSES) {
        record->guesses_count--;
        memmove(record->guesses, record->guesses + 1, record->guesses_count * sizeof *record->guesses);
    }
    struct record_guess *guess = &record->guesses[record->guesses_count++];
    *guess = (struct record_guess){.guess = record->guess, .measured = measured};
    snprintf(guess->on, sizeof guess->on, "%s", on);
    record->has_guess = false;
}

/* The bound that brings most points among those that ask for speed. */
static const struct bound_spec *main_bound(const struct exercise *exercise)
{
    const struct bound_spec *best = NULL;
    for (unsigned i = 0; i < exercise->bounds_count; i++) {
        const struct bound_spec *bound = &exercise->bounds[i];
        if (bound->kind == BOUND_SPEEDUP && (!best || bound->points > best->points))
            best = bound;
    }
    return best;
}

static void keep_best(struct record *record, const char *on, double cycles, double reference)
{
    size_t at = 0;
    while (at < record->reached_count && strcmp(record->reached[at].on, on) != 0)
        at++;
    if (at == RECORD_REACHED || (at < record->reached_count && record->reached[at].cycles <= cycles))
        return;
    record->reached_count += at == record->reached_count;
    record->reached[at] = (struct record_reached){.cycles = cycles, .reference = reference};
    snprintf(record->reached[at].on, sizeof record->reached[at].on, "%s", on);
}

static void say_how_far(FILE *out, const struct measurement *student, double cycles, double reference)
{
    const struct loop_limits *limits = &student->limits;
    fprintf(out, "How far: %s cycles an element; the reference %s", predict_figure(cycles, 3).text,
            predict_figure(reference, 3).text);
    if (limits->ports > 0)
        fprintf(out, "; your loop's busiest ports allow %s, the width %s",
                predict_figure(limits->ports, 3).text, predict_figure(limits->width, 3).text);
    if (limits->chain > 0)
        fprintf(out, ", its longest chain %s", predict_figure(limits->chain, 3).text);
    fputs(".\n", out);
}

void predict_settle(const struct exercise *exercise, struct record *record, struct result *result)
{
    char *text = NULL;
    size_t size;
    double measured;
    const struct bound_spec *bound = main_bound(exercise);
    const bool modelled = result->on && strcmp(result->on, "qemu") == 0;
    const char *on = modelled && result->cpu ? result->cpu : "native";
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    if (record->has_guess && predict_measured(exercise, result, &measured)) {
        say_guess(out, exercise, result, record->guess, measured);
        keep_guess(record, measured, on);
    }
    const struct measurement *own = bound ? measurement_of(result, bound->case_name, "student") : NULL;
    const struct measurement *reference =
        bound ? measurement_of(result, bound->case_name, "reference") : NULL;
    if (result->verdict == VERDICT_PASS && own && reference && isfinite(own->cycles) && own->cycles > 0 &&
        isfinite(reference->cycles)) {
        double cycles = own->cycles / (double)own->elements,
               theirs = reference->cycles / (double)reference->elements;
        say_how_far(out, own, cycles, theirs);
        keep_best(record, on, cycles, theirs);
    }
    fclose(out);
    if (text && *text)
        result_set(&result->remarks, "%s%s%s", result->remarks ? result->remarks : "",
                   result->remarks ? "\n" : "", text);
    free(text);
}

/* ---- over time ---- */

void predict_add(struct predict_progress *progress, const struct record *record)
{
    for (unsigned i = 0; i < record->guesses_count; i++) {
        const struct record_guess *guess = &record->guesses[i];
        double off = guess->measured > 0 ? fabs(log2(guess->guess / guess->measured)) : (double)NAN;
        if (!isfinite(off))
            continue;
        bool late = i > 0 && i * 2 >= record->guesses_count;
        *(late ? &progress->late : &progress->early) += off;
        ++*(late ? &progress->late_count : &progress->early_count);
    }
}

void predict_print(FILE *out, const struct predict_progress *progress)
{
    if (progress->early_count == 0)
        return;
    fprintf(out, "  Guesses: the first were off by a factor of %s",
            predict_figure(exp2(progress->early / progress->early_count), 2).text);
    if (progress->late_count > 0)
        fprintf(out, ", the later ones of %s",
                predict_figure(exp2(progress->late / progress->late_count), 2).text);
    fputc('\n', out);
}
