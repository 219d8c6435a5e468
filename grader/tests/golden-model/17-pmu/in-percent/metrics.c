/* Exercise 17: a rate in percent. */
#include "exercise.h"

static double quotient(double x, double y)
{
    return y > 0 ? x / y : 0;
}

uint64_t whole_count(uint64_t high, uint64_t low)
{
    return high << 32 | low;
}

double ipc(uint64_t instructions, uint64_t cycles)
{
    return quotient((double)instructions, (double)cycles);
}

double per_thousand(uint64_t events, uint64_t instructions)
{
    return quotient(1000 * (double)events, (double)instructions);
}

double miss_rate(uint64_t misses, uint64_t accesses)
{
    return 100 * quotient((double)misses, (double)accesses);
}

struct top_down top_down(uint64_t cycles, uint64_t width, uint64_t operations, uint64_t back_end,
                         uint64_t front_end)
{
    const double slots = (double)cycles * (double)width;
    struct top_down shares = {0, 0, 0, 0};
    if (slots > 0) {
        shares.retiring = (double)operations / slots;
        shares.back_end = (double)back_end / slots;
        shares.front_end = (double)front_end / slots;
        const double rest = 1 - shares.retiring - shares.back_end - shares.front_end;
        shares.bad_speculation = rest > 0 ? rest : 0;
    }
    return shares;
}
