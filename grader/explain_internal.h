/* What the parts of explain share; nobody else's business. */
#ifndef CYCLELAB_EXPLAIN_INTERNAL_H
#define CYCLELAB_EXPLAIN_INTERNAL_H

#include "grader/explain.h"
#include "grader/explain_loop.h"
#include "harness/emu/image.h"

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
 * one. False: no loop was executed. */
bool hot_loop_find(const struct explain_run *run, const struct image *image, struct hot_loop *loop);

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

/* The hot loop and its bounds. NULL with err where there is none, or no memory; free() it. */
struct loop_view *loop_view(const struct explain_run *run, const struct image *image, struct error *err);

/* The sentence about it. */
void loop_sentence(const struct explain_run *run, const struct image *image, const struct loop_view *view,
                   char *text, size_t size);

/* Which instruction of the loop spent most cycles on these waits: its index into run->ops. Bit w of `waits`:
 * enum model_wait. */
uint32_t loop_slowest(const struct explain_run *run, const struct hot_loop *loop, unsigned waits);

/* ---- the listing ---- */

/* The text of each instruction of a program that is to be shown. */
struct listing {
    const struct explain_run *run;
    const struct image *image;
    char **text; /* one an instruction of the code; NULL: not asked for */
    struct locator *locator;
    const char *missing; /* why the texts are mnemonics only, or NULL */
};

bool listing_open(struct listing *listing, const struct explain_run *run, const struct image *image,
                  struct error *err);
void listing_close(struct listing *listing);

/* "fadd s0, s0, s1"; valid until the listing is closed. */
const char *listing_text(const struct listing *listing, uint32_t index);

/* The page that `cyclelab explain` writes; view may be NULL, with `no_loop` saying why. */
struct explain_page {
    const struct exercise *exercise;
    const char *what; /* "your code", "the reference" */
    const char *case_name;
    uint64_t calls;
    struct model_counts counts;
    const struct listing *listing;
    const struct loop_view *view;
    const char *no_loop;
    const char *sentence;
    const char *second_opinion; /* llvm-mca's */
    bool colour;
};
void explain_page_write(FILE *out, const struct explain_page *given);

/* What llvm-mca says about the loop, as a line; where it cannot be asked, why. */
void mca_ask(const struct workdir *workdir, const struct listing *listing, const struct loop_view *view,
             char *text, size_t size);

#define WAIT_BIT(NAME) (1U << MODEL_WAIT_##NAME)
enum {
    WAITS_MEMORY = WAIT_BIT(L2) | WAIT_BIT(LLC) | WAIT_BIT(MEMORY) | WAIT_BIT(TLB),
    WAITS_OPERAND = WAIT_BIT(OPERAND) | WAIT_BIT(LOAD),
};

#endif
