/* One way to look at correctness in a process of its own, beside another. */
#ifndef CYCLELAB_ASIDE_H
#define CYCLELAB_ASIDE_H

#include "grader/base/helper_process.h"
#include "grader/check/check_internal.h"

struct aside {
    struct checking *checking;
    bool (*work)(struct checking *); /* adds checks to its result; false: the submission is not right */
    struct helper_process *helper;
};

/* Begin with it, where another CPU may be busy. */
void aside_start(struct aside *aside);

/* The other way is done. Where it was `right`, add the checks of this one to the result, once they are there;
 * what has not been begun, or did not come to its end, is done here and now. False: one of the two was not
 * right. */
bool aside_end(struct aside *aside, bool right);

#endif
