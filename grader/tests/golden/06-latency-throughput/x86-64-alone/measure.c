#include "exercise.h"
#include "isa.h"
static uint64_t shortest(kernel_fn kernel, void *argument, uint64_t turns)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < RUNS; i++) {
        uint64_t a = ticks();
        kernel(argument, turns);
        uint64_t b = ticks();
        if (b - a < least)
            least = b - a;
    }
    return least;
}
double cycles_of_turn(kernel_fn kernel, kernel_fn adds, void *argument)
{
    double k = (double)(int64_t)(shortest(kernel, argument, 2 * TURNS) - shortest(kernel, argument, TURNS));
    double a = (double)(int64_t)(shortest(adds, argument, 2 * TURNS) - shortest(adds, argument, TURNS));
    return a > 0 ? k / a * ADDS : 0;
}
unsigned streams_needed(struct cost cost)
{
    double q = cost.latency / cost.interval;
    unsigned n = (unsigned)q;
    if (n < q)
        n++;
    return n < 1 ? 1 : n;
}
double least_cycles(const struct cost *table, const unsigned *chain, const unsigned *all, size_t n)
{
    double c = 0, u = 0;
    for (size_t i = 0; i < n; i++) {
        c += chain[i] * table[i].latency;
        double x = all[i] * table[i].interval;
        if (x > u)
            u = x;
    }
    return c > u ? c : u;
}
