/* With remainders, and the padding without a search. */
#include "exercise.h"

uint64_t blocks_touched(uint64_t address, uint64_t bytes, uint64_t block)
{
    const uint64_t in_block = address & (block - 1);
    return bytes ? (in_block + bytes + block - 1) / block : 0;
}

double least_cycles(uint64_t address, uint64_t bytes, uint64_t instructions, struct front front)
{
    const uint64_t fetches = blocks_touched(address, bytes, front.block);
    if (instructions >= fetches * front.width)
        return (double)instructions / (double)front.width;
    return (double)fetches;
}

/* What is behind the last whole block has to fit between here and the end of its block. */
uint64_t padding(uint64_t address, uint64_t bytes, uint64_t block)
{
    const uint64_t rest = bytes % block == 0 ? block : bytes % block, left = block - address % block;
    return rest <= left ? 0 : left;
}
