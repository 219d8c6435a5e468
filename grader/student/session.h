/* `make watch` at a terminal: one exercise on the screen, checked again at each save, and a key for each
 * other thing to do. */
#ifndef CYCLELAB_SESSION_H
#define CYCLELAB_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include "grader/exercise/exercise.h"
#include "harness/base/error.h"

enum { SESSION_ARGUMENTS = 40 };

struct session_request {
    const char *root, *work;
    const char *id;     /* NULL: the next one that is not passed */
    const char *source; /* NULL: WORK/NN-slug */
    bool colour;
    /* The arguments of this program for a command on an exercise. */
    void (*arguments)(const void *state, const char *command, const char *id, char *argv[SESSION_ARGUMENTS]);
    const void *state;
};

/* Until q or a signal. The exit status, 0 for q; 2 or 4 with err; or 128 and the signal. */
int session(const struct session_request *request, struct error *err);

/* The first exercise behind `id` (NULL: of all) that is not passed, from the beginning again behind the last;
 * where all are, the next. malloc'ed; NULL with err. */
char *session_next(const char *root, const char *work, const char *id, struct error *err);

#endif
