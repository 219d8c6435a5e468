/* A student's guess of a figure before it is measured, what came of it, and how far a solution is from what
 * the core can do. Kept with the record of the exercise (record.h). */
#ifndef CYCLELAB_PREDICT_H
#define CYCLELAB_PREDICT_H

#include <stdbool.h>
#include <stdio.h>
#include "grader/check/result.h"
#include "grader/exercise/exercise.h"
#include "grader/student/record.h"
#include "harness/base/error.h"

/* A figure as people type it: "2", "0.5", "4,5", with "x" or "%" or nothing behind. False if it is none, or
 * not above 0 and below a million. */
bool predict_parse(const char *text, double *guess);

/* Does the exercise ask for one, and has nothing been guessed or checked yet? */
bool predict_is_first(const char *work, const struct exercise *exercise);

/* A figure with so many digits that count, and none behind the point that say nothing: 1020, 12.5, 0.004. */
struct figure {
    char text[32];
};
struct figure predict_figure(double value, int digits);

/* Keep the guess for the next check that measures it. False with err. */
bool predict_keep(const char *work, const struct exercise *exercise, double guess, struct error *err);

/* Ask on `out` and read one line of `in`; Enter alone skips. An exit status: 0, or 2 or 4 with err. */
int predict_ask(const char *work, const struct exercise *exercise, FILE *in, FILE *out, struct error *err);

/* The figure that was asked for, as this check has measured it. False where it has not. */
bool predict_measured(const struct exercise *exercise, const struct result *result, double *measured);

/* Bring record and result together: a guess that waits is held against the measurement, and a pass is noted
 * with its cycles. What there is to say about it is added to the result's remarks. */
void predict_settle(const struct exercise *exercise, struct record *record, struct result *result);

/* For `status`: how guesses have become, over all records seen; and the best cycles of an exercise. */
struct predict_progress {
    double early, late; /* sums of |log2(guess / measured)| of each record's first and last half */
    unsigned early_count, late_count;
};
void predict_add(struct predict_progress *progress, const struct record *record);
void predict_print(FILE *out, const struct predict_progress *progress);

#endif
