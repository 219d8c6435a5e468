#include "harness/arena/arena.h"

#include "harness/base/seed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct buffer {
    uint64_t address; /* of the buffer's first byte */
    size_t bytes;
    uint64_t region, region_size;
};

struct files {
    int fd, writable_fd;
};

#define LINE UINT64_C(64) /* of a cache, and the largest alignment that anything asks for */

#define PIECE (UINT64_C(4) << 20) /* bytes that are moved at a time */

struct arena {
    struct files files; /* what machines read only, and what they write */
    uint64_t size;      /* of both: ARENA_SIZE, unless files may not be that large */
    uint64_t next;      /* the first granule that is free */
    uint64_t reach;     /* the end of the last region that ever was */
    uint64_t layouts;
    unsigned count;
    struct buffer buffers[PLAN_MAX_REGIONS];
};

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

/* Some services limit the size of files, and memory with a descriptor counts as one. What is mapped has
 * ARENA_SIZE in any case; only the part that has a file behind it is given out. */
static uint64_t size_allowed(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_FSIZE, &files) != 0 || files.rlim_cur >= ARENA_SIZE)
        return ARENA_SIZE;
    return files.rlim_cur / ARENA_GRANULE * ARENA_GRANULE;
}

/* Sealed, and not to be opened anew for writing: a runner has this file, too, and must not cut it off under
 * the grader. */
static int make_file(uint64_t size)
{
    int fd = memfd_create("cyclelab-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && ftruncate(fd, (off_t)size) == 0 && fchmod(fd, 0400) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* In the grader's own view: this part of the arena is that file's. */
static bool show(int fd, uint64_t address, uint64_t size, int how)
{
    return mmap((void *)address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | how, fd,
                (off_t)(address - ARENA_BASE)) == (void *)address;
}

static void close_files(struct files files)
{
    if (files.fd >= 0)
        close(files.fd);
    if (files.writable_fd >= 0)
        close(files.writable_fd);
}

static bool make_files(uint64_t size, struct files *files, struct error *err)
{
    *files = (struct files){make_file(size), make_file(size)};
    if (files->fd >= 0 && files->writable_fd >= 0)
        return true;
    error_set(err, "cannot make the shared memory for the exercises (%llu MiB): %s",
              (unsigned long long)(ARENA_SIZE >> 20), strerror(errno));
    close_files(*files);
    return false;
}

struct arena *arena_create(struct error *err)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (!arena) {
        error_set(err, "out of memory");
        return NULL;
    }
    arena->size = size_allowed();
    arena->reach = ARENA_REGIONS;
    if (arena->size <= ARENA_REGIONS - ARENA_BASE) {
        error_set(err, "files may be %llu KiB large here (ulimit -f): expected 64 MiB or more",
                  (unsigned long long)(arena->size >> 10));
        free(arena);
        return NULL;
    }
    if (!make_files(arena->size, &arena->files, err)) {
        free(arena);
        return NULL;
    }
    if (!show(arena->files.fd, ARENA_BASE, ARENA_SIZE, MAP_FIXED_NOREPLACE)) {
        error_set(
            err,
            "cannot map %llu MiB at address 0x%llx: %s. Something else is there, or the limit on memory "
            "(ulimit -v) is too low",
            (unsigned long long)(ARENA_SIZE >> 20), (unsigned long long)ARENA_BASE, strerror(errno));
        close_files(arena->files);
        free(arena);
        return NULL;
    }
    arena_reset(arena);
    return arena;
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    munmap((void *)ARENA_BASE, ARENA_SIZE);
    close_files(arena->files);
    free(arena);
}

uint64_t arena_size(const struct arena *arena)
{
    return arena->size;
}

int arena_fd(const struct arena *arena)
{
    return arena->files.fd;
}

int arena_writable_fd(const struct arena *arena)
{
    return arena->files.writable_fd;
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
    show(arena->files.fd, ARENA_BASE, ARENA_SIZE, MAP_FIXED);
    show(arena->files.writable_fd, ARENA_STATUS, ARENA_GRANULE, MAP_FIXED);
    for (unsigned i = 0; i < arena->count; i++)
        if (plan->regions[i].access & PLAN_WRITE)
            show(arena->files.writable_fd, plan->regions[i].address, plan->regions[i].size, MAP_FIXED);
}

void arena_reset(struct arena *arena)
{
    struct plan *plan = arena_plan(arena);

    fallocate(arena->files.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)arena->size);
    fallocate(arena->files.writable_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)arena->size);
    arena->next = ARENA_REGIONS;
    arena->count = 0;
    show_all(arena);
    plan->magic = PLAN_MAGIC;
    plan->layout = ++arena->layouts;
    plan->reach = arena->reach;
}

bool arena_renew(struct arena *arena, struct error *err)
{
    struct files fresh;
    if (!make_files(arena->size, &fresh, err))
        return false;
    close_files(arena->files);
    arena->files = fresh;
    arena_reset(arena);
    return true;
}

/* Piece by piece, and what has been copied is given back at once: no more memory is taken than there was. */
static bool move(int from, int to, uint64_t address, uint64_t size)
{
    for (uint64_t done = 0; done < size;) {
        const off_t at = (off_t)(address + done - ARENA_BASE);
        const uint64_t piece = size - done < PIECE ? size - done : PIECE;
        const ssize_t got = pwrite(to, (const void *)(address + done), piece, at);
        if (got <= 0)
            return false;
        fallocate(from, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, got);
        done += (uint64_t)got;
    }
    return true;
}

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif
#define HUGE_PAGE  (UINT64_C(2) << 20) /* or a multiple of what the processor has */
#define LARGE_SIZE (UINT64_C(16) << 20)

/* A large input that only is read stays where it is, and every process maps all of it: that takes 10 ms for
 * 64 MiB in small pages, 0.1 ms in huge ones. Where the kernel has none it is as it was. */
static void make_huge(const struct plan_region *region)
{
    const uint64_t begin = round_up(region->address, HUGE_PAGE),
                   end = (region->address + region->size) / HUGE_PAGE * HUGE_PAGE;
    if (!(region->access & PLAN_WRITE) && region->size >= LARGE_SIZE)
        madvise((void *)begin, end - begin, MADV_COLLAPSE);
}

bool arena_move(struct arena *arena, struct error *err)
{
    const struct plan *plan = arena_plan(arena);
    const struct files old = arena->files;
    struct files fresh;
    bool good = true;
    if (!make_files(arena->size, &fresh, err))
        return false;
    for (unsigned i = 0; good && i < arena->count; i++) {
        const struct plan_region *region = &plan->regions[i];
        const bool writable = region->access & PLAN_WRITE;
        good = move(writable ? old.writable_fd : old.fd, writable ? fresh.writable_fd : fresh.fd,
                    region->address, region->size);
    }
    if (!good || !move(old.fd, fresh.fd, ARENA_BASE, ARENA_GRANULE)) { /* the plan: needed until now */
        error_set(err, "cannot copy the exercises' shared memory: %s", strerror(errno));
        close_files(fresh);
        return false;
    }
    close_files(old);
    arena->files = fresh;
    show_all(arena);
    for (unsigned i = 0; i < arena->count; i++)
        make_huge(&plan->regions[i]);
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
    uint64_t address = region;
    if ((access & PLAN_WRITE) && !show(arena->files.writable_fd, region, size, MAP_FIXED))
        return NULL;
    if (place != ARENA_AT_START)
        address = (region + size - bytes) / align * align;
    if (place == ARENA_ANYWHERE)
        address -= align * some_place(region, (address - region) / align, align);
    arena->buffers[arena->count] = (struct buffer){address, bytes, region, size};
    plan->regions[arena->count++] = (struct plan_region){region, size, access};
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
