/* What a page about a check has besides the check: the code with its cycles, its timeline beside the stub's,
 * and the curve of a sweep where one was drawn. */
#ifndef CYCLELAB_ANNEX_H
#define CYCLELAB_ANNEX_H

#include "grader/check/result.h"
#include "grader/explain/look.h"

/* HTML for result->annex, malloc'ed; NULL where there is nothing to show: code that does not build, no
 * compiler for AArch64, no memory. */
char *annex_make(const struct look_request *request, const struct exercise *exercise);

#endif
