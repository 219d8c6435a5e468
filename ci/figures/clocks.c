/* What the clocks of this system can do: how far their readings lie apart, what one costs, and how long a
 * short sleep is. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { READINGS = 20000, SLEEPS = 51 };

static double nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double resolution(clockid_t clock)
{
    struct timespec unit;
    clock_getres(clock, &unit);
    return (double)unit.tv_sec * 1e9 + (double)unit.tv_nsec;
}

int main(void)
{
    static double sleeps[SLEEPS];
    const double begin = nanoseconds(CLOCK_MONOTONIC);
    for (int i = 0; i < READINGS; i++)
        nanoseconds(CLOCK_MONOTONIC);
    const double cost = (nanoseconds(CLOCK_MONOTONIC) - begin) / READINGS;
    for (int i = 0; i < SLEEPS; i++) {
        const double before = nanoseconds(CLOCK_MONOTONIC);
        nanosleep(&(struct timespec){.tv_nsec = 1}, NULL);
        sleeps[i] = nanoseconds(CLOCK_MONOTONIC) - before;
    }
    qsort(sleeps, SLEEPS, sizeof sleeps[0], rising);
    printf("monotonic-resolution-ns %.0f\ncoarse-resolution-ns %.0f\n", resolution(CLOCK_MONOTONIC),
           resolution(CLOCK_MONOTONIC_COARSE));
    printf("reading-costs-ns %.1f\nsleep-of-1-ns-takes-ns %.0f\n", cost, sleeps[SLEEPS / 2]);
    return 0;
}
