/* For tests of results and of reports: a result to fill, of an exercise with two points for correctness and
 * two bounds of 6 and 2. */
#ifndef CYCLELAB_RESULT_KIT_H
#define CYCLELAB_RESULT_KIT_H

#include "grader/check/result.h"

static inline struct result *kit_result(void)
{
    static char id[] = "03-branch-elimination", slug[] = "branch-elimination", title[] = "Branch elimination";
    static struct bound_spec bounds[2] = {{.points = 6}, {.points = 2}};
    const struct exercise exercise = {.number = 3,
                                      .id = id,
                                      .slug = slug,
                                      .title = title,
                                      .correctness_points = 2,
                                      .bounds = bounds,
                                      .bounds_count = 2};
    return result_new(&exercise);
}

#endif
