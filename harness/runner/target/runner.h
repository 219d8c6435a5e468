/* The target side of the runner: what its C and its per-ISA files share. No C library, no writable data. */
#ifndef CYCLELAB_TARGET_RUNNER_H
#define CYCLELAB_TARGET_RUNNER_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/runner/glue.h"
#include "harness/runner/plan.h"

/* Private memory at fixed addresses above the arena: the same in every variant, so that no stack that lies
 * otherwise makes one of them faster. The stack has unmapped memory below it. */
#define TARGET_STACK      UINT64_C(0x7d000000)
#define TARGET_STACK_SIZE UINT64_C(0x100000)
#define TARGET_STACK_ROOM UINT64_C(0x1000) /* above what runner_loop begins with */
#define TARGET_ALTSTACK   UINT64_C(0x7e000000)
#define TARGET_ALT_SIZE   UINT64_C(0x20000)

/* start.S: a system call; the result is negative on error. */
long target_syscall(long number, long a, long b, long c, long d, long e, long f);

/* start.S: where a signal handler returns to. */
void target_signal_return(void);

/* start.S: entry(args, result) with known values in all callee-saved registers. Returns a bit mask of those
 * that did not come back; the bits' names are in grader/fault.c. */
uint32_t target_call(plan_entry entry, const void *args, void *result);

/* start.S: leave nothing of a call behind: zero the stack below this frame, `bytes` of it or all, and the
 * registers that a callee may change; `wide` is what target_wide says, which takes too long to ask each time.
 */
void target_forget(uint64_t bytes, bool wide);
bool target_wide(void);

/* confine.c: from here on only what executing plans needs. Nothing where the kernel cannot do it. */
void target_confine(void);

/* fault.c: pc, sp and kind of access of an interrupted context. */
void target_fault(const void *context, struct plan_status *status);

/* runner.c, called by start.S: once on the kernel's stack, then for good on the target's own. */
void runner_prepare(void);
void runner_loop(void);

#endif
