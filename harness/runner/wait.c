#include "harness/runner/wait.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

int64_t wait_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int wait_any(const pid_t *pids, unsigned count, int64_t limit_ms, int *status, struct rusage *usage)
{
    int64_t deadline = wait_now_ms() + limit_ms;
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (;;) {
        for (unsigned i = 0; i < count; i++) {
            pid_t got = pids[i] > 0 ? wait4(pids[i], status, WUNTRACED | WNOHANG, usage) : 0;
            if (got < 0 && errno != EINTR)
                *status = 0;
            if (got > 0 || (got < 0 && errno != EINTR))
                return (int)i;
        }
        int64_t left = deadline - wait_now_ms();
        if (left <= 0)
            return -1;
        struct timespec wait = {left / 1000, left % 1000 * 1000000};
        sigtimedwait(&child, NULL, &wait);
    }
}

bool wait_for(pid_t pid, int64_t limit_ms, int *status, struct rusage *usage)
{
    return wait_any(&pid, 1, limit_ms, status, usage) == 0;
}

int wait_out(const struct machine *machine, const pid_t pids[PLAN_MOST_PARTS], const struct schedule *before,
             int64_t start, unsigned limit_ms, int *status, struct rusage *usage)
{
    int64_t left = limit_ms;
    do {
        struct schedule now;
        const int got = wait_any(pids, PLAN_MOST_PARTS, left, status, usage);
        if (got >= 0)
            return got;
        left = machine_schedule(machine, &now)
                   ? schedule_left_ms(before, &now, limit_ms, wait_now_ms() - start)
                   : 0;
    } while (left > 0);
    return -1;
}
