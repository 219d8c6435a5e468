/* An honest answer that keeps four words of each record, not their sum. */
#include "exercise.h"

struct note {
    uint64_t a, b, c, d;
};

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    struct note *note = scratch;
    uint64_t hash = 0;
    for (size_t i = 0; i < n; i++, first = first->next)
        note[i] = (struct note){first->a, first->b, first->c, first->d};
    for (size_t lap = 0; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, note[i].a + note[i].b + note[i].c + note[i].d);
    return hash;
}
