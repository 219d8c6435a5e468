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

/* The files behind the arena, to hand to a machine as ARENA_FD (open for reading only) and ARENA_WRITABLE_FD.
 */
int arena_fd(const struct arena *arena);
int arena_writable_fd(const struct arena *arena);

/* Forget all regions and give all memory back to the system. What the machines have mapped stays until their
 * next plan. */
void arena_reset(struct arena *arena);

/* The same with new files, as for each check: no machine of before has anything in common with those started
 * from now on. Stop all machines first. False with err, and nothing is changed. */
bool arena_renew(struct arena *arena, struct error *err);

/* New files with the same contents at the same addresses: all in other pages of memory. Stop all machines
 * first. False with err, and the contents are lost. */
bool arena_move(struct arena *arena, struct error *err);

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
