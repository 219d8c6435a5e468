/* `make debug`: the AArch64 build under qemu-aarch64, stopped at the student's function, with gdb attached.
 */
#ifndef CYCLELAB_DEBUG_H
#define CYCLELAB_DEBUG_H

#include "grader/exercise/exercise.h"
#include "harness/base/error.h"

/* Build the student's files in `source`, lay the first correctness case out as small
 * calls and hand the terminal to gdb (NULL: gdb-multiarch; may hold arguments, for tests). Returns an exit
 * status, with err for those above 1. */
int debug_exercise(const char *root, const char *build, const struct exercise *exercise, const char *source,
                   const char *gdb, struct error *err);

#endif
