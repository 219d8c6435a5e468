/* The seed of a check as people write it. */
#ifndef CYCLELAB_SEED_TEXT_H
#define CYCLELAB_SEED_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/error.h"

enum {
    SEED_MOST = 64,       /* characters of a seed */
    SEED_TEXT = 65,       /* with a NUL */
    SEED_FRESH_BYTES = 16 /* of randomness in one that nobody gave */
};

/* Letters, digits and hyphens, 1 to SEED_MOST of them? */
bool seed_is_good(const char *text);

/* A new one, as 32 hexadecimal digits. False with err where the system has no random numbers. */
bool seed_fresh(char text[SEED_TEXT], struct error *err);

/* A number from a seed alone, for inputs that no verdict depends on. */
uint64_t seed_number(const char *seed);

#endif
