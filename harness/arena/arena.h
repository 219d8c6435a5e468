/* The grader's side of the arena (plan.h): the memory, and the laying out of regions in it. */
#ifndef CYCLELAB_ARENA_H
#define CYCLELAB_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include "harness/base/error.h"
#include "harness/arena/plan.h"

struct arena;

/* Where a buffer lies in its region: its end or its start against a guard granule, so that an overrun, or an
 * underrun, faults at the first byte; or less than a cache line before the end, so that it is as aligned as
 * it has to be and no more, and otherwise than the next one. */
enum arena_place { ARENA_AT_END, ARENA_AT_START, ARENA_ANYWHERE };

/* Map the arena at ARENA_BASE, once per process. NULL with err where memory or the address is not to be had.
 */
struct arena *arena_create(struct error *err);
void arena_destroy(struct arena *arena);

/* What regions and the plan may have together: ARENA_SIZE, or less where files may not be that large. */
uint64_t arena_size(const struct arena *arena);

/* Have the memory in files, which machines can have as well: until then it is the grader's alone, and quicker
 * to lay out. False with err, and the contents are lost. */
bool arena_lend(struct arena *arena, struct error *err);

/* `ahead`: from the next reset on lay out what may be large in memory of the grader's own, until it is lent:
 * machine_execute and arena_move do that. For layouts that are executed once or twice, and not timed. Until
 * this is called with false, or arena_renew. */
void arena_go_ahead(struct arena *arena, bool ahead);

/* The files behind the arena in its place, to hand to a machine as ARENA_FD (open for reading only) and
 * ARENA_WRITABLE_FD. -1 before it is lent.
 */
int arena_fd(const struct arena *arena);
int arena_writable_fd(const struct arena *arena);

/* Forget all regions: memory is zero, or given back to the system. What the machines have mapped stays until
 * their next plan. */
void arena_reset(struct arena *arena);

/* The same, and the memory is the grader's alone again, as for each check: no machine of before has anything
 * in common with those started from now on. Stop all machines first. False with err, and nothing is changed.
 */
bool arena_renew(struct arena *arena, struct error *err);

/* Have the contents in the files of another place (below ARENA_PLACES, 0 in the beginning), at the same
 * addresses: all in pages of memory that are new each time. A machine has the files of the place in which it
 * was started, and executes plans there only; lend it first, and end all plans. False with err, and the
 * contents are lost. */
enum { ARENA_PLACES = 4 };
bool arena_move(struct arena *arena, unsigned place, struct error *err);

/* Have buffers of 2 MiB and more in huge pages, where the kernel has them; else all is as it was. Every
 * process maps all of a buffer and touches each of its pages: 64 MiB in small ones take 10 ms, several times
 * that where a hypervisor shadows the tables, and 1 in huge ones. arena_move does so by itself. */
void arena_make_huge(struct arena *arena);

/* Zero all that a machine can write: every writable region whole, with what lies around its buffer, and the
 * status. */
void arena_wipe(struct arena *arena);

/* A region of its own for `bytes` bytes (0 is allowed: the pointer is then good for no access at all),
 * aligned to `align` (a power of two up to 4096; with ARENA_AT_END the bytes may end up to align - 1 bytes
 * before the guard when bytes is no multiple of align). The memory is zero, and readable and writable for the
 * grader. Returns NULL when the arena or the region table is full. */
void *arena_alloc(struct arena *arena, size_t bytes, size_t align, unsigned access, enum arena_place place);

/* The region that holds `address`, or whose guard does: its index in allocation order, or -1. *offset is the
 * distance from the buffer's first byte (negative before it), *bytes the buffer's size. */
int arena_find(const struct arena *arena, uint64_t address, int64_t *offset, size_t *bytes);

/* Fill what lies beside a buffer, up to ARENA_BORDER bytes on either side of it within its region, with
 * a byte that is not 0; and the first address there that has another one by now, 0 when there is none:
 * somebody has written to what is not lent. `address` is what arena_alloc returned. arena_wipe takes borders
 * away. */
enum { ARENA_BORDER = 4096 };
void arena_border(struct arena *arena, uint64_t address);
uint64_t arena_stray(const struct arena *arena, uint64_t address);

/* The plan, at ARENA_BASE. arena_alloc keeps its regions; the caller fills the rest. */
struct plan *arena_plan(struct arena *arena);
const struct plan_status *arena_status(const struct arena *arena); /* of part 0 */
const struct plan_status *arena_part_status(const struct arena *arena, unsigned part);
void arena_forget_status(struct arena *arena);

#endif
