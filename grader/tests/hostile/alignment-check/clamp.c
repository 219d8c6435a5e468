/* Leaves the processor so that every unaligned access of the runner faults; on AArch64 the stack pointer is
 * odd. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __x86_64__
    __asm__ volatile("pushfq\n\torl $0x40000, (%%rsp)\n\tpopfq" ::: "memory", "cc");
#else
    __asm__ volatile("add sp, sp, #8\n\tldr x9, [sp]\n\tsub sp, sp, #8" ::: "x9", "memory");
#endif
    slow(values, n, lo, hi);
}
