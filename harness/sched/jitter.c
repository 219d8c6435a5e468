#include "harness/sched/jitter.h"

#include <time.h>

#include "harness/sched/schedule.h"

enum {
    LEAST_PERIOD = 4000000, /* a host's ticks, 250 or 1000 a second, divide it as well */
    LEAST_PERIODS = 6,
    LEAST_GAP = 2000, /* ns: far more than to read the clock twice */
    MOST_GAPS = 8192, /* with more there is nothing to tell from the rest */
    LEARNT_FOR = 1000000000,
};

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * (int64_t)NS_PER_S + time.tv_nsec;
}

static size_t part_of(int64_t at, int64_t period)
{
    return (size_t)(at % period * JITTER_PARTS / period);
}

void jitter_conclude(struct jitter *jitter, int64_t begin, int64_t period, unsigned periods,
                     const struct jitter_gap *gaps, size_t count)
{
    unsigned hits[JITTER_PARTS] = {0};
    int64_t last[JITTER_PARTS]; /* the period in which it was hit last */
    for (size_t part = 0; part < JITTER_PARTS; part++)
        last[part] = -1;
    *jitter = (struct jitter){.period = period, .learnt = begin};
    const int64_t width = period / JITTER_PARTS;
    for (size_t i = 0; i < count; i++)
        for (int64_t at = gaps[i].from / width * width; at <= gaps[i].to && at < gaps[i].from + period;
             at += width) {
            const size_t part = part_of(at, period);
            const int64_t number = (at - begin) / period;
            hits[part] += last[part] != number;
            last[part] = number;
        }
    for (size_t part = 0; part < JITTER_PARTS; part++)
        if (3 * hits[part] >= 2 * periods)
            for (size_t by = JITTER_PARTS - 1; by <= JITTER_PARTS + 1; by++)
                jitter->taken[(part + by) % JITTER_PARTS] = true;
}

int64_t jitter_until(const struct jitter *jitter, int64_t now, int64_t length)
{
    if (jitter->period == 0 || length <= 0 || length >= jitter->period)
        return 0;
    const int64_t period = jitter->period, width = period / JITTER_PARTS;
    const int64_t first = now / width * width;
    int64_t free = now; /* from here to `at` none is taken */
    for (int64_t at = first; at < first + 2 * period; at += width) {
        if (jitter->taken[part_of(at, period)])
            free = at + width;
        else if (at + width - free >= length)
            return free - now;
    }
    return 0;
}

void jitter_learn(struct jitter *jitter)
{
    struct timespec tick;
    const int64_t begin = now_ns();
    if ((jitter->period > 0 && begin - jitter->learnt < LEARNT_FOR) ||
        clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0 || tick.tv_sec > 0 || tick.tv_nsec < JITTER_PARTS)
        return;
    int64_t period = (LEAST_PERIOD + tick.tv_nsec - 1) / tick.tv_nsec * tick.tv_nsec;
    period -= period % JITTER_PARTS; /* nothing is left of the usual ones, of others 10 us in a second */
    static struct jitter_gap gaps[MOST_GAPS];
    size_t count = 0;
    int64_t before = begin, now = begin;
    for (; now - begin < LEAST_PERIODS * period; before = now) {
        now = now_ns();
        if (now - before > LEAST_GAP && count < MOST_GAPS)
            gaps[count++] = (struct jitter_gap){before, now};
    }
    jitter_conclude(jitter, begin, period, LEAST_PERIODS, gaps, count < MOST_GAPS ? count : 0);
}

void jitter_avoid(const struct jitter *jitter, int64_t length)
{
    const int64_t begin = now_ns();
    int64_t now = begin, wait;
    while (now - begin < jitter->period && (wait = jitter_until(jitter, now, length)) > 0)
        for (const int64_t end = now + wait; now < end;)
            now = now_ns();
}
