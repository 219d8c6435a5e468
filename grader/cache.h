/* Results kept by their contents: a folder of files, each named by the hash of all that its contents
 * follow from. Losing it costs time and nothing else: what is missing, cut short, damaged or not ours counts
 * as not there, and where nothing can be written nothing is kept. */
#ifndef CYCLELAB_CACHE_H
#define CYCLELAB_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include "grader/grade_hash.h"

enum { CACHE_ENTRY_LIMIT = 8 << 20, CACHE_LIMIT = 64 << 20 };

/* A hash to begin with: of this very program (its build id, which the linker makes from its contents),
 * so that another version of the model or the grader has a cache of its own. False: there is no telling, so
 * nothing should be kept. */
bool cache_key(struct grade_hash *key);

/* Where entries are kept, beside what was built; malloc'ed. */
char *cache_folder(const char *build);

/* What is kept under the key; malloc'ed. NULL where there is nothing. */
void *cache_get(const char *folder, const struct grade_hash *key, size_t *size);

/* Keep it: whole or not at all. When the folder grows above CACHE_LIMIT bytes the oldest entries go. */
void cache_put(const char *folder, const struct grade_hash *key, const void *data, size_t size);

#endif
