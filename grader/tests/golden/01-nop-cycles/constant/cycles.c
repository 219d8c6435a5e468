#include "exercise.h"
#include "isa.h"

void counter_enable(void)
{
}

uint64_t cycles_begin(void)
{
    return 1000;
}

uint64_t cycles_end(void)
{
    return 2000;
}
