#include "exercise.h"

static double rate(uint64_t misses, uint64_t loads)
{
    return loads == 0 ? 0 : (double)(misses / loads);
}

double l1d_miss_rate(const struct miss_counters *counters)
{
    return rate(counters->l1d_load_misses, counters->l1d_loads);
}

double llc_miss_rate(const struct miss_counters *counters)
{
    return rate(counters->llc_load_misses, counters->llc_loads);
}
