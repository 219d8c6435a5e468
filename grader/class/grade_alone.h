/* What lies alone in SUBMISSIONS: one student's submission, or a folder or archive around the class? What is
 * in it cannot tell, since a student chooses that. */
#ifndef CYCLELAB_GRADE_ALONE_H
#define CYCLELAB_GRADE_ALONE_H

#include <stdbool.h>
#include "grader/base/strings.h"
#include "harness/base/error.h"

struct grade_alone {
    struct strings students; /* ids, names and folders of whom OUT has grades */
    struct strings wrappers; /* names that an earlier run took for what is around the class */
    const char *roster;      /* file, or NULL */
};

/* From what earlier runs left in `out`. `roster` has to stay. False with err. */
bool grade_alone_read(const char *out, const char *roster, struct grade_alone *alone, struct error *err);
void grade_alone_free(struct grade_alone *alone);

enum alone { ALONE_STUDENT, ALONE_WRAPPER, ALONE_UNKNOWN };

/* By its name. ALONE_UNKNOWN: neither is known. */
enum alone grade_alone_is(const struct grade_alone *alone, const char *id, const char *file);

/* Keep in `out` what was taken for the class's, for the next run. */
bool grade_alone_keep(const char *out, const struct strings *wrappers, struct error *err);

#endif
