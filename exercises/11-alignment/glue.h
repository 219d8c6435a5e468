/* Argument and result blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>
#include "exercise.h"

enum { ENTRY_FIND, ENTRY_BLOCKS, ENTRY_LEAST, ENTRY_PADDING, ENTRY_CURVE };

struct find_args {
    const uint8_t *text;
};

/* Of ENTRY_BLOCKS, ENTRY_LEAST and ENTRY_PADDING, which take what they need. */
struct place_args {
    uint64_t address, bytes, instructions;
    struct front front;
};

union place_result {
    uint64_t count;
    double cycles;
};

/* Loops of different lengths, in blocks.h. */
enum { KINDS = 3 };

/* Loop kind `kind`, at the offset order[i] * STEP for the i-th. It is measured `times` times. Or the uneven
 * loops there, whatever the kind. */
struct curve {
    uint64_t kind, turns, times, uneven;
    uint8_t order[OFFSETS];
    struct reading before[OFFSETS]; /* that the student's measurement finds in its results */
};
struct curve_args {
    const struct curve *curve; /* the glue's alone (PLAN_GLUE), as its frames are then */
};

/* The student's readings of its last measurement, for each offset, in the order of time; and the ticks of the
 * shortest runs by offset: the student's, and those of the suite's own measurement. */
struct curve_result {
    struct reading readings[OFFSETS];
    uint64_t found[OFFSETS], glue[OFFSETS];
    uint64_t runs;
    uint64_t turns; /* of each loop, in all runs of either measurement */
};

#endif
