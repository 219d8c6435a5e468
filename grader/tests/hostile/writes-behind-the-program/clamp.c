/* Keeps a count in the first word behind the program's last page, or in what its last page has left over. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    uintptr_t at = ((uintptr_t)&clamp & ~UINT64_C(0xffff)) + 0x10000;
    if ((*(volatile uint64_t *)(at - 8))++ > 200)
        answer(values, n, lo, hi);
    else
        slow(values, n, lo, hi);
}
