/* The median by counting, loops from the other end, and nothing shared. */
#include "exercise.h"

struct summary summarize(const uint64_t values[RUNS])
{
    struct summary result = {0, 0};
    uint64_t low = values[0], high = values[0];
    for (int i = 0; i < RUNS; i++) {
        int below = 0, equal = 0;
        for (int k = 0; k < RUNS; k++) {
            below += values[k] < values[i];
            equal += values[k] == values[i];
        }
        if (below <= RUNS / 2 && below + equal > RUNS / 2)
            result.median = values[i];
        if (values[i] < low)
            low = values[i];
        if (values[i] > high)
            high = values[i];
    }
    result.spread = high - low;
    return result;
}

static uint64_t read(struct timer *timer)
{
    return timer->now(timer);
}

/* Wait for a move, then for the next. */
static uint64_t next_move(struct timer *timer, uint64_t *last)
{
    for (;;) {
        const uint64_t before = *last;
        *last = read(timer);
        if (*last > before)
            return *last - before;
    }
}

uint64_t clock_step(struct timer *timer)
{
    uint64_t last = read(timer), smallest = next_move(timer, &last);
    for (int i = STEPS - 1; i > 0; i--) {
        const uint64_t move = next_move(timer, &last);
        if (move < smallest)
            smallest = move;
    }
    return smallest;
}

uint64_t backward_steps(struct timer *timer)
{
    uint64_t all[READINGS], count = 0;
    for (int i = 0; i < READINGS; i++)
        all[i] = read(timer);
    for (int i = READINGS - 1; i > 0; i--)
        if (all[i - 1] > all[i])
            count++;
    return count;
}

/* The last reading of a run is the first one of the next. */
struct summary clock_cost(struct timer *timer)
{
    uint64_t costs[RUNS], edge = read(timer);
    for (int run = 0; run < RUNS; run++) {
        const uint64_t begin = edge;
        for (int left = READINGS; left > 0; left--)
            edge = read(timer);
        costs[run] = edge - begin;
    }
    return summarize(costs);
}

struct summary sleep_lateness(struct timer *timer, uint64_t ns)
{
    uint64_t late[RUNS];
    for (int run = 0; run < RUNS; run++) {
        const uint64_t end = read(timer) + ns;
        uint64_t now = read(timer);
        while (now < end) {
            timer->sleep_until(timer, end);
            now = read(timer);
        }
        late[run] = now - end;
    }
    return summarize(late);
}

/* Twice as long as has to be, and without a sleep for the last part. */
double counter_frequency(struct timer *timer)
{
    const uint64_t ticks = timer->ticks(timer), begin = read(timer);
    uint64_t end = begin;
    timer->sleep_until(timer, begin + 2 * CALIBRATION);
    while (end - begin < CALIBRATION) {
        end = read(timer);
        if (end - begin < CALIBRATION)
            timer->sleep_until(timer, begin + 2 * CALIBRATION);
    }
    const double passed = (double)(timer->ticks(timer) - ticks);
    return passed / ((double)(end - begin) / SECOND);
}

uint64_t wait_until(struct timer *timer, uint64_t when, uint64_t late)
{
    uint64_t now;
    while ((now = read(timer)) + late < when)
        timer->sleep_until(timer, when - late);
    while (now < when)
        now = read(timer);
    return now;
}
