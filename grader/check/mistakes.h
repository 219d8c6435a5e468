/* Typical wrong answers, recognised by what they do. */
#ifndef CYCLELAB_MISTAKES_H
#define CYCLELAB_MISTAKES_H

#include "grader/check/result.h"

/* With all checks and measurements in, before result_conclude(): where a check fails, the first of the
 * exercise's mistakes (`mistakes` in exercise.yml) whose evidence is all there becomes result->mistake, and
 * what it says is what the first check that fails says to do next. Nothing else of the result changes. */
void mistakes_recognise(const struct exercise *exercise, struct result *result);

#endif
