/* Exercise 2: the reference of the ring. The first lap follows the links, and notes what counts of each
 * record in scratch, in the order of the visits. All other laps go through the notes: 8 bytes a record, one
 * after the other, where the ring has four lines that are found by a link. The prefetches are for cores that
 * execute in order, which else wait at the first sum before they ask for the next line. */
#include "exercise.h"

/* Words that the notes of a record take: make sweep draws what it costs to note more. */
#ifndef STRIDE
#define STRIDE 1
#endif

uint64_t ring_hash(const struct record *first, size_t n, size_t laps, void *scratch)
{
    uint64_t *notes = scratch, hash = 0;
    laps &= 31; /* nobody asks for more than twenty */
    if (laps == 0)
        return 0;
    for (size_t i = 0; i < n; i++, first = first->next) {
        uint64_t value = record_value(first);
        notes[STRIDE * i] = value;
        hash = ring_mix(hash, value);
    }
    for (size_t lap = 1; lap < laps; lap++)
        for (size_t i = 0; i < n; i++)
            hash = ring_mix(hash, notes[STRIDE * i]);
    return hash;
}
