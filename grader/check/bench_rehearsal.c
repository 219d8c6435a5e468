/* Rehearsals between slices: when, and the layouts that they need. */
#include <stdio.h>
#include <stdlib.h>

#include "grader/check/bench_internal.h"
#include "harness/base/seed.h"

enum {
    CALLS_LIMIT = 256, /* of a slice */
    KINDS = 4,         /* of contents that a case may have in turns */
    EACH = 2,          /* are rehearsed at a time, one after the other */
};
/* Behind all fillings of a layout, and the order of turns. */
#define SEED_OF_REHEARSALS (UINT64_MAX - 1)

struct layout *bench_open_layout(struct bench *bench, const struct bench_task *task,
                                 const struct case_def *def, uint64_t seed, struct bench_report *report)
{
    const size_t calls = task->calls < CALLS_LIMIT ? task->calls : CALLS_LIMIT;
    struct layout_call wanted[CALLS_LIMIT];
    struct error err;
    for (size_t i = 0; i < calls; i++)
        wanted[i] = (struct layout_call){task->elements, ARENA_AT_START};
    const struct layout_request request = {.def = def,
                                           .calls = wanted,
                                           .count = calls,
                                           .timed = true,
                                           .seed = seed,
                                           .student = task->student,
                                           .cache_bytes = task->cache_bytes};
    struct layout *layout = layout_open(bench->arena, &request, &err);
    if (layout) {
        arena_make_huge(bench->arena);
    } else {
        report->outcome = BENCH_ERROR;
        snprintf(report->message, sizeof report->message, "%s", err.text);
    }
    return layout;
}

bool rehearsals_begin(struct rehearsals *rehearsals, const struct bench_task *task)
{
    *rehearsals = (struct rehearsals){.at = calloc(task->others_count + 1, sizeof *rehearsals->at),
                                      .made = calloc(task->others_count + 1, sizeof *rehearsals->made)};
    draw_begin(&rehearsals->draw, seed_derive(task->seed, SEED_OF_REHEARSALS));
    return rehearsals->at && rehearsals->made;
}

void rehearsals_end(struct rehearsals *rehearsals)
{
    free(rehearsals->at);
    free(rehearsals->made);
}

bool rehearsals_reopen(struct rehearsals *rehearsals, struct bench *bench, const struct bench_task *task,
                       struct layout **layout, struct bench_report *report)
{
    layout_close(*layout);
    *layout = bench_open_layout(bench, task, task->def, draw_next(&rehearsals->draw), report);
    return *layout != NULL;
}

/* Contents of kind `first` and of those behind it, in turns. */
static bool rehearse(struct rehearsals *rehearsals, struct bench *bench, const struct bench_task *task,
                     size_t which, unsigned first, struct layout **layout, struct bench_report *report)
{
    const struct bench_other *other = &task->others[which];
    layout_close(*layout);
    *layout = bench_open_layout(bench, task, other->def, draw_next(&rehearsals->draw), report);
    if (!*layout)
        return false;
    for (unsigned kind = 0; kind < first; kind++)
        layout_fill(*layout, layout_count(*layout));
    for (unsigned kind = first; kind < first + EACH; kind++) {
        if (bench_fails(report, bench_rehearse(bench, task, other, *layout, report)))
            return false;
        rehearsals->made[which] |= (unsigned char)(1 << kind % KINDS);
    }
    report->rehearsed = NULL;
    return rehearsals_reopen(rehearsals, bench, task, layout, report);
}

bool rehearsals_make(struct rehearsals *rehearsals, struct bench *bench, const struct bench_task *task,
                     size_t turn, struct layout **layout, struct bench_report *report)
{
    if (turn == rehearsals->planned) { /* the next look comes after twice as many turns */
        const size_t more = turn > 0 ? turn : STATS_FIRST_LOOK;
        for (size_t i = 0; i < task->others_count; i++)
            rehearsals->at[i] = turn + draw_below(&rehearsals->draw, more);
        rehearsals->planned += more;
    }
    for (size_t i = 0; i < task->others_count; i++)
        if (rehearsals->at[i] == turn &&
            !rehearse(rehearsals, bench, task, i, (unsigned)draw_below(&rehearsals->draw, KINDS), layout,
                      report))
            return false;
    return true;
}

bool rehearsals_make_up(struct rehearsals *rehearsals, struct bench *bench, const struct bench_task *task,
                        struct layout **layout, struct bench_report *report)
{
    for (size_t i = 0; i < task->others_count; i++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (!(rehearsals->made[i] >> kind & 1) &&
                !rehearse(rehearsals, bench, task, i, kind, layout, report))
                return false;
    return true;
}
