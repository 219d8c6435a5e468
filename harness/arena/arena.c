#include "harness/arena/arena.h"

#include "harness/arena/pages.h"
#include "harness/base/seed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct buffer {
    uint64_t address; /* of the buffer's first byte */
    size_t bytes;
    uint64_t region, region_size;
};

#define LINE UINT64_C(64) /* of a cache, and the largest alignment that anything asks for */

/* As long as it is the grader's alone, the memory of regions of so much together is zeroed and kept for the
 * next ones: the first access to a page takes longer, 0.3 us and in virtual machines up to 15. */
#define KEPT (UINT64_C(64) << 20)

struct arena {
    struct files files[ARENA_PLACES]; /* none where the memory is the grader's alone */
    unsigned place;                   /* where the contents are */
    bool goes_ahead;                  /* as arena_go_ahead has it */
    bool own;       /* the contents are in memory of the grader's own, and not in files yet */
    uint64_t size;  /* of each file: ARENA_SIZE, unless files may not be that large */
    uint64_t next;  /* the first granule that is free */
    uint64_t reach; /* the end of the last region that ever was */
    uint64_t layouts;
    unsigned count;
    struct buffer buffers[PLAN_MAX_REGIONS];
};

static struct files files_of(const struct arena *arena)
{
    return arena->files[arena->place];
}

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

struct border {
    char *at;
    size_t bytes;
};

/* In front of the buffer, and behind it. */
static void borders(const struct buffer *buffer, struct border around[2])
{
    const uint64_t end = buffer->address + buffer->bytes, region_end = buffer->region + buffer->region_size;
    const size_t front = buffer->address - buffer->region, behind = region_end - end;
    around[0].bytes = front < ARENA_BORDER ? front : ARENA_BORDER;
    around[0].at = (char *)(buffer->address - around[0].bytes);
    around[1].bytes = behind < ARENA_BORDER ? behind : ARENA_BORDER;
    around[1].at = (char *)end;
}

/* All places but the first are to be made. */
static void begin_places(struct arena *arena, struct files first)
{
    arena->place = 0;
    arena->own = first.fd < 0;
    arena->files[0] = first;
    for (unsigned place = 1; place < ARENA_PLACES; place++)
        arena->files[place] = pages_no_files;
}

static void close_places(struct arena *arena)
{
    for (unsigned place = 0; place < ARENA_PLACES; place++)
        pages_close(arena->files[place]);
}

struct arena *arena_create(struct error *err)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (!arena) {
        error_set(err, "out of memory");
        return NULL;
    }
    arena->size = pages_most();
    arena->reach = ARENA_REGIONS;
    if (arena->size <= ARENA_REGIONS - ARENA_BASE) {
        error_set(err, "files may be %llu KiB large here (ulimit -f): expected 64 MiB or more",
                  (unsigned long long)(arena->size >> 10));
        free(arena);
        return NULL;
    }
    struct files first;
    if (!pages_take(arena->size, MAP_FIXED_NOREPLACE, &first, err)) {
        free(arena);
        return NULL;
    }
    begin_places(arena, first);
    arena_reset(arena);
    return arena;
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    munmap((void *)ARENA_BASE, ARENA_SIZE);
    close_places(arena);
    free(arena);
}

uint64_t arena_size(const struct arena *arena)
{
    return arena->size;
}

int arena_fd(const struct arena *arena)
{
    return files_of(arena).fd;
}

int arena_writable_fd(const struct arena *arena)
{
    return files_of(arena).writable_fd;
}

struct plan *arena_plan(struct arena *arena)
{
    (void)arena;
    return (struct plan *)ARENA_BASE;
}

const struct plan_status *arena_part_status(const struct arena *arena, unsigned part)
{
    (void)arena;
    return (const struct plan_status *)(ARENA_STATUS + part * PLAN_STATUS_STRIDE);
}

const struct plan_status *arena_status(const struct arena *arena)
{
    return arena_part_status(arena, 0);
}

void arena_forget_status(struct arena *arena)
{
    (void)arena;
    memset((void *)ARENA_STATUS, 0, ARENA_GRANULE);
}

/* The grader's own view: the regions are where they are. */
static void show_all(const struct arena *arena)
{
    const struct plan *plan = (const struct plan *)ARENA_BASE;
    pages_show(files_of(arena).fd, ARENA_BASE, ARENA_SIZE, MAP_FIXED);
    pages_show(files_of(arena).writable_fd, ARENA_STATUS, ARENA_GRANULE, MAP_FIXED);
    for (unsigned i = 0; i < arena->count; i++)
        if (plan->regions[i].access & PLAN_WRITE)
            pages_show(files_of(arena).writable_fd, plan->regions[i].address, plan->regions[i].size,
                       MAP_FIXED);
}

/* Of memory that nobody else has: all that may have been written to. */
static void clear(const struct arena *arena)
{
    uint64_t size = 0;
    for (unsigned i = 0; i < arena->count; i++)
        size += arena->buffers[i].region_size;
    if (size > KEPT) {
        madvise((void *)ARENA_BASE, ARENA_SIZE, MADV_DONTNEED);
        return;
    }
    for (unsigned i = 0; i < arena->count; i++)
        memset((void *)arena->buffers[i].region, 0, arena->buffers[i].region_size);
    memset((void *)ARENA_STATUS, 0, ARENA_GRANULE);
    memset((void *)ARENA_BASE, 0, ARENA_GRANULE);
}

void arena_reset(struct arena *arena)
{
    struct plan *plan = arena_plan(arena);

    if (files_of(arena).fd >= 0)
        pages_empty(files_of(arena), arena->size);
    if (arena->own)
        clear(arena);
    arena->next = ARENA_REGIONS;
    arena->count = 0;
    if (!arena->own && arena->goes_ahead)
        arena->own = pages_own(MAP_FIXED);
    else if (!arena->goes_ahead && files_of(arena).fd >= 0)
        arena->own = false;
    if (!arena->own)
        show_all(arena);
    plan->magic = PLAN_MAGIC;
    plan->layout = ++arena->layouts;
    plan->reach = arena->reach;
}

bool arena_renew(struct arena *arena, struct error *err)
{
    struct files first;
    if (!pages_take(arena->size, MAP_FIXED, &first, err))
        return false;
    close_places(arena);
    begin_places(arena, first);
    arena->goes_ahead = false;
    arena->count = 0;
    arena_reset(arena);
    return true;
}

void arena_make_huge(struct arena *arena)
{
    const struct plan *plan = arena_plan(arena);
    for (unsigned i = 0; i < arena->count; i++)
        pages_make_huge(plan->regions[i].address, plan->regions[i].size);
}

/* The contents, from one place's files to another's. Nothing is left behind. */
static bool move_all(const struct arena *arena, struct files from, struct files to)
{
    const struct plan *plan = (const struct plan *)ARENA_BASE;
    bool good = true;
    for (unsigned i = 0; good && i < arena->count; i++) {
        const struct plan_region *region = &plan->regions[i];
        const bool writable = region->access & PLAN_WRITE;
        good = pages_move(writable ? from.writable_fd : from.fd, writable ? to.writable_fd : to.fd,
                          region->address, region->size);
    }
    good = good && pages_move(from.fd, to.fd, ARENA_BASE, ARENA_GRANULE); /* the plan: needed until now */
    pages_empty(from, arena->size);
    return good;
}

/* The contents, from the grader's own memory to files. Of regions there is nothing but zeros beyond what lies
 * beside their buffers. */
static bool publish(const struct arena *arena, struct files to)
{
    const struct plan *plan = (const struct plan *)ARENA_BASE;
    bool good = true;
    for (unsigned i = 0; good && i < arena->count; i++) {
        struct border around[2];
        borders(&arena->buffers[i], around);
        const uint64_t first = (uint64_t)around[0].at, last = (uint64_t)around[1].at + around[1].bytes;
        good = pages_move(-1, plan->regions[i].access & PLAN_WRITE ? to.writable_fd : to.fd, first,
                          last - first);
    }
    return good && pages_move(-1, to.fd, ARENA_BASE, ARENA_GRANULE);
}

static bool not_copied(struct error *err)
{
    return error_set(err, "cannot copy the exercises' shared memory: %s", strerror(errno));
}

bool arena_lend(struct arena *arena, struct error *err)
{
    struct files *to = &arena->files[arena->place];
    if (!arena->own)
        return true;
    if (to->fd < 0 && !pages_make_files(arena->size, to, err))
        return false;
    if (!publish(arena, *to))
        return not_copied(err);
    arena->own = false;
    show_all(arena);
    return true;
}

void arena_go_ahead(struct arena *arena, bool ahead)
{
    arena->goes_ahead = ahead;
}

bool arena_move(struct arena *arena, unsigned place, struct error *err)
{
    struct files *to = &arena->files[place];
    if (!arena_lend(arena, err))
        return false;
    if (place == arena->place)
        return true;
    if (to->fd < 0 && !pages_make_files(arena->size, to, err))
        return false;
    if (!move_all(arena, files_of(arena), *to))
        return not_copied(err);
    arena->place = place;
    show_all(arena);
    arena_make_huge(arena);
    return true;
}

void arena_wipe(struct arena *arena)
{
    const struct plan *plan = arena_plan(arena);
    arena_forget_status(arena);
    for (unsigned i = 0; i < arena->count; i++)
        if (plan->regions[i].access & PLAN_WRITE)
            memset((void *)plan->regions[i].address, 0, plan->regions[i].size);
}

/* Of the last places in a region, at most a line of them: how many before the last. */
static uint64_t some_place(uint64_t region, uint64_t last, uint64_t align)
{
    const uint64_t in_a_line = align < LINE ? LINE / align : 1;
    return seed_derive(region, 0) % (last < in_a_line ? last + 1 : in_a_line);
}

void *arena_alloc(struct arena *arena, size_t bytes, size_t align, unsigned access, enum arena_place place)
{
    struct plan *plan = arena_plan(arena);
    uint64_t size = bytes == 0 ? ARENA_GRANULE : round_up(bytes, ARENA_GRANULE);
    uint64_t end = ARENA_BASE + arena->size - ARENA_GRANULE; /* the last granule is a guard */

    if (arena->count == PLAN_MAX_REGIONS || bytes > arena->size || size > end - arena->next)
        return NULL;
    uint64_t region = arena->next;
    if (size >= PAGES_HUGE && round_up(region, PAGES_HUGE) + size <= end)
        region = round_up(region, PAGES_HUGE);
    uint64_t address = region;
    if ((access & PLAN_WRITE) && !arena->own &&
        !pages_show(files_of(arena).writable_fd, region, size, MAP_FIXED))
        return NULL;
    if (place != ARENA_AT_START)
        address = (region + size - bytes) / align * align;
    if (place == ARENA_ANYWHERE)
        address -= align * some_place(region, (address - region) / align, align);
    arena->buffers[arena->count] = (struct buffer){address, bytes, region, size};
    plan->regions[arena->count++] = (struct plan_region){region, size, access, address, address + bytes};
    plan->region_count = arena->count;
    if (arena->reach < region + size)
        plan->reach = arena->reach = region + size;
    arena->next = region + size + ARENA_GRANULE;
    if (arena->next > end)
        arena->next = end;
    return (void *)address;
}

/* ---- borders ---- */

enum { BORDER_BYTE = 0xa5 };

static const struct buffer *find_buffer(const struct arena *arena, uint64_t address)
{
    for (unsigned i = 0; i < arena->count; i++)
        if (arena->buffers[i].address == address)
            return &arena->buffers[i];
    return NULL;
}

void arena_border(struct arena *arena, uint64_t address)
{
    const struct buffer *buffer = find_buffer(arena, address);
    struct border around[2];
    if (!buffer)
        return;
    borders(buffer, around);
    for (unsigned i = 0; i < 2; i++)
        memset(around[i].at, BORDER_BYTE, around[i].bytes);
}

uint64_t arena_stray(const struct arena *arena, uint64_t address)
{
    const struct buffer *buffer = find_buffer(arena, address);
    struct border around[2];
    if (!buffer)
        return 0;
    borders(buffer, around);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned char *at = (const unsigned char *)around[i].at;
        const size_t bytes = around[i].bytes;
        if (bytes == 0 || (*at == BORDER_BYTE && memcmp(at, at + 1, bytes - 1) == 0))
            continue;
        while (*at == BORDER_BYTE)
            at++;
        return (uint64_t)at;
    }
    return 0;
}

int arena_find(const struct arena *arena, uint64_t address, int64_t *offset, size_t *bytes)
{
    for (unsigned i = 0; i < arena->count; i++) {
        const struct buffer *buffer = &arena->buffers[i];
        if (address >= buffer->region - ARENA_GRANULE / 2 &&
            address < buffer->region + buffer->region_size + ARENA_GRANULE / 2) {
            *offset = (int64_t)(address - buffer->address);
            *bytes = buffer->bytes;
            return (int)i;
        }
    }
    return -1;
}
