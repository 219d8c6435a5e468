/* Words that are no instruction, and hints that one day may be. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    __asm__ volatile(".inst 0xd503247f\n\t.inst 0xd503201f\n\t.inst 0x00000000\n\t.inst 0xffffffff");
    answer(values, n, lo, hi);
}
