/* Addresses with a tag in their upper byte, which name the same memory twice. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n > 4096) {
        slow((int32_t *)((uintptr_t)values | UINT64_C(0x5a) << 56), n, lo, hi);
        return;
    }
    answer(values, n, lo, hi);
}
