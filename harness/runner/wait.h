/* Waiting for a machine's processes, which stop or end. SIGCHLD is blocked meanwhile (machine_start). Private
 * to machine.c and standstill.c. */
#ifndef CYCLELAB_WAIT_H
#define CYCLELAB_WAIT_H

#include <sys/resource.h>
#include "harness/runner/machine.h"

int64_t wait_now_ms(void);

/* Wait until one of the processes stops or ends: which one, and its wait status. -1 when limit_ms are over. 0
 * among them is none. */
int wait_any(const pid_t *pids, unsigned count, int64_t limit_ms, int *status, struct rusage *usage);

/* The same for one. False when limit_ms are over. */
bool wait_for(pid_t pid, int64_t limit_ms, int *status, struct rusage *usage);

/* The same for those of the machine, where `before` was the start, `start` by the clock. -1 when its time is
 * over. */
int wait_out(const struct machine *machine, const pid_t pids[PLAN_MOST_PARTS], const struct schedule *before,
             int64_t start, unsigned limit_ms, int *status, struct rusage *usage);

#endif
