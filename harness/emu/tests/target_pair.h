/* What test_two_cores.c, its glue and its student code share. */
#ifndef CYCLELAB_EMU_TARGET_PAIR_H
#define CYCLELAB_EMU_TARGET_PAIR_H

/* What both cores do at the same time, a student function an X. */
#define PAIRS(X)                                                                                             \
    X(same_line)                                                                                             \
    X(padded)                                                                                                \
    X(plain)                                                                                                 \
    X(exclusive)                                                                                             \
    X(ordered)                                                                                               \
    X(atomic)                                                                                                \
    X(same_value)                                                                                            \
    X(reads)                                                                                                 \
    X(waits)                                                                                                 \
    X(passes)                                                                                                \
    X(waits_forever)                                                                                         \
    X(faults)                                                                                                \
    X(lopsided)                                                                                              \
    X(clobbers)

#ifndef __ASSEMBLER__
#include <stdint.h>

enum pair_case {
#define PAIR_ENUM(name) PAIR_##name,
    PAIRS(PAIR_ENUM)
#undef PAIR_ENUM
        PAIR_COUNT
};

struct pair_args {
    uint64_t *shared;
    uint64_t n;
    uint64_t which;
};

struct pair_result {
    uint64_t sum; /* of shared[0], shared[1] and shared[16]: by the last part */
};

typedef void (*pair_case)(uint64_t *shared, uint64_t n, uint64_t part);
extern const pair_case pair_cases[];
#endif

#endif
