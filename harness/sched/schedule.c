#include "harness/sched/schedule.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum {
    FINE_NS = 100000, /* more than it takes to ask a fine clock; the tick's steps are 1 to 10 ms */
    COARSE_STEPS = 5,
};

uint64_t schedule_own_ns(void)
{
    struct timespec spent;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return (uint64_t)spent.tv_sec * NS_PER_S + (uint64_t)spent.tv_nsec;
}

int schedule_open(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

bool schedule_read(int fd, struct schedule *schedule)
{
    char text[128];
    unsigned long long ran, waited;
    ssize_t length = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);
    if (length <= 0)
        return false;
    text[length] = '\0';
    if (sscanf(text, "%llu %llu", &ran, &waited) != 2)
        return false;
    *schedule = (struct schedule){ran, waited};
    return true;
}

bool schedule_is_fine(void)
{
    struct schedule ignored;
    const int fd = schedule_open(getpid());
    const bool tells = schedule_read(fd, &ignored);
    if (fd >= 0)
        close(fd);
    uint64_t before = schedule_own_ns();
    for (unsigned steps = 0; tells && steps < COARSE_STEPS;) {
        const uint64_t now = schedule_own_ns();
        if (now == before)
            continue;
        if (now - before < FINE_NS)
            return true;
        before = now;
        steps++;
    }
    return false;
}

int64_t schedule_left_ms(const struct schedule *before, const struct schedule *now, int64_t limit_ms,
                         int64_t elapsed_ms)
{
    const int64_t most = limit_ms * SCHEDULE_MOST_LIMITS - elapsed_ms;
    int64_t waited_ms = (int64_t)((now->waited_ns - before->waited_ns) / 1000000);
    /* The kernel counts a wait when it is over. */
    if (now->ran_ns == before->ran_ns && now->waited_ns == before->waited_ns)
        waited_ms = elapsed_ms;
    const int64_t left = limit_ms - (elapsed_ms - waited_ms);
    return left < most ? left : most;
}
