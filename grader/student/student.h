/* What makes a student's life easier: hints, progress, the stub back, the solution afterwards.
 *
 * Each writes what it has to say to `out` and returns an exit status: 0 done, 1 refused with a friendly word
 * on `out`, 2 configuration or 4 could not be done, with the reason in err and nothing about it on `out`.
 *
 * `work` is the folder in which the student works (work.h). Progress is one small JSON file an exercise in
 * its .state. It is never a reason to fail: where it is broken it counts as none, where it cannot be kept a
 * line on `out` says so. */
#ifndef CYCLELAB_STUDENT_H
#define CYCLELAB_STUDENT_H

#include <stdbool.h>
#include <stdio.h>
#include "grader/exercise/exercise.h"
#include "grader/check/result.h"
#include "harness/base/error.h"

/* The next hint at each call; after the last one all of them. */
int student_hint(const char *work, const struct exercise *exercise, FILE *out, struct error *err);

/* All exercises below root: last verdict, best score, hints used, and what to do next. */
int student_status(const char *root, const char *work, FILE *out, struct error *err);

/* Keep the outcome of a check. Counts only what was graded in WORK/NN-slug (a result whose source is another
 * folder leaves no trace), and not what ended in an error of the suite. The result's remarks then tell of a
 * guess, and how far it is to what the core can do. */
int student_record(const char *work, const struct exercise *exercise, struct result *result, FILE *out,
                   struct error *err);

/* The stub back in WORK/NN-slug. An edited file is kept beside it as NAME.bak, NAME.bak.2, ...: no backup is
 * ever overwritten. */
int student_reset(const char *root, const char *work, const struct exercise *exercise, FILE *out,
                  struct error *err);

/* The reference, once a pass is on record, or with force. */
int student_solution(const char *work, const struct exercise *exercise, bool force, FILE *out,
                     struct error *err);

#endif
