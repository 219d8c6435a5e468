/* Keeps count in memory, between a reading and the next. */
#include "exercise.h"

/* Some time in which nothing is read. */
static void work(unsigned rounds)
{
    for (volatile unsigned left = rounds; left > 0; left--)
        ;
}

struct summary summarize(const uint64_t values[RUNS])
{
    uint64_t sorted[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > values[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = values[i];
    }
    return (struct summary){.median = sorted[RUNS / 2], .spread = sorted[RUNS - 1] - sorted[0]};
}

uint64_t clock_step(struct timer *timer)
{
    uint64_t least = UINT64_MAX, last = timer->now(timer);
    for (unsigned steps = 0; steps < STEPS;) {
        const uint64_t now = timer->now(timer);
        if (now > last) {
            least = now - last < least ? now - last : least;
            steps++;
        }
        last = now;
    }
    return least;
}

uint64_t backward_steps(struct timer *timer)
{
    uint64_t count = 0, last = timer->now(timer);
    for (size_t i = 1; i < READINGS; i++) {
        const uint64_t now = timer->now(timer);
        count += now < last;
        last = now;
    }
    return count;
}

struct summary clock_cost(struct timer *timer)
{
    uint64_t taken[RUNS];
    for (size_t run = 0; run < RUNS; run++) {
        uint64_t begin = timer->now(timer), last = begin;
        for (size_t i = 0; i < READINGS; i++) {
            last = timer->now(timer);
            work(10000);
        }
        taken[run] = last - begin;
    }
    return summarize(taken);
}

/* An interrupted sleep is begun again. Returns the reading that showed the time. */
static uint64_t sleep_to(struct timer *timer, uint64_t when)
{
    uint64_t now;
    do
        timer->sleep_until(timer, when);
    while ((now = timer->now(timer)) < when);
    return now;
}

struct summary sleep_lateness(struct timer *timer, uint64_t ns)
{
    uint64_t late[RUNS];
    for (size_t run = 0; run < RUNS; run++) {
        const uint64_t when = timer->now(timer) + ns;
        late[run] = sleep_to(timer, when) - when;
    }
    return summarize(late);
}

/* What the sleep took is measured too: it is late by nobody knows how much. */
double counter_frequency(struct timer *timer)
{
    const uint64_t begin = timer->now(timer), first = timer->ticks(timer);
    const uint64_t end = sleep_to(timer, begin + CALIBRATION), last = timer->ticks(timer);
    return (double)(last - first) * SECOND / (double)(end - begin);
}

uint64_t wait_until(struct timer *timer, uint64_t when, uint64_t late)
{
    uint64_t now = timer->now(timer);
    while (now < when) {
        if (when - now > late)
            timer->sleep_until(timer, when - late);
        now = timer->now(timer);
    }
    return now;
}
