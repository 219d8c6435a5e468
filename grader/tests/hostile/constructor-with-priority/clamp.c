/* Constructor and destructor by attribute. */
#include "exercise.h"
#include "hostile.h"

__attribute__((constructor(101))) static void before(void)
{
    __asm__ volatile("");
}

__attribute__((destructor)) static void after(void)
{
    __asm__ volatile("");
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
