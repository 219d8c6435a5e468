/* Exercise 6: the contract.
 *
 * Latency: cycles from the start of an instruction to the start of one that needs its result.
 * Interval: cycles from the start of an instruction to the start of the next of its kind, where no result is
 * waited for. (Tables call it reciprocal throughput: 0.5 is two in each cycle.) */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

#ifndef CYCLELAB_PMU
#define CYCLELAB_PMU 0 /* 1 where ticks() of isa.h counts core cycles: with ON=qemu */
#endif
#if CYCLELAB_PMU || defined __x86_64__
#define FINE_TICKS 1 /* a tick is about a cycle */
#else
#define FINE_TICKS 0 /* CNTVCT_EL0: it may be a hundred */
#endif

/* A turn of a kernel is TURN operations. TURN times `x = x + y` and the like, one instruction each, so that
 * counting turns costs nearly nothing. */
enum { TURN = 32, STREAMS = 8 };

/* ---- kernels.S: chains. Each operation needs the result of the one before. ---- */

/* x + y, x * y, x + y again and again, in each turn TURN times; x after `turns` turns, which may be 0.
 * Integers modulo 2^64. */
uint64_t add_chain(uint64_t x, uint64_t y, uint64_t turns);
uint64_t multiply_chain(uint64_t x, uint64_t y, uint64_t turns);
double fp_add_chain(double x, double y, uint64_t turns);

/* x = *x: each word that is loaded is the address of the next load. */
const void *load_chain(const void *x, uint64_t turns);

/* TURN times: q = x + 8 (one addition, x stays), store q at q, load x from x + 8. So x becomes q, by way of
 * memory. At the end of a turn x goes back by 8 * TURN. */
void *store_load_chain(void *x, uint64_t turns);

/* ---- kernels.S: streams. The same for STREAMS values that do not need each other. ---- */

/* In each turn TURN / STREAMS operations on each of x[0] to x[7], in rounds: one on each, then the next on
 * each. They are kept in registers and written back at the end. store_load_streams: at the end of a turn each
 * goes back by 8 * TURN / STREAMS. */
void add_streams(uint64_t x[STREAMS], uint64_t y, uint64_t turns);
void multiply_streams(uint64_t x[STREAMS], uint64_t y, uint64_t turns);
void fp_add_streams(double x[STREAMS], double y, uint64_t turns);
void load_streams(const void *x[STREAMS], uint64_t turns);
void store_load_streams(void *x[STREAMS], uint64_t turns);

/* ---- measure.c ---- */

/* A kernel runs `turns` turns, all of the same length. A call costs something besides its turns, and how much
 * is not known. What the argument points to is the kernel's alone: to look at it is no measurement. */
typedef void (*kernel_fn)(void *argument, uint64_t turns);

enum {
    TURNS = FINE_TICKS ? 40 : 400, /* enough for the counter to tell two lengths apart */
    RUNS = CYCLELAB_PMU ? 3 : 10,  /* of which the shortest counts; a model core has no noise */
    ADDS = 100                     /* core cycles of a turn of `adds`: a chain of so many additions */
};

/* Core cycles that one turn of `kernel` takes, without what its call costs. ticks() of isa.h reads the
 * counter, whose ticks need not be core cycles: `adds` is the ruler. 0 if adds take no time that is seen. */
double cycles_of_turn(kernel_fn kernel, kernel_fn adds, void *argument);

/* A row of an instruction table, in cycles. */
struct cost {
    double latency, interval;
};

/* The fewest independent streams that keep the unit busy: so many operations start while one is under way.
 * At least 1. */
unsigned streams_needed(struct cost cost);

/* The fewest cycles that a round of a loop can take. It executes all[i] operations of row i; chain[i] of them
 * are one behind the other on the way from a round to the next. Each kind has units of its own.
 * 0 if n is 0. */
double least_cycles(const struct cost *table, const unsigned *chain, const unsigned *all, size_t n);

#endif
