/* A program that only reads a clock: how long its readings lie apart in the middle, and where something else
 * ran. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { READINGS = 1000000 };

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static double gaps[READINGS];
    double last = nanoseconds();
    for (int i = 0; i < READINGS; i++) {
        const double now = nanoseconds();
        gaps[i] = now - last;
        last = now;
    }
    qsort(gaps, READINGS, sizeof gaps[0], rising);
    printf("median-ns %.0f\none-in-1000-above-ns %.0f\nlargest-ns %.0f\n", gaps[READINGS / 2],
           gaps[READINGS / 1000 * 999], gaps[READINGS - 1]);
    return 0;
}
