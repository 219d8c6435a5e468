/* A command of ours in a process group of its own, with what it says in memory: it can be ended at any time.
 */
#ifndef CYCLELAB_JOB_H
#define CYCLELAB_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "harness/base/error.h"

enum { JOB_OUTPUT = 1 << 20 }; /* bytes that are kept */

struct job {
    pid_t process; /* 0: none runs */
    int output;    /* to be read from; -1: none */
    char *text;    /* what it has said, NUL-terminated */
    size_t size;
    int status; /* once it has ended: exit status, or 128 and the signal */
};

/* This program with these arguments (argv[0] is its name). False with err. */
bool job_start(struct job *job, char *const *argv, struct error *err);

/* Take what it has said, without waiting. True once it has ended. */
bool job_ended(struct job *job);

/* End it, and all of its group, and wait for that. Nothing where none runs. */
void job_stop(struct job *job);

/* Stop it, and forget what it said. */
void job_clear(struct job *job);

#endif
