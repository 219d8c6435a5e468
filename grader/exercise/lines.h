/* Cache lines. Whatever page maps them: the caches go by physical addresses. */
#ifndef CYCLELAB_LINES_H
#define CYCLELAB_LINES_H

#include <stddef.h>

/* Out of all caches, written back. In order of nothing: a barrier has to follow. */
void lines_flush(const char *bytes, size_t size);

/* Into the caches of the CPU that this thread is on, as many as there is room for. */
void lines_read(const char *bytes, size_t size);

#endif
