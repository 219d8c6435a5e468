/* Exercise 16, first file to edit: ticks and nanoseconds. */
#include "exercise.h"

uint64_t ticks_to_ns(uint64_t ticks, uint64_t frequency)
{
    (void)ticks;
    (void)frequency;
    return 0; /* not done yet */
}

uint64_t ns_to_ticks(uint64_t ns, uint64_t frequency)
{
    (void)ns;
    (void)frequency;
    return 0; /* not done yet */
}

uint64_t scale_of(uint64_t frequency)
{
    (void)frequency;
    return 0; /* not done yet */
}

uint64_t scaled_ns(uint64_t ticks, uint64_t scale)
{
    (void)ticks;
    (void)scale;
    return 0; /* not done yet */
}

double seconds_between(uint64_t begin, uint64_t end, uint64_t frequency)
{
    (void)begin;
    (void)end;
    (void)frequency;
    return 0; /* not done yet */
}
