/* A sum of floats as written, optimized as far as the compiler goes, and with eight sums: nanoseconds an
 * element, the median. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ELEMENTS = 4096, ROUNDS = 401 };

__attribute__((noinline, optimize("O3"))) static float as_written(const float *values, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

__attribute__((noinline, optimize("O3"))) static float eight_sums(const float *values, int n)
{
    float s[8] = {0};
    for (int i = 0; i < n; i += 8)
        for (int k = 0; k < 8; k++)
            s[k] += values[i + k];
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

volatile float kept;

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(float (*sum)(const float *, int))
{
    static float values[ELEMENTS];
    static double took[ROUNDS];
    for (int i = 0; i < ELEMENTS; i++)
        values[i] = (float)(i % 7);
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        kept = sum(values, ELEMENTS);
        clock_gettime(CLOCK_MONOTONIC, &end);
        took[i] = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    }
    qsort(took, ROUNDS, sizeof took[0], rising);
    return took[ROUNDS / 2] / ELEMENTS;
}

int main(void)
{
    printf("as-written %.3f\neight-sums %.3f\n", median(as_written), median(eight_sums));
    return 0;
}
