#include "harness/schedule.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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
