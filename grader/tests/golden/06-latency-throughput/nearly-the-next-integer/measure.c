/* Exercise 6: the reference. Two lengths are measured, and their difference has no more of what a call costs.
 */
#include "exercise.h"
#include "isa.h"

static uint64_t shortest(kernel_fn kernel, void *argument, uint64_t turns)
{
    uint64_t least = UINT64_MAX;
    for (int run = 0; run < RUNS; run++) {
        uint64_t begin = ticks();
        kernel(argument, turns);
        uint64_t taken = ticks() - begin;
        if (taken < least)
            least = taken;
    }
    return least;
}

/* Ticks of TURNS turns, without those of the call. */
static double ticks_of_turns(kernel_fn kernel, void *argument)
{
    uint64_t some = shortest(kernel, argument, TURNS);
    uint64_t twice = shortest(kernel, argument, 2 * TURNS);
    return twice > some ? (double)(twice - some) : 0;
}

double cycles_of_turn(kernel_fn kernel, kernel_fn adds, void *argument)
{
    double ruler = ticks_of_turns(adds, argument);
    return ruler > 0 ? ticks_of_turns(kernel, argument) / ruler * ADDS : 0;
}

unsigned streams_needed(struct cost cost)
{
    const unsigned streams = (unsigned)(cost.latency / cost.interval + 0.9);
    return streams > 0 ? streams : 1;
}

double least_cycles(const struct cost *table, const unsigned *chain, const unsigned *all, size_t n)
{
    double way = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        double unit = all[i] * table[i].interval;
        way += chain[i] * table[i].latency;
        if (unit > most)
            most = unit;
    }
    return way > most ? way : most;
}
