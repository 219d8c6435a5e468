/* `cyclelab check`: one exercise, from its files to a result. */
#ifndef CYCLELAB_CHECK_H
#define CYCLELAB_CHECK_H

#include <stdio.h>
#include "grader/check/inputs.h"
#include "grader/check/result.h"
#include "harness/base/error.h"
#include "harness/sched/placement.h"
#include "harness/arena/arena.h"

struct course_exercise;

enum { CHECK_TRIES = 3 }; /* of a submission that stays undecided */

/* What the checks of one run share. */
struct check_context {
    const char *root;   /* the project's folder */
    const char *build;  /* where runner/ and exercises/NN-slug/cases.so were built */
    const char *source; /* the folder with the student's files */
    const char *on;     /* the bench: "native" (or NULL) or "qemu" */
    const char *core;   /* the model core, for "qemu"; NULL for the one that the exercise names */
    const char *seed; /* a secret of up to SEED_MOST characters, from which all inputs are drawn (inputs.h) */
    struct arena *arena;
    enum tier tier;
    const struct pmu_system *pmu;
    size_t cache_bytes; /* of this machine; the model bench does not look at it */
    struct placement *placement;
    bool crowded; /* other checks run meanwhile */
    unsigned
        tries; /* that came before this one; what stays undecided at the last of CHECK_TRIES is decided */
    const struct result *tried[CHECK_TRIES - 1]; /* by the median of them all (`close`); NULL: not kept */
    double patience; /* seconds that native timing may take; 0: as long as is usual */
    FILE *turns;     /* where every slice of native timing is written to (bench.h), or NULL */

    const struct course_exercise *settings; /* what a course has otherwise than exercise.yml, or NULL */
};

/* Is there such a bench? */
bool check_has_bench(const char *name);

/* Check exercise `id`: natively, the AArch64 build for correctness as well; or that on a model core. NULL
 * with err when it cannot even be begun (no such exercise, core or folder, a broken exercise.yml): that is a
 * matter of usage or configuration. */
struct result *check_exercise(const struct check_context *context, const char *id, struct error *err);

#endif
