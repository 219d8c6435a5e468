/* The product of 128 bits by hand, from four of its parts. */
#include "exercise.h"

uint64_t ticks_to_ns(uint64_t ticks, uint64_t frequency)
{
    return ticks / frequency * SECOND + ticks % frequency * SECOND / frequency;
}

uint64_t ns_to_ticks(uint64_t ns, uint64_t frequency)
{
    return ns / SECOND * frequency + (ns % SECOND * frequency + SECOND - 1) / SECOND;
}

uint64_t scale_of(uint64_t frequency)
{
    return (((uint64_t)SECOND << SCALE_BITS) + frequency / 2) / frequency;
}

uint64_t scaled_ns(uint64_t ticks, uint64_t scale)
{
    const uint64_t high = ticks >> 32, low = ticks & UINT32_MAX;
    const uint64_t whole = scale >> 32, part = scale & UINT32_MAX;
    return (high * whole << 32) + high * part + low * whole + (low * part >> 32);
}

/* The difference is exact as an integer, and small; a reading may have more bits than a double. */
double seconds_between(uint64_t begin, uint64_t end, uint64_t frequency)
{
    return (double)(end - begin) / (double)frequency;
}
