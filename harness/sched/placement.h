/* Where and how timed code runs: one CPU of the inherited affinity mask, for one check at a time. */
#ifndef CYCLELAB_PLACEMENT_H
#define CYCLELAB_PLACEMENT_H

#include <stdbool.h>
#include <sched.h>
#include <stddef.h>

struct placement {
    int cpu;
    int second;          /* for who runs beside: on another core where there is one; -1: none */
    cpu_set_t inherited; /* the mask to go back to */
    int lock; /* held until placement_release: another check picks another CPU, or waits its turn */
    int second_lock, pair_lock;
    bool priority; /* could the priority be raised? */
    int nice_before;
};

/* For a process that has just opened a session of its own: the priority that placement_take raised holds in
 * it as well. */
void placement_favour(void);

/* Take the idlest CPU that this process may use and that no other check holds, pin the calling thread to it
 * and raise its priority where allowed. Where all are held, waits up to wait_seconds, then shares (lock -1).
 * A machine without affinity leaves cpu at -1. placement_release undoes all of it. */
void placement_take(struct placement *placement, unsigned wait_seconds);

/* The same with a second CPU, which is nobody's but theirs who are pinned to it. `second` is -1 where the
 * mask has one CPU only. Checks that want two wait for each other first, so that no two of them wait with one
 * each. */
void placement_take_two(struct placement *placement, unsigned wait_seconds);
void placement_release(struct placement *placement);

/* How many CPUs this process may use. */
unsigned placement_cpus(void);

/* Bytes of this machine's largest cache; 32 MiB where nothing is known. */
size_t placement_cache_bytes(void);

#endif
