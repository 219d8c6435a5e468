/* Work in a process of its own, beside what this one does meanwhile. It has a copy of all memory as it is at
 * the start; what it writes to its output is read here when it is wanted. */
#ifndef CYCLELAB_BESIDE_H
#define CYCLELAB_BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include "harness/error.h"

struct beside;
/* Writes to its output with textfile_write(), which is false when nobody reads any more. */
typedef void beside_work(void *state, int output);

/* Begin. NULL with err where there is no process to be had. */
struct beside *beside_start(beside_work *work, void *state, struct error *err);

/* The next bytes that it has written; waits for them. False: it has ended before. */
bool beside_read(struct beside *beside, void *data, size_t size);

/* End it, wherever it is. NULL is allowed. */
void beside_end(struct beside *beside);

#endif
