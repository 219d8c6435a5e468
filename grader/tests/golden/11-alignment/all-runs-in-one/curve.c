/* One measurement of all the runs. */
#include "exercise.h"
#include "isa.h"

void measure_curve(const loop_fn loop[OFFSETS], uint64_t turns, struct reading shortest[OFFSETS])
{
    for (unsigned i = 0; i < OFFSETS; i++) {
        shortest[i].begin = ticks();
        for (unsigned run = 0; run < RUNS; run++)
            loop[i](turns);
        shortest[i].end = ticks();
    }
}
