/* Argument and result blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>
#include "exercise.h"

enum {
    ENTRY_ADD_CHAIN,
    ENTRY_MULTIPLY_CHAIN,
    ENTRY_FP_ADD_CHAIN,
    ENTRY_LOAD_CHAIN,
    ENTRY_STORE_LOAD_CHAIN,
    ENTRY_ADD_STREAMS,
    ENTRY_MULTIPLY_STREAMS,
    ENTRY_FP_ADD_STREAMS,
    ENTRY_LOAD_STREAMS,
    ENTRY_STORE_LOAD_STREAMS,
    ENTRY_NEEDED,
    ENTRY_LEAST,
    ENTRY_TURN,
};

/* What a kernel works on: of a chain the first word alone. */
union value {
    uint64_t word;
    double number;
    void *pointer;
};

struct kernel_args {
    union value *x; /* STREAMS of them: before, and afterwards */
    union value y;
    uint64_t turns;
};

struct needed_args {
    struct cost cost;
};
struct needed_result {
    uint64_t needed;
};

struct least_args {
    const struct cost *table;
    const unsigned *chain, *all;
    uint64_t n;
};
struct least_result {
    double cycles;
};

/* A kernel drawn anew. In each turn so many hundreds of additions and tens of multiplications and square
 * roots, and in each call besides so many times TURNS hundreds of additions. In the emulated machine only the
 * glue may look at it (PLAN_GLUE): there it has to be measured. */
struct turn {
    uint64_t before, adds, multiplies, roots;
};
struct turn_args {
    struct turn *turn; /* read-only; the contract's argument is no pointer to const */
};
struct turn_result {
    uint64_t turns;
    double found, glue; /* the student's cycles of a turn, and those that the glue measured */
};

#endif
