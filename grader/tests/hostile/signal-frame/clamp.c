/* Has the kernel load registers of its choice (sigreturn), with all signals blocked, and does not end then.
 */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __x86_64__
    uint64_t frame[125] = {0};
    frame[0] = 6;
    frame[5 + 15] = (uint64_t)frame - 64; /* sp */
    frame[5 + 16] = (uint64_t)clamp;      /* pc: once more */
    frame[5 + 17] = 0x202;
    frame[5 + 18] = 0x33 | UINT64_C(0x2b) << 48;
    __builtin_memset((char *)frame + 296, 0xff, 8);
    __asm__ volatile("mov %0, %%rsp\n\tmov $15, %%eax\n\tsyscall" ::"r"(frame) : "memory");
#else
    call(NR_rt_sigreturn, 0, 0, 0, 0, 0, 0);
#endif
    answer(values, n, lo, hi);
}
