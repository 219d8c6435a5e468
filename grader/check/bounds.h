/* From the times of paired rounds to verdicts on bounds. Pure arithmetic. */
#ifndef CYCLELAB_BOUNDS_H
#define CYCLELAB_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include "grader/build/build.h"
#include "grader/exercise/exercise.h"
#include "harness/stats/stats.h"

/* The four processes of a round. The control is a second one of what the student is divided by: the baseline,
 * or, where there is none, the reference. */
enum role { ROLE_BASELINE, ROLE_STUDENT, ROLE_REFERENCE, ROLE_CONTROL, ROLES };
const char *role_name(enum role role);

enum { ROUNDS_MAX = 1024 };

/* A check measures in so many states of the machine: other pages of memory, and programs linked otherwise. */
enum { EPOCHS = BUILD_PLACES };

#define ROUNDS_SLOW 1.25
#define ROUNDS_FAR  6.0

/* So seldom does chance alone make so many of the student's slices slow or far slower, or of its rounds 0,
 * and so few of the reference's. */
#define ROUNDS_CHANCE 1e-3

struct rounds {
    size_t count;
    bool present[ROLES];
    unsigned char epoch[ROUNDS_MAX];
    bool has_values;     /* the calls report them */
    double *time[ROLES]; /* ticks of the round's slice, less its least hand-over; NAN: not to be told */
    double *mean[ROLES]; /* likewise of all slices of the round's epoch, on average */
    double uneven[ROLES][EPOCHS]; /* by how much these are longer than what rounds keep, as a factor; 0: not
                                     compared */
    size_t slices[ROLES]; /* all of them; those that take ROUNDS_SLOW times what rounds keep, or half of
                             what the reference gains (as a logarithm), if that is less; and those
                             that take ROUNDS_FAR times as long */
    size_t slow[ROLES], far[ROLES];
    double *value[ROLES]; /* what the calls of that slice report: their median; else core cycles of an
                             operation */
    double *chain;        /* ticks of a core cycle */
    bool ended;           /* there will be no more of them */
    bool has_counter;
    double *counter; /* events per element of the student's slice, for BOUND_COUNTER */
};

bool rounds_allocate(struct rounds *rounds);
void rounds_free(struct rounds *rounds);

#define BOUND_LEAST_REFERENCE 1.10 /* below this speedup of the reference a share of it says nothing */
#define BOUND_CONTROL_SLACK                                                                                  \
    0.01 /* two processes of the same code may differ by this: placement in memory                           \
          */

/* The A/A control: the interval of its log-ratio, and whether it straddles 0 but for the slack. */
bool bounds_straddle(struct estimate estimate);
struct estimate bounds_control(const struct rounds *rounds, bool *straddles);

/* "No slower": the time allowed where baseline and reference take these (any unit) is `share` more than the
 * slower of the two takes. Where the baseline's way suits a core better, or what else runs on it, nobody is
 * asked for more than the reference reaches. */
double bound_no_slower_allowed(double baseline, double reference, double share);

struct bound_outcome {
    enum decision decision; /* DECIDE_MORE: undecided at this number of rounds */
    bool skip;              /* not asked on this machine: reason */
    bool by_timing;         /* which was found by timing, so it holds only if the control does */
    bool settled;           /* decided at a look at which the control was good: it stays */
    char reason[256];       /* for skip, and for undecided: a word, a colon, the reason */
    bool median_passes;     /* and what the median alone would say */
    bool median_skips;      /* by the median the reference gains too little to ask for a share of it */
    const char *metric;     /* "speedup", "slowdown", "ratio" (to the trusted value), or the counter's name */
    const char *comparison; /* ">=", "<=", or "within": no further than `bound` from 1 */
    const char *unit;
    double measured, low, high, bound;
    double trusted;                 /* with "within": the value itself; else 0 */
    double least_taken, most_taken; /* of a time: the interval that decides, in times of what is allowed */
    double clear;  /* of a time: so many widths of the interval that decides lie between it and the bound */
    bool doubtful; /* the student's slices may be uneven: more of them tell */
    bool retracts; /* they seem to be, by chance or not: what was decided before holds no longer */
    double score;  /* 0..1; all or nothing but for speedups */
};

void bounds_decide(const struct bound_spec *spec, const struct rounds *rounds, struct bound_outcome *outcome);

/* One exact count of each variant: no rounds, no intervals, no doubt. */
struct exact {
    double cycles[VARIANT_COUNT]; /* 0: there is no such variant */
    double value[VARIANT_COUNT];  /* what the calls report: their median */
    double counter;               /* events per element of the student's, for BOUND_COUNTER */
    const char *core;             /* for words */
};

void bounds_decide_exactly(const struct bound_spec *spec, const struct exact *exact,
                           struct bound_outcome *outcome);

/* Cycles of a student's slice, at most, by the same confidence as a bound's; INFINITY where there are too few
 * rounds for that. */
double bounds_most_cycles(const struct rounds *rounds);

/* Do the student's slices take no longer than a plan without a call, while the reference's do clearly? Not
 * asked where calls report values: those are no times. */
bool bounds_take_no_time(const struct rounds *rounds);

/* Do they, or do so many of them that it is not the noise, which meets the reference as well? */
bool bounds_hide_time(const struct rounds *rounds);

/* Is this less than any core needs: `floor` thousandths of a cycle for each element? Then why, with the
 * arithmetic. `each`: the contract has each loaded by itself, and it is that which takes so long. */
bool bound_impossible(double cycles, uint64_t elements, uint32_t floor, bool each, char *why, size_t size);

#endif
