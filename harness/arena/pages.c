#include "harness/arena/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/arena/plan.h"

#define PIECE (UINT64_C(4) << 20) /* bytes that are moved at a time */

const struct files pages_no_files = {-1, -1};

uint64_t pages_most(void)
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

bool pages_own(int how)
{
    if (mmap((void *)ARENA_BASE, ARENA_SIZE, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1, 0) != (void *)ARENA_BASE)
        return false;
    madvise((void *)ARENA_BASE, ARENA_SIZE, MADV_HUGEPAGE);
    madvise((void *)ARENA_BASE, ARENA_SIZE, MADV_DONTFORK);
    return true;
}

bool pages_show(int fd, uint64_t address, uint64_t size, int how)
{
    return mmap((void *)address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | how, fd,
                (off_t)(address - ARENA_BASE)) == (void *)address;
}

void pages_close(struct files files)
{
    if (files.fd >= 0)
        close(files.fd);
    if (files.writable_fd >= 0)
        close(files.writable_fd);
}

bool pages_make_files(uint64_t size, struct files *files, struct error *err)
{
    *files = (struct files){make_file(size), make_file(size)};
    if (files->fd >= 0 && files->writable_fd >= 0)
        return true;
    error_set(err, "cannot make the shared memory for the exercises (%llu MiB): %s",
              (unsigned long long)(ARENA_SIZE >> 20), strerror(errno));
    pages_close(*files);
    *files = pages_no_files;
    return false;
}

bool pages_take(uint64_t size, int how, struct files *files, struct error *err)
{
    *files = pages_no_files;
    if (pages_own(how))
        return true;
    if (!pages_make_files(size, files, err))
        return false;
    if (pages_show(files->fd, ARENA_BASE, ARENA_SIZE, how))
        return true;
    error_set(err,
              "cannot map %llu MiB at address 0x%llx: %s. Something else is there, or the limit on memory "
              "(ulimit -v) is too low",
              (unsigned long long)(ARENA_SIZE >> 20), (unsigned long long)ARENA_BASE, strerror(errno));
    pages_close(*files);
    return false;
}

void pages_empty(struct files files, uint64_t size)
{
    fallocate(files.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)size);
    fallocate(files.writable_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)size);
}

/* Piece by piece, and what has been copied is given back at once: no more memory is taken than there was. */
bool pages_move(int from, int to, uint64_t address, uint64_t size)
{
    for (uint64_t done = 0; done < size;) {
        const off_t at = (off_t)(address + done - ARENA_BASE);
        const uint64_t piece = size - done < PIECE ? size - done : PIECE;
        const ssize_t got = pwrite(to, (const void *)(address + done), piece, at);
        if (got <= 0)
            return false;
        if (from >= 0)
            fallocate(from, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, got);
        else if ((uint64_t)got == PIECE)
            madvise((void *)(address + done), (size_t)got, MADV_DONTNEED);
        done += (uint64_t)got;
    }
    return true;
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

/* Only pages that are there can be made one. */
void pages_make_huge(uint64_t address, uint64_t size)
{
    const uint64_t begin = (address + PAGES_HUGE - 1) / PAGES_HUGE * PAGES_HUGE,
                   end = (address + size) / PAGES_HUGE * PAGES_HUGE;
    if (begin < end && madvise((void *)begin, end - begin, MADV_POPULATE_WRITE) == 0)
        madvise((void *)begin, end - begin, MADV_COLLAPSE);
}
