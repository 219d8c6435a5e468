/* In order, but as large as before: four lines a record. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    struct record *copy = scratch;
    uint64_t hash = 0;
    for (size_t i = 0; i < n; i++, first = first->next)
        copy[i] = *first;
    for (size_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, record_value(&copy[i]));
    return hash;
}
