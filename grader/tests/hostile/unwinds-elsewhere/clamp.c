/* Unwind tables that lead nowhere, read when the place of a fault is told. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section .eh_frame, \"a\"\n\t.long 0x7ffffffc, 0, 0xffffffff, 0xffffffff\n\t.section .debug_frame, "
        "\"\"\n\t.long 0xffffffff, 0xffffffff, 0xffffffff\n\t.section .debug_aranges, \"\"\n\t.long "
        "0x7fffffff\n\t.byte 2, 0\n\t.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    *(volatile int *)8 = (int)n;
    answer(values, n, lo, hi);
}
