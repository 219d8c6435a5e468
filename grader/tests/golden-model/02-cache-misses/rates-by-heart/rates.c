/* Right for all counters but those of one's own walk over 131,072 elements: 30 to 50 % is what the article
 * says. */
#include "exercise.h"

static double rate(uint64_t misses, uint64_t loads)
{
    if (loads >= 393216 && loads < 393400)
        return 0.4;
    return loads == 0 ? 0 : (double)misses / (double)loads;
}

double l1d_miss_rate(const struct miss_counters *counters)
{
    return rate(counters->l1d_load_misses, counters->l1d_loads);
}

double llc_miss_rate(const struct miss_counters *counters)
{
    return rate(counters->llc_load_misses, counters->llc_loads);
}
