/* How far apart readings lie, one right after the other: of the time-stamp counter, and of the clock that the
 * kernel makes of it. x86_64. Of two alone it says nothing: a processor may execute them at once. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

enum { BLOCKS = 1000, READINGS = 1000 };

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* In the quickest block. */
static double apart(uint64_t (*clock)(void))
{
    uint64_t least = UINT64_MAX;
    for (int block = 0; block < BLOCKS; block++) {
        const uint64_t before = clock();
        uint64_t now = before;
        for (int i = 0; i < READINGS; i++)
            now = clock();
        if (now - before < least)
            least = now - before;
    }
    return (double)least / READINGS;
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
    printf("rdtsc-step-ns %.2f\nclock-gettime-step-ns %.2f\n", apart(ticks) / rate, apart(nanoseconds));
    return 0;
}
