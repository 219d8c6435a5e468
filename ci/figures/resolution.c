/* The shortest distance between two readings that differ: of the time-stamp counter, and of the clock that
 * the kernel makes of it. x86_64. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

enum { READINGS = 1000000 };

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t least(uint64_t (*clock)(void))
{
    uint64_t step = UINT64_MAX, before = clock();
    for (int i = 0; i < READINGS; i++) {
        const uint64_t now = clock();
        if (now > before && now - before < step)
            step = now - before;
        before = now;
    }
    return step;
}

static uint64_t ticks(void)
{
    return __rdtsc();
}

/* What the kernel's clock is made of. */
static int is_of_the_counter(char *name, int size)
{
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    const int known = file && fgets(name, size, file);
    if (file)
        fclose(file);
    return known && (strncmp(name, "tsc", 3) == 0 || strncmp(name, "kvm-clock", 9) == 0);
}

int main(void)
{
    char name[64] = "nothing that /sys tells\n";
    if (!is_of_the_counter(name, sizeof name)) {
        printf("skip the kernel does not read the counter here, but %s", name);
        return 0;
    }
    const uint64_t from = ticks(), begin = nanoseconds();
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    const double rate = (double)(ticks() - from) / (double)(nanoseconds() - begin);
    printf("rdtsc-step-ns %.2f\nclock-gettime-step-ns %" PRIu64 "\n", (double)least(ticks) / rate,
           least(nanoseconds));
    return 0;
}
