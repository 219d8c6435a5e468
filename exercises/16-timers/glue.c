#include "harness/runner/glue.h"
#include "calls.h"
#include "exercise.h"
#include "glue.h"

/* ---- conversions ---- */

/* A loop of its own for each, with all that it needs in registers: two of them are counted. */
#define CONVERTED(NAME, TYPE, RESULTS, WHAT)                                                                 \
    static void call_##NAME(const void *args, void *result)                                                  \
    {                                                                                                        \
        const struct number_args numbers = *(const struct number_args *)args;                                \
        const uint64_t *a = numbers.a, *b = numbers.b, *c = numbers.c, n = numbers.n;                        \
        TYPE *results = numbers.RESULTS;                                                                     \
        (void)result;                                                                                        \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        for (uint64_t i = 0; i < n; i++)                                                                     \
            results[i] = WHAT;                                                                               \
    }

CONVERTED(to_ns, uint64_t, words, ticks_to_ns(a[i], b[i]))
CONVERTED(to_ticks, uint64_t, words, ns_to_ticks(a[i], b[i]))
CONVERTED(scale, uint64_t, words, scale_of(a[i]))
CONVERTED(scaled, uint64_t, words, scaled_ns(a[i], b[i]))
CONVERTED(seconds, double, numbers, seconds_between(a[i], b[i], c[i]))

static void call_five(const void *args, void *result)
{
    const struct five_args *a = args;
    (void)result;
    for (uint64_t i = 0; i < a->n; i++)
        a->summaries[i] = summarize(a->values[i]);
}

/* ---- a clock that is played ---- */

/* What it points to is the glue's alone, where that can be seen to (PLAN_GLUE). */
struct play {
    struct timer timer; /* first: what the student knows of it */
    const struct script *script;
    struct played *played;
};

static uint64_t play_now(struct timer *timer)
{
    struct play *play = (struct play *)timer;
    return script_now(play->script, play->played);
}

static void play_sleep_until(struct timer *timer, uint64_t when)
{
    struct play *play = (struct play *)timer;
    script_sleep_until(play->script, play->played, when);
}

static uint64_t play_ticks(struct timer *timer)
{
    struct play *play = (struct play *)timer;
    play->played->time += play->script->cost / 2;
    const uint64_t passed = play->played->time - play->script->start;
    return play->script->count + passed / SECOND * play->script->frequency +
           passed % SECOND * play->script->frequency / SECOND;
}

static struct play play_of(const struct script *script, struct outcome *out)
{
    out->played = (struct played){.time = script->start};
    return (struct play){.timer = {.now = play_now, .ticks = play_ticks, .sleep_until = play_sleep_until},
                         .script = script,
                         .played = &out->played};
}

#define PLAYED(NAME, WHAT)                                                                                   \
    static void call_##NAME(const void *args, void *result)                                                  \
    {                                                                                                        \
        const struct play_args *a = args;                                                                    \
        (void)result;                                                                                        \
        for (uint64_t i = 0; i < a->n; i++) {                                                                \
            struct outcome *out = &a->outcomes[i];                                                           \
            struct play play = play_of(&a->scripts[i], out);                                                 \
            WHAT;                                                                                            \
        }                                                                                                    \
    }

PLAYED(step, out->word = clock_step(&play.timer))
PLAYED(backward, out->word = backward_steps(&play.timer))
PLAYED(cost, out->summary = clock_cost(&play.timer))
PLAYED(frequency, out->number = counter_frequency(&play.timer))
PLAYED(lateness, out->summary = sleep_lateness(&play.timer, a->scripts[i].argument))
PLAYED(wait, out->word = wait_until(&play.timer, a->scripts[i].start + a->scripts[i].argument,
                                    a->scripts[i].late_most))

/* ---- the system's clocks ---- */

static uint64_t ns_of(const struct moment *moment)
{
    return (uint64_t)moment->seconds * SECOND + (uint64_t)moment->nanoseconds;
}

static uint64_t glue_now(enum clock_id clock)
{
    struct moment now = {0, 0};
    clock_gettime(clock, &now);
    return ns_of(&now);
}

static void call_now(const void *args, void *result)
{
    const struct now_args *a = args;
    (void)result;
    for (uint64_t i = 0; i < a->n; i++) {
        struct now_outcome *out = &a->outcomes[i];
        out->wall_before = glue_now(CLOCK_REALTIME);
        out->before = glue_now(CLOCK_MONOTONIC);
        out->found = now_ns();
        out->after = glue_now(CLOCK_MONOTONIC);
        out->wall_after = glue_now(CLOCK_REALTIME);
    }
}

static void call_resolution(const void *args, void *result)
{
    const struct resolution_args *a = args;
    (void)result;
    for (uint64_t i = 0; i < a->n; i++) {
        struct moment resolution = {0, 0};
        clock_getres((enum clock_id)a->clocks[i], &resolution);
        a->outcomes[i] =
            (struct resolution_outcome){.found = resolution_ns(a->clocks[i]), .expected = ns_of(&resolution)};
    }
}

static void call_sleep(const void *args, void *result)
{
    const struct sleep_args *a = args;
    (void)result;
    for (uint64_t i = 0; i < a->n; i++) {
        struct sleep_outcome *out = &a->outcomes[i];
        out->cpu_before = glue_now(CLOCK_THREAD_CPUTIME_ID);
        out->before = glue_now(CLOCK_MONOTONIC);
        out->when = a->lengths[i] > 0 ? out->before + a->lengths[i] : out->before - SECOND;
        sleep_until_ns(out->when);
        out->after = glue_now(CLOCK_MONOTONIC);
        out->cpu_after = glue_now(CLOCK_THREAD_CPUTIME_ID);
    }
}

/* measure.c gets the clock of system.c: both are the student's. */
static uint64_t system_now(struct timer *timer)
{
    (void)timer;
    return now_ns();
}

static uint64_t coarse_now(struct timer *timer)
{
    (void)timer;
    return glue_now(CLOCK_MONOTONIC_COARSE);
}

static uint64_t system_ticks(struct timer *timer)
{
    (void)timer;
    return read_counter();
}

static void system_sleep_until(struct timer *timer, uint64_t when)
{
    (void)timer;
    sleep_until_ns(when);
}

static struct timer system_timer(void)
{
    return (struct timer){.now = system_now, .ticks = system_ticks, .sleep_until = system_sleep_until};
}

static uint64_t glue_step(struct timer *timer)
{
    uint64_t least = UINT64_MAX, last = timer->now(timer);
    for (unsigned steps = 0; steps < STEPS;) {
        const uint64_t now = timer->now(timer);
        least = now > last && now - last < least ? now - last : least;
        steps += now > last;
        last = now;
    }
    return least;
}

/* Of RUNS times READINGS readings, the smallest number of nanoseconds. */
static uint64_t glue_cost(struct timer *timer)
{
    uint64_t least = UINT64_MAX;
    for (unsigned run = 0; run < RUNS; run++) {
        const uint64_t begin = timer->now(timer);
        uint64_t last = begin;
        for (unsigned i = 0; i < READINGS; i++)
            last = timer->now(timer);
        least = last - begin < least ? last - begin : least;
    }
    return least;
}

static uint64_t glue_backward(struct timer *timer)
{
    uint64_t count = 0, last = timer->now(timer);
    for (unsigned i = 1; i < READINGS; i++) {
        const uint64_t now = timer->now(timer);
        count += now < last;
        last = now;
    }
    return count;
}

/* Else loops that wait for it might not end. */
static bool is_right_clock(void)
{
    for (unsigned i = 0; i < STEPS; i++) {
        const uint64_t before = glue_now(CLOCK_MONOTONIC), found = now_ns();
        if (found < before || found > glue_now(CLOCK_MONOTONIC))
            return false;
    }
    return true;
}

static void call_real(const void *args, void *result)
{
    const struct real_args *a = args;
    struct real_result *r = result;
    r->usable = is_right_clock();
    if (!r->usable)
        return;
    struct timer fine = system_timer(), coarse = fine;
    coarse.now = coarse_now;
    r->step.glue = glue_step(&fine);
    r->step.found = clock_step(&fine);
    r->coarse_step.glue = glue_step(&coarse);
    r->coarse_step.found = clock_step(&coarse);
    r->backward.glue = glue_backward(&fine);
    r->backward.found = backward_steps(&fine);
    uint64_t begin = glue_now(CLOCK_MONOTONIC);
    r->lateness = sleep_lateness(&fine, a->ns);
    r->lateness_took = glue_now(CLOCK_MONOTONIC) - begin;
    begin = glue_now(CLOCK_MONOTONIC);
    r->cost = clock_cost(&fine);
    r->cost_took = glue_now(CLOCK_MONOTONIC) - begin;
    r->when = glue_now(CLOCK_MONOTONIC) + a->ns;
    r->returned = wait_until(&fine, r->when, r->lateness.median);
    r->after = glue_now(CLOCK_MONOTONIC);
}

static void call_real_cost(const void *args, void *result)
{
    struct ratio_result *r = result;
    struct timer timer = system_timer();
    (void)args;
    const uint64_t before = glue_cost(&timer), found = clock_cost(&timer).median, after = glue_cost(&timer);
    r->ratio = (double)(found + 1) / (double)((before < after ? before : after) + 1);
}

static void call_real_frequency(const void *args, void *result)
{
    struct ratio_result *r = result;
    struct timer timer = system_timer();
    (void)args;
    const uint64_t begin = glue_now(CLOCK_MONOTONIC), first = read_counter();
    const double found = counter_frequency(&timer);
    const uint64_t end = glue_now(CLOCK_MONOTONIC), last = read_counter();
    r->ratio = found * (double)(end - begin) / ((double)(last - first) * SECOND);
}

const struct plan_handed plan_handed[] = {
    PLAN_HANDED_VALUE(play_now),     PLAN_HANDED_VALUE(play_ticks), PLAN_HANDED(play_sleep_until),
    PLAN_HANDED_VALUE(system_now),   PLAN_HANDED_VALUE(coarse_now), PLAN_HANDED_VALUE(system_ticks),
    PLAN_HANDED(system_sleep_until),
};
const unsigned plan_handed_count = sizeof plan_handed / sizeof *plan_handed;

const plan_entry plan_entries[] = {
    [ENTRY_TO_NS] = call_to_ns,
    [ENTRY_TO_TICKS] = call_to_ticks,
    [ENTRY_SCALE] = call_scale,
    [ENTRY_SCALED] = call_scaled,
    [ENTRY_SECONDS] = call_seconds,
    [ENTRY_FIVE] = call_five,
    [ENTRY_STEP] = call_step,
    [ENTRY_BACKWARD] = call_backward,
    [ENTRY_COST] = call_cost,
    [ENTRY_FREQUENCY] = call_frequency,
    [ENTRY_LATENESS] = call_lateness,
    [ENTRY_WAIT] = call_wait,
    [ENTRY_NOW] = call_now,
    [ENTRY_RESOLUTION] = call_resolution,
    [ENTRY_SLEEP] = call_sleep,
    [ENTRY_REAL] = call_real,
    [ENTRY_REAL_COST] = call_real_cost,
    [ENTRY_REAL_FREQUENCY] = call_real_frequency,
};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
