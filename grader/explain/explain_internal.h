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

/* The same as a part of an HTML page: the code of the functions that took most, and the loop. */
void explain_html_write(FILE *out, const struct explain_page *given);

/* ---- what both show of each instruction ---- */

/* `times` equal instructions in a row, and what all of them took. */
struct explain_row {
    uint32_t index, times;
    struct model_site site;
};

/* The row that begins at `index`, in a function that ends at `last`. */
void explain_row_at(const struct listing *listing, uint32_t index, uint32_t last, struct explain_row *row);

/* The two things that it waited for most, and what it missed: "operand 100%, L1D misses 12%". */
void explain_waits(const struct model_site *site, char *text, size_t size);

/* The first function from instruction `from` on of which anything is known. False: there is none left. */
struct explain_function {
    uint32_t first, last;
    uint64_t cycles;
};
bool explain_function_at(const struct listing *listing, uint32_t from, struct explain_function *function);

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
void readings_text(struct readings *readings, const struct listing *listing, char *text, size_t size);

#endif
