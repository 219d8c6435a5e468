/* The memory behind the arena: the grader's own, or in files that machines have as well. */
#ifndef CYCLELAB_PAGES_H
#define CYCLELAB_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/error.h"

/* A huge page, or a multiple of what the processor has. */
#define PAGES_HUGE (UINT64_C(2) << 20)

/* What machines read only, and what they write; -1: not made. */
struct files {
    int fd, writable_fd;
};
extern const struct files pages_no_files;

/* Some services limit the size of files, and memory with a descriptor counts as one: so many bytes may have a
 * file behind them, of ARENA_SIZE that are mapped in any case. */
uint64_t pages_most(void);

/* Two new files of so many bytes, all of them zero. False with err, and none is made. */
bool pages_make_files(uint64_t size, struct files *files, struct error *err);
void pages_close(struct files files);

/* Give all their memory back. */
void pages_empty(struct files files, uint64_t size);

/* Map memory of the grader's own, all zero, in huge pages where the kernel has them. A process that is forked
 * has none of it, so nothing is copied for that one. `how`: MAP_FIXED or MAP_FIXED_NOREPLACE. False with
 * errno. */
bool pages_own(int how);

/* In the grader's own view this part of the arena is that file's from now on. False with errno. */
bool pages_show(int fd, uint64_t address, uint64_t size, int how);

/* Memory of the grader's own, and no file; where the system promises no more memory than it has, files, which
 * take theirs by the page. False with err. */
bool pages_take(uint64_t size, int how, struct files *files, struct error *err);

/* Copy a part of the arena to the same place in file `to`, from file `from` or, with -1, memory of the
 * grader's own. Of a file nothing is left behind. False with errno. */
bool pages_move(int from, int to, uint64_t address, uint64_t size);

/* Have what lies there in huge pages as far as it fills them, if the kernel can do that. */
void pages_make_huge(uint64_t address, uint64_t size);

#endif
