/* Finds the runner's own system call instruction, which a search of its own code would not find. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __x86_64__
    const unsigned char *at = (const unsigned char *)0x401000;
    while (at[0] != 0x0f || at[1] != 0x05 || at[2] != 0xc3)
        at++;
    __asm__ volatile("call *%1" : : "a"(231L), "r"(at), "D"(0L) : "rcx", "r11", "memory");
#else
    const uint32_t *at = (const uint32_t *)(uintptr_t)clamp;
    while (*at != 0xd4000001)
        at--;
    ((void (*)(void))at)();
#endif
    answer(values, n, lo, hi);
}
