/* What the parts of explain share; nobody else's business. */
#ifndef CYCLELAB_EXPLAIN_INTERNAL_H
#define CYCLELAB_EXPLAIN_INTERNAL_H

#include "grader/explain/explain.h"
#include "grader/build/locate.h"
#include "grader/loops/loop_view.h"
#include "harness/emu/image.h"

/* The text of each instruction of a program that is to be shown. */
struct listing {
    const struct profile *run;
    const struct image *image;
    char **text; /* one an instruction of the code; NULL: not asked for */
    struct locator *locator;
    const char *missing; /* why the texts are mnemonics only, or NULL */
};

bool listing_open(struct listing *listing, const struct profile *run, const struct image *image,
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

#endif
