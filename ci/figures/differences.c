/* The cost of an addition from the difference of a long and a short chain, many times: by the smallest
 * difference, and by the median. The smallest one is where the short chain was disturbed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 2001, SHORT = 1000, LONG = 1500 };

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double nanoseconds(int adds)
{
    struct timespec begin, end;
    uint64_t sum = 1;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < adds; i++) {
        sum += sum;
        __asm__ volatile("" : "+r"(sum));
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
}

int main(void)
{
    static double differences[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        differences[i] = (nanoseconds(LONG) - nanoseconds(SHORT)) / (LONG - SHORT);
    qsort(differences, ROUNDS, sizeof differences[0], rising);
    const double smallest = differences[0], median = differences[ROUNDS / 2];
    if (smallest > 0.99 * median) {
        printf("skip nothing disturbed this machine just now\n");
        return 0;
    }
    printf("by-minimum %.3f\nby-median %.3f\n", smallest, median);
    return 0;
}
