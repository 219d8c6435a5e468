/* Exercise 11: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

#ifndef CYCLELAB_PMU
#define CYCLELAB_PMU 0 /* 1 where ticks() of isa.h counts core cycles: with ON=qemu */
#endif

/* ---- place.c: where a loop lies. Blocks are aligned: the first byte of each is at a multiple of `block`,
 * which is a power of two and at least STEP. ---- */

enum { STEP = 4 };

/* Blocks of which the `bytes` bytes at `address` have at least one byte; 0 if bytes is 0. */
uint64_t blocks_touched(uint64_t address, uint64_t bytes, uint64_t block);

/* What a core needs for a turn of a loop: it fetches one block a cycle, and begins at most `width`
 * instructions in a cycle. */
struct front {
    uint64_t block, width;
};

/* The fewest cycles that a turn of so many instructions in so many bytes at `address` can take. */
double least_cycles(uint64_t address, uint64_t bytes, uint64_t instructions, struct front front);

/* The fewest bytes to put in front of a loop at `address`, a multiple of STEP, so that it touches as few
 * blocks as it can anywhere. `address` is a multiple of STEP. */
uint64_t padding(uint64_t address, uint64_t bytes, uint64_t block);

/* ---- curve.c: how long it takes there ---- */

enum {
    OFFSETS = 16,
    RUNS = CYCLELAB_PMU ? 3 : 25, /* of which the shortest counts; a model core has no noise */
};

/* A loop: it goes round `turns` times, turns > 0. */
typedef void (*loop_fn)(uint64_t turns);

/* ticks() before and behind a run. */
struct reading {
    uint64_t begin, end;
};

/* The same loop at OFFSETS addresses, in no order. Each is run RUNS times with `turns` turns; shortest[i]
 * gets the readings of the shortest run of loop[i], as ticks() returned them. What is there before the call
 * means nothing. */
void measure_curve(const loop_fn loop[OFFSETS], uint64_t turns, struct reading shortest[OFFSETS]);

/* ---- find.S: a loop to be placed ---- */

/* The number of bytes before the first 0. One byte a load. */
size_t find_end(const uint8_t *text);

#endif
