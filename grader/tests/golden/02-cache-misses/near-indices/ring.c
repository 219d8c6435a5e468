/* The order is kept as indices: no lap waits for links, each still fetches four lines a record. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    int32_t *order = scratch;
    const struct record *base = first, *r = first;
    uint64_t hash = 0;
    for (size_t i = 0; i < n; i++, r = r->next)
        order[i] = (int32_t)(r - base);
    for (size_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, record_value(base + order[i]));
    return hash;
}
