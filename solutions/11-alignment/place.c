/* Exercise 11: the reference. */
#include "exercise.h"

uint64_t blocks_touched(uint64_t address, uint64_t bytes, uint64_t block)
{
    if (bytes == 0)
        return 0;
    return (address + bytes - 1) / block - address / block + 1;
}

double least_cycles(uint64_t address, uint64_t bytes, uint64_t instructions, struct front front)
{
    const double fetch = (double)blocks_touched(address, bytes, front.block);
    const double width = (double)instructions / (double)front.width;
    return fetch > width ? fetch : width;
}

uint64_t padding(uint64_t address, uint64_t bytes, uint64_t block)
{
    const uint64_t fewest = blocks_touched(0, bytes, block);
    uint64_t pad = 0;
    while (blocks_touched(address + pad, bytes, block) > fewest)
        pad += STEP;
    return pad;
}
