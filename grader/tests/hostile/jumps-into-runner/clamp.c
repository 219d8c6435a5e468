/* Jumps to the start of the program, where the runner begins anew with the memory it has. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    ((void (*)(void))0x400000)();
    for (uintptr_t at = 0x401000; at < 0x402000; at += 16)
        if (*(const volatile uint16_t *)at == 0x050f)
            ((void (*)(void))at)();
    (void)values, (void)n, (void)lo, (void)hi;
}
