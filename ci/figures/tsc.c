/* Ticks of the time-stamp counter for each of a chain of additions, which take a cycle each. x86_64. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

enum { ROUNDS = 401, TURNS = 1000, ADDS = 10 };

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double chain(void)
{
    uint64_t sum = 1, one = 1;
    _mm_lfence();
    const uint64_t begin = __rdtsc();
    _mm_lfence();
    for (int turn = 0; turn < TURNS; turn++)
        __asm__ volatile(".rept 10\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one));
    _mm_lfence();
    return (double)(__rdtsc() - begin) / (TURNS * ADDS);
}

int main(void)
{
    static double ticks[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        ticks[i] = chain();
    qsort(ticks, ROUNDS, sizeof ticks[0], rising);
    const double median = ticks[ROUNDS / 2];
    if (median > 0.98 && median < 1.02) {
        printf("skip this core runs at the rate of its time-stamp counter just now\n");
        return 0;
    }
    printf("ticks-an-add %.3f\n", median);
    return 0;
}
