/* Looks at the first record before it asks whether there is one. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    uint64_t *notes = scratch, hash = 0;
    const struct record *record = first;
    size_t i = 0;
    do {
        notes[i++] = record_value(record);
        record = record->next;
    } while (record != first);
    for (size_t lap = 0; lap < laps; lap++)
        for (i = 0; i < n; i++)
            hash = ring_mix(hash, notes[i]);
    return hash;
}
