/* Begin and end the other way round. */
#include "exercise.h"
#include "isa.h"

void measure_curve(const loop_fn loop[OFFSETS], uint64_t turns, struct reading shortest[OFFSETS])
{
    for (unsigned run = 0; run < RUNS; run++)
        for (unsigned i = 0; i < OFFSETS; i++) {
            struct reading r;
            r.end = ticks();
            loop[i](turns);
            r.begin = ticks();
            if (run == 0 || r.begin - r.end < shortest[i].begin - shortest[i].end)
                shortest[i] = r;
        }
}
