#include "harness/sched/placement.h"
#include "harness/base/progress.h"
#include "harness/sched/topology.h"

#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { IDLE_SAMPLE_MS = 40, DEFAULT_CACHE_MIB = 32, PRIORITY = -20 };

/* Idle time of each CPU so far, in the kernel's ticks. */
static void read_idle(uint64_t *idle, size_t cpus)
{
    char line[512];
    FILE *stat = fopen("/proc/stat", "re");
    memset(idle, 0, cpus * sizeof *idle);
    while (stat && fgets(line, sizeof line, stat)) {
        unsigned cpu;
        unsigned long long user, nice, system, rest;
        if (sscanf(line, "cpu%u %llu %llu %llu %llu", &cpu, &user, &nice, &system, &rest) == 5 && cpu < cpus)
            idle[cpu] = rest;
    }
    if (stat)
        fclose(stat);
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

enum { PAIR = CPU_SETSIZE }; /* the lock of those who want two CPUs */

/* A name in the abstract socket space: it is gone with the process, leaves no file, and holds for all users.
 */
static int lock_cpu(int cpu)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "cyclelab-cpu-%d", cpu);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address,
                        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Where sessions share the CPUs (autogroups), priority counts within a session only, and a session has one of
 * its own. */
void placement_favour(void)
{
    if (getpriority(PRIO_PROCESS, 0) != PRIORITY)
        return;
    int fd = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    dprintf(fd, "%d", PRIORITY);
    close(fd);
}

void placement_take(struct placement *placement, unsigned wait_seconds)
{
    uint64_t before[CPU_SETSIZE], after[CPU_SETSIZE];

    *placement = (struct placement){.cpu = -1, .second = -1, .lock = -1, .second_lock = -1, .pair_lock = -1};
    if (sched_getaffinity(0, sizeof placement->inherited, &placement->inherited) != 0)
        return;
    for (unsigned waited = 0;; waited++) {
        bool tried[CPU_SETSIZE] = {false};
        read_idle(before, CPU_SETSIZE);
        sleep_ms(IDLE_SAMPLE_MS);
        read_idle(after, CPU_SETSIZE);
        for (;;) {
            int best = -1; /* the last one of the idlest: the first CPU takes most interrupts */
            for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
                if (CPU_ISSET((size_t)cpu, &placement->inherited) && !tried[cpu] &&
                    (best < 0 || after[cpu] - before[cpu] >= after[best] - before[best]))
                    best = cpu;
            if (best < 0)
                break;
            if (placement->cpu < 0)
                placement->cpu = best;
            tried[best] = true;
            placement->lock = lock_cpu(best);
            if (placement->lock >= 0) {
                placement->cpu = best;
                break;
            }
        }
        if (placement->lock >= 0 || waited >= wait_seconds)
            break;
        progress("waiting for another check to end");
        sleep_ms(1000 - IDLE_SAMPLE_MS);
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)placement->cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        placement->cpu = -1;
    placement->nice_before = getpriority(PRIO_PROCESS, 0);
    placement->priority = setpriority(PRIO_PROCESS, 0, PRIORITY) == 0;
}

/* Are they hardware threads of one core? False where that is not known. */
static bool same_core(hwloc_topology_t topology, int a, int b)
{
    hwloc_obj_t first = hwloc_get_pu_obj_by_os_index(topology, (unsigned)a),
                other = hwloc_get_pu_obj_by_os_index(topology, (unsigned)b);
    if (!first || !other)
        return false;
    return hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, first) ==
           hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, other);
}

/* The last one of the mask, on another core if there is one. */
static int second_of(const struct placement *placement)
{
    hwloc_topology_t topology;
    const bool known = topology_load(&topology);
    int beside = -1, best = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (cpu == placement->cpu || !CPU_ISSET((size_t)cpu, &placement->inherited))
            continue;
        if (known && same_core(topology, cpu, placement->cpu))
            beside = cpu;
        else
            best = cpu;
    }
    if (known)
        hwloc_topology_destroy(topology);
    return best >= 0 ? best : beside;
}

/* Until it is there, or the time is over: -1. */
static int wait_for_lock(int cpu, unsigned wait_seconds)
{
    for (unsigned waited = 0;; waited++) {
        const int lock = lock_cpu(cpu);
        if (lock >= 0 || waited >= wait_seconds)
            return lock;
        progress("waiting for another check to end");
        sleep_ms(1000);
    }
}

void placement_take_two(struct placement *placement, unsigned wait_seconds)
{
    const int pair = wait_for_lock(PAIR, wait_seconds);
    placement_take(placement, wait_seconds);
    placement->pair_lock = pair;
    if (placement->cpu < 0)
        return;
    placement->second = second_of(placement);
    if (placement->second >= 0)
        placement->second_lock = wait_for_lock(placement->second, wait_seconds);
}

static void unlock(int *lock)
{
    if (*lock >= 0)
        close(*lock);
    *lock = -1;
}

void placement_release(struct placement *placement)
{
    if (placement->priority)
        setpriority(PRIO_PROCESS, 0, placement->nice_before);
    if (placement->cpu >= 0)
        sched_setaffinity(0, sizeof placement->inherited, &placement->inherited);
    unlock(&placement->lock);
    unlock(&placement->second_lock);
    unlock(&placement->pair_lock);
}

unsigned placement_cpus(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

size_t placement_cache_bytes(void)
{
    hwloc_topology_t topology;
    uint64_t largest = 0;
    if (topology_load(&topology)) {
        for (hwloc_obj_type_t type = HWLOC_OBJ_L1CACHE; type <= HWLOC_OBJ_L5CACHE; type++) {
            hwloc_obj_t cache = hwloc_get_next_obj_by_type(topology, type, NULL);
            if (cache && cache->attr->cache.size > largest)
                largest = cache->attr->cache.size;
        }
        hwloc_topology_destroy(topology);
    }
    return largest ? (size_t)largest : (size_t)DEFAULT_CACHE_MIB << 20;
}
