/* One shortest time for all loops: a slower one gets no readings. */
#include "exercise.h"
#include "isa.h"

void measure_curve(const loop_fn loop[OFFSETS], uint64_t turns, struct reading shortest[OFFSETS])
{
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < OFFSETS; i++)
        for (unsigned run = 0; run < RUNS; run++) {
            struct reading r;
            r.begin = ticks();
            loop[i](turns);
            r.end = ticks();
            if (r.end - r.begin < best) {
                best = r.end - r.begin;
                shortest[i] = r;
            }
        }
}
