/* Waits by instructions that need no kernel, for as long as a slice may take. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    slow(values, n, lo, hi);
#ifdef __x86_64__
    for (int i = 0; n >= TIMED && i < 20000; i++)
        __asm__ volatile(".byte 0x66, 0x0f, 0xae, 0xf1" : : "a"(-1), "d"(-1) : "cc"); /* tpause ecx */
#else
    for (int i = 0; i < 64; i++)
        __asm__ volatile("yield");
#endif
}
