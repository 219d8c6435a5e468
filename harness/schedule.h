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

/* Keep the file open: reading it then costs about a microsecond. -1 where the
 * kernel does not tell. */
int schedule_open(pid_t pid);

/* False when fd is -1 or the process is gone. */
bool schedule_read(int fd, struct schedule *schedule);

#endif
