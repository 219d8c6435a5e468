#include "harness/base/pool.h"

#include <stdlib.h>
#include <string.h>

struct pool {
    struct pool *next;
    _Alignas(max_align_t) char bytes[];
};

void *pool_take(struct pool **pool, size_t size)
{
    struct pool *piece = calloc(1, sizeof *piece + size);
    if (!piece)
        return NULL;
    piece->next = *pool;
    *pool = piece;
    return piece->bytes;
}

char *pool_copy(struct pool **pool, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = pool_take(pool, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void pool_free(struct pool *pool)
{
    while (pool) {
        struct pool *next = pool->next;
        free(pool);
        pool = next;
    }
}
