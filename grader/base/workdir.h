/* The private work folder, in which everything is built. */
#ifndef CYCLELAB_WORKDIR_H
#define CYCLELAB_WORKDIR_H

#include "harness/base/error.h"

/* A private work folder (mode 0700, below $TMPDIR or /tmp), locked
 * while in use. Folders that a killed run left behind are removed first; one whose owner dies is removed at
 * once. NULL with err. */
struct workdir;
struct workdir *workdir_create(struct error *err);
const char *workdir_path(const struct workdir *workdir);
void workdir_destroy(struct workdir *workdir);

#endif
