/* No counters: a process without privileges cannot read them by itself here. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "exercise.h"

static inline void counters_begin(void)
{
}

static inline void counters_end(struct miss_counters *counters)
{
    *counters = (struct miss_counters){0, 0, 0, 0};
}

#endif
