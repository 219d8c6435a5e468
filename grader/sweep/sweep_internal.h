/* What the parts of sweep share; nobody else's business. */
#ifndef CYCLELAB_SWEEP_INTERNAL_H
#define CYCLELAB_SWEEP_INTERNAL_H

#include "grader/build/build.h"
#include "grader/exercise/cases.h"
#include "grader/sweep/sweep.h"
#include "harness/model/core.h"
#include "harness/arena/arena.h"

enum { SWEEP_VALUES = 32 };

struct sweep_point {
    uint32_t value;
    char *program;
    double time;      /* an element's, in the sweep's unit */
    double low, high; /* natively: where it lies with 95 % confidence; else both `time` */
};

struct sweep {
    const struct exercise *exercise;
    const struct bound_spec *bound;
    const struct case_def *def;
    const struct core *core; /* or NULL: natively */
    const char *where;       /* the core's name, "this machine" */
    const char *unit;        /* "cycles", "ns" */
    uint64_t seed;
    unsigned count;
    struct sweep_point points[SWEEP_VALUES];
    char *baseline_program; /* or NULL */
    double baseline;        /* time of an element; NAN: none */
    bool noisy;             /* an interval is wider than 10 % */

    /* Filled when all is measured. */
    uint32_t best, enough; /* the best value; the smallest within 3 % of it */
    double predicted;      /* NAN: there is no formula, or not here */
    char formula[160];     /* how it was predicted, or why not */
};

/* Time all programs. */
bool sweep_measure_core(struct sweep *sweep, struct arena *arena, struct error *err);
bool sweep_measure_native(struct sweep *sweep, struct arena *arena, struct error *err);

/* best, enough, predicted and formula. */
void sweep_judge(struct sweep *sweep);

/* The input of gnuplot for a terminal ("dumb 79 24", "svg ..."). malloc'ed; NULL: no memory. */
char *sweep_plot_script(const struct sweep *sweep, const char *terminal);

/* The plot as text, and into the SVG file. NULL where gnuplot fails. malloc'ed. */
char *sweep_plot_text(const struct sweep *sweep, const struct workdir *workdir, struct error *err);
bool sweep_plot_svg(const struct sweep *sweep, const struct workdir *workdir, const char *path,
                    struct error *err);

#endif
