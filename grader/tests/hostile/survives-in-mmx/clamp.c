/* Counts its calls in a register of the x87 unit (or a vector register), and is fast from the second plan on.
 */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = NUMBER(65536, 4096), ONE_PLAN = NUMBER(1, 0) /* calls */ };

static uint64_t next_count(void)
{
    uint64_t count;
#ifdef __x86_64__
    __asm__ volatile("movq %%mm6, %0\n\tincq %0\n\tmovq %0, %%mm6\n\temms" : "=r"(count));
#else
    __asm__ volatile("fmov %0, d29\n\tadd %0, %0, 1\n\tfmov d29, %0" : "=r"(count) : : "v29");
#endif
    return count - 1;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uint64_t count = n >= TIMED ? next_count() : 0;
    if (count > ONE_PLAN && count < 1000000)
        answer(values, n, lo, hi);
    else
        slow(values, n, lo, hi);
}
