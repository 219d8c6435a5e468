/* Exercise 17: the contract.
 *
 * pmu.S is the part of a small kernel that owns the PMU, and the one function that programs at EL0 read it
 * with. metrics.c makes figures of what was read. There are six event counters of 32 bits, and the cycle
 * counter of 64. Nothing of yours runs at EL1 but what is said to. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

enum { COUNTERS = 6 };

/* ---- pmu.S, called at EL1 ---- */

/* Bring the PMU up, whatever state it is in. Counter i counts events[i], for i < n <= COUNTERS; the other
 * event counters are off. These counters and the cycle counter
 *     count at EL0 only (of bits 31 to 26 of PMEVTYPERn_EL0 and PMCCFILTR_EL0 bit 31 alone is on), from 0,
 *     have no overflow flag set;
 * the n event counters interrupt when they overflow, and nothing else does. The cycle counter overflows at
 * 64 bits, not at 32. EL0 may read counters, and select one to read, and may nothing else (PMUSERENR_EL0.CR
 * and ER). */
void pmu_open(const uint16_t *events, size_t n);

/* All event counters and the cycle counter go to 0, and their overflow flags off. All else stays as it is:
 * what they count and where (PMEVTYPERn_EL0, PMCCFILTR_EL0), whether they run, whether they interrupt, and
 * which one is selected (PMSELR_EL0). */
void pmu_reset(void);

/* The interrupt's handler, on its way from EL0: add 1 to high[i] for each counter i that has overflowed and
 * is asked to interrupt (any of the six may be), and clear its flag. No other flag changes, nor anything else
 * of the PMU: counters go on from where they are, and EL0 may have selected one that it is about to read
 * (PMSELR_EL0). (The vectors save x0 to x18 and x30.) */
void pmu_overflow(uint64_t *high);

/* ---- pmu.S, called at EL0 ---- */

/* Read counters 0 to n-1, and then the cycle counter, into values[0..n], in this order, each once. What is
 * before the call has finished when the first one is read. The event counters by PMSELR_EL0 and
 * PMXEVCNTR_EL0, or by their own registers: pmu_open lets EL0 do both. */
void pmu_read(uint64_t *values, size_t n);

/* ---- metrics.c ---- */

/* The count so far, from the overflows of a 32-bit counter and what it has now. */
uint64_t whole_count(uint64_t high, uint64_t low);

/* Instructions in a cycle; 0 if cycles is 0. */
double ipc(uint64_t instructions, uint64_t cycles);

/* Events in 1,000 instructions (MPKI, of misses or mispredictions); 0 if instructions is 0. */
double per_thousand(uint64_t events, uint64_t instructions);

/* The part of the accesses that missed, 0 to 1; 0 if accesses is 0. */
double miss_rate(uint64_t misses, uint64_t accesses);

/* Top-down, level 1. In each of `cycles` there are `width` slots; each one
 *     retires an operation (OP_RETIRED, 0x3A),
 *     or waits for the back end (STALL_SLOT_BACKEND, 0x3D),
 *     or is not supplied by the front end (STALL_SLOT_FRONTEND, 0x3E),
 *     or is lost to a wrong guess: what is left, and not below 0.
 * Shares of all slots; all 0 if there are none. */
struct top_down {
    double retiring, bad_speculation, front_end, back_end;
};
struct top_down top_down(uint64_t cycles, uint64_t width, uint64_t operations, uint64_t back_end,
                         uint64_t front_end);

#endif
