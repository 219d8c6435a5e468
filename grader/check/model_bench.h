/* Timing on a model core: one variant makes the calls of one case in the emulated machine, and the model
 * counts. Exact: the same program and task give the same counts anywhere. */
#ifndef CYCLELAB_MODEL_BENCH_H
#define CYCLELAB_MODEL_BENCH_H

#include "grader/check/emulated.h"
#include "grader/exercise/exercise.h"

/* What is defined for code that is built for a model core: user code may use the PMU there, which Linux does
 * not allow (exercise 1). Ends with NULL. */
extern const char *const model_defines[];

struct model_task {
    const struct case_def *def;
    const struct core *core;
    struct bound_model size;
    uint64_t seed;
    uint32_t student;  /* as in struct lab */
    uint64_t budget;   /* instructions in all, the warm-up's too; slow ones count as several (emulator.h) */
    unsigned seconds;  /* as in emulator_config */
    bool crowded;      /* as in emulator_config */
    bool stands_still; /* calls with parts are made once more for each part, which stands still somewhere */
    bool unverified;   /* whatever the results are: to look at code that is wrong */

    /* Optional: a look at the machine before the counted calls, and when all is counted and verified. */
    void (*prepare)(void *state, struct emulator *emulator);
    void (*inspect)(void *state, const struct model_task *task, struct emulator *emulator);
    void *state;
};

/* What a variant took, warm-up apart. */
struct model_measured {
    struct model_counts counts;
    uint64_t elements;
    uint64_t spent; /* of the budget: more than it where a piece without a branch goes beyond */
    double value;   /* that the calls report: their median; 0 where the case has none */
};

enum model_outcome {
    MODEL_MEASURED,
    MODEL_WRONG, /* a counted call's result is wrong: text.message */
    MODEL_BROKE, /* a crash */
    MODEL_LONG,  /* no end within the budget */
    MODEL_RULE,  /* it did what no submission may */
    MODEL_ERROR, /* the suite's own: text.message */
};

/* Each call's result is verified. text is filled for all but MODEL_MEASURED. */
enum model_outcome model_measure(const struct model_task *task, const char *program, struct arena *arena,
                                 struct model_measured *measured, struct fault_text *text);

/* What such a measurement leaves of a budget: nothing where it took more. */
uint64_t model_left(uint64_t budget, const struct model_measured *measured);

/* Are both bounds decided from one measurement of each variant? */
bool model_same_task(const struct bound_spec *a, const struct bound_spec *b);

/* The cache that a large input has to exceed: the last level that the core has. */
size_t model_cache_bytes(const struct core *core);

#endif
