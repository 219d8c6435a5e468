/* Interruptions that come again and again: the kernel's timer tick, and on a virtual machine the host's,
 * which stop whatever runs for some microseconds to a tenth of a millisecond. What is short can be begun
 * between two of them. (Petrini, Kerbyson and Pakin, The case of the missing supercomputer performance, 2003,
 * have such a beat and what it costs.) */
#ifndef CYCLELAB_JITTER_H
#define CYCLELAB_JITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JITTER_PARTS = 200 };

/* All times are nanoseconds of CLOCK_MONOTONIC. All zero: nothing is known. */
struct jitter {
    int64_t period;           /* after which they come again */
    int64_t learnt;           /* when */
    bool taken[JITTER_PARTS]; /* in this part of a period something comes again and again */
};

/* Time that was missing. */
struct jitter_gap {
    int64_t from, to;
};

/* What follows from a watch that began at `begin` and lasted so many periods: a part is taken where time was
 * missing in two periods of three, or next to one that is. What comes once, or at any time, is none. */
void jitter_conclude(struct jitter *jitter, int64_t begin, int64_t period, unsigned periods,
                     const struct jitter_gap *gaps, size_t count);

/* From `now` on, how long it takes until the next `length` have no part that is taken. 0 where that is so at
 * once, and where it never is. */
int64_t jitter_until(const struct jitter *jitter, int64_t now, int64_t length);

/* Watch this thread's CPU for a few periods, some 25 ms (60 with 100 ticks a second), unless it was done in
 * the last second. The caller is pinned to that CPU, and nothing of it is to run there meanwhile. */
void jitter_learn(struct jitter *jitter);

/* Return when something that takes `length` can begin: after one period at most. */
void jitter_avoid(const struct jitter *jitter, int64_t length);

#endif
