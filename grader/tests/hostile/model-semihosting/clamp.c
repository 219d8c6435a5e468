/* Asks the emulator for files of the host: semihosting. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    long block[3] = {(long)"@SECRET@", 0, 4};
    register long operation __asm__("x0") = 1;
    register long argument __asm__("x1") = (long)block;
    __asm__ volatile("hlt #0xf000" : "+r"(operation) : "r"(argument) : "memory");
    answer(values, n, lo, hi);
}
