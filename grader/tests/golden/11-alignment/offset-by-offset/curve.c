/* One offset after the other. */
#include "exercise.h"
#include "isa.h"

void measure_curve(const loop_fn loop[OFFSETS], uint64_t turns, struct reading shortest[OFFSETS])
{
    for (unsigned i = 0; i < OFFSETS; i++) {
        uint64_t least = UINT64_MAX;
        for (unsigned run = RUNS; run > 0; run--) {
            const uint64_t begin = ticks();
            loop[i](turns);
            const uint64_t end = ticks(), taken = end - begin;
            if (taken >= least)
                continue;
            least = taken;
            shortest[i].begin = begin;
            shortest[i].end = end;
        }
    }
}
