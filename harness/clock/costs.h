/* What is particular to the clock of one ISA, and what reading a clock costs. The table, the text and the
 * functions after it are in x86_64/costs.c and aarch64/costs.c. */
#ifndef CYCLELAB_CLOCK_COSTS_H
#define CYCLELAB_CLOCK_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One timing instruction, and a function that executes it `count` > 0 times. */
struct clock_cost {
    const char *name;
    void (*run)(uint64_t count);
};
extern const struct clock_cost clock_costs[];
extern const size_t clock_costs_count;

/* Cycles that a dependent multiply takes on the ISA's usual cores, in words. */
extern const char *const clock_multiply_expected;

/* Ticks a second as the CPU itself declares them; 0 where it does not. */
double clock_declared_frequency(void);

/* Does the CPU say that it is a virtual one? The hypervisor's signature then, else "". */
bool clock_hypervisor(char signature[13]);

/* Ticks that one of `run`'s operations takes: the median over signed differences between long and short runs,
 * of `granule` operations and multiples of it. Takes some ms. */
double clock_cost_of(void (*run)(uint64_t count), uint64_t granule);

/* Smallest step of the counter in ticks: 1 on most CPUs, more where the counter is scaled up from a slower
 * one. */
uint64_t clock_resolution(void);

#endif
