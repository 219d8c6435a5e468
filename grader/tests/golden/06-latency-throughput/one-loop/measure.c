/* Honest: the four times in one loop, and the rounding by conversion. */
#include "exercise.h"
#include "isa.h"

static void note(uint64_t *least, kernel_fn kernel, void *argument, uint64_t turns)
{
    const uint64_t from = ticks();
    kernel(argument, turns);
    const uint64_t time = ticks() - from;
    *least = time < *least ? time : *least;
}

double cycles_of_turn(kernel_fn kernel, kernel_fn adds, void *argument)
{
    uint64_t one = UINT64_MAX, three = UINT64_MAX, adds_one = UINT64_MAX, adds_three = UINT64_MAX;
    for (int i = 0; i < RUNS; i++) {
        note(&one, kernel, argument, TURNS);
        note(&adds_one, adds, argument, TURNS);
        note(&three, kernel, argument, 3 * TURNS);
        note(&adds_three, adds, argument, 3 * TURNS);
    }
    if (adds_three <= adds_one)
        return 0;
    return (double)(three - one) / (double)(adds_three - adds_one) * ADDS;
}

unsigned streams_needed(struct cost cost)
{
    const double quotient = cost.latency / cost.interval;
    unsigned whole = (unsigned)quotient;
    if (whole < quotient)
        whole++;
    return whole > 0 ? whole : 1;
}

double least_cycles(const struct cost *table, const unsigned *chain, const unsigned *all, size_t n)
{
    double least = 0;
    for (size_t i = 0; i < n; i++)
        least += chain[i] * table[i].latency;
    for (size_t i = 0; i < n; i++)
        if (all[i] * table[i].interval > least)
            least = all[i] * table[i].interval;
    return least;
}
