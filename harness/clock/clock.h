/* Clocks. Ticks are what the counter counts (TSC, CNTVCT): a constant rate, not core cycles. Core cycles come
 * from a chain of dependent register adds, one cycle each on every core that this suite knows.
 * One file an ISA implements the reads: x86_64/ and aarch64/. */
#ifndef CYCLELAB_CLOCK_H
#define CYCLELAB_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read the counter at the start of a timed region: everything before has finished, nothing after has begun.
 * x86-64: lfence; rdtsc; lfence. AArch64: isb; mrs cntvct_el0; isb. Unit: ticks. */
uint64_t clock_begin(void);

/* The same at its end. x86-64: rdtscp; lfence. AArch64: isb; mrs cntvct_el0; isb. */
uint64_t clock_end(void);

/* Name of the counter: "TSC" or "CNTVCT_EL0". */
const char *clock_name(void);

/* Ticks per second: CNTFRQ_EL0, or the TSC measured against CLOCK_MONOTONIC_RAW (takes some ms, then cached).
 */
double clock_frequency(void);

/* Run a chain of `adds` dependent register-register adds (a multiple of 100; one core cycle each). No
 * function below waits, prints or allocates; all are safe to call from any thread. */
void clock_add_chain(uint64_t adds);

/* Chains to hold the calibration against: multiplies, xors (dependent), NOPs (independent). */
void clock_multiply_chain(uint64_t multiplies);
void clock_xor_chain(uint64_t xors);
void clock_nops(uint64_t nops);

/* Ticks per core cycle now, from add chains of about `microseconds` in all (at least one pair of some 20 us):
 * the median of signed differences between long and short ones. Noise: see clock_calibrate. */
double clock_ticks_per_cycle(unsigned microseconds);

struct calibration {
    double ticks_per_cycle; /* median over the repetitions */
    double spread;          /* (p95 - p5) / median over the repetitions */
    bool steady;            /* spread at most 3 %: cycles may be spoken of */
};

/* Calibrate over `repetitions` (> 0) of clock_ticks_per_cycle, some 0.2 ms each, after a warm-up that goes on
 * until the clock has settled (at most 100 ms). */
struct calibration clock_calibrate(size_t repetitions);

/* Median cost in ticks of clock_begin(); clock_end() with nothing between. */
double clock_overhead(void);

#endif
