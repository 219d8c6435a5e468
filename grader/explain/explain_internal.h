/* What the parts of explain share; nobody else's business. */
#ifndef CYCLELAB_EXPLAIN_INTERNAL_H
#define CYCLELAB_EXPLAIN_INTERNAL_H

#include "grader/explain/explain.h"
#include "grader/explain/listing.h"

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
    const char *order;          /* what readings_text() says; "" */
    bool colour;
};
void explain_page_write(FILE *out, const struct explain_page *given);

/* What llvm-mca says about the loop, as a line; where it cannot be asked, why. */
void mca_ask(const struct workdir *workdir, const struct listing *listing, const struct loop_view *view,
             char *text, size_t size);

/* Readings of a counter by the student's code (exercise 1), and whether what stands before and behind them in
 * the program was executed before and behind them. */
enum { READINGS_TEXT = 4096 };
struct readings;

/* Watch the model from now on. NULL where the student's code reads no counter, or memory is short. */
struct readings *readings_watch(const char *program, struct emulator *emulator);
void readings_free(struct readings *readings);

/* What was seen: each place that reads a counter with the student's instructions around it, and a sentence
 * about order for each. */
void readings_text(const struct readings *readings, const struct listing *listing, char *text, size_t size);

#endif
