/* `make perf`: what this machine's counters say of the student's answer, by perf. */
#ifndef CYCLELAB_PERF_H
#define CYCLELAB_PERF_H

#include "grader/student/replay.h"

enum perf_event {
    PERF_CYCLES,
    PERF_INSTRUCTIONS,
    PERF_BRANCHES,
    PERF_BRANCH_MISSES,
    PERF_L1D_LOADS,
    PERF_L1D_LOAD_MISSES,
    PERF_EVENTS
};

struct perf_counts {
    bool has[PERF_EVENTS];
    double value[PERF_EVENTS];
};

/* Read what `perf stat -x,` writes: a line an event, `value,unit,event,...`, where the value may be
 * `<not supported>` or `<not counted>`. False with err where it has no cycles and instructions: then *err
 * says what is missing. */
bool perf_read(const char *text, struct perf_counts *counts, struct error *err);

/* The counts as rates, and what they say to look at: one sentence. */
void perf_tell(const struct perf_counts *counts, unsigned number, FILE *out);

/* A use of replay_make: 0; 1 where the program did not end as it should; 3 with err, which begins with SKIP,
 * where perf or the counters are not to be had.
 */
int perf_use(const char *program, const struct exercise *exercise, FILE *out, struct error *err);

#endif
