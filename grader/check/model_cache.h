/* Baseline and reference on the model are the same in every check of an exercise: their programs and their
 * counts are kept (grader/base/cache.h) by all that they follow from. */
#ifndef CYCLELAB_MODEL_CACHE_H
#define CYCLELAB_MODEL_CACHE_H

#include "grader/check/check_internal.h"
#include "grader/check/model_bench.h"

/* The program of baseline or reference, built or found. NULL: the check that was added says why. */
char *model_cache_build(struct checking *checking, enum variant variant);

/* As model_measure, of baseline or reference. */
enum model_outcome model_cache_measure(struct checking *checking, const struct model_task *task,
                                       enum variant variant, struct model_measured *measured,
                                       struct fault_text *text);

#endif
