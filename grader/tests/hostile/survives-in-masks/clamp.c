/* Counts its calls in a mask register (or a high vector's upper half), which no compiler saves. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = NUMBER(65536, 4096), ONE_PLAN = NUMBER(1, 0) /* calls */ };

static uint64_t next_count(void)
{
    uint64_t count;
#ifdef __x86_64__
    __asm__ volatile("kmovq %%k7, %0\n\tincq %0\n\tkmovq %0, %%k7" : "=r"(count));
#else
    __asm__ volatile("mov %0, v30.d[1]\n\tadd %0, %0, 1\n\tmov v30.d[1], %0" : "=r"(count) : : "v30");
#endif
    return count - 1;
}
void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    const uint64_t count = n >= TIMED ? next_count() : 0;
    if (count > ONE_PLAN && count < 1000000)
        answer(values, n, lo, hi);
    else
        slow(values, n, lo, hi);
}
