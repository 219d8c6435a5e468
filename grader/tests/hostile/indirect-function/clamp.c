/* A resolver would choose, before the program runs, what clamp is. */
#include "exercise.h"
#include "hostile.h"

static void plain(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}

__attribute__((used)) static void *choose(void)
{
    return (void *)plain;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi) __attribute__((ifunc("choose")));
