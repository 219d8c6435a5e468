/* A cache on disk: a folder of files, each named by the hash of everything that its contents depend on. To
 * lose it costs only time: a file that is missing, truncated, damaged or not ours is a miss, and if the
 * folder cannot be written nothing is cached. */
#ifndef CYCLELAB_CACHE_H
#define CYCLELAB_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include "grader/base/sha256.h"

enum { CACHE_ENTRY_LIMIT = 8 << 20, CACHE_LIMIT = 64 << 20 };

/* A hash to begin with: of this very program (its build id, which the linker makes from its contents),
 * so that another version of the model or the grader has a cache of its own. False: unknown, so do
 * not cache. */
bool cache_key(struct sha256 *key);

/* The cache's folder inside the build folder; malloc'ed. */
char *cache_folder(const char *build);

/* The entry with this key, malloc'ed, or NULL. */
void *cache_get(const char *folder, const struct sha256 *key, size_t *size);

/* Store an entry, whole or not at all. If the folder grows above CACHE_LIMIT bytes, delete the oldest
 * entries. */
void cache_put(const char *folder, const struct sha256 *key, const void *data, size_t size);

#endif
