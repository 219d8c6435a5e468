/* The longest run of each loop. */
#include "exercise.h"
#include "isa.h"

void measure_curve(const loop_fn loop[OFFSETS], uint64_t turns, struct reading shortest[OFFSETS])
{
    for (unsigned run = 0; run < RUNS; run++)
        for (unsigned i = 0; i < OFFSETS; i++) {
            struct reading r;
            r.begin = ticks();
            loop[i](turns);
            r.end = ticks();
            if (run == 0 || r.end - r.begin > shortest[i].end - shortest[i].begin)
                shortest[i] = r;
        }
}
