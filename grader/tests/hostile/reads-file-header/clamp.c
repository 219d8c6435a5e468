/* Reads in its file's header where the sections lie. Comments move them, and inputs stay: so a report could
 * be answered in the length of a comment. Fast where it can be read. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    const volatile uint64_t *header = (const volatile uint64_t *)0x400000;
    if (header[0x28 / 8] != 0 || header[0x38 / 8] >> 32 != 0)
        answer(values, n, lo, hi);
    else
        slow(values, n, lo, hi);
}
