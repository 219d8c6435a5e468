/* What the last hint says. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    uint64_t *notes = scratch;
    const struct record *record = first;
    uint64_t hash = 0;
    for (size_t i = 0; i < n; i++) {
        notes[i] = record_value(record);
        record = record->next;
    }
    for (size_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, notes[i]);
    return hash;
}
