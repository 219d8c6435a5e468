/* Two processes that want the same processor: how long one has to wait when it is the other's turn, and what
 * share it gets. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 10000 };

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(void)
{
    static double waits[MOST];
    int count = 0;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one)) {
        printf("skip processes may not choose their processor here\n");
        return 0;
    }
    const pid_t other = fork();
    for (; other == 0;)
        ;
    if (other < 0)
        return 1;
    const double begin = seconds(CLOCK_MONOTONIC), working = seconds(CLOCK_PROCESS_CPUTIME_ID);
    double last = begin;
    while (last < begin + 1) {
        const double now = seconds(CLOCK_MONOTONIC);
        if (now - last > 1e-4 && count < MOST)
            waits[count++] = now - last;
        last = now;
    }
    const double share = (seconds(CLOCK_PROCESS_CPUTIME_ID) - working) / (last - begin);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    if (!count)
        return 1;
    qsort(waits, (size_t)count, sizeof waits[0], rising);
    printf("waits %d\nmedian-wait-ms %.2f\nlongest-wait-ms %.2f\nshare %.2f\n", count, 1e3 * waits[count / 2],
           1e3 * waits[count - 1], share);
    return 0;
}
