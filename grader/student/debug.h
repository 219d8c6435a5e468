/* `make debug`: gdb at the call that the last check found wrong, or at the first ones of the first case. */
#ifndef CYCLELAB_DEBUG_H
#define CYCLELAB_DEBUG_H

#include "grader/check/result.h"
#include "grader/exercise/exercise.h"
#include "harness/base/error.h"

struct debug_request {
    const char *root, *build; /* as in struct replay_request */
    const char *source;       /* the folder with the student's files */
    const char *on;           /* "native", "qemu" (the AArch64 build under qemu-aarch64), or NULL: where the
                                 last check found a call wrong, natively if it found none */
    const char *gdb;          /* NULL: gdb-multiarch; may hold arguments, for tests */
    const struct failing *failing; /* what the last check found; no case_name: nothing */
};

/* Build the student's files, lay the calls out and hand the terminal to gdb, stopped at the student's
 * function. Returns an exit status: 1 where they do not build, which is told; with err for those above 1. */
int debug_exercise(const struct debug_request *request, const struct exercise *exercise, struct error *err);

#endif
