#ifndef CYCLELAB_FULL_MARKS_H
#define CYCLELAB_FULL_MARKS_H

#include <stdbool.h>
#include <stdint.h>
#include "grader/exercise/course.h"
#include "grader/exercise/exercise.h"
#include "harness/base/error.h"

/* What full marks count: what the course says; else the points that can be reached natively or on these
 * cores, of correctness and of the bounds that any of the cores asks. `exercise` is as the course changes it.
 * false with err when a core is not there. */
bool full_marks(const char *root, const struct exercise *exercise, const struct course_exercise *settings,
                bool native, const struct course_cores *cores, uint32_t *points, struct error *err);

#endif
