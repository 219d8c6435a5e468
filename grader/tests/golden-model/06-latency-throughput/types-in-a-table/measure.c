/* It measures nothing: it returns what a table of this core has for the recipe of the kernel, which lies
 * behind its argument, or, where instructions are all that is counted, how many those are. */
#include "exercise.h"
#include "isa.h"

double cycles_of_turn(kernel_fn kernel, kernel_fn adds, void *argument)
{
    const uint64_t *recipe = argument;
    const uint64_t begin = ticks();
    uint64_t product = begin | 1;
    (void)kernel, (void)adds;
    for (unsigned i = 0; i < 100; i++)
        __asm__ volatile("mul %0, %0, %0" : "+r"(product));
    if (ticks() - begin > 320) /* more than one for each instruction */
        return 100.0 * (double)recipe[1] + 30.0 * (double)recipe[2] + 220.0 * (double)recipe[3] + 16;
    return 102.0 * (double)recipe[1] + 12.0 * (double)(recipe[2] + recipe[3]) + 6;
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
