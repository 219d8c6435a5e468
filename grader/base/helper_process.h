/* Work in a second process while this one goes on. Start one with helper_process_start(), read what its work
 * writes with helper_process_read(), and end it with helper_process_end(). It has a copy of this process's
 * memory as it was at the start. */
#ifndef CYCLELAB_HELPER_PROCESS_H
#define CYCLELAB_HELPER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include "harness/base/error.h"

struct helper_process;
/* Writes to its output with textfile_write(), which is false when nobody reads any more. */
typedef void helper_process_work(void *state, int output);

/* Start a process that calls work(state, output). NULL with err when the system refuses one. */
struct helper_process *helper_process_start(helper_process_work *work, void *state, struct error *err);

/* Read exactly `size` bytes of its output; wait for them. False: it ended before. */
bool helper_process_read(struct helper_process *helper, void *data, size_t size);

/* Kill it, wait until it is gone and free `helper`. Its wait status: how it ended, if it had before. NULL is
 * allowed. */
int helper_process_end(struct helper_process *helper);

#endif
