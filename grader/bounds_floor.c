/* What no core can do. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "grader/bounds.h"

bool bound_impossible(double cycles, uint64_t elements, uint32_t floor, char *why, size_t size)
{
    const double least = (double)elements * floor / 1000;
    if (floor == 0 || !isfinite(cycles) || cycles >= least)
        return false;
    snprintf(why, size,
             "measured %.0f cycles for %" PRIu64
             " elements, and no core can load and store them in less than %" PRIu64
             " x %.3f = %.0f: whatever made it so fast, it was not the work",
             cycles, elements, elements, floor / 1000.0, least);
    return true;
}
