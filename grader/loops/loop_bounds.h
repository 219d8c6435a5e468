/* What bounds a loop on a core: the longest chain of results that each round hands to the next, the busiest
 * ports, the width. Exact: cycles and rounds are whole numbers, nothing is rounded. No ISA, no emulator. */
#ifndef CYCLELAB_LOOP_BOUNDS_H
#define CYCLELAB_LOOP_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/base/error.h"
#include "harness/model/core.h"
#include "harness/model/op.h"

enum {
    LOOP_OPS = 2048, /* of a loop, at most */
    LOOP_LINKS = 256 /* of a chain, that are kept */
};

/* Is a loop of `count` instructions one that is looked at? False with err. */
bool loop_fits(size_t count, struct error *err);

/* `cycles` in `rounds` of the loop. */
struct loop_ratio {
    uint64_t cycles, rounds;
};

/* a < b, exactly. */
bool loop_ratio_less(struct loop_ratio a, struct loop_ratio b);
double loop_ratio_value(struct loop_ratio ratio);

struct loop_link {
    uint32_t op;      /* index into the path; the next link waits for its result, */
    uint32_t latency; /* this long from the one's start to the other's */
    bool moves_base;  /* for the base register, that it moves on */
};

struct loop_chain {
    struct loop_ratio ratio; /* 0 cycles: no round waits for the one before */
    size_t count;            /* links once around, which may be several rounds */
    struct loop_link links[LOOP_LINKS];
    unsigned parallel; /* so many chains as long, that share no instruction: at least 1 where there is one */
};

/* A load takes what a store of the loop has stored: before it in the same round, or else in the round before.
 */
struct loop_carry {
    uint32_t store, load;
};

/* The maximum cycle ratio (latency over rounds) of the graph of dependences in ops[], which is executed over
 * and over: through registers, and through memory where carries[] says so. Latencies are those of the core, a
 * hit in the first-level cache for loads; with accumulate forwarding, and base registers that an access moves
 * on ready after an addition. (Lawler 1976; Dasdan, ACM TODAES 9(4), 2004, compares algorithms. Here: from
 * one positive cycle to a better one.) */
bool loop_chain(const struct core *core, const struct op *ops, size_t count, const struct loop_carry *carries,
                size_t carry_count, struct loop_chain *chain, struct error *err);

/* The work that has nowhere else to go than to these ports, by their number: the largest over all sets of
 * ports, which is what the best schedule needs (the fractional assignment's dual). executions[i]: how often
 * ops[i] was executed in `rounds` rounds. */
struct loop_ports {
    struct loop_ratio ratio;
    uint16_t ports;
};
void loop_ports(const struct core *core, const struct op *ops, const uint64_t *executions, size_t count,
                uint64_t rounds, struct loop_ports *ports);

/* Micro-operations by the width, or instructions by what is fetched, whichever takes longer: so many of them
 * are the ratio's cycles, and its rounds are `rounds` times how many are handed out in a cycle. */
struct loop_ratio loop_width(const struct core *core, const struct op *ops, const uint64_t *executions,
                             size_t count, uint64_t rounds);

/* The model with nothing but this path in it, round after round, all accesses hitting the first-level cache
 * and no branch mispredicted: what is left is the core's own time. False where it cannot be run so (it calls
 * functions, say). */
bool loop_alone(const struct core *core, const struct op *ops, size_t count, struct loop_ratio *ratio,
                struct error *err);

#endif
