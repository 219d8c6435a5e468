/* `cyclelab cores`: the model cores, listed, and one of them explained in plain words with its sources. */
#ifndef CYCLELAB_CORES_H
#define CYCLELAB_CORES_H

#include <stdio.h>
#include "harness/base/error.h"

/* One line a core. False with err where there is none, or a file is wrong: err tells of the first of those,
 * and the others are listed all the same. */
bool cores_print_list(FILE *out, const char *root, struct error *err);

/* All that the core's file says. False with err where there is no such core, or its file is wrong. */
bool cores_print_one(FILE *out, const char *root, const char *name, struct error *err);

#endif
