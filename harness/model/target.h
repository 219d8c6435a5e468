/* Where branches through a register go. Private to the predictor.
 *
 * A return goes to what the return stack has on top. The stack is circular and does not know how deep it is,
 * as in hardware: calls nested deeper than it lose the oldest addresses, and returns beyond find those of
 * before (which are right again for plain recursion).
 *
 * Other indirect branches follow ITTAGE (Seznec: A 64-Kbytes ITTAGE indirect branch predictor, 2011) in
 * small: a table of the last target by address, and three tagged ones by address and the last 1, 3 and 8
 * targets. The longest history that matches decides. A target is replaced when it was wrong with no
 * confidence left, and a misprediction takes an entry of a longer history. */
#ifndef CYCLELAB_MODEL_TARGET_H
#define CYCLELAB_MODEL_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/pool.h"
#include "harness/model/core.h"

enum { TARGET_TABLES = 5 };

struct target_entry {
    uint64_t target;
    uint32_t tag;
    uint32_t confidence; /* 0 to 3 */
};

struct targets {
    uint64_t *stack;
    uint8_t stack_size, top;
    uint8_t bits;
    uint64_t path;                /* eight bits of each of the last eight targets */
    struct target_entry *entries; /* table after table, shortest history first */
};

/* False when memory is out. */
bool targets_create(struct targets *targets, const struct core *core, struct pool **pool);

/* A call at `pc` will return to the instruction behind it. */
void targets_call(struct targets *targets, uint64_t pc);

/* A return, or another indirect branch, went to `target`: whether that was expected. */
bool targets_return(struct targets *targets, uint64_t pc, uint64_t target);
bool targets_indirect(struct targets *targets, uint64_t pc, uint64_t target);

#endif
