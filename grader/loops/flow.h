/* A graph of control flow: its order, its dominators, its natural loops. All of it in nearly linear time,
 * also of code that was written to make it slow.
 *
 * flow_open() with the number of nodes; fill in next[] and entered[]; flow_find(); then read the rest. */
#ifndef CYCLELAB_FLOW_H
#define CYCLELAB_FLOW_H

#include <stdbool.h>
#include <stdint.h>

enum { FLOW_NONE = UINT32_MAX };

/* Nodes are 0 to count - 1. Node `count` is before all of them: from it lead edges to those that are entered
 * from elsewhere, and to those that no edge leads to. */
struct flow {
    uint32_t count;

    /* filled in by who asks */
    uint32_t (*next)[2]; /* where a node leads to; FLOW_NONE at first */
    bool *entered;       /* from elsewhere; flow_find() adds a node of each part that nothing leads to */

    /* found */
    uint32_t *first, *before; /* predecessors of n: before[first[n]] ... before[first[n + 1] - 1] */
    uint32_t *order, *place;  /* each node before those behind it but for edges back; and where it is there */
    uint32_t *dominator;      /* the immediate one; `count` for node `count` too */
    bool *heads;              /* a loop: an edge leads back from a node that it dominates */
    uint32_t *loop; /* the head of the innermost loop that holds n, but not of n's own; or FLOW_NONE */

    uint32_t *begin, *size; /* in the tree of dominators: n's part is begin[n] ... begin[n] + size[n] - 1 */
    uint32_t *stack;
};

/* False when memory is short; flow_close() in any case. */
bool flow_open(struct flow *flow, uint32_t count);
void flow_close(struct flow *flow);

/* False when memory is short. */
bool flow_find(struct flow *flow);

/* Does every way to n go through a? A node dominates itself. */
static inline bool flow_dominates(const struct flow *flow, uint32_t a, uint32_t n)
{
    return flow->begin[n] - flow->begin[a] < flow->size[a];
}

/* in[n] for each node: is it in the loop that `head` heads? */
void flow_mark_loop(const struct flow *flow, uint32_t head, bool *in);

#endif
