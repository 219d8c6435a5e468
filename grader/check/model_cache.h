/* Baseline and reference on the model count the same in every check of an exercise: their counts are kept
 * (grader/base/cache.h) by all that they follow from. */
#ifndef CYCLELAB_MODEL_CACHE_H
#define CYCLELAB_MODEL_CACHE_H

#include "grader/check/check_internal.h"
#include "grader/check/model_bench.h"

/* As model_measure, of baseline or reference. */
enum model_outcome model_cache_measure(struct checking *checking, const struct model_task *task,
                                       enum variant variant, struct model_measured *measured,
                                       struct fault_text *text);

#endif
