/* The calibrated clock checks itself: instructions of known latency, in units of the add chain.
 *
 * Another hyper-thread on the same physical core (it may belong to another virtual machine) takes issue slots
 * away: latencies hardly feel it, but NOPs take twice as long. So many short bursts are measured, each with
 * all chains in turn, and the figures are those of the quietest burst: the steady one in which the NOPs
 * flowed fastest. */
#ifndef CYCLELAB_CLOCK_SELFCHECK_H
#define CYCLELAB_CLOCK_SELFCHECK_H

#include <stdbool.h>
#include <stddef.h>

struct clock_selfcheck {
    bool steady;            /* a steady burst was found: the figures below are filled */
    double ticks_per_cycle; /* of the add chain in that burst */
    double multiply;        /* cycles of a dependent multiply */
    double exclusive_or;    /* cycles of a dependent xor */
    double nop;             /* cycles of a NOP: the reciprocal of NOPs per cycle */
};

/* Look for quiet moments during about `milliseconds`, going round the CPUs that this thread may use; its
 * affinity is as before afterwards. Each of the runs is a measurement of its own; burst by burst it is the
 * next one's turn, so that all of them see the same moments of the machine. A run keeps its quietest burst,
 * over several calls too: begin with {0}. Each figure is a median of paired ratios within one burst. */
void clock_selfcheck(struct clock_selfcheck *runs, size_t count, unsigned milliseconds);

#endif
