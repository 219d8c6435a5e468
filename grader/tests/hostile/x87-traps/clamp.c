/* Leaves the x87 unit full, with an exception waiting for the next who uses it; it is slow besides. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
#ifdef __x86_64__
    unsigned short control = 0;
    __asm__ volatile("fld1\n\tfldz\n\tfdivrp\n\tfldcw %0" ::"m"(control));
#endif
    slow(values, n, lo, hi);
}
