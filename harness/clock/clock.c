#include "harness/clock/clock.h"

#include <math.h>
#include <stdatomic.h>
#include <time.h>
#include "harness/clock/costs.h"
#include "harness/stats/stats.h"

/* A difference between a long and a short block spans this much: long enough for 0.1 % on a counter of 25
 * MHz, short enough that hardly one in a hundred is interrupted. */
#define DIFFERENCE_SECONDS 10e-6
#define DIFFERENCE_STEPS   1000.0

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct instant {
    uint64_t ticks, ns;
};

/* Both clocks at one moment: the closest of several tries. */
static struct instant instant_now(void)
{
    struct instant best = {0, 0};
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < 32; i++) {
        uint64_t before = clock_begin();
        uint64_t ns = monotonic_ns();
        uint64_t after = clock_end();
        if (after - before < narrowest) {
            narrowest = after - before;
            best = (struct instant){before + narrowest / 2, ns};
        }
    }
    return best;
}

static double measured_frequency(void)
{
    struct instant start = instant_now();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    struct instant stop = instant_now();
    return (double)(stop.ticks - start.ticks) * 1e9 / (double)(stop.ns - start.ns);
}

double clock_frequency(void)
{
    static _Atomic double cached;
    double frequency = atomic_load(&cached);
    if (frequency > 0.0)
        return frequency;
    frequency = clock_declared_frequency();
    if (frequency <= 0.0)
        frequency = measured_frequency();
    atomic_store(&cached, frequency);
    return frequency;
}

static double time_block(void (*run)(uint64_t), uint64_t count)
{
    uint64_t start = clock_begin();
    run(count);
    return (double)(int64_t)(clock_end() - start);
}

/* Signed: noise in either block must cancel in the median, not pile up on one side. */
static double difference(void (*run)(uint64_t), uint64_t count)
{
    double once = time_block(run, count);
    double four_times = time_block(run, 4 * count);
    return (four_times - once) / (3.0 * (double)count);
}

/* The shortest of a few: the first one also brings the code into the caches. */
static double shortest_block(void (*run)(uint64_t), uint64_t count)
{
    double shortest = time_block(run, count);
    for (int i = 0; i < 4; i++)
        shortest = fmin(shortest, time_block(run, count));
    return shortest;
}

/* The count for which a difference spans DIFFERENCE_SECONDS: doubled until it can be measured, then scaled.
 */
static uint64_t size_block(void (*run)(uint64_t), uint64_t granule)
{
    double target = fmax(clock_frequency() * DIFFERENCE_SECONDS, DIFFERENCE_STEPS) / 3.0;
    uint64_t count = granule;
    double ticks = shortest_block(run, count);
    while (ticks < target / 4.0 && count < UINT64_C(1) << 32) {
        count *= 2;
        ticks = shortest_block(run, count);
    }
    double scaled = ceil((double)count * target / fmax(ticks, 1.0) / (double)granule);
    return granule * (uint64_t)fmax(scaled, 1.0);
}

static double median_difference(void (*run)(uint64_t), uint64_t count, size_t repetitions)
{
    double values[64];
    size_t n = repetitions < 64 ? repetitions : 64;
    for (size_t i = 0; i < n; i++)
        values[i] = difference(run, count);
    return stats_median(values, n);
}

/* Length of an add chain, found once: the rate moves by less than 2, and only precision hangs on it. */
static uint64_t add_count(void)
{
    static _Atomic uint64_t cached;
    uint64_t count = atomic_load(&cached);
    if (count == 0) {
        count = size_block(clock_add_chain, 100);
        atomic_store(&cached, count);
    }
    return count;
}

double clock_ticks_per_cycle(unsigned microseconds)
{
    uint64_t count = add_count();
    double pair = 5.0 / 3.0 * fmax(DIFFERENCE_SECONDS, DIFFERENCE_STEPS / clock_frequency());
    double pairs = (double)microseconds * 1e-6 / pair;
    return median_difference(clock_add_chain, count, pairs < 1.0 ? 1 : (size_t)pairs);
}

/* Run until two looks in a row agree within 0.5 %, for cores that wake up slowly. */
static void warm_up(void)
{
    uint64_t end = monotonic_ns() + 100000000u;
    double last = clock_ticks_per_cycle(2000);
    while (monotonic_ns() < end) {
        double now = clock_ticks_per_cycle(2000);
        if (fabs(now / last - 1.0) < 0.005)
            return;
        last = now;
    }
}

struct calibration clock_calibrate(size_t repetitions)
{
    double values[256];
    size_t n = repetitions < 256 ? repetitions : 256;
    warm_up();
    for (size_t i = 0; i < n; i++)
        values[i] = clock_ticks_per_cycle(200);
    struct calibration calibration = {.ticks_per_cycle = stats_median(values, n)};
    double range = stats_quantile(values, n, 0.95) - stats_quantile(values, n, 0.05);
    calibration.spread = range / calibration.ticks_per_cycle;
    calibration.steady = calibration.ticks_per_cycle > 0.0 && calibration.spread <= 0.03;
    return calibration;
}

double clock_overhead(void)
{
    double values[101];
    for (size_t i = 0; i < 101; i++) {
        uint64_t start = clock_begin();
        values[i] = (double)(int64_t)(clock_end() - start);
    }
    return stats_median(values, 101);
}

double clock_cost_of(void (*run)(uint64_t), uint64_t granule)
{
    return median_difference(run, size_block(run, granule), 63);
}

uint64_t clock_resolution(void)
{
    /* The greatest common divisor of many intervals: a counter that moves in steps of s only gives multiples.
     */
    uint64_t step = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t start = clock_begin();
        clock_add_chain(100 * (i % 61));
        uint64_t interval = clock_end() - start;
        while (interval != 0) {
            uint64_t rest = step % interval;
            step = interval;
            interval = rest;
        }
    }
    return step;
}
