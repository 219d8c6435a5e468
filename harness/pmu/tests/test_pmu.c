#include <criterion/criterion.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "harness/pmu/pmu.h"

/* A played PMU: which events it has, how many counters, how its clock of groups runs. */
struct played {
    int refuses[PMU_EVENTS]; /* errno of open; 0: it opens */
    int counters;            /* events that fit at once; the groups that opened later wait */
    bool never_runs;
    bool stops_half_way; /* every group waits for half of the time */
    bool cuts_reads;
    bool refuses_control;
    int paranoid;  /* INT_MIN: cannot be read */
    uint64_t base; /* value of an event: base + its number */

    int opened, closed;
    struct {
        int leader;
        enum pmu_event event;
        bool enabled, has_room;
        uint64_t time_enabled, time_running;
    } fd[64];
};

static const struct {
    uint32_t type;
    uint64_t config;
} kernel_names[PMU_EVENTS] = {
    [PMU_CYCLES] = {PERF_TYPE_HARDWARE, 0},    [PMU_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, 1},
    [PMU_BRANCHES] = {PERF_TYPE_HARDWARE, 4},  [PMU_BRANCH_MISSES] = {PERF_TYPE_HARDWARE, 5},
    [PMU_L1D_LOADS] = {PERF_TYPE_HW_CACHE, 0}, [PMU_L1D_LOAD_MISSES] = {PERF_TYPE_HW_CACHE, 0x10000},
    [PMU_LLC_LOADS] = {PERF_TYPE_HW_CACHE, 2}, [PMU_LLC_LOAD_MISSES] = {PERF_TYPE_HW_CACHE, 0x10002},
};

static int play_open(void *context, uint32_t type, uint64_t config, pid_t pid, int group)
{
    struct played *played = context;
    cr_assert_eq(pid, 77);
    for (enum pmu_event event = 0; event < PMU_EVENTS; event++) {
        if (kernel_names[event].type != type || kernel_names[event].config != config)
            continue;
        if (played->refuses[event]) {
            errno = played->refuses[event];
            return -1;
        }
        int fd = played->opened++;
        played->fd[fd].event = event;
        played->fd[fd].leader = group < 0 ? fd : group;
        cr_assert_eq(played->fd[played->fd[fd].leader].leader, played->fd[fd].leader,
                     "groups have one level");
        return fd;
    }
    cr_assert_fail("an event that nobody knows: %u %lx", type, config);
    return -1;
}

/* Which enabled groups fit: first come, first served. */
static void play_schedule(struct played *played)
{
    int left = played->counters;
    for (int leader = 0; leader < played->opened; leader++) {
        int members = 0;
        if (played->fd[leader].leader != leader || !played->fd[leader].enabled)
            continue;
        for (int fd = 0; fd < played->opened; fd++)
            members += played->fd[fd].leader == leader;
        played->fd[leader].has_room = members <= left;
        if (played->fd[leader].has_room)
            left -= members;
    }
}

static int play_control(void *context, int fd, bool enable, bool reset)
{
    struct played *played = context;
    (void)reset;
    cr_assert_eq(played->fd[fd].leader, fd, "only leaders are controlled");
    if (played->refuses_control)
        return -1;
    if (!enable && played->fd[fd].enabled) { /* 1,000 ns went by */
        played->fd[fd].time_enabled += 1000;
        if (!played->never_runs && played->fd[fd].has_room)
            played->fd[fd].time_running += played->stops_half_way ? 500 : 1000;
    }
    played->fd[fd].enabled = enable;
    if (enable)
        play_schedule(played);
    return 0;
}

static long play_read(void *context, int leader, void *buffer, size_t size)
{
    struct played *played = context;
    uint64_t out[16];
    size_t n = 3;
    for (int fd = 0; fd < played->opened; fd++) {
        if (played->fd[fd].leader == leader)
            out[n++] = played->base + (uint64_t)played->fd[fd].event;
    }
    out[0] = n - 3;
    out[1] = played->fd[leader].time_enabled;
    out[2] = played->fd[leader].time_running;
    cr_assert(n * 8 <= size, "the kernel would refuse this buffer");
    memcpy(buffer, out, n * 8);
    return played->cuts_reads ? 8 : (long)(n * 8);
}

static void play_close(void *context, int fd)
{
    struct played *played = context;
    cr_assert(fd >= 0 && fd < played->opened);
    played->closed++;
}

static bool play_paranoid(void *context, int *level)
{
    struct played *played = context;
    *level = played->paranoid;
    return played->paranoid > -100;
}

static struct pmu_system play(struct played *played)
{
    *played = (struct played){.counters = 64, .paranoid = 2, .base = 1000};
    return (struct pmu_system){play_open, play_control, play_read, play_close, play_paranoid, played};
}

static bool run_once(struct pmu *pmu, struct pmu_count *count)
{
    pmu_start(pmu);
    pmu_stop(pmu);
    return pmu_read(pmu, count);
}

static unsigned how_many(const struct pmu_count *count)
{
    unsigned present = 0;
    for (size_t i = 0; i < PMU_EVENTS; i++)
        present += count->present[i];
    return present;
}

Test(pmu, all_events_count)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct pmu_count count;
    struct error err;
    struct pmu *pmu = pmu_open(&system, 77, NULL, &err);
    cr_assert_not_null(pmu);
    for (int round = 0; round < 3; round++) {
        cr_assert(run_once(pmu, &count));
        for (size_t i = 0; i < PMU_EVENTS; i++) {
            cr_expect(count.present[i], "%s", pmu_event_name((enum pmu_event)i));
            cr_expect_eq(count.value[i], 1000 + i);
        }
    }
    pmu_close(pmu);
    cr_expect_eq(played.opened, played.closed);
}

/* Index of the leader that counts an event; every pair that is divided must have one in common. */
static int leader_of(const struct played *played, enum pmu_event event)
{
    for (int fd = 0; fd < played->opened; fd++) {
        if (played->fd[fd].event == event)
            return played->fd[fd].leader;
    }
    return -1;
}

Test(pmu, what_is_divided_counts_together)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct error err;
    struct pmu *pmu = pmu_open(&system, 77, NULL, &err);
    cr_expect_eq(leader_of(&played, PMU_CYCLES), leader_of(&played, PMU_INSTRUCTIONS));
    cr_expect_eq(leader_of(&played, PMU_BRANCHES), leader_of(&played, PMU_BRANCH_MISSES));
    cr_expect_eq(leader_of(&played, PMU_L1D_LOADS), leader_of(&played, PMU_L1D_LOAD_MISSES));
    cr_expect_eq(leader_of(&played, PMU_LLC_LOADS), leader_of(&played, PMU_LLC_LOAD_MISSES));
    for (int fd = 0; fd < played.opened; fd++)
        cr_expect_eq(played.fd[played.fd[fd].leader].event, PMU_CYCLES, "cycles lead");
    pmu_close(pmu);
}

Test(pmu, missing_events_are_missing_and_not_zero)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct pmu_count count;
    struct error err;
    played.refuses[PMU_L1D_LOADS] = ENOENT;
    played.refuses[PMU_LLC_LOADS] = ENOENT;
    played.refuses[PMU_LLC_LOAD_MISSES] = ENOENT;
    struct pmu *pmu = pmu_open(&system, 77, NULL, &err);
    cr_assert_not_null(pmu);
    cr_assert(run_once(pmu, &count));
    cr_expect_not(count.present[PMU_L1D_LOADS]);
    cr_expect_not(count.present[PMU_LLC_LOADS]);
    cr_expect_not(count.present[PMU_LLC_LOAD_MISSES]);
    cr_expect(count.present[PMU_L1D_LOAD_MISSES]);
    cr_expect_eq(count.value[PMU_L1D_LOAD_MISSES], 1000 + PMU_L1D_LOAD_MISSES);
    cr_expect_eq(how_many(&count), 5);
    pmu_close(pmu);
    cr_expect_eq(played.opened, played.closed);
}

Test(pmu, too_few_counters_make_groups_take_turns)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct pmu_count count;
    struct pmu_count all = {0};
    struct error err;
    played.counters = 4;
    struct pmu *pmu = pmu_open(&system, 77, NULL, &err);
    cr_assert(run_once(pmu, &count), "the first group had room");
    cr_expect_eq(how_many(&count), 2);
    cr_expect(count.present[PMU_CYCLES] && count.present[PMU_INSTRUCTIONS]);
    static const enum pmu_event expected[] = {PMU_INSTRUCTIONS, PMU_BRANCH_MISSES, PMU_L1D_LOAD_MISSES,
                                              PMU_LLC_LOAD_MISSES, PMU_INSTRUCTIONS};
    for (size_t i = 0; i < 5; i++) {
        cr_assert(run_once(pmu, &count));
        cr_expect(count.present[PMU_CYCLES]);
        cr_expect(count.present[expected[i]], "run %zu", i);
        cr_expect_leq(how_many(&count), 3);
        pmu_merge(&all, &count);
    }
    cr_expect_eq(how_many(&all), PMU_EVENTS);
    cr_expect_eq(all.value[PMU_BRANCHES], 1000 + PMU_BRANCHES);
    pmu_close(pmu);
}

/* As a check does, which opens one for each slice. */
Test(pmu, turns_go_on_from_one_that_is_closed_to_the_next)
{
    struct pmu_turn turn = {0};
    struct pmu_count count, all = {0};
    struct error err;
    for (size_t slice = 0; slice < 5; slice++) {
        struct played played;
        struct pmu_system system = play(&played);
        played.counters = 4;
        struct pmu *pmu = pmu_open(&system, 77, &turn, &err);
        cr_assert(run_once(pmu, &count), "slice %zu", slice);
        pmu_merge(&all, &count);
        pmu_close(pmu);
    }
    cr_expect_eq(how_many(&all), PMU_EVENTS);
}

Test(pmu, half_the_time_is_no_count)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct pmu_count count;
    struct error err;
    played.stops_half_way = true;
    struct pmu *pmu = pmu_open(&system, 77, NULL, &err);
    for (int round = 0; round < 5; round++) {
        cr_expect_not(run_once(pmu, &count));
        cr_expect_eq(how_many(&count), 0);
    }
    played.stops_half_way = false;
    cr_expect(run_once(pmu, &count), "times are taken since the start: what was lost before does not matter");
    pmu_close(pmu);
}

Test(pmu, a_group_that_never_ran_is_no_count)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct pmu_count count;
    struct error err;
    played.never_runs = true;
    struct pmu *pmu = pmu_open(&system, 77, NULL, &err);
    cr_expect_not(run_once(pmu, &count));
    cr_expect_eq(how_many(&count), 0);
    pmu_close(pmu);
}

Test(pmu, never_enabled_is_no_count)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct pmu_count count;
    struct error err;
    struct pmu *pmu = pmu_open(&system, 77, NULL, &err);
    cr_expect_not(pmu_read(pmu, &count), "it was not started");
    played.refuses_control = true;
    cr_expect_not(run_once(pmu, &count));
    played.refuses_control = false;
    played.cuts_reads = true;
    cr_expect_not(run_once(pmu, &count));
    played.cuts_reads = false;
    pmu_start(pmu);
    pmu_stop(pmu);
    played.cuts_reads = true;
    cr_expect_not(pmu_read(pmu, &count));
    pmu_close(pmu);
}

static void expect_refusal(int error, int paranoid, const char *word)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct error err = {""};
    for (size_t i = 0; i < PMU_EVENTS; i++)
        played.refuses[i] = error;
    played.paranoid = paranoid;
    cr_expect_null(pmu_open(&system, 77, NULL, &err));
    cr_expect_not_null(strstr(err.text, word), "no \"%s\" in: %s", word, err.text);
    cr_expect_eq(played.opened, played.closed);
}

Test(pmu, a_refusal_says_why)
{
    expect_refusal(EACCES, 4, "perf_event_paranoid is 4");
    expect_refusal(EACCES, 3, "sudo sysctl kernel.perf_event_paranoid=2");
    expect_refusal(EPERM, 2, "seccomp");
    expect_refusal(EPERM, -200, "seccomp");
    expect_refusal(ENOENT, 2, "virtual machine");
    expect_refusal(EOPNOTSUPP, 2, "virtual machine");
    expect_refusal(ENOSYS, 2, "perf_event_open");
    expect_refusal(ESRCH, 2, "gone");
    expect_refusal(EMFILE, 2, strerror(EMFILE));
}

Test(pmu, no_cycles_is_no_pmu)
{
    struct played played;
    struct pmu_system system = play(&played);
    struct error err = {""};
    played.refuses[PMU_CYCLES] = ENOENT;
    cr_expect_null(pmu_open(&system, 77, NULL, &err));
    cr_expect_not_null(strstr(err.text, "virtual machine"), "%s", err.text);
    cr_expect_eq(played.opened, played.closed, "instructions were opened, and closed");
}

Test(pmu, close_of_nothing)
{
    pmu_close(NULL);
}

Test(pmu, names)
{
    cr_expect_str_eq(pmu_event_name(PMU_CYCLES), "cycles");
    cr_expect_str_eq(pmu_event_name(PMU_LLC_LOAD_MISSES), "llc-load-misses");
    cr_expect_str_eq(tier_name(TIER_PMU), "pmu");
    cr_expect_str_eq(tier_name(TIER_CALIBRATED), "calibrated");
    cr_expect_str_eq(tier_name(TIER_CLOCK), "clock");
}

/* The real system calls: what must hold whether this machine has a PMU or not. A software event always
 * counts. */
Test(pmu, linux_counts_a_software_event)
{
    uint64_t reading[4] = {0};
    int fd = pmu_linux.open(NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, -1);
    if (fd < 0)
        cr_skip_test("perf_event_open is forbidden here");
    cr_expect_eq(pmu_linux.control(NULL, fd, true, true), 0);
    for (volatile int i = 0; i < 100000; i++)
        ;
    cr_expect_eq(pmu_linux.control(NULL, fd, false, false), 0);
    cr_expect_eq(pmu_linux.read(NULL, fd, reading, sizeof reading), (long)sizeof reading);
    cr_expect_eq(reading[0], 1);
    cr_expect_gt(reading[1], 0);
    cr_expect_eq(reading[1], reading[2]);
    pmu_linux.close(NULL, fd);
    cr_expect_lt(pmu_linux.control(NULL, fd, true, true), 0, "a closed descriptor");
}

Test(pmu, linux_opens_or_says_why)
{
    struct error err = {""};
    struct pmu *pmu = pmu_open(&pmu_linux, 0, NULL, &err);
    if (!pmu)
        cr_expect_gt(strlen(err.text), 20);
    pmu_close(pmu);
    int level;
    if (!pmu_linux.paranoid(NULL, &level))
        cr_skip_test("perf_event_paranoid cannot be read here");
    cr_expect(level >= -1 && level <= 10);
}
