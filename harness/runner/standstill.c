#include "harness/runner/standstill.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>

#include "harness/base/draw.h"
#include "harness/runner/wait.h"

enum {
    MOST_NS = 150 * 1000, /* the longest time between two standstills */
    LOOK_NS = 10 * 1000,  /* how soon the other part is looked for, and how often at least */
    LOOK_MOST_NS = 1000 * 1000,
    WAITS_NS = 200 * 1000 * 1000, /* of CPUs: a part takes some ten ms at most */
    GIVE_UP_MS = 3000,            /* where it does not get its CPU: nothing is known then */
};

/* For so long, or until a process of ours stops or ends. */
static void sleep_ns(int64_t ns)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigtimedwait(&child, NULL, &(struct timespec){ns / 1000000000, ns % 1000000000});
}

static uint32_t arrived(const struct arena *arena, unsigned part)
{
    return __atomic_load_n(&arena_part_status(arena, part)->arrived, __ATOMIC_ACQUIRE);
}

/* What both have run; `otherwise` where the kernel does not tell. */
static uint64_t ran_ns(const struct machine *machine, uint64_t otherwise)
{
    struct schedule schedule = {0};
    return machine_schedule(machine, &schedule) ? schedule.ran_ns : otherwise;
}

enum progress { GOES_ON, STUCK, UNKNOWN /* it gets no CPU */ };

/* Until part `part` has been at more meetings than so many, has stopped or ended (*got, or -1), or did not
 * get there in a long time of CPUs. */
static enum progress look_on(const struct machine *machine, const struct arena *arena, const pid_t *pids,
                             unsigned part, uint32_t meetings, int *got, int *status, struct rusage *usage)
{
    const pid_t alone[PLAN_MOST_PARTS] = {[0] = part == 0 ? pids[0] : 0, [1] = part == 1 ? pids[1] : 0};
    const uint64_t before = ran_ns(machine, 0);
    const int64_t begin = wait_now_ms();
    for (int64_t look = LOOK_NS; arrived(arena, part) <= meetings; look *= look < LOOK_MOST_NS ? 2 : 1) {
        *got = wait_any(alone, PLAN_MOST_PARTS, 0, status, usage);
        if (*got >= 0)
            return GOES_ON;
        if (ran_ns(machine, before) - before > WAITS_NS)
            return STUCK;
        if (wait_now_ms() - begin > GIVE_UP_MS)
            return UNKNOWN;
        sleep_ns(look);
    }
    return GOES_ON;
}

/* A process that we have stopped: has it come to its end before that? */
static bool is_over(const struct arena *arena, unsigned part, int status)
{
    return !WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP ||
           __atomic_load_n(&arena_part_status(arena, part)->state, __ATOMIC_ACQUIRE) == PLAN_DONE;
}

int standstill_wait_out(const struct machine *machine, const struct arena *arena,
                        const pid_t pids[PLAN_MOST_PARTS], const struct schedule *before, int64_t start,
                        unsigned limit_ms, int *status, struct rusage *usage, int *waits)
{
    uint64_t seed = (uint64_t)wait_now_ms();
    struct draw draw;
    *waits = -1;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) < 0)
        seed ^= (uint64_t)pids[0];
    draw_begin(&draw, seed);
    prctl(PR_SET_TIMERSLACK, 1);
    while (pids[0] > 0 && pids[1] > 0 && wait_now_ms() - start < limit_ms) {
        sleep_ns((int64_t)draw_below(&draw, MOST_NS));
        int got = wait_any(pids, PLAN_MOST_PARTS, 0, status, usage);
        if (got >= 0)
            return got;
        const unsigned still = (unsigned)draw_below(&draw, PLAN_MOST_PARTS);
        kill(pids[still], SIGSTOP);
        if (!wait_for(pids[still], GIVE_UP_MS, status, usage)) {
            kill(pids[still], SIGCONT);
            break;
        }
        if (is_over(arena, still, *status))
            return (int)still;
        const unsigned other = 1 - still;
        const enum progress seen =
            look_on(machine, arena, pids, other, arrived(arena, still), &got, status, usage);
        const uint32_t meetings = arrived(arena, other);
        kill(pids[still], SIGCONT);
        /* And now, or is it an endless loop? */
        if (seen == STUCK && look_on(machine, arena, pids, other, meetings, &got, status, usage) == GOES_ON &&
            got < 0) {
            *waits = (int)other;
            return -1;
        }
        if (got >= 0)
            return got;
        if (seen != GOES_ON)
            break;
    }
    return wait_out(machine, pids, before, start, limit_ms, status, usage);
}
