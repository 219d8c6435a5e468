/* Argument and result blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>
#include "exercise.h"

enum { ENTRY_OPEN, ENTRY_RESET, ENTRY_READ, ENTRY_OVERFLOW, ENTRY_METRICS, ENTRY_MEASURE };

/* The PMU's registers, as EL1 reads them. */
struct registers {
    uint64_t control, enabled, interrupting, overflowed, user, cycles, cycle_filter, selected;
    uint64_t type[COUNTERS], count[COUNTERS];
};

/* What becomes of a visit to EL0. */
enum ending { ENDED, ENDED_BY_EXCEPTION, ENDED_BY_STORM };
enum { STORM = 64 /* interrupts in one visit are too many */ };
struct kernel {
    uint64_t stack; /* where the visit began; kernel.h knows these offsets */
    uint64_t ending, syndrome, link;
    uint64_t interrupts;
    uint64_t high[COUNTERS];
};

struct open_args {
    const uint16_t *events;
    uint64_t n, before, control; /* before: junk for the registers */
    uint64_t type[COUNTERS + 1]; /* that each counter has before, and the cycle counter's filter */
};
struct open_result {
    struct registers after;
};

struct reset_args {
    uint64_t count; /* those that go */
    uint64_t control, enabled, interrupting, user, selected;
    uint64_t type[COUNTERS + 1]; /* and the cycle counter's filter */
};
struct reset_result {
    struct registers before, after;
};

struct read_args {
    uint64_t *values;
    uint64_t n;
    uint64_t counts[COUNTERS + 1];
};
struct read_result {
    struct kernel kernel;
};

enum { VISITS = 3 };
struct overflow_args {
    uint64_t asked, turns;            /* bit i: counter i is to interrupt */
    uint64_t yardstick;               /* a counter that does not overflow */
    uint64_t selected;                /* by EL0, one would think */
    uint64_t high[COUNTERS];          /* what has been counted before */
    uint64_t start[VISITS][COUNTERS]; /* of the counters; they all count the same */
};
struct overflow_result {
    struct kernel kernel;
    struct registers after;
    uint64_t count[VISITS]; /* the yardstick's, behind each visit */
};

/* What to make of the readings. */
enum figure { FIGURE_IPC, FIGURE_MISPREDICTIONS, FIGURE_MISS_RATE, FIGURE_BACK_END };

struct metrics_args {
    uint64_t number[4], width;
    uint64_t high, low; /* of whole_count */
};
struct metrics_result {
    uint64_t whole;
    double ipc, per_thousand, miss_rate;
    struct top_down top_down;
};

/* A kernel drawn anew: in each turn so many multiplications in a chain, additions beside them, branches that
 * depend on a bit of the data, and loads a stride apart. */
struct measure_args {
    const uint64_t *data;
    uint64_t mask; /* of places in data */
    uint64_t turns, multiplies, adds, branches, loads, stride;
    uint64_t figure;
    uint16_t events[COUNTERS];
    uint16_t place[4]; /* which counter has the figure's events */
};
struct measure_result {
    uint64_t readings[2 * (COUNTERS + 1)];
    struct kernel kernel;
    uint64_t width;
    double figure;
};

#endif
