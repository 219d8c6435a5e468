/* `cyclelab sweep`: the reference at many values of a parameter; the curve, and where its best value was to
 * be expected. */
#ifndef CYCLELAB_SWEEP_H
#define CYCLELAB_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "grader/exercise/exercise.h"
#include "harness/base/error.h"

struct sweep_request {
    const char *root;  /* the project's folder */
    const char *build; /* where exercises/NN-slug/cases.so were built, and sweep/ is written to */
    const char *core;  /* a model core; NULL: natively */
    const char
        *out; /* the SVG file, in a folder that is there; NULL: <build>/sweep/NN-slug-<core or native>.svg */
    const char *seed;
};

/* Writes a table, a plot in text (and one as SVG to its file) to `out`. Exit status: 0; 2 and 4 with err. */
int sweep_exercise(const struct sweep_request *request, const struct exercise *exercise, FILE *out,
                   struct error *err);

#endif
