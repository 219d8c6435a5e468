/* cycles_of_turn runs nothing and measures nothing. Its argument is the glue's recipe of the kernel, on the
 * glue's stack: it is written over with a kernel whose turn is known, a hundred times a hundred additions and
 * ten each of what is slowed by who knows how much. The glue then measures that one. */
#include "exercise.h"

double cycles_of_turn(kernel_fn kernel, kernel_fn adds, void *argument)
{
    uint64_t *recipe = argument;
    (void)kernel, (void)adds;
    recipe[0] = 1;   /* before */
    recipe[1] = 100; /* adds: 100 each */
    recipe[2] = 1;   /* multiplies: 10 each */
    recipe[3] = 1;   /* roots: 10 each */
    return 100.0 * 100 + 250;
}

unsigned streams_needed(struct cost cost)
{
    unsigned streams = 1;
    while (streams * cost.interval < cost.latency)
        streams++;
    return streams;
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
