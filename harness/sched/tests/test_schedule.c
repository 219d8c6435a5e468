#include <criterion/criterion.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/sched/schedule.h"

enum { LIMIT = 1000 };

/* What is left after so many ms of which it ran and waited so many. */
static int64_t left(int64_t elapsed, uint64_t ran, uint64_t waited)
{
    const struct schedule before = {7000000, 9000000};
    const struct schedule now = {before.ran_ns + ran * 1000000, before.waited_ns + waited * 1000000};
    return schedule_left_ms(&before, &now, LIMIT, elapsed);
}

Test(schedule, what_runs_or_sleeps_has_one_limit)
{
    cr_expect_eq(left(400, 400, 0), 600);
    cr_expect_eq(left(1000, 1000, 0), 0);
    cr_expect_eq(left(1000, 1, 0), 0, "asleep");
    cr_expect_leq(left(1200, 1, 0), 0, "asleep");
}

Test(schedule, what_waits_for_the_cpu_gets_its_due)
{
    cr_expect_eq(left(1000, 250, 750), 750);
    cr_expect_eq(left(4000, 1000, 3000), 0, "it has run for all of it");
    cr_expect_eq(left(1000, 1, 300), 300, "asleep but for a part");
    cr_expect_eq(left(1000, 0, 0), 1000, "it has not had the CPU once");
    cr_expect_eq(left(3000, 100, 2000), 0, "asleep between");
}

Test(schedule, a_wait_is_not_for_ever)
{
    cr_expect_eq(left(4800, 50, 4700), 200);
    cr_expect_eq(left(5000, 50, 4950), 0);
    cr_expect_eq(left(5000, 0, 0), 0);
    cr_expect_leq(left(6000, 0, 0), 0);
}

Test(schedule, the_kernel_tells_of_this_process)
{
    struct schedule first, then;
    int fd = schedule_open(getpid());
    if (!schedule_read(fd, &first))
        cr_skip_test("this kernel has no /proc/PID/schedstat");
    for (volatile unsigned i = 0; i < 1000000; i++)
        ;
    cr_assert(schedule_read(fd, &then));
    cr_expect_geq(then.ran_ns, first.ran_ns);
    cr_expect_geq(then.waited_ns, first.waited_ns);
    close(fd);
    cr_expect_not(schedule_read(-1, &first));
}

/* In nanoseconds, not in ticks. */
Test(schedule, where_it_is_fine_a_short_run_of_a_process_is_told)
{
    struct schedule before, after;
    if (!schedule_is_fine())
        cr_skip_test("this kernel does not tell what a process has had of a CPU, or in ticks");
    const pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        for (volatile unsigned i = 0; i < 30000; i++) /* far less than a tick */
            ;
        raise(SIGSTOP);
        _exit(0);
    }
    const int fd = schedule_open(child);
    cr_assert_eq(waitpid(child, NULL, WUNTRACED), child);
    cr_assert(schedule_read(fd, &before));
    kill(child, SIGCONT);
    cr_assert_eq(waitpid(child, NULL, WUNTRACED), child);
    usleep(1000); /* on another CPU it may still be on its way to its stop */
    cr_assert(schedule_read(fd, &after));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(fd);
    cr_expect_gt(after.ran_ns, before.ran_ns);
    cr_expect_neq((after.ran_ns - before.ran_ns) % 1000000, 0, "%llu ns: that is whole milliseconds",
                  (unsigned long long)(after.ran_ns - before.ran_ns));
}
