/* A line of each record is never read. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    uint64_t *notes = scratch, hash = 0;
    for (size_t i = 0; i < n; i++, first = first->next)
        notes[i] = first->a + first->b + first->c;
    for (size_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, notes[i]);
    return hash;
}
