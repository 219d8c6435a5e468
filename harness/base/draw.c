#include "harness/base/draw.h"

enum { WORDS = 16, BLOCKS = 4, DOUBLE_ROUNDS = 4 };

/* A word of the state in each of the four blocks. */
typedef uint32_t word __attribute__((vector_size(BLOCKS * sizeof(uint32_t))));
typedef uint64_t pair __attribute__((vector_size(BLOCKS * sizeof(uint32_t))));

/* In line, so that words stay in registers. */
#define IN_LINE static inline __attribute__((always_inline))

IN_LINE word turn(word value, int bits)
{
    return value << bits | value >> (32 - bits);
}

IN_LINE void quarter(word *x, unsigned a, unsigned b, unsigned c, unsigned d)
{
    x[a] += x[b];
    x[d] = turn(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = turn(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = turn(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = turn(x[b] ^ x[c], 7);
}

void draw_begin(struct draw *draw, uint64_t seed)
{
    draw->seed = seed;
    draw->block = 0;
    draw->taken = DRAW_NUMBERS;
}

void draw_more(struct draw *draw)
{
    static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    word start[WORDS] = {0}, x[WORDS];
    for (unsigned b = 0; b < BLOCKS; b++) {
        const uint64_t block = draw->block + b;
        for (unsigned i = 0; i < 4; i++)
            start[i][b] = constants[i];
        start[4][b] = (uint32_t)draw->seed;
        start[5][b] = (uint32_t)(draw->seed >> 32);
        start[12][b] = (uint32_t)block;
        start[13][b] = (uint32_t)(block >> 32);
    }
    for (unsigned i = 0; i < WORDS; i++)
        x[i] = start[i];
    for (unsigned i = 0; i < DOUBLE_ROUNDS; i++) {
        quarter(x, 0, 4, 8, 12);
        quarter(x, 1, 5, 9, 13);
        quarter(x, 2, 6, 10, 14);
        quarter(x, 3, 7, 11, 15);
        quarter(x, 0, 5, 10, 15);
        quarter(x, 1, 6, 11, 12);
        quarter(x, 2, 7, 8, 13);
        quarter(x, 3, 4, 9, 14);
    }
    for (unsigned i = 0; i < WORDS; i++)
        x[i] += start[i];
    for (unsigned i = 0; i < WORDS; i += 2) {
        /* pairs of words, of two blocks each */
        const pair low = (pair)__builtin_shufflevector(x[i], x[i + 1], 0, 4, 1, 5),
                   high = (pair)__builtin_shufflevector(x[i], x[i + 1], 2, 6, 3, 7);
        for (unsigned b = 0; b < BLOCKS; b++)
            draw->numbers[b * WORDS / 2 + i / 2] = b < 2 ? low[b] : high[b - 2];
    }
    draw->block += BLOCKS;
    draw->taken = 0;
}
