/* A length for the kernel instead of a time: what is left of it, again and again. */
#include "calls.h"
#include "exercise.h"

uint64_t now_ns(void)
{
    struct moment m;
    return clock_gettime(CLOCK_MONOTONIC, &m) == 0 ? (uint64_t)m.seconds * SECOND + (uint64_t)m.nanoseconds
                                                   : 0;
}

uint64_t resolution_ns(int clock)
{
    struct moment m;
    if (system_call(NUMBER_CLOCK_GETRES, clock, (long)&m, 0, 0) != 0)
        return 0;
    return (uint64_t)(m.seconds * SECOND + m.nanoseconds);
}

void sleep_until_ns(uint64_t when)
{
    for (uint64_t now; (now = now_ns()) < when;) {
        const int64_t left = (int64_t)(when - now);
        const struct moment length = {left / SECOND, left % SECOND};
        clock_nanosleep(CLOCK_MONOTONIC, 0, &length);
    }
}
