/* Compiled objects and programs in build/cache: everything that the output depends on goes into the key. */
#ifndef CYCLELAB_BUILD_CACHE_H
#define CYCLELAB_BUILD_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include "grader/base/sha256.h"
#include "grader/base/isa.h"

/* Where the runner's objects lie: <folder>/<isa>/runner.o. */
char *runner_object(enum isa isa, const char *name);

/* Add to the key: a folder's regular files and their names (a missing folder has none), and the compiler's
 * version. False: unknown, so do not cache. */
bool build_cache_add_folder(struct sha256 *key, const char *folder);
bool build_cache_add_compiler(struct sha256 *key, enum isa isa);

/* Add what tells this program, or this ISA's compiler, from another one on any machine: contents and what it
 * says about itself, no time and no place. One that is not there counts as such. */
void build_identify_tool(struct sha256 *key, const char *name);
void build_identify_compiler(struct sha256 *key, enum isa isa);

/* Create a file that everybody may read. False if it cannot, or if it is there already. */
bool build_cache_write(const char *path, const void *data, size_t size);

/* The cache's entry with this key as a file, created as above. False: there is none, or it cannot. */
bool build_cache_take(const char *folder, const struct sha256 *key, const char *path);

/* A file as the entry with this key. A file that cannot be read, or is too large, is not kept. */
void build_cache_keep(const char *folder, const struct sha256 *key, const char *path);

#endif
