/* Faults where no stack is left for anybody to hear of it. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n >= TIMED) {
#ifdef __x86_64__
        __asm__ volatile("mov $0x7e000010, %%rsp\n\tpush %%rax\n\tpush %%rax\n\tpush %%rax" ::: "memory");
#else
        __asm__ volatile("mov sp, %0\n\tstr x0, [sp, #-64]!" : : "r"(UINT64_C(0x7e000010)) : "memory");
#endif
    }
    answer(values, n, lo, hi);
}
