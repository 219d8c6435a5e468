#include "harness/pmu/pmu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS  4
#define MEMBERS 3

#define CACHE(cache, result)                                                                                 \
    (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 |                                        \
     PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* To add a row: a name as reports show it, and the kernel's type and number for it. */
static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
} events[PMU_EVENTS] = {
    [PMU_CYCLES] = {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    [PMU_INSTRUCTIONS] = {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    [PMU_BRANCHES] = {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    [PMU_BRANCH_MISSES] = {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    [PMU_L1D_LOADS] = {"l1d-loads", PERF_TYPE_HW_CACHE, CACHE(L1D, ACCESS)},
    [PMU_L1D_LOAD_MISSES] = {"l1d-load-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, MISS)},
    [PMU_LLC_LOADS] = {"llc-loads", PERF_TYPE_HW_CACHE, CACHE(LL, ACCESS)},
    [PMU_LLC_LOAD_MISSES] = {"llc-load-misses", PERF_TYPE_HW_CACHE, CACHE(LL, MISS)},
};

/* Who counts together: each with cycles, and small enough for four counters. PMU_EVENTS: nothing here. */
static const enum pmu_event layout[GROUPS][MEMBERS] = {
    {PMU_CYCLES, PMU_INSTRUCTIONS, PMU_EVENTS},
    {PMU_CYCLES, PMU_BRANCHES, PMU_BRANCH_MISSES},
    {PMU_CYCLES, PMU_L1D_LOADS, PMU_L1D_LOAD_MISSES},
    {PMU_CYCLES, PMU_LLC_LOADS, PMU_LLC_LOAD_MISSES},
};

struct group {
    size_t members; /* that could be opened; the first one leads */
    enum pmu_event event[MEMBERS];
    int fd[MEMBERS];
    uint64_t enabled, running; /* times at the last start: a reset leaves them as they are */
    bool known;                /* those two were read */
};

struct pmu {
    struct pmu_system system;
    struct group group[GROUPS];
    size_t groups;
    int refusal; /* errno of the first cycle counter that could not be opened */
    struct pmu_turn own, *turn;
};

/* What the kernel fills in for a group's read_format. */
struct reading {
    uint64_t members, enabled, running, value[MEMBERS];
};

const char *pmu_event_name(enum pmu_event event)
{
    return events[event].name;
}

const char *tier_name(enum tier tier)
{
    static const char *const names[] = {
        [TIER_PMU] = "pmu", [TIER_CALIBRATED] = "calibrated", [TIER_CLOCK] = "clock"};
    return names[tier];
}

void pmu_merge(struct pmu_count *all, const struct pmu_count *some)
{
    for (size_t i = 0; i < PMU_EVENTS; i++) {
        if (some->present[i]) {
            all->present[i] = true;
            all->value[i] = some->value[i];
        }
    }
}

static void explain(const struct pmu_system *system, int error, struct error *err)
{
    int level;
    switch (error) {
    case EACCES:
    case EPERM:
        if (system->paranoid && system->paranoid(system->context, &level) && level > 2)
            error_set(
                err,
                "counting is forbidden here: kernel.perf_event_paranoid is %d, and 2 or less is needed. "
                "Allow it with: sudo sysctl kernel.perf_event_paranoid=2",
                level);
        else
            error_set(
                err,
                "counting is forbidden here (%s), though not by kernel.perf_event_paranoid: a container's "
                "seccomp filter often is the reason. Try outside of it, or with CAP_PERFMON",
                strerror(error));
        break;
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        error_set(err,
                  "this machine shows no performance counters (PMU) to the kernel: it likely is a virtual "
                  "machine. Use real hardware, or have the hypervisor pass the PMU through");
        break;
    case ENOSYS:
        error_set(err,
                  "this kernel has no perf_event_open (or an emulator such as qemu-user stands in for it): "
                  "run natively, on a kernel with CONFIG_PERF_EVENTS");
        break;
    case ESRCH:
        error_set(err, "the process to count is gone");
        break;
    default:
        error_set(err, "the cycle counter could not be opened: %s", strerror(error));
    }
}

/* Open what can be opened of a group, and keep it if that is more than the first group has anyway. */
static void open_group(struct pmu *pmu, size_t which, pid_t pid)
{
    struct group *group = &pmu->group[pmu->groups];
    *group = (struct group){0};
    for (size_t i = 0; i < MEMBERS && layout[which][i] != PMU_EVENTS; i++) {
        enum pmu_event event = layout[which][i];
        int leader = group->members ? group->fd[0] : -1;
        int fd = pmu->system.open(pmu->system.context, events[event].type, events[event].config, pid, leader);
        if (fd < 0) {
            if (event == PMU_CYCLES && pmu->refusal == 0)
                pmu->refusal = errno;
            continue;
        }
        group->event[group->members] = event;
        group->fd[group->members++] = fd;
    }
    bool useful = group->members > 0 && (which == 0 || group->event[group->members - 1] != PMU_CYCLES);
    if (useful) {
        pmu->groups++;
        return;
    }
    for (size_t i = group->members; i-- > 0;)
        pmu->system.close(pmu->system.context, group->fd[i]);
}

struct pmu *pmu_open(const struct pmu_system *system, pid_t pid, struct pmu_turn *turn, struct error *err)
{
    struct pmu *pmu = calloc(1, sizeof *pmu);
    if (!pmu) {
        error_set(err, "no memory for the counters");
        return NULL;
    }
    pmu->system = *system;
    pmu->turn = turn ? turn : &pmu->own;
    for (size_t i = 0; i < GROUPS; i++) {
        open_group(pmu, i, pid);
        if (pmu->groups == 0 || pmu->group[0].event[0] != PMU_CYCLES) {
            explain(system, pmu->refusal, err);
            pmu_close(pmu);
            return NULL;
        }
    }
    return pmu;
}

static bool counts_now(const struct pmu *pmu, size_t group)
{
    return !pmu->turn->taken || group == pmu->turn->whose % pmu->groups;
}

static bool take_reading(const struct pmu *pmu, const struct group *group, struct reading *reading)
{
    long wanted = (long)((3 + group->members) * sizeof(uint64_t));
    long got = pmu->system.read(pmu->system.context, group->fd[0], reading, sizeof *reading);
    return got == wanted && reading->members == group->members;
}

void pmu_start(struct pmu *pmu)
{
    if (pmu->turn->taken)
        pmu->turn->whose = (pmu->turn->whose + 1) % pmu->groups;
    for (size_t i = 0; i < pmu->groups; i++) {
        struct group *group = &pmu->group[i];
        struct reading before;
        group->known = false;
        if (!counts_now(pmu, i) || !take_reading(pmu, group, &before))
            continue;
        group->enabled = before.enabled;
        group->running = before.running;
        group->known = pmu->system.control(pmu->system.context, group->fd[0], true, true) >= 0;
    }
}

void pmu_stop(struct pmu *pmu)
{
    for (size_t i = pmu->groups; i-- > 0;) {
        if (pmu->group[i].known)
            pmu->system.control(pmu->system.context, pmu->group[i].fd[0], false, false);
    }
}

/* Did this group count all the time since the last start? */
static bool read_group(struct pmu *pmu, const struct group *group, struct pmu_count *count)
{
    struct reading now;
    if (!take_reading(pmu, group, &now))
        return false;
    uint64_t enabled = now.enabled - group->enabled;
    uint64_t running = now.running - group->running;
    if (enabled == 0 || running != enabled)
        return false;
    for (size_t i = 0; i < group->members; i++) {
        if (count->present[group->event[i]])
            continue; /* cycles, from a group before */
        count->present[group->event[i]] = true;
        count->value[group->event[i]] = now.value[i];
    }
    return true;
}

bool pmu_read(struct pmu *pmu, struct pmu_count *count)
{
    bool any = false;
    bool all = true;
    *count = (struct pmu_count){0};
    for (size_t i = 0; i < pmu->groups; i++) {
        if (!pmu->group[i].known)
            continue;
        bool full = read_group(pmu, &pmu->group[i], count);
        any = any || full;
        all = all && full;
    }
    if (!all && pmu->groups > 1 && !pmu->turn->taken) {
        pmu->turn->taken = true;
        pmu->turn->whose = pmu->groups - 1; /* the next start begins with the first */
    }
    return any;
}

void pmu_close(struct pmu *pmu)
{
    if (!pmu)
        return;
    for (size_t i = 0; i < pmu->groups; i++) {
        for (size_t j = pmu->group[i].members; j-- > 0;)
            pmu->system.close(pmu->system.context, pmu->group[i].fd[j]);
    }
    free(pmu);
}
