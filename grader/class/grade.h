/* `cyclelab grade`: a folder of submissions to a gradebook. */
#ifndef CYCLELAB_GRADE_H
#define CYCLELAB_GRADE_H

#include <stdbool.h>
#include <stdio.h>
#include "harness/base/error.h"
#include "harness/walls/isolation.h"

struct grade_request {
    const char *root, *build; /* as in struct check_context */
    const char *submissions, *out;
    const char *course;      /* file, or NULL */
    const char *exercises;   /* names with blanks between: these alone, and the pages keep what an earlier run
                              * graded of others; NULL: all that the course grades */
    const char *on, *core;   /* NULL: what the course says, or qemu, and what each exercise names */
    const char *const *only; /* these students' work, NULL-terminated; NULL: all */
    unsigned jobs;           /* at once; 0: as many as there are CPUs, natively one */
    unsigned slice,
        slices;   /* grade this of so many parts, and make no pages; 0 of 0: all of it; 0 of more:
                   * check nothing, make pages of what the slices left, and name those that lack some */
    bool plan;    /* with slice 0: no pages, only what there is to do */
    bool dry_run; /* no checks and no pages: what would be checked anew, and why */
    bool proof;   /* no pages: what reference and stub get. grade_prove() sets it */
    enum isolation_level isolation;
};

enum grade_status {
    GRADE_DONE = 0,       /* everything has a grade */
    GRADE_UNPROVEN = 1,   /* grade_prove: rules that cannot stay as they are */
    GRADE_USAGE = 2,      /* err says why */
    GRADE_INCOMPLETE = 3, /* something has none: `out` says what */
    GRADE_FAILED = 4,     /* err says why; what is graded is kept */
    GRADE_STOPPED = 130,  /* by a signal; what is graded is kept */
};

/* Grade what is not graded yet and write all pages. What is kept in OUT/.work is by content, so it can be
 * killed at any moment and run again. `out` gets what people want to know at the end, stderr how it goes. */
enum grade_status grade(const struct grade_request *request, FILE *out, struct error *err);

/* Before a term: grade the reference and the stub of each exercise by the course's rules, and tell whether
 * the one gets all points and the other does not pass. SUBMISSIONS, OUT, slices and `only` of the request do
 * not count; nothing is left behind. */
enum grade_status grade_prove(const struct grade_request *request, FILE *out, struct error *err);

/* Remove a student, by the folder's name in OUT/students, from all that a grading keeps in OUT, and tell what
 * was removed. */
enum grade_status grade_forget(const char *folder, const char *student, FILE *out, struct error *err);

/* "2/8" to 2 and 8. */
bool grade_parse_slice(const char *text, unsigned *slice, unsigned *slices);

/* "8" to 8. */
bool grade_parse_slices(const char *text, unsigned *slices);

#endif
