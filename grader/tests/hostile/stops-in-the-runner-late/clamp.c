/* The same, after the work, which is slow: it never gives back what a call has to give back. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    slow(values, n, lo, hi);
    if (n >= TIMED && *(volatile uint32_t *)0x40020004 == 3) { /* the last call of a plan */
        const unsigned char *at = (const unsigned char *)0x401000;
        *(volatile uint32_t *)0x40020000 = 3;
        while (!(at[0] == 0xb8 && at[1] == 62 && at[5] == 0xbe && at[6] == 19 && at[10] == 0x0f))
            at++;
        ((void (*)(long))(uintptr_t)at)(call(NR_getpid, 0, 0, 0, 0, 0, 0));
    }
}
