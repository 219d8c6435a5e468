/* First all values, then all laps, the first of them too, from the notes. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    uint64_t *const notes = scratch;
    uint64_t hash = 0;
    for (size_t i = 0; i < n && laps > 0; i++) {
        notes[i] = record_value(first);
        first = first->next;
    }
    for (size_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, notes[i]);
    return hash;
}
