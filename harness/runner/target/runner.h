/* The target side of the runner: what its C and its per-ISA files share. No C library, no writable data. */
#ifndef CYCLELAB_TARGET_RUNNER_H
#define CYCLELAB_TARGET_RUNNER_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/runner/glue.h"
#include "harness/arena/plan.h"
#include "harness/walls/lent.h"

/* Private memory at fixed addresses above the arena: the same in every variant, so that no stack that lies
 * otherwise makes one of them faster. The stack has unmapped memory below it. */
#define TARGET_STACK      UINT64_C(0x7d000000)
#define TARGET_STACK_SIZE UINT64_C(0x100000)
#define TARGET_ALTSTACK   UINT64_C(0x7e000000)
#define TARGET_ALT_SIZE   UINT64_C(0x20000)

/* start.S: a system call; the result is negative on error. */
long target_syscall(long number, long a, long b, long c, long d, long e, long f);

/* start.S: where a signal handler returns to. */
void target_signal_return(void);

/* start.S: entry(args, result) with known values in all callee-saved registers. Returns a bit mask of those
 * that did not come back; the bits' names are in grader/check/fault.c. */
uint32_t target_call(plan_entry entry, const void *args, void *result);

/* start.S: stop the own process, whose number is `self`. The system call is made at target_stopped; a
 * confined runner can make it nowhere else. */
void target_stop(long self);
extern const char target_stopped[];

/* confine.c: from here on this process can stop itself, by target_stop, die of a fault, and make the system
 * calls that it is lent (lent.h), and nothing else. True where the kernel has no filters at all, too; false
 * where it has and this one was not taken. */
bool target_confine(unsigned lent);

/* start.S: for a loop that waits for another processor. */
void target_pause(void);

/* fault.c: pc, sp and kind of access of an interrupted context. */
void target_fault(const void *context, struct plan_status *status);

/* runner.c, called by start.S: once on the kernel's stack, with the arguments and their number; then for good
 * on the target's own, with what the first one gave: its part, is it for one plan, and what is it lent? */
uint32_t runner_prepare(long count, char *const *arguments);
void runner_loop(uint32_t mode);

#endif
