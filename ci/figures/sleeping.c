/* A sleep of 20 ms and sleeps of 1 ms: what the time-stamp counter counts meanwhile, what processor time the
 * thread gets, and how long they are; and 20 ms of ticks divided by the counter's rate and by the core's.
 * x86_64. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { ROUNDS = 21, ADDS = 1000 };

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof values[0], rising);
    return values[ROUNDS / 2];
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double slept(long nanoseconds, double *ticks, double *busy)
{
    const double begin = seconds(CLOCK_MONOTONIC), working = seconds(CLOCK_THREAD_CPUTIME_ID);
    const uint64_t first = __rdtsc();
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
    *ticks = (double)(__rdtsc() - first);
    *busy = seconds(CLOCK_THREAD_CPUTIME_ID) - working;
    return seconds(CLOCK_MONOTONIC) - begin;
}

/* Additions in a second, of which each waits for the one before: the core's clock. */
static double core_rate(void)
{
    static double took[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t sum = 1, one = 1;
        const double begin = seconds(CLOCK_MONOTONIC);
        for (int turn = 0; turn < ADDS; turn++)
            __asm__ volatile(".rept 100\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one));
        took[round] = seconds(CLOCK_MONOTONIC) - begin;
    }
    return ADDS * 100 / median(took);
}

int main(void)
{
    static double long_ones[ROUNDS], short_ones[ROUNDS], ticks[ROUNDS], busy[ROUNDS];
    static double rates[ROUNDS];
    double ignored, twice, passed;
    for (int i = 0; i < ROUNDS; i++) {
        const double took = slept(5000000, &passed, &ignored);
        rates[i] = passed / took;
        long_ones[i] = slept(20000000, &ticks[i], &busy[i]);
        short_ones[i] = slept(1000000, &ignored, &twice);
    }
    const double tick = median(ticks), rate = median(rates), core = core_rate();
    if (core > 0.95 * rate && core < 1.05 * rate) {
        printf("skip this core runs at the rate of its time-stamp counter just now\n");
        return 0;
    }
    printf("sleep-of-20-ms %.2f\nsleep-of-1-ms %.3f\n", 1e3 * median(long_ones), 1e3 * median(short_ones));
    printf("million-ticks %.2f\nprocessor-time-ms %.3f\n", tick / 1e6, 1e3 * median(busy));
    printf("ticks-by-their-rate %.2f\nticks-by-the-core %.2f\n", 1e3 * tick / rate, 1e3 * tick / core);
    return 0;
}
