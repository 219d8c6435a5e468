/* The loop in which a program spent its time on a model core, its bounds, and the sentence about it. */
#ifndef CYCLELAB_LOOP_VIEW_H
#define CYCLELAB_LOOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "grader/loops/loop_bounds.h"
#include "harness/emu/image.h"
#include "harness/base/error.h"
#include "harness/model/core.h"
#include "harness/model/model.h"
#include "harness/model/op.h"

/* What the model says about a program after it has run. */
struct profile {
    const char *program; /* the ELF: its code words and its symbols are read from it */
    const struct core *core;
    const struct op *ops; /* emulator_code() */
    size_t count;
    const struct model_site *sites; /* model_sites(), of the calls to explain and no others */
    uint64_t elements;              /* in all those calls; 0: not to be spoken of */
};

/* The least that a loop can take for an element, by each bound alone, in cycles; 0: none, or not known. */
struct loop_limits {
    double chain, ports, width;
};

/* What the hot loop waits for, as one sentence for the student: "The loop waits for one chain of fadd,
 * latency 4 each: 4.0 cycles an element; their ports could start one every 0.5." False, and an empty text,
 * where there is no loop to speak of. A few milliseconds; starts no other program. *limits: the bounds of
 * that loop; all 0 where it is false. */
bool profile_look(const struct profile *run, char *text, size_t size, struct loop_limits *limits);

/* The loop in which a program spends its time. */
struct hot_loop {
    uint64_t rounds; /* executions of the instruction that every round begins with */
    uint64_t cycles; /* of all its instructions, and by what they waited for */
    uint64_t waits[MODEL_WAIT_COUNT];
    uint64_t all_cycles;     /* of the whole program */
    size_t size, count;      /* of the next two, which hold indices into run->ops in the order of a round */
    uint32_t body[LOOP_OPS]; /* all that is executed in it, */
    uint32_t path[LOOP_OPS]; /* and what every other round or more executes */
    bool holds_loops;        /* that make several rounds in each of its own */
};

/* The loop with the most cycles; where much of them is in a loop inside it that makes rounds of its own, that
 * one. False with err: no loop was executed, or it has more than LOOP_OPS instructions. */
bool hot_loop_find(const struct profile *run, const struct image *image, struct hot_loop *loop,
                   struct error *err);

uint64_t site_cycles(const struct model_site *site);

/* What a loop waits for, most of its time. */
enum binding {
    BIND_CHAIN,
    BIND_PORTS,
    BIND_WIDTH,
    BIND_STALLS, /* the core too, but none of these three: operands in order, a full window */
    BIND_MEMORY,
    BIND_STORE,
    BIND_MISPREDICT,
    BIND_FETCH,
    BIND_ORDER,
};
const char *binding_name(enum binding binding);

struct loop_view {
    struct hot_loop loop;
    struct loop_chain chain;
    struct loop_ports ports;
    struct loop_ratio width, alone;
    bool has_alone;
    uint64_t part[BIND_ORDER + 1]; /* cycles of the loop: the core's in [BIND_STALLS], then one for each */
    enum binding binding;
};

/* The hot loop and its bounds. NULL with err where hot_loop_find() is false, or no memory; free() it. */
struct loop_view *loop_view(const struct profile *run, const struct image *image, struct error *err);

/* How many instructions or micro-operations the core hands out in a cycle, whichever view->width is by. */
static inline unsigned loop_view_handed_out(const struct loop_view *view)
{
    return (unsigned)(view->width.rounds / view->loop.rounds);
}

/* The sentence about it. */
void loop_sentence(const struct profile *run, const struct image *image, const struct loop_view *view,
                   char *text, size_t size);

/* Which instruction of the loop spent most cycles on these waits: its index into run->ops. Bit w of `waits`:
 * enum model_wait. */
uint32_t loop_slowest(const struct profile *run, const struct hot_loop *loop, unsigned waits);

#define WAIT_BIT(NAME) (1U << MODEL_WAIT_##NAME)
enum {
    WAITS_MEMORY = WAIT_BIT(L2) | WAIT_BIT(LLC) | WAIT_BIT(MEMORY) | WAIT_BIT(OTHER) | WAIT_BIT(TLB),
    WAITS_OPERAND = WAIT_BIT(OPERAND) | WAIT_BIT(LOAD),
};

#endif
