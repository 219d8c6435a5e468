/* perf_event groups on the process that runs student code: user mode only, believed only if they counted all
 * the time. A counter that is not there is not there: never 0. */
#ifndef CYCLELAB_PMU_H
#define CYCLELAB_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "harness/base/error.h"

enum pmu_event {
    PMU_CYCLES,
    PMU_INSTRUCTIONS,
    PMU_BRANCHES,
    PMU_BRANCH_MISSES,
    PMU_L1D_LOADS,
    PMU_L1D_LOAD_MISSES,
    PMU_LLC_LOADS,
    PMU_LLC_LOAD_MISSES,
    PMU_EVENTS
};

/* Name as in reports ("cycles", "branch-misses", ...). */
const char *pmu_event_name(enum pmu_event event);

struct pmu_count {
    bool present[PMU_EVENTS];
    uint64_t value[PMU_EVENTS];
};

/* Take over into `all` what is present in `some`. */
void pmu_merge(struct pmu_count *all, const struct pmu_count *some);

/* The system calls behind a group, so that a test can play a PMU which this machine lacks. open and control
 * return a negative number and set errno when they fail; group is the leader's descriptor, or -1 for a
 * leader. */
struct pmu_system {
    int (*open)(void *context, uint32_t type, uint64_t config, pid_t pid, int group);
    int (*control)(void *context, int fd, bool enable, bool reset);
    long (*read)(void *context, int fd, void *buffer, size_t size);
    void (*close)(void *context, int fd);
    bool (*paranoid)(void *context,
                     int *level); /* kernel.perf_event_paranoid; false where it cannot be read */
    void *context;
};
extern const struct pmu_system pmu_linux;

struct pmu;

/* Whose turn it is, where there is no room for all groups at once. */
struct pmu_turn {
    bool taken;
    unsigned long whose;
};

/* Open what there is of the events on `pid` (0: the calling thread) in groups, each with cycles and with what
 * is divided by each other: instructions; branches and their misses; L1D loads and misses; LLC loads and
 * misses. NULL with err (naming perf_event_paranoid where that is the reason) if not even cycles can be
 * counted.
 *
 * A PMU has some four to six counters, too few for all groups at once, and the kernel's sharing of them in
 * turns is an estimate. So the groups count together as long as there is room; once one had to wait, one
 * group counts a run, each in its turn. So what is present may differ from run to run: take each count as it
 * is, and pmu_merge where one of each is enough. `turn` (NULL: its own) outlives it, for who opens one for
 * each run: all zeros before the first. */
struct pmu *pmu_open(const struct pmu_system *system, pid_t pid, struct pmu_turn *turn, struct error *err);
void pmu_start(struct pmu *pmu); /* reset and enable */
void pmu_stop(struct pmu *pmu);  /* disable */

/* The counts since pmu_start, of the groups that counted all the time (time_running == time_enabled, and not
 * 0). False, and nothing present, when there is no such group. */
bool pmu_read(struct pmu *pmu, struct pmu_count *count);
void pmu_close(struct pmu *pmu); /* NULL is allowed */

/* What evidence this machine can give. */
enum tier { TIER_PMU, TIER_CALIBRATED, TIER_CLOCK };
const char *tier_name(enum tier tier);

#endif
