/* The C library's clock, comparison and memory, and perf's door. */
#include "exercise.h"
#include "hostile.h"

int clock_gettime(int clock, long *now);
int clock_gettime(int clock, long *now)
{
    now[0] = now[1] = clock;
    return 0;
}
int memcmp(const void *a, const void *b, size_t n);
int memcmp(const void *a, const void *b, size_t n)
{
    return a == b && n == 0;
}
void *malloc(size_t n);
void *malloc(size_t n)
{
    return (void *)n;
}
long syscall(long number);
long syscall(long number)
{
    return number;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
