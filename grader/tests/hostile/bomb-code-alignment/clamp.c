/* A hundred instructions that are 64 KiB apart from each other. */
#include "exercise.h"
#include "hostile.h"

__asm__(
    ".macro one\n.section .text.s\\@, \"ax\"\n.balign 0x10000\n.long 0\n.endm\n.rept 100\none\n.endr\n.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
