/* Exercise 17: figures from counts. The contract is in exercise.h. Nothing is done yet. */
#include "exercise.h"

uint64_t whole_count(uint64_t high, uint64_t low)
{
    (void)high;
    return low;
}

double ipc(uint64_t instructions, uint64_t cycles)
{
    (void)instructions;
    (void)cycles;
    return 0;
}

double per_thousand(uint64_t events, uint64_t instructions)
{
    (void)events;
    (void)instructions;
    return 0;
}

double miss_rate(uint64_t misses, uint64_t accesses)
{
    (void)misses;
    (void)accesses;
    return 0;
}

struct top_down top_down(uint64_t cycles, uint64_t width, uint64_t operations, uint64_t back_end,
                         uint64_t front_end)
{
    (void)cycles;
    (void)width;
    (void)operations;
    (void)back_end;
    (void)front_end;
    return (struct top_down){0, 0, 0, 0};
}
