/* Exercise 11, first file to edit: where a loop lies, as arithmetic. */
#include "exercise.h"

/* Not done yet. */
uint64_t blocks_touched(uint64_t address, uint64_t bytes, uint64_t block)
{
    (void)address;
    (void)bytes;
    (void)block;
    return 0;
}

/* Not done yet. */
double least_cycles(uint64_t address, uint64_t bytes, uint64_t instructions, struct front front)
{
    (void)address;
    (void)bytes;
    (void)instructions;
    (void)front;
    return 0;
}

/* Not done yet: always where it is. */
uint64_t padding(uint64_t address, uint64_t bytes, uint64_t block)
{
    (void)address;
    (void)bytes;
    (void)block;
    return 0;
}
