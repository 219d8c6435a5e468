/* Exercise 16, second file to edit: what a clock is good for. timer->now(timer) reads the clock. */
#include "exercise.h"

struct summary summarize(const uint64_t values[RUNS])
{
    (void)values;
    return (struct summary){0, 0}; /* not done yet */
}

uint64_t clock_step(struct timer *timer)
{
    (void)timer;
    return 0; /* not done yet */
}

uint64_t backward_steps(struct timer *timer)
{
    (void)timer;
    return 0; /* not done yet */
}

struct summary clock_cost(struct timer *timer)
{
    (void)timer;
    return (struct summary){0, 0}; /* not done yet */
}

struct summary sleep_lateness(struct timer *timer, uint64_t ns)
{
    (void)timer;
    (void)ns;
    return (struct summary){0, 0}; /* not done yet */
}

double counter_frequency(struct timer *timer)
{
    (void)timer;
    return 0; /* not done yet */
}

uint64_t wait_until(struct timer *timer, uint64_t when, uint64_t late)
{
    (void)timer;
    (void)when;
    (void)late;
    return 0; /* not done yet */
}
