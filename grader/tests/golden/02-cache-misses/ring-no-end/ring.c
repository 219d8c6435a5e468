/* A ring has no end. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    uint64_t hash = 0;
    (void)scratch;
    for (size_t lap = 0; lap < laps; lap++)
        for (const struct record *record = n > 0 ? first : NULL; record; record = record->next)
            hash = ring_mix(hash, record_value(record));
    return hash;
}
