/* Memory that is taken piece by piece and freed at once.
 *
 *     struct pool *pool = NULL;
 *     char *name = pool_copy(&pool, "x"); // NULL when memory is out
 *     pool_free(pool);                    // frees all that was taken */
#ifndef CYCLELAB_POOL_H
#define CYCLELAB_POOL_H

#include <stddef.h>

struct pool;

/* Zeroed bytes, aligned for any type; valid until pool_free. NULL when memory is out. */
void *pool_take(struct pool **pool, size_t size);

/* A copy of the text. NULL when memory is out. */
char *pool_copy(struct pool **pool, const char *text);

void pool_free(struct pool *pool);

#endif
