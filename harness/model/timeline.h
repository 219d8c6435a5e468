/* When each instruction was where in the pipeline, as the model computes it: for pictures. To see an
 * instruction, call model_timeline() before the model_run() that has it; call it with NULL to stop. While
 * nobody looks the model does what it always does. Counts and accounts are the same either way. */
#ifndef CYCLELAB_MODEL_TIMELINE_H
#define CYCLELAB_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/model/model.h"

/* Cycles that the accounts got while an instruction was computed: to itself, to the last mispredicted branch
 * or to the last barrier. */
struct timeline_charge {
    uint32_t site;
    enum model_wait wait;
    uint64_t cycles;
};

enum { TIMELINE_CHARGES = 8 };

/* An instruction. Cycles are counted as MODEL_CYCLES is; what was before counting began is at 0. */
struct timeline_step {
    uint32_t site;
    uint64_t address;  /* of its access; 0 where it has none */
    uint64_t fetch;    /* from this cycle on it could be dispatched, or issued where all is in order */
    uint64_t dispatch; /* in order: as issue */
    uint64_t ready;    /* its operands are there, or late by what is allowed */
    uint64_t issue;    /* it begins to execute */
    uint64_t complete; /* its result is there; a load's when it has its data */
    uint64_t commit;   /* the last cycle in which it is in the pipeline */
    enum model_wait dispatch_wait; /* why it was not dispatched earlier; out of order */
    enum model_wait operand_wait;  /* what its last operand was late by */
    enum model_wait result_wait;   /* what its result is late by */
    unsigned level;                /* of the cache in which its access found the line, as misses[] */
    bool mispredicted;
    uint64_t cycles; /* MODEL_CYCLES, if it was the last one */
    unsigned charge_count;
    struct timeline_charge charge[TIMELINE_CHARGES];
};

/* Is called for each instruction from now on, in the order of the program, by the thread that calls
 * model_run(). Over the instructions since model_forget_counts(), the charges add up to the accounts of
 * model_sites(), but for those of the last cycles, which are charged when they are asked for. */
typedef void timeline_report(void *context, const struct timeline_step *step);
void model_timeline(struct model *model, timeline_report *report, void *context);

#endif
