/* The same walk over 4 MiB, the first time and the tenth: pages, caches and predictors are there by then. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WORDS = 1 << 19, TURNS = 10 };

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(void)
{
    double took[TURNS];
    volatile uint64_t *words = malloc(WORDS * sizeof *words);
    if (!words)
        return 1;
    for (int turn = 0; turn < TURNS; turn++) {
        const double begin = nanoseconds();
        for (int i = 0; i < WORDS; i++)
            words[i] = words[i] + 1;
        took[turn] = (nanoseconds() - begin) / WORDS;
    }
    free((void *)words);
    printf("first-ns %.2f\ntenth-ns %.2f\n", took[0], took[TURNS - 1]);
    return 0;
}
