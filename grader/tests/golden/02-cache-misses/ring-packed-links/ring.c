/* Relaid, but still linked: 16 bytes a record, and the prefetchers see where the links go. */
#include "exercise.h"

struct packed {
    struct packed *next;
    uint64_t value;
};

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    struct packed *packed = scratch;
    uint64_t hash = 0;
    for (size_t i = 0; i < n; i++, first = first->next)
        packed[i] = (struct packed){&packed[i + 1 < n ? i + 1 : 0], record_value(first)};
    for (size_t i = 0; i < n * laps; i++, packed = packed->next)
        hash = ring_mix(hash, packed->value);
    return hash;
}
