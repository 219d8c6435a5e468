/* Where the cycles of a variant on a model core go: instruction by instruction, and what bounds its hot loop.
 */
#ifndef CYCLELAB_EXPLAIN_H
#define CYCLELAB_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>
#include "grader/explain/look.h"

struct explain_request {
    struct look_request look;
    bool colour;
    bool html; /* a part of an HTML page instead */
};

/* `cyclelab explain`: build the variant for AArch64, run a case on the core and write to `out` where its
 * cycles went. Exit status: 0, of wrong results too, which it tells; 1 with what a check would say (it does
 * not build, crashes, is rejected, has no end); 2 and 4 with err, as of check. */
int explain_exercise(const struct explain_request *request, const struct exercise *exercise, FILE *out,
                     struct error *err);

#endif
