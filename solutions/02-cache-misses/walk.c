/* Exercise 2: the reference of the walks.
 *
 * walk_partitioned cuts the array into PARTITIONS pieces. It first sorts the indices by piece (count, then
 * distribute), then works through the pieces one by one. A piece is small enough for the second-level cache
 * and the TLB: each of its lines comes from memory once, and is asked for some time before it is used. */
#include "exercise.h"

/* A power of two would put all the pieces' places in scratch a power of two apart, where they fight for the
 * same few places in the caches. */
#ifndef PARTITIONS
#define PARTITIONS 200
#define AHEAD      128 /* additions between asking for a line and using it */
#else
#define AHEAD 0 /* make sweep draws what the pieces do by themselves */
#endif

enum { LINE = 64 / sizeof(uint32_t) }; /* elements of a cache line */

void walk_sequential(uint32_t *array, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[i]++;
}

void walk_shuffled(uint32_t *array, const uint32_t *index, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[index[i]]++;
}

/* Element i is in piece i * scale / 2^32. */
static inline size_t piece_of(uint64_t i, uint64_t scale)
{
    return i * scale >> 32;
}

void walk_partitioned(uint32_t *array, size_t length, const uint32_t *index, size_t n, uint32_t *scratch)
{
    size_t end[PARTITIONS] = {0}; /* where the piece's indices end in scratch, so far */
    if (n == 0)
        return;
    const uint64_t scale = ((uint64_t)PARTITIONS << 32) / length;

    for (size_t i = 0; i < n; i++)
        end[piece_of(index[i], scale)]++;
    for (size_t piece = 0, before = 0; piece < PARTITIONS; piece++) {
        size_t count = end[piece];
        end[piece] = before;
        before += count;
    }

    /* So many streams are more than the hardware's prefetcher follows: ask for each one's next line here. */
    for (size_t i = 0; i < n; i++) {
        uint32_t *to = &scratch[end[piece_of(index[i], scale)]++];
        *to = index[i];
        __builtin_prefetch(to + LINE, 1);
    }

    size_t i = 0;
    for (; i + AHEAD < n; i++) {
        if (AHEAD > 0)
            __builtin_prefetch(&array[scratch[i + AHEAD]], 1);
        array[scratch[i]]++;
    }
    for (; i < n; i++)
        array[scratch[i]]++;
}
