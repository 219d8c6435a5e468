/* The text of each instruction of a program that is to be shown, and the source line that it came from. */
#ifndef CYCLELAB_LISTING_H
#define CYCLELAB_LISTING_H

#include "grader/build/locate.h"
#include "grader/explain/look.h"
#include "harness/emu/image.h"

enum { LISTING_FILES = 16 };

struct listing {
    const struct profile *run;
    const struct image *image;
    char **text; /* one an instruction of the code; NULL: not asked for */
    struct locator *locator;
    const char *missing; /* why the texts are mnemonics only, or NULL */
    struct listing_file {
        char *name, *text;
    } files[LISTING_FILES]; /* sources, as far as they were found */
    size_t file_count;
};

bool listing_open(struct listing *listing, const struct profile *run, const struct image *image,
                  struct error *err);
void listing_close(struct listing *listing);

/* Look for the sources of what look->program was built from: without this no line is known. */
void listing_sources(struct listing *listing, const struct look *look);

/* "fadd s0, s0, s1"; valid until the listing is closed. */
const char *listing_text(const struct listing *listing, uint32_t index);

/* The same as people read it in `function`: "b.ne +0x10" for "b.ne <sum+0x10>" in sum itself. No control
 * characters. */
void listing_short_text(const struct listing *listing, uint32_t index, const char *function, char *text,
                        size_t size);

/* The source line of a place, without the blanks around it and with nothing in it that acts on a terminal;
 * "" where it is not known. */
void listing_source(const struct listing *listing, const struct location *at, char *text, size_t size);

#endif
