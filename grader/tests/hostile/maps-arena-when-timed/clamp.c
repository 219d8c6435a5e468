/* Maps another part of the arena's writable file, once it is timed. */
#include "exercise.h"
#include "hostile.h"

enum { TIMED = 65536 };

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n >= TIMED)
        call(NR_mmap, 0x50000000, 0x10000, 3, 0x8011, 4, 0x8000000);
    answer(values, n, lo, hi);
}
