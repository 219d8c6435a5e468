/* Where the cycles of a variant on a model core go: instruction by instruction, and what bounds its hot loop.
 */
#ifndef CYCLELAB_EXPLAIN_H
#define CYCLELAB_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "grader/build/build.h"
#include "grader/exercise/exercise.h"
#include "harness/base/error.h"

struct explain_request {
    const char *root;      /* the project's folder */
    const char *build;     /* where exercises/NN-slug/cases.so were built */
    const char *source;    /* the folder with the student's files; of no matter for another variant */
    const char *core;      /* NULL: the exercise's */
    const char *case_name; /* NULL: that of the exercise's first bound for this core */
    enum variant variant;
    const char *seed; /* of the checks whose inputs are looked at (grader/check/inputs.h) */
    bool colour;
};

/* `cyclelab explain`: build the variant for AArch64, run a case on the core and write to `out` where its
 * cycles went. Exit status: 0; 1 with what a check would say (it does not build, crashes, is rejected, is
 * wrong); 2 and 4 with err, as of check. */
int explain_exercise(const struct explain_request *request, const struct exercise *exercise, FILE *out,
                     struct error *err);

#endif
