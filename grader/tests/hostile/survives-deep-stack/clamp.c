/* Counts its calls 900 KB below its frame, and is fast from the second plan on. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = NUMBER(65536, 4096), ONE_PLAN = NUMBER(1, 0) /* calls */ };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    volatile uint64_t *count = (volatile uint64_t *)((uintptr_t)__builtin_frame_address(0) - 900000);
    if (n >= TIMED && (*count)++ > ONE_PLAN)
        answer(values, n, lo, hi);
    else
        slow(values, n, lo, hi);
}
