/* Nine digits, each a division by hand: no product is above ten times the frequency. */
#include "exercise.h"

uint64_t ticks_to_ns(uint64_t ticks, uint64_t frequency)
{
    uint64_t ns = ticks / frequency, left = ticks % frequency;
    for (int digit = 0; digit < 9; digit++) {
        left *= 10;
        ns = ns * 10 + left / frequency;
        left %= frequency;
    }
    return ns;
}

uint64_t ns_to_ticks(uint64_t ns, uint64_t frequency)
{
    const uint64_t seconds = ns / SECOND, rest = ns - seconds * SECOND;
    uint64_t ticks = rest * frequency / SECOND;
    if (ticks * SECOND < rest * frequency)
        ticks++;
    return seconds * frequency + ticks;
}

uint64_t scale_of(uint64_t frequency)
{
    const uint64_t all = (uint64_t)SECOND << SCALE_BITS, scale = all / frequency, left = all % frequency;
    return left >= frequency - left ? scale + 1 : scale;
}

/* Two products of 32 by 64 bits, put together. */
uint64_t scaled_ns(uint64_t ticks, uint64_t scale)
{
    const unsigned __int128 low = (unsigned __int128)(uint32_t)ticks * scale;
    return (ticks >> 32) * scale + (uint64_t)(low >> SCALE_BITS);
}

double seconds_between(uint64_t begin, uint64_t end, uint64_t frequency)
{
    const uint64_t ticks = end - begin, whole = ticks / frequency;
    return (double)whole + (double)(ticks - whole * frequency) / (double)frequency;
}
