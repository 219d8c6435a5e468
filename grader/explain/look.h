/* A variant of an exercise built for AArch64 and run on a model core, for somebody who wants to look at it:
 * the page of explain, the timeline of trace. It grades nothing. */
#ifndef CYCLELAB_LOOK_H
#define CYCLELAB_LOOK_H

#include <stdio.h>
#include "grader/build/build.h"
#include "grader/check/model_bench.h"
#include "grader/loops/loop_view.h"
#include "harness/base/error.h"

enum { LOOKED = 0, LOOK_STUDENT = 1, LOOK_USAGE = 2, LOOK_SUITE = 4 };

struct look_request {
    const char *root;      /* the project's folder */
    const char *build;     /* where exercises/NN-slug/cases.so were built */
    const char *source;    /* the folder with the student's files; of no matter for another variant */
    const char *core;      /* NULL: the exercise's */
    const char *case_name; /* NULL: that of the exercise's first bound for this core */
    enum variant variant;
    const char *seed;    /* of the checks whose inputs are looked at (grader/check/inputs.h) */
    struct arena *arena; /* there is one at a time: the caller's; NULL: one is made */
};

struct look {
    const struct look_request *request;
    const struct exercise *exercise;
    struct core core;
    const struct case_def *def;
    struct bound_model size;
    struct workdir *workdir;
    struct arena *arena;
    char *program;
    char *untouched; /* which files are as they came, if that is what is looked at; else NULL */
    bool wrong;      /* the results are, and `text` says how */
    struct fault_text text;

    unsigned first; /* of the bounds that are measured with it */
};

/* Build it and choose the case. LOOKED; LOOK_STUDENT with what the compiler says on `out`; LOOK_USAGE and
 * LOOK_SUITE with err. Whatever comes back, close it. */
int look_open(struct look *look, const struct look_request *request, const struct exercise *exercise,
              FILE *out, struct error *err);
void look_close(struct look *look);

/* Whoever looks: at the machine before the calls that are measured, when it is warm; and when all is counted.
 * Either may be NULL. The one behind says LOOKED or LOOK_SUITE, with an error of its own. */
struct looker {
    void (*before)(void *state, struct emulator *emulator);
    int (*after)(void *state, const struct model_task *task, struct emulator *emulator);
    void *state;
};

/* Run it, as often as is liked: each run is the same. Wrong results are no hindrance (look->wrong). What
 * looker->after said; LOOK_STUDENT with the reason on `out` where there is no end to it; LOOK_SUITE with err.
 */
int look_run(struct look *look, const struct looker *looker, FILE *out, struct error *err);

/* "your code", "the baseline", "the reference". */
const char *look_variant(const struct look *look);

/* What the model of one of its cores says about a run of it. */
struct profile look_profile(const struct look *look, struct emulator *emulator, struct model *model);

#endif
