/* What the kernel's scheduler did to a process: /proc/PID/schedstat. */
#ifndef CYCLELAB_SCHEDULE_H
#define CYCLELAB_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct schedule {
    uint64_t ran_ns;    /* on a CPU */
    uint64_t waited_ns; /* ready, but somebody else had the CPU */
};

#define NS_PER_S UINT64_C(1000000000)

/* What all threads of this process have had of the CPUs, in nanoseconds. */
uint64_t schedule_own_ns(void);

/* Keep the file open: reading it then costs about a microsecond. -1 where the
 * kernel does not tell. */
int schedule_open(pid_t pid);

/* False when fd is -1 or the process is gone. */
bool schedule_read(int fd, struct schedule *schedule);

/* Does the kernel tell what a process has had of a CPU in steps that are small beside a slice? Not where its
 * scheduler's clock is the timer tick. Takes as long as that tells, 50 ms at most. */
bool schedule_is_fine(void);

enum { SCHEDULE_MOST_LIMITS = 5 };

/* What is left of limit_ms to a process that was let run elapsed_ms ago, at `before`; 0 or less: nothing. The
 * time that it waited for a CPU is not taken from it, nor any while it has not had one at all, so that a
 * starved process gets its due; time that it slept is. After SCHEDULE_MOST_LIMITS times the limit nothing is
 * left. */
int64_t schedule_left_ms(const struct schedule *before, const struct schedule *now, int64_t limit_ms,
                         int64_t elapsed_ms);

#endif
