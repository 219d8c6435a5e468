/* Argument and result blocks, shared by glue.c (in the machine) and cases.c (in the grader), and the clock
 * that the grader plays. What stands in a result is the word of the student's process. */
#ifndef GLUE_H
#define GLUE_H

#include <stdbool.h>
#include <stdint.h>
#include "exercise.h"

enum {
    ENTRY_TO_NS,
    ENTRY_TO_TICKS,
    ENTRY_SCALE,
    ENTRY_SCALED,
    ENTRY_SECONDS,
    ENTRY_FIVE,
    ENTRY_STEP,
    ENTRY_BACKWARD,
    ENTRY_COST,
    ENTRY_FREQUENCY,
    ENTRY_LATENESS,
    ENTRY_WAIT,
    ENTRY_NOW,
    ENTRY_RESOLUTION,
    ENTRY_SLEEP,
    ENTRY_REAL,
    ENTRY_REAL_COST,
    ENTRY_REAL_FREQUENCY,
};

/* ---- conversions: n of them ---- */

struct number_args {
    const uint64_t *a, *b, *c; /* of each, as many as the function takes */
    uint64_t *words;           /* what it gives, or */
    double *numbers;
    uint64_t n;
};

struct five_args {
    const uint64_t (*values)[RUNS];
    struct summary *summaries;
    uint64_t n;
};

/* ---- a clock that is played ---- */

enum { JUMPS = 8, SLEEPS = 8, WHOLE = 1000 };

struct script {
    uint64_t start, cost, step; /* it begins there; a reading takes `cost`; it shows multiples of `step` */
    uint64_t count, frequency;  /* the counter begins there */
    struct {
        uint64_t reading; /* before the so-manieth reading, from 0, */
        int64_t by;       /* so much time passes, or is taken back: from the first one on, 0 at the end */
    } jump[JUMPS];
    uint64_t late[SLEEPS],
        share[SLEEPS];            /* of a sleep, in turn: how late, or, below WHOLE, interrupted there */
    uint64_t argument, late_most; /* sleep_lateness: how long; wait_until: how long from the start */
};

/* How far a play has come. */
struct played {
    uint64_t time, readings, sleeps;
    unsigned jumps;
};

static inline uint64_t script_now(const struct script *script, struct played *played)
{
    while (played->jumps < JUMPS && script->jump[played->jumps].by != 0 &&
           script->jump[played->jumps].reading <= played->readings)
        played->time += (uint64_t)script->jump[played->jumps++].by;
    played->readings++;
    played->time += script->cost;
    return played->time / script->step * script->step;
}

static inline void script_sleep_until(const struct script *script, struct played *played, uint64_t when)
{
    const uint64_t turn = played->sleeps++ % SLEEPS;
    if (when <= played->time)
        played->time += script->cost;
    else if (script->share[turn] < WHOLE)
        played->time += (when - played->time) / WHOLE * script->share[turn] + script->cost;
    else
        played->time = when + script->late[turn];
}

/* What the function gave, and how the play went. */
struct outcome {
    uint64_t word;
    struct summary summary;
    double number;
    struct played played;
};

struct play_args {
    const struct script *scripts;
    struct outcome *outcomes;
    uint64_t n;
};

/* ---- the system's clocks ---- */

struct now_outcome { /* the clock, read by the glue before and after; and the time of day */
    uint64_t before, found, after, wall_before, wall_after;
};
struct now_args {
    struct now_outcome *outcomes;
    uint64_t n;
};

struct resolution_outcome {
    uint64_t found, expected;
};
struct resolution_args {
    const int *clocks;
    struct resolution_outcome *outcomes;
    uint64_t n;
};

struct sleep_outcome { /* by the glue's readings: of the clock, and of the CPU time of the process */
    uint64_t before, when, after, cpu_before, cpu_after;
};
struct sleep_args {
    const uint64_t *lengths; /* 0: the time has passed already */
    struct sleep_outcome *outcomes;
    uint64_t n;
};

/* measure.c with the system's clocks, and with them again as the glue measures. */
struct real_result {
    bool usable; /* now_ns gives what the clock says: else nothing else was tried */
    struct {
        uint64_t found, glue;
    } step, coarse_step, backward;
    struct summary lateness, cost;
    uint64_t lateness_took, cost_took; /* all of it */
    uint64_t when, returned, after;    /* of wait_until */
};
struct real_args {
    uint64_t ns; /* of a sleep, and until `when` */
};

/* What the student measured, over what the glue did. */
struct ratio_result {
    double ratio;
};

#endif
