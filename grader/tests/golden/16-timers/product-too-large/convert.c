/* The product first, in 64 bits. */
#include "exercise.h"

uint64_t ticks_to_ns(uint64_t ticks, uint64_t frequency)
{
    return ticks * SECOND / frequency;
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
    return (uint64_t)((unsigned __int128)ticks * scale >> SCALE_BITS);
}

/* The difference is exact as an integer, and small; a reading may have more bits than a double. */
double seconds_between(uint64_t begin, uint64_t end, uint64_t frequency)
{
    return (double)(end - begin) / (double)frequency;
}
