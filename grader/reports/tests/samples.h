/* Results of several kinds, for the tests of the reports. */
#ifndef CYCLELAB_SAMPLES_H
#define CYCLELAB_SAMPLES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/tests/result_kit.h"

enum sample {
    SAMPLE_PASS,
    SAMPLE_SLOW,
    SAMPLE_WRONG,
    SAMPLE_BUILD,
    SAMPLE_UNSTABLE,
    SAMPLE_EMPTY,
    SAMPLE_QEMU,
    SAMPLES
};

static inline struct check *sample_bound(struct result *r, const char *name, enum verdict verdict,
                                         uint32_t points)
{
    struct check *c = result_add_check(r, CHECK_BOUND, name, "random", verdict, points, "%s",
                                       verdict == VERDICT_SKIP ? "the reference gains too little here" : "");
    if (verdict == VERDICT_SKIP)
        return c;
    c->has_measured = true;
    c->metric = "speedup";
    c->measured = verdict == VERDICT_PASS ? 8.9 : 1.02;
    c->low = c->measured * 0.99;
    c->high = verdict == VERDICT_UNSTABLE ? (double)INFINITY : c->measured * 1.01;
    c->comparison = ">=";
    c->bound = 7.1;
    c->unit = "x";
    c->rounds = 16;
    if (verdict == VERDICT_FAIL)
        result_set(&c->next, "A branch is left.");
    return c;
}

static inline void sample_measurements(struct result *r)
{
    static const char *const variants[] = {"baseline", "student", "reference", "control"};
    for (int i = 0; i < 4; i++) {
        struct measurement *m = result_add_measurement(r, "random", variants[i]);
        m->elements = 65536;
        m->ticks = 500000.5 / (i + 1);
        m->cycles = r->tier == TIER_CLOCK ? (double)NAN : 786432.0 / (i + 1);
        m->nanoseconds = 196608.0 / (i + 1);
        m->minimum_ticks = 490000.0 / (i + 1);
        m->slices = 32;
        m->disturbed = i == 1 ? 3 : 0;
        m->counters.present[PMU_BRANCH_MISSES] = r->tier == TIER_PMU;
        m->counters.value[PMU_BRANCH_MISSES] = 32768;
        m->counters.present[PMU_CYCLES] = r->tier == TIER_PMU;
        m->counters.value[PMU_CYCLES] = 786432;
        m->modelled = strcmp(r->on, "qemu") == 0;
        for (int event = 0; m->modelled && event < MODEL_EVENT_COUNT; event++)
            m->model.value[event] = 65536U << event % 3;
    }
}

static inline struct result *sample(enum sample kind)
{
    struct result *r = kit_result();
    r->seed = strdup("4f3a-18446744073709551615");
    r->seconds = 1.25;
    if (kind == SAMPLE_EMPTY) {
        result_conclude(r);
        return r;
    }
    r->on = strdup(kind == SAMPLE_QEMU ? "qemu" : "native");
    r->isa = strdup(kind == SAMPLE_QEMU ? "aarch64" : "x86_64");
    r->cpu = strdup(kind == SAMPLE_QEMU ? "cortex-a55" : "A Processor @ 2.60GHz");
    r->tier = kind == SAMPLE_PASS ? TIER_PMU : kind == SAMPLE_UNSTABLE ? TIER_CLOCK : TIER_CALIBRATED;
    r->source = strdup("exercises/03-branch-elimination");
    if (kind == SAMPLE_BUILD) {
        char log[8000] = "clamp.c:7:5: error: \033]0;owned\007 `\xff\xfe` \xe2\x80\xae txt\n";
        for (int i = 0; i < 100; i++)
            snprintf(log + strlen(log), sizeof log - strlen(log), "\tline %d of the compiler's log\n", i);
        result_add_check(r, CHECK_BUILD, "builds", NULL, VERDICT_FAIL, 0, "%s", log);
    } else {
        result_add_check(r, CHECK_BUILD, "builds", NULL, VERDICT_PASS, 0, "%s", "");
        result_add_check(r, CHECK_CORRECTNESS, "right", "random",
                         kind == SAMPLE_WRONG ? VERDICT_FAIL : VERDICT_PASS, 2, "%s",
                         kind == SAMPLE_WRONG ? "values[3] was 9: expected 5, found 9" : "");
    }
    if (kind == SAMPLE_PASS || kind == SAMPLE_QEMU) {
        sample_bound(r, "random-faster", VERDICT_PASS, 6);
        sample_bound(r, "sorted-no-slower", kind == SAMPLE_QEMU ? VERDICT_SKIP : VERDICT_PASS, 2);
    }
    if (kind == SAMPLE_SLOW) {
        sample_bound(r, "random-faster", VERDICT_FAIL, 6)->score = 0.061;
        sample_bound(r, "sorted-no-slower", VERDICT_PASS, 2);
    }
    if (kind == SAMPLE_UNSTABLE)
        sample_bound(r, "random-faster", VERDICT_UNSTABLE, 6);
    if (kind != SAMPLE_BUILD && kind != SAMPLE_WRONG)
        sample_measurements(r);
    result_conclude(r);
    return r;
}

#endif
