/* What two sources have in common, by winnowing: S. Schleimer, D. S. Wilkerson and A. Aiken: Winnowing, local
 * algorithms for document fingerprinting, SIGMOD 2003. Of each SKETCH_WINDOW runs of SKETCH_RUN tokens one
 * after the other the one with the least hash is kept. So a passage of SKETCH_RUN + SKETCH_WINDOW - 1 tokens
 * that two sources share is found wherever it stands, and one shorter than SKETCH_RUN never.
 *
 * To use it: put what everybody has (stub, reference) into a struct sketch_known, each answer's files with it
 * into a sketch of its own, then compare. */
#ifndef CYCLELAB_SKETCH_H
#define CYCLELAB_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SKETCH_RUN = 9, SKETCH_WINDOW = 4 };

/* What docs/instructors.md tells; measured by ci/similar/similar.py. */
enum {
    SKETCH_LEAST = 60, /* tokens of its own; of a shorter answer only whether it is the same can be told */
    SKETCH_SAME = 9,   /* likewise: below that there is hardly more than one way to write it */
    SKETCH_SHARE = 60, /* per cent in common that are worth a look */
    SKETCH_MOST = 1 << 16, /* tokens of an answer; a longer one is compared with nobody's, and that is told */
    SKETCH_PASSAGES = 4,   /* that a comparison tells, the longest ones */
};

/* Hashes of runs that are nobody's own. */
struct sketch_known {
    uint64_t *runs;
    size_t count;
    bool failed, sorted;
};
void sketch_know(struct sketch_known *known, const char *name, const char *text, size_t size);
void sketch_known_free(struct sketch_known *known);

/* A run that was kept. */
struct sketch_mark {
    uint64_t run;
    uint32_t file, first, last; /* in which of the files, in the order they were added; its lines */
};

struct sketch {
    struct sketch_mark *marks; /* of all files; in order of `run` once it was compared */
    size_t count, files;
    size_t own;    /* tokens that are in no known run */
    size_t tokens; /* all */
    uint64_t sum;  /* of their hashes: the same whatever their order */
    bool failed, sorted;
    bool too_long; /* nothing is kept of it */
};

/* Add a file of an answer. */
void sketch_add(struct sketch *sketch, struct sketch_known *known, const char *name, const char *text,
                size_t size);
void sketch_free(struct sketch *sketch);

struct sketch_passage {
    struct sketch_mark in[2]; /* of each; `run` does not count */
};
struct sketch_common {
    double share[2]; /* of each one's different runs: how many the other has too */
    struct sketch_passage passages[SKETCH_PASSAGES];
    size_t passages_count;
};

/* Both have to have been made with the same known runs. False: out of memory. */
bool sketch_compare(struct sketch *left, struct sketch *right, struct sketch_common *common);

/* Do these two differ in names, layout, comments and order alone, and have enough of their own to tell? */
bool sketch_is_same(const struct sketch *left, const struct sketch *right);

/* Are these two worth a look? `common` is of both. */
bool sketch_is_near(const struct sketch *left, const struct sketch *right,
                    const struct sketch_common *common);

#endif
