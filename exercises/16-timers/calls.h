/* Exercise 16: the system calls that are lent to it, and the kernel's numbers for its clocks. There is no C
 * library here; these are the kernel's own. Each gives 0, or a negative number where the kernel refuses. */
#ifndef CALLS_H
#define CALLS_H

#include <stdint.h>
#include "isa.h"

/* The kernel's struct timespec. */
struct moment {
    int64_t seconds, nanoseconds; /* nanoseconds: 0 to 999,999,999 */
};

enum clock_id {
    CLOCK_REALTIME = 0,           /* the time of day: people and NTP set it */
    CLOCK_MONOTONIC = 1,          /* since the system was started, without the time that it was suspended */
    CLOCK_PROCESS_CPUTIME_ID = 2, /* that this process has had the processor */
    CLOCK_THREAD_CPUTIME_ID = 3,
    CLOCK_MONOTONIC_RAW = 4, /* as MONOTONIC, without NTP's corrections of its rate */
    CLOCK_REALTIME_COARSE = 5,
    CLOCK_MONOTONIC_COARSE = 6, /* as MONOTONIC was at the kernel's last tick */
    CLOCK_BOOTTIME = 7,         /* as MONOTONIC, with the time that it was suspended */
};

enum { TIMER_ABSTIME = 1 }; /* of a sleep: `when` is a time of the clock; else how long from now */

/* What the clock says. */
static inline long clock_gettime(enum clock_id clock, struct moment *now)
{
    return system_call(NUMBER_CLOCK_GETTIME, (long)clock, (long)now, 0, 0);
}

/* The clock's resolution. */
static inline long clock_getres(enum clock_id clock, struct moment *resolution)
{
    return system_call(NUMBER_CLOCK_GETRES, (long)clock, (long)resolution, 0, 0);
}

/* Sleep. MONOTONIC, REALTIME and BOOTTIME can be slept by. */
static inline long clock_nanosleep(enum clock_id clock, int flags, const struct moment *when)
{
    return system_call(NUMBER_CLOCK_NANOSLEEP, (long)clock, flags, (long)when, 0);
}

#endif
