/* The argument blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>
#include "exercise.h"

enum { ENTRY_RATES, ENTRY_SHUFFLE, ENTRY_SEQUENTIAL, ENTRY_SHUFFLED, ENTRY_RING };

struct rates_args {
    struct miss_counters counters;
};

struct rates_result {
    double l1d, llc;
};

/* Of a walk: what was counted in it (nothing where there is no PMU), and the rates of that. */
struct profile_result {
    struct miss_counters counters;
    struct rates_result rates;
};

/* `rows` shuffles of n numbers each, one row after the other. Row r has the seed `seed` + r - 1, but row 0
 * that of row 1. */
struct shuffle_args {
    uint32_t *index;
    uint64_t n;
    uint64_t seed;
    uint64_t rows, shift; /* the first two rows are of this seed, each other one of one 1 << shift further */
};

/* walk_sequential takes no index. */
struct walk_args {
    uint32_t *array;
    const uint32_t *index;
    uint64_t n;
    uint64_t profile; /* not 0: there is a struct profile_result to fill */
};

struct ring_args {
    const struct record *first;
    uint64_t n, laps;
    void *scratch;
};

#endif
