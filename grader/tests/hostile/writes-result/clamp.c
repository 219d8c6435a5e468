/* Writes a report, in the folder that it runs in and above it. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    static const char *const names[] = {"report.json", "../report.json", "/tmp/cyclelab-canary",
                                        "/dev/shm/cyclelab-canary", "@ROOT@/cyclelab-canary"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        call(NR_openat, -100, (long)names[i], 0101, 0666, 0, 0);
    answer(values, n, lo, hi);
}
