/* Every word of a record, not only those that count. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    uint64_t *notes = scratch, hash = 0;
    for (size_t i = 0; i < n; i++, first = first->next) {
        const uint64_t *word = (const uint64_t *)first;
        notes[i] = 0;
        for (size_t j = 1; j < sizeof *first / sizeof *word; j++)
            notes[i] += word[j];
    }
    for (size_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, notes[i]);
    return hash;
}
