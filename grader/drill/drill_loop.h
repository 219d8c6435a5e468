/* Small loops to ask about, made from random numbers: as text for people, as words for a processor, as
 * operations for the core model. */
#ifndef CYCLELAB_DRILL_LOOP_H
#define CYCLELAB_DRILL_LOOP_H

#include <stdint.h>
#include "harness/base/rng.h"
#include "harness/model/op.h"

enum { DRILL_BODY = 10, DRILL_OPS = DRILL_BODY + 2, DRILL_TEXT = 40 };

/* What a loop is made to show. The kinds rise in difficulty. */
enum drill_theme {
    DRILL_ONE_CHAIN,   /* one kind of instruction, each waiting for the last */
    DRILL_CHAINS,      /* one kind, in several chains side by side */
    DRILL_INDEPENDENT, /* nothing waits for anything */
    DRILL_MIXED,       /* chains of several kinds, and work beside them */
    DRILL_THEMES
};

/* x0 and x1 point to zeros in the first-level cache, x2 to words that hold x2 there; x24 counts the rounds
 * down. */
struct drill_loop {
    unsigned count; /* of instructions, with the two that close the loop */
    struct op ops[DRILL_OPS];
    uint32_t words[DRILL_OPS];
    char text[DRILL_OPS][DRILL_TEXT];
};

/* The same numbers make the same loop. */
void drill_loop_make(struct rng *rng, enum drill_theme theme, struct drill_loop *loop);

#endif
