/* Where the cycles of a variant on a model core go: instruction by instruction, and what bounds its hot loop.
 */
#ifndef CYCLELAB_EXPLAIN_H
#define CYCLELAB_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "grader/build.h"
#include "grader/exercise.h"
#include "harness/error.h"
#include "harness/model/core.h"
#include "harness/model/model.h"
#include "harness/model/op.h"

/* What the model says about a program after it has run. */
struct explain_run {
    const char *program; /* the ELF: its code words and its symbols are read from it */
    const struct core *core;
    const struct op *ops; /* emulator_code() */
    size_t count;
    const struct model_site *sites; /* model_sites(), of the calls to explain and no others */
    uint64_t elements;              /* in all those calls; 0: not to be spoken of */
};

/* What the hot loop waits for, as one sentence for the student: "The loop waits for one chain of fadd,
 * latency 4 each: 4.0 cycles an element; their ports could start one every 0.5." False, and an empty text,
 * where there is no loop to speak of. A few milliseconds; starts no other program. */
bool explain_sentence(const struct explain_run *run, char *text, size_t size);

struct explain_request {
    const char *root;      /* the project's folder */
    const char *build;     /* where exercises/NN-slug/cases.so were built */
    const char *source;    /* another folder with the student's files, or NULL for the exercise's own */
    const char *core;      /* NULL: the exercise's */
    const char *case_name; /* NULL: that of the exercise's first bound for this core */
    enum variant variant;
    uint64_t seed;
    bool colour;
};

/* `cyclelab explain`: build the variant for AArch64, run a case on the core and write to `out` where its
 * cycles went. Exit status: 0; 1 with what a check would say (it does not build, crashes, is rejected, is
 * wrong); 2 and 4 with err, as of check. */
int explain_exercise(const struct explain_request *request, const struct exercise *exercise, FILE *out,
                     struct error *err);

#endif
