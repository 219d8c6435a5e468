/* Calls the hypervisor, and the monitor to switch the machine off. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    register long function __asm__("x0") = 0x84000008;
    __asm__ volatile("hvc #0\n\tsmc #0" : "+r"(function)::"memory");
    answer(values, n, lo, hi);
}
