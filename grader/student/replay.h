/* The student's answer as a program of its own, which makes the calls of one case again and again: for gdb,
 * perf, and whatever else there is. It runs as who started it, without walls. */
#ifndef CYCLELAB_REPLAY_H
#define CYCLELAB_REPLAY_H

#include <stdio.h>
#include "grader/check/correctness.h"
#include "grader/check/result.h"
#include "grader/exercise/exercise.h"
#include "grader/build/build.h"
#include "harness/base/error.h"

enum { REPLAY_SECONDS = 3 }; /* that it runs where nothing is said */

struct replay_request {
    const char *root;      /* the project's folder */
    const char *build;     /* where exercises/NN-slug/cases.so were built */
    const char *source;    /* the folder with the student's files; of no matter for another variant */
    const char *work;      /* the program goes to .state/run in it */
    const char *case_name; /* NULL: that of the first bound that is judged natively */
    enum variant variant;
    unsigned seconds; /* that it runs */
};

/* What is done with the program once it lies there: 0, 1 with the reason on `out`, 4 with err. */
typedef int replay_use(const char *program, const struct exercise *exercise, FILE *out, struct error *err);

/* Build the program with the case as it is timed natively, keep it, say on `out` what it is, and use it. Exit
 * status: what came of the use; 1 with what a check would say (it does not build); 2 and 4 with err, as of
 * check. */
int replay_make(const struct replay_request *request, const struct exercise *exercise, replay_use *use,
                FILE *out, struct error *err);

/* `make run`: run it. */
int replay_run(const char *program, const struct exercise *exercise, FILE *out, struct error *err);

/* How such a program ended (as of waitpid): a line on `out` and 1, unless as it should or by Ctrl-C: 0. */
int replay_tell_end(int status, const char *program, const struct exercise *exercise, FILE *out);

/* Run a command in front, with the terminal's keys its own. *status is as of waitpid; a Ctrl-C is its end and
 * not ours. False with err where it cannot be run. */
bool replay_command(char *const argv[], int *status, struct error *err);

/* The trials of the case in which a check found the call `failing`, laid out and filled, with a plan that
 * makes this call alone, which is *call of the layout. NULL with err: there is no such case, or no room. */
struct layout *replay_failing(const struct failing *failing, const struct case_table *table,
                              struct arena *arena, size_t *call, struct error *err);

#endif
