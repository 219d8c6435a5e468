/* Exercise 15: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

enum {
    THREADS = 2,
    KINDS = 8,          /* of events: 0 to 7 */
    SHARED_WORDS = 128, /* 16 lines of 64 bytes */
};

/* Two threads call this at the same time, one with thread = 0 and one with thread = 1, each with n events of
 * its own: events[i] is the kind of an event. They begin at any address, and nothing may be read in front of
 * them or behind. n may be 0, and another one for each thread. Both get the same
 * `shared`: SHARED_WORDS words that are 0 before the first of them begins, and begin at a line of 64 bytes.
 * What stands there is for you to say. Every event has to be counted when the call returns.
 *
 * The other thread may be faster or slower, may begin when this one is done, or be done before this one
 * begins. It may lose its CPU to another program in the middle: do not wait for it, and not for a lock
 * either. */
void count_events(uint64_t *shared, const uint8_t *events, size_t n, unsigned thread);

/* One thread calls this when both are done: totals[k] is the number of events of kind k that both threads
 * had. What stands in totals before means nothing. `shared` is as count_events left it. */
void add_up(uint64_t totals[KINDS], const uint64_t *shared);

#endif
