/* Notes by the record's place in memory: records may lie further apart than there are records. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    struct record *notes = scratch;
    const struct record *lowest = first, *record = first;
    uint64_t hash = 0;
    for (size_t i = 0; i < n; i++, record = record->next)
        lowest = record < lowest ? record : lowest;
    for (size_t i = 0; i < n; i++, record = record->next)
        notes[record - lowest].a = record_value(record);
    for (size_t i = 0; i < n * laps; i++, record = record->next)
        hash = ring_mix(hash, notes[record - lowest].a);
    return hash;
}
