/* Exercise 16: the contract. Times are in nanoseconds, unless something else is said.
 *
 * convert.c and measure.c compute and call what they are handed; system.c alone asks the kernel, by the
 * functions of calls.h: clock_gettime, clock_getres and clock_nanosleep are lent to you here, and no other
 * system call. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>

enum {
    SECOND = 1000000000, /* nanoseconds */
    SCALE_BITS = 32,
    RUNS = 5,             /* measurements of the same thing */
    STEPS = 8,            /* moves of a clock */
    READINGS = 200,       /* of a clock, one after the other */
    CALIBRATION = 2000000 /* nanoseconds */
};

/* ---- convert.c: arithmetic. Frequencies are from 1,000,000 to 5,000,000,000 ticks a second, and each result
 * fits into its type. There is no function for a division of 128 bits here; products of 128 bits there are.
 */

/* Nanoseconds in so many ticks, rounded down. Exact for each number of ticks: no floating point. */
uint64_t ticks_to_ns(uint64_t ticks, uint64_t frequency);

/* The smallest number of ticks that take at least so many nanoseconds. */
uint64_t ns_to_ticks(uint64_t ns, uint64_t frequency);

/* What one tick takes, in units of 1 / 2^SCALE_BITS of a nanosecond, rounded to the nearest (up from one
 * half): it is computed once. */
uint64_t scale_of(uint64_t frequency);

/* ticks * scale / 2^SCALE_BITS, rounded down: a multiplication and a shift for each conversion. The product
 * has up to 128 bits. */
uint64_t scaled_ns(uint64_t ticks, uint64_t scale);

/* Seconds between two readings of a counter, in floating point: within a millionth of a millionth, however
 * long the counter has been running. */
double seconds_between(uint64_t begin, uint64_t end, uint64_t frequency);

/* ---- measure.c: with any clock ---- */

/* The third of five values in order, and how far the largest is from the smallest. */
struct summary {
    uint64_t median, spread;
};
struct summary summarize(const uint64_t values[RUNS]);

/* A clock, a sleep that goes by it, and a counter that runs beside it. Of the system, or played by the
 * grader: with other steps, costs and delays each time. All readings take time. What lies behind the three
 * functions is not yours: call them with the timer that you got. */
struct timer {
    uint64_t (*now)(struct timer *timer);   /* the clock */
    uint64_t (*ticks)(struct timer *timer); /* the counter: its rate is constant and not known */
    /* Comes back when the clock has reached `when`, and later than that; or before, if it was interrupted. */
    void (*sleep_until)(struct timer *timer, uint64_t when);
};

/* Read the clock until it has moved forward STEPS times: the smallest move, from one reading to the next. */
uint64_t clock_step(struct timer *timer);

/* Of READINGS readings, one after the other: how many are below the one before? */
uint64_t backward_steps(struct timer *timer);

/* What READINGS readings take: from the value of one reading to that of the READINGS-th reading behind it.
 * RUNS times, summarized. */
struct summary clock_cost(struct timer *timer);

/* How late a sleep of `ns` comes back: the clock afterwards less the time that it was to come back at, the
 * reading before it plus `ns`. Where it was interrupted, sleep on until that time. RUNS times, summarized. */
struct summary sleep_lateness(struct timer *timer, uint64_t ns);

/* Ticks of the counter a second, to 0.1 %: over CALIBRATION or more by the clock, in which the processor may
 * sleep. */
double counter_frequency(struct timer *timer);

/* Wait until the clock has reached `when`, and return the reading that showed it. Sleeps come up to `late`
 * late. While more than that is left, sleep until `late` before `when`; then read the clock in a loop. */
uint64_t wait_until(struct timer *timer, uint64_t when, uint64_t late);

/* ---- system.c: the kernel's clocks ---- */

/* The clock for intervals, CLOCK_MONOTONIC: nobody sets it. */
uint64_t now_ns(void);

/* What the kernel says is the resolution of this clock. */
uint64_t resolution_ns(int clock);

/* Sleep until the clock of now_ns has reached `when`: the processor is others' meanwhile. Comes back at once
 * where it has already. */
void sleep_until_ns(uint64_t when);

#endif
