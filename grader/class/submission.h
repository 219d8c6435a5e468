/* `cyclelab check --submission`: what one student handed in, in whatever folder it came, as the services for
 * whole classes give it. Files are found as `cyclelab grade` finds them. */
#ifndef CYCLELAB_SUBMISSION_H
#define CYCLELAB_SUBMISSION_H

#include "grader/build/build.h"
#include "grader/check/check.h"
#include "grader/check/result.h"
#include "harness/base/error.h"

struct submission;

struct submission_request {
    const char *root, *folder;
    const char *course;    /* a course file: its exercises, bounds, cores, seeds and points. NULL: none */
    const char *exercises; /* names with blanks between; NULL: all, or all that the course grades */
    enum isa isa;          /* for which files are graded */
};

/* Look through the folder. NULL with err when it, the course or a name is wrong. */
struct submission *submission_open(const struct submission_request *request, struct error *err);
void submission_close(struct submission *submission);

/* The exercises to check, NULL-terminated; the submission's. */
char **submission_ids(const struct submission *submission);

/* As check_exercise, with the submission's files in place of context->source. What was not handed in, or is
 * such that it was not opened, is a result without points that says so. Where the course has several cores or
 * seeds the worst result counts, and none tells a seed. `look`, or NULL, has the result while the files that
 * were graded stand in a folder, under the names of the stub. */
typedef void (*submission_look)(void *state, const char *folder, struct result *result);
struct result *submission_check(const struct submission *submission, const struct check_context *context,
                                const char *id, submission_look look, void *state, struct error *err);

#endif
