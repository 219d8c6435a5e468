/* The real system calls behind a PMU group. */
#include "harness/pmu/pmu.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int linux_open(void *context, uint32_t type, uint64_t config, pid_t pid, int group)
{
    (void)context;
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.type = type;
    attr.size = sizeof attr;
    attr.config = config;
    attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.disabled = group < 0; /* the members follow their leader */
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, pid, -1, group, PERF_FLAG_FD_CLOEXEC);
}

static int linux_control(void *context, int fd, bool enable, bool reset)
{
    (void)context;
    if (reset && ioctl(fd, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP) != 0)
        return -1;
    return ioctl(fd, enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}

static long linux_read(void *context, int fd, void *buffer, size_t size)
{
    (void)context;
    return read(fd, buffer, size);
}

static void linux_close(void *context, int fd)
{
    (void)context;
    close(fd);
}

static bool linux_paranoid(void *context, int *level)
{
    (void)context;
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    if (file == NULL)
        return false;
    bool known = fscanf(file, "%d", level) == 1;
    fclose(file);
    return known;
}

const struct pmu_system pmu_linux = {
    .open = linux_open,
    .control = linux_control,
    .read = linux_read,
    .close = linux_close,
    .paranoid = linux_paranoid,
};
