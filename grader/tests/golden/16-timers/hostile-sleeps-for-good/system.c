/* Sleeps until a time of day that does not come. */
#include "exercise.h"
#include "calls.h"

static uint64_t ns_of(const struct moment *moment)
{
    return (uint64_t)moment->seconds * SECOND + (uint64_t)moment->nanoseconds;
}

uint64_t now_ns(void)
{
    struct moment now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return ns_of(&now);
}

uint64_t resolution_ns(int clock)
{
    struct moment resolution = {0, 0};
    clock_getres((enum clock_id)clock, &resolution);
    return ns_of(&resolution);
}

void sleep_until_ns(uint64_t when)
{
    const struct moment until = {INT64_C(1) << 40, (int64_t)(when % SECOND)};
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until);
}
