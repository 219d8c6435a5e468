/* The argument block, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>

/* On a model core one array is filled again and again, so that it is in the nearest cache (step 0), and the
 * bytes that are stored are counted. Natively nobody can look at what is overwritten but code in the
 * student's own process. So there each time has an array of its own, `step` elements behind the last. All
 * together are small enough for the caches next to the core, and a line of 16 elements comes near in less
 * time than they take. */
struct lap {
    uint32_t value, place;
};

struct fill_args {
    uint32_t *values;
    uint64_t n, step, lap_count;
    const struct lap *laps;
};

struct fill_result {
    uint64_t seen;
};

static inline uint64_t look(uint64_t seen, uint32_t found)
{
    return (seen << 7 | seen >> 57) ^ found;
}

#endif
