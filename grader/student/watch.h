/* Waiting until somebody saves a file. */
#ifndef CYCLELAB_WATCH_H
#define CYCLELAB_WATCH_H

#include <stdbool.h>
#include "harness/base/error.h"

/* From now on, saves in `folder` and in its subfolders of ISAs count. A descriptor, or -1 with err. */
int watch_open(const char *folder, struct error *err);

/* Wait for the first save since the last call, and then until none came for some 100 ms: editors write a file
 * in several steps. Files whose names begin with a dot or end in ~ are the editor's own. False with err. */
bool watch_wait(int watch, struct error *err);

#endif
