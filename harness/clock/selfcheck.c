#include "harness/clock/selfcheck.h"

#include <math.h>
#include <sched.h>
#include <stdint.h>
#include "harness/clock/clock.h"
#include "harness/clock/costs.h"
#include "harness/stats/stats.h"

#define ROUNDS 11 /* of all chains in a burst */
#define STEADY 0.03

enum { ADD, MULTIPLY, XOR, NOP, CHAINS };

static void (*const chains[CHAINS])(uint64_t) = {
    [ADD] = clock_add_chain,
    [MULTIPLY] = clock_multiply_chain,
    [XOR] = clock_xor_chain,
    [NOP] = clock_nops,
};

static double time_chain(size_t chain, uint64_t count)
{
    uint64_t start = clock_begin();
    chains[chain](count);
    return (double)(int64_t)(clock_end() - start);
}

/* Central 80 % relative to the median; the values are reordered. */
static double middle_spread(double *values)
{
    return (stats_quantile(values, ROUNDS, 0.9) - stats_quantile(values, ROUNDS, 0.1)) /
           stats_median(values, ROUNDS);
}

/* All chains in turn, `adds` long (multiplies take a third). */
static struct clock_selfcheck burst(uint64_t adds)
{
    static const unsigned parts[CHAINS] = {[ADD] = 1, [MULTIPLY] = 3, [XOR] = 1, [NOP] = 1};
    double ratio[CHAINS][ROUNDS];
    for (size_t round = 0; round < ROUNDS; round++) {
        double ticks[CHAINS];
        for (size_t chain = 0; chain < CHAINS; chain++) {
            uint64_t count = adds / parts[chain] / 100 * 100;
            double once = time_chain(chain, count);
            double four_times = time_chain(chain, 4 * count);
            ticks[chain] = (four_times - once) / (3.0 * (double)count);
        }
        ratio[ADD][round] = ticks[ADD];
        for (size_t chain = MULTIPLY; chain < CHAINS; chain++)
            ratio[chain][round] = ticks[chain] / ticks[ADD];
    }
    struct clock_selfcheck result = {.steady = true};
    for (size_t chain = 0; chain < CHAINS; chain++)
        result.steady = result.steady && middle_spread(ratio[chain]) <= STEADY;
    result.ticks_per_cycle = stats_median(ratio[ADD], ROUNDS);
    result.multiply = stats_median(ratio[MULTIPLY], ROUNDS);
    result.exclusive_or = stats_median(ratio[XOR], ROUNDS);
    result.nop = stats_median(ratio[NOP], ROUNDS);
    return result;
}

/* Move on to the next CPU that the thread may use. Staying where we are is no harm. */
static void next_cpu(const cpu_set_t *allowed, size_t *cpu)
{
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        *cpu = (*cpu + 1) % CPU_SETSIZE;
        if (CPU_ISSET(*cpu, allowed)) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(*cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }
}

void clock_selfcheck(struct clock_selfcheck *runs, size_t count, unsigned milliseconds)
{
    cpu_set_t allowed;
    bool roams = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    size_t cpu = CPU_SETSIZE - 1;
    /* A counter slower than the core needs longer chains: 300 steps of it for the shortest. */
    double cycles = 300.0 * (double)clock_resolution() / clock_ticks_per_cycle(200);
    cycles = fmin(fmax(cycles, 6000.0), 1e6);
    uint64_t adds = (uint64_t)ceil(cycles / 300.0) * 300;
    double ticks = (double)milliseconds * 1e-3 * clock_frequency();
    uint64_t start = clock_begin();
    do {
        if (roams)
            next_cpu(&allowed, &cpu);
        for (size_t i = 0; i < count; i++) {
            struct clock_selfcheck now = burst(adds);
            if (now.steady && (!runs[i].steady || now.nop < runs[i].nop))
                runs[i] = now;
        }
    } while ((double)(clock_end() - start) < ticks);
    if (roams)
        sched_setaffinity(0, sizeof allowed, &allowed);
}
