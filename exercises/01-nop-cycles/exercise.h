/* Exercise 1: the contract.
 *
 * Ticks are what the counter counts. On x86-64 that is RDTSC, on AArch64 CNTVCT_EL0: both run at a constant
 * rate that is not the core's clock. Only PMCCNTR_EL0 (CYCLELAB_PMU below) counts core cycles itself. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* Which counter it is, known when your code is compiled, so that asking costs nothing where cycles are
 * counted. 1: PMCCNTR_EL0 of a PMU that user code may use, as with ON=qemu: it is off until you turn it on.
 * 0: no PMU in user space, which is the usual case under Linux: RDTSC or CNTVCT_EL0, which always runs. */
#ifndef CYCLELAB_PMU
#define CYCLELAB_PMU 0
#endif

enum { RUNS = 100 };

/* A piece of code to be measured: block(argument). What the argument points to is the block's alone: to look
 * at it is no measurement. */
typedef void (*block_fn)(void *argument);

/* ---- cycles.c, or cycles.S of your processor ---- */

/* Turn the counter on. Where CYCLELAB_PMU is 1: PMCR_EL0 with E (bit 0), C (bit 2) and LC (bit 6), and bit 31
 * of PMCNTENSET_EL0. Nothing to do elsewhere. */
void counter_enable(void);

/* The counter, all 64 bits, at the start of a measured region: what stands before the call has finished, what
 * stands behind it has not begun. */
uint64_t cycles_begin(void);

/* The same at the end of the region: what stands before the call has finished. */
uint64_t cycles_end(void);

/* ---- measure.c ---- */

/* The smallest of n measurements, less the overhead; 0 if the overhead is larger than that, or if n is 0. */
uint64_t least_ticks(const uint64_t *ticks, size_t n, uint64_t overhead);

/* What a region costs that has nothing in it: the smallest of RUNS measurements. In ticks. */
uint64_t measure_overhead(void);

/* Run the block RUNS times, no more and no less, each in a region of its own. The smallest measurement less
 * the overhead, not below 0. In ticks. */
uint64_t measure_minimum(block_fn block, void *argument, uint64_t overhead);

/* Core cycles that a NOP takes: the ticks of nops(argument) over those of adds(argument). These run 1,000
 * NOPs and 1,000 adds, or both the same multiple of it where the counter is coarse. Each add needs the result
 * of the one before, so it takes one core cycle on any core. 0 if no time is seen to pass in adds. (With
 * ON=qemu both lengths are drawn as well, and what you return is brought back to lengths that are alike.) */
double cycles_per_nop(block_fn nops, block_fn adds, void *argument);

#endif
