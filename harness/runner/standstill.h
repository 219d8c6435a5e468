/* Parts of a call that stand still, now one and now the other, as a process that has lost its CPU does.
 * Whoever is made to wait by that has a lock, or waits for a word of the other's. Private to machine.c. */
#ifndef CYCLELAB_STANDSTILL_H
#define CYCLELAB_STANDSTILL_H

#include <sys/resource.h>
#include "harness/runner/machine.h"

/* wait_out(), while both processes are at work; meanwhile one of them is stopped again and again, after times
 * that are drawn, until the other one is where parts meet, or has ended. *waits: the part that took a long
 * time of its CPU and did not get there before the other one went on, and then did; then -1 is returned.
 * Where a part is says the status page, which student code can write to: that it waits for nobody is its word
 * there, and the emulated machine's where that is asked. */
int standstill_wait_out(const struct machine *machine, const struct arena *arena,
                        const pid_t pids[PLAN_MOST_PARTS], const struct schedule *before, int64_t start,
                        unsigned limit_ms, int *status, struct rusage *usage, int *waits);

#endif
