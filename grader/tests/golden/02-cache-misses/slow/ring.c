/* The ring as it came, all else right. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    (void)scratch; /* until it is used */
    const struct record *record = first;
    uint64_t hash = 0;
    for (size_t i = 0; i < n * laps; i++) {
        hash = ring_mix(hash, record_value(record));
        record = record->next;
    }
    return hash;
}
