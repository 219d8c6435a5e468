/* The argument block, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>

enum { ENTRY_FILL };

/* The array is filled again and again, so that it is in the nearest cache. After each time one place of it is
 * looked at, so that no time can be left out. */
struct lap {
    uint64_t value, place;
};

struct fill_args {
    uint64_t *values;
    uint64_t n, lap_count;
    const struct lap *laps;
};

struct fill_result {
    uint64_t seen;
};

static inline uint64_t look(uint64_t seen, uint64_t found)
{
    return (seen << 7 | seen >> 57) ^ found;
}

#endif
