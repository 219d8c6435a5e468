/* Native timing: baseline, student, reference and control take turns. Each plan has a process of its own,
 * which takes what the kernel says that it has had of its CPU. */
#ifndef CYCLELAB_BENCH_H
#define CYCLELAB_BENCH_H

#include <stdio.h>
#include "grader/check/bounds.h"
#include "grader/exercise/layout.h"
#include "harness/pmu/pmu.h"
#include "harness/runner/machine.h"

struct bench;

/* Every turn as it was, for those who look at the noise itself: a line of words, the case, the turn, its
 * epoch, the ticks of the empty plan, the ticks of baseline, student, reference and control with their
 * hand-over, and what the calls of each reported. What is not there, or reports nothing, has `-`. */
#define BENCH_TURNS_HEAD                                                                                     \
    "case turn epoch empty baseline student reference control baseline-value student-value "                 \
    "reference-value control-value\n"

struct bench_config {
    /* runner of each role, NULL where there is none; the control's is another's */
    char *program[EPOCHS][ROLES];
    int cpu;       /* to pin to, or -1 */
    int second;    /* and who makes the second part of a call, or -1: there is no other CPU */
    unsigned lent; /* system calls that each has (lent.h) */
    enum tier tier;
    const struct pmu_system *pmu;
    FILE *turns; /* gets a line for each turn, or NULL */
};

/* NULL: no memory. Processes are started when something is measured. */
struct bench *bench_open(const struct bench_config *config, struct arena *arena);
void bench_close(struct bench *bench);

/* A case that calls what is timed with other contents. */
struct bench_other {
    const struct case_def *def;
    bool hidden; /* a course's own case: a message says which call and its length, no more */
};

/* One case at one size, and all bounds on it. */
struct bench_task {
    const struct case_def *def;
    const struct bench_other *others; /* which the student has to get right between what is timed */
    size_t others_count;
    uint32_t elements; /* of a call */
    uint32_t calls;    /* of a slice; 0: so many that the slowest slice takes about half a millisecond */
    uint64_t seed;
    uint32_t student; /* as in struct lab */
    size_t cache_bytes;
    const struct bound_spec *const *bounds;
    size_t bounds_count;
    double budget;       /* seconds, of all that bench_measure() takes for it */
    bool only_decide;    /* what is decided need not be known any better yet */
    bool quick;          /* what is clear need not be known to three digits */
    double (*now)(void); /* seconds, from any point */
    double end;          /* by now(): what student code may take lasts until then */
};

/* Parts of a call that are on their CPUs at the same time for less than this share of a slice do not show
 * what they do to each other. */
#define BENCH_OVERLAP_LEAST 0.7

enum bench_outcome {
    BENCH_MEASURED, /* the bounds' outcomes hold, DECIDE_MORE meaning: undecided when the budget was spent */
    BENCH_WRONG,    /* a timed call's result is wrong: message */
    BENCH_BROKE,    /* the student's process crashed or did not come back: run */
    BENCH_APART,    /* its parts do not run at the same time here: message */
    BENCH_KILLED,   /* somebody's SIGKILL, which alone proves nothing: role, message */
    BENCH_ERROR,    /* the suite's own: message */
};

struct bench_role {
    size_t slices, disturbed;
    double ticks;              /* of a slice, hand-over subtracted: median of the rounds', */
    double minimum;            /* and the least round */
    struct pmu_count counters; /* of a slice: what there is of them */
};

enum { BENCH_BOUNDS_MAX = 16 };

struct bench_report {
    enum bench_outcome outcome;
    char message[1600];
    enum role role;                      /* who was wrong or broke, */
    const char *program;                 /* and what it ran */
    const struct bench_other *rehearsed; /* in a rehearsal of this case; NULL: in a timed slice */
    struct machine_run run;
    size_t rounds;
    uint64_t elements; /* of a slice */
    double ticks_per_cycle;
    struct estimate control; /* log-ratio */
    bool control_straddles;
    struct estimate after; /* log-ratio: the same code right after a slice of the student's, and not */
    /* Of calls with parts: for what share of the time both were on a CPU, the mean over all slices; how many
     * slices were taken again since that was too little of it. */
    double overlap;
    size_t overlaps, apart;
    bool takes_no_time; /* the student: no longer than `handover` */
    double handover;    /* ticks of a plan without a call: the median round's least */
    double most_cycles; /* of the student's slice; INFINITY where there are too few rounds to tell */
    bool undisturbed;   /* which is no other but for the control's slack */
    struct bench_role roles[ROLES];
    struct bound_outcome bounds[BENCH_BOUNDS_MAX];
};

/* One task on its way. */
struct measuring;

/* Nothing is measured yet. Task and report stay the caller's; the budget may grow. NULL: no memory. */
struct measuring *bench_measuring_open(struct bench *bench, const struct bench_task *task,
                                       struct bench_report *report);
void bench_measuring_close(struct measuring *measuring);

/* Measure until every bound is decided, and known well enough, or the budget is spent. True: with more of it
 * this may go on with the turns that there are, also when others were measured meanwhile; the report is none
 * yet. */
bool bench_measure(struct measuring *measuring);

/* As of the last look: is every bound decided? */
bool bench_settled(const struct measuring *measuring);

/* It does not go on. Then the report holds, and of what broke there is the layout, else NULL. */
void bench_measure_end(struct measuring *measuring);
const struct layout *bench_measuring_layout(const struct measuring *measuring);

#endif
