/* What inputs are drawn from: the stream of ChaCha8 (Bernstein: ChaCha, a variant of Salsa20, 2008; 8 rounds
 * as in Aumasson: Too much crypto, 2019). Nobody who has seen any number of its numbers can tell another
 * one, so a call cannot compute inputs that it has not read. (rng.h is faster, and shows its state in one
 * number: it is for simulations and tests.) */
#ifndef CYCLELAB_DRAW_H
#define CYCLELAB_DRAW_H

#include <stdint.h>

enum { DRAW_NUMBERS = 32 }; /* made at once: four blocks of 64 bytes */

struct draw {
    uint64_t seed;  /* the key's first eight bytes; the others and the nonce are 0 */
    uint64_t block; /* that is made next */
    unsigned taken; /* of numbers[] */
    uint64_t numbers[DRAW_NUMBERS];
};

/* From the beginning of the seed's stream. The same on every machine. */
void draw_begin(struct draw *draw, uint64_t seed);

/* The next DRAW_NUMBERS numbers; draw_next calls it. */
void draw_more(struct draw *draw);

/* The stream's next eight bytes, the first one lowest. */
static inline uint64_t draw_next(struct draw *draw)
{
    if (draw->taken == DRAW_NUMBERS)
        draw_more(draw);
    return draw->numbers[draw->taken++];
}

/* Uniform in [0, bound), bound > 0: multiply-shift, bias below bound / 2^64. */
static inline uint64_t draw_below(struct draw *draw, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)draw_next(draw) * bound) >> 64);
}

/* Uniform in [0, 1), 53 bits. */
static inline double draw_unit(struct draw *draw)
{
    return (double)(draw_next(draw) >> 11) * 0x1p-53;
}

#endif
