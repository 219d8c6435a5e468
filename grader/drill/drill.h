/* `make drill`: short questions with exact answers from the core model, one after the other. */
#ifndef CYCLELAB_DRILL_H
#define CYCLELAB_DRILL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "harness/base/error.h"

struct drill_request {
    const char *root;
    const char *state;  /* the folder in which is kept what was right and wrong, and when to ask again */
    const char *core;   /* NULL: all cores */
    const char *seed;   /* NULL: a fresh one */
    unsigned questions; /* at most so many */
    bool sheet;         /* print questions and answers, ask nothing, keep nothing */
    uint32_t today;     /* days since 1970 */
};

/* Answers come from `in`, a line each: a number, nothing (the answer is shown), or q, which ends it as the
 * end of `in` does. A state that cannot be written is told, and answers are not kept. False with err where a
 * core or the output cannot be used. */
bool drill(const struct drill_request *request, FILE *in, FILE *out, struct error *err);

#endif
