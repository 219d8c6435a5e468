/* Has the kernel write for it: to the plan, to code, to constants. It does not, and that is all that becomes
 * of it: the answers are right. */
#include "exercise.h"
#include "calls.h"

static uint64_t ns_of(const struct moment *moment)
{
    return (uint64_t)moment->seconds * SECOND + (uint64_t)moment->nanoseconds;
}

uint64_t now_ns(void)
{
    struct moment now = {0, 0};
    static const uint64_t places[] = {0x40000000, 0x400000, 0x40010000, (uint64_t)&now_ns, (uint64_t)&places};
    clock_gettime(CLOCK_MONOTONIC, &now);
    /* now and then: each takes a page fault, which is slow in some virtual machines */
    for (size_t i = 0; now.nanoseconds % 256 == 0 && i < sizeof places / sizeof *places; i++)
        if (clock_gettime(CLOCK_MONOTONIC, (struct moment *)places[i]) ==
            0) // NOLINT(performance-no-int-to-ptr)
            return 0;
    return ns_of(&now);
}

uint64_t resolution_ns(int clock)
{
    struct moment resolution = {0, 0};
    clock_getres((enum clock_id)clock, &resolution);
    return ns_of(&resolution);
}

/* A time of the clock, not a length: so nothing is lost between reading the clock and sleeping. */
void sleep_until_ns(uint64_t when)
{
    const struct moment until = {(int64_t)(when / SECOND), (int64_t)(when % SECOND)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until);
}
