#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    int32_t *nowhere = 0;
    (void)values;
    (void)lo;
    __asm__("" : "+r"(nowhere)); /* or the compiler knows it, and drops the store */
    *nowhere = n > 0 ? hi : 0;
}
