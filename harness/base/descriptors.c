#include "harness/base/descriptors.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LEAST = 1024, MOST = 1 << 20 };

/* How many there can be. */
static int limit(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur < LEAST)
        return LEAST; /* it may have been higher before */
    return files.rlim_cur < MOST ? (int)files.rlim_cur : MOST;
}

static void from(int first, unsigned flags)
{
    if (close_range((unsigned)first, ~0U, (int)flags) == 0)
        return;
    for (int fd = first, end = limit(); fd < end; fd++)
        if (flags & CLOSE_RANGE_CLOEXEC)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
        else
            close(fd);
}

void descriptors_close_from(int first)
{
    from(first, 0);
}

void descriptors_leave_from(int first)
{
    from(first, CLOSE_RANGE_CLOEXEC);
}
