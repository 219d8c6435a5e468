/* What is kept of a student's checks of one exercise, as it lies on the disk. */
#ifndef CYCLELAB_RECORD_H
#define CYCLELAB_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include "grader/check/result.h"
#include "harness/base/error.h"

enum { RECORD_GUESSES = 20, RECORD_REACHED = 16, RECORD_BENCH = 48 };

/* A guess that was held against a measurement. */
struct record_guess {
    double guess, measured;
    char on[RECORD_BENCH]; /* "native", or a model core */
};

/* The best of a bench, in cycles an element. */
struct record_reached {
    double cycles, reference;
    char on[RECORD_BENCH];
};

struct record {
    unsigned checks; /* how many are on record */
    bool has_last;
    enum verdict last; /* pass, fail, unstable or rejected */
    double last_score; /* NAN: none */
    uint32_t last_max;
    bool passed;       /* at any time */
    double best_score; /* NAN: none yet */
    uint32_t best_max;
    unsigned hints; /* shown so far */
    bool has_guess; /* that waits for a measurement */
    double guess;
    struct record_guess guesses[RECORD_GUESSES]; /* the last ones, oldest first */
    unsigned guesses_count;
    struct record_reached reached[RECORD_REACHED];
    unsigned reached_count;
    struct failing failing; /* of the last check; no case_name: none */
};

/* Where records lie: WORK/.state. malloc'ed. */
char *record_folder(const char *work);

/* The record of `id` in `folder`, none (all zero, scores NAN) where there is no file. False with err when
 * there is one that cannot be used; *record is then none as well. */
bool record_read(const char *folder, const char *id, struct record *record, struct error *err);

/* Replace it whole; the folder is created where it is missing. A file that cannot be read becomes
 * <id>.json.bak. False with err. */
bool record_write(const char *folder, const char *id, const struct record *record, struct error *err);

/* Hold others off between a read and a write: a lock on the folder, created where it is missing. -1 where
 * there is none to be had; record_unlock takes that too. */
int record_lock(const char *folder);
void record_unlock(int lock);

#endif
