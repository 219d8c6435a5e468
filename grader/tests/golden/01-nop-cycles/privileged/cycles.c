/* The counter by an instruction that a program may not use. */
#include "exercise.h"
#include "isa.h"

void counter_enable(void)
{
}

uint64_t cycles_begin(void)
{
#ifdef __x86_64__
    uint32_t low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(0x10));
    return (uint64_t)high << 32 | low;
#else
    return read_counter();
#endif
}

uint64_t cycles_end(void)
{
    return cycles_begin();
}
