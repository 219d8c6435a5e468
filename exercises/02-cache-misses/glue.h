/* The argument blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>
#include "exercise.h"

enum { ENTRY_RATES, ENTRY_SHUFFLE, ENTRY_SEQUENTIAL, ENTRY_SHUFFLED, ENTRY_PARTITIONED };

struct rates_args {
    struct miss_counters counters;
};

struct rates_result {
    double l1d, llc;
};

/* `rows` shuffles of n numbers each, one row after the other. Row r has the seed `seed` + r - 1, but row 0
 * that of row 1. */
struct shuffle_args {
    uint32_t *index;
    uint64_t n;
    uint64_t seed;
    uint64_t rows;
};

/* A walk uses what its function takes. */
struct walk_args {
    uint32_t *array;
    uint64_t length;
    const uint32_t *index;
    uint64_t n;
    uint32_t *scratch;
};

#endif
