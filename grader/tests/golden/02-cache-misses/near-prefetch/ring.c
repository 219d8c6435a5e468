/* As early as a link is known, all lines of the next record are asked for: that is not early enough. */
#include "exercise.h"

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    (void)scratch;
    uint64_t hash = 0;
    for (size_t i = 0; i < n * laps; i++) {
        const struct record *next = first->next;
        __builtin_prefetch(&next->a);
        __builtin_prefetch(&next->b);
        __builtin_prefetch(&next->c);
        __builtin_prefetch(&next->d);
        hash = ring_mix(hash, record_value(first));
        first = next;
    }
    return hash;
}
