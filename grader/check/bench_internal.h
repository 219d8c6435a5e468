/* What the parts of native timing share; nobody else's business. bench_slice.c has the processes and takes
 * one slice; bench.c takes turns and bench_look.c looks at what came of them; bench_hopeless.c knows when to
 * give up. */
#ifndef CYCLELAB_BENCH_INTERNAL_H
#define CYCLELAB_BENCH_INTERNAL_H

#include "grader/check/bench.h"
#include "grader/check/turns.h"
#include "harness/sched/jitter.h"

/* What an empty plan takes. */
struct handover {
    double ticks;
    double waited_ns; /* that its process waits for the CPU */
    double apart_ns;  /* in which not both processes of a plan with parts run */
};

struct bench {
    struct arena *arena;
    struct bench_config config;
    struct machine *machines[EPOCHS][ROLES]; /* those started until now */
    bool entered;                            /* the arena is in this epoch's place */
    unsigned epoch;
    struct machine *leaving;  /* whose last process has been told to end; NULL: none */
    struct handover handover; /* before the turns begin: the median of each, and the least apart_ns */
    double retake_until;      /* seconds, by the task's now(): no slice is taken again after it */
    double frequency;
    bool by_account;      /* slices are as long as their process ran; else as long as the clock says */
    struct jitter jitter; /* of the CPU that all are pinned to */
    struct {
        size_t calls;
        double ticks[ROLES + 1]; /* by the clock, of each role, and of empty plans; 0: not known yet */
    } shortest;                  /* slice of so many calls, of what is measured now */
    struct pmu_turn turn;        /* of the counters' groups, from slice to slice */
    unsigned again[ROLES]; /* slices that may still be made again: a wrong answer that hangs on a clock */
};

bool bench_has(const struct bench *bench, enum role role);

/* The control's twin: the same code. */
enum role bench_twin(const struct bench *bench);

/* What came of one plan. */
enum slice_outcome {
    SLICE_OK,
    SLICE_WRONG,     /* a result: report->message */
    SLICE_BROKE,     /* report->run says how */
    SLICE_APART,     /* the parts did not run at the same time, again and again: report->message */
    SLICE_NOT_READY, /* no process was to be had */
};

/* Be in this epoch: with its programs, and the arena in other pages. Its machines are started the first time;
 * they keep nothing from one plan to the next. False: report says why. */
bool bench_enter(struct bench *bench, unsigned epoch, struct bench_report *report);

/* Stop all processes; the next bench_enter starts others. */
void bench_leave(struct bench *bench);

/* Time a plan without a call, in the control's process. What it takes to hand over a plan and to hear of its
 * end is the same for all. */
enum slice_outcome bench_take_empty(struct bench *bench, struct layout *layout, struct handover *handover,
                                    struct bench_report *report);

/* Time `calls` calls with contents drawn anew, and verify all their results. */
enum slice_outcome bench_take_slice(struct bench *bench, const struct bench_task *task, enum role role,
                                    struct layout *layout, size_t calls, struct slice *slice,
                                    struct bench_report *report);

/* The layout of what is timed, or of another case call for call like it. NULL: report says why. */
struct layout *bench_open_layout(struct bench *bench, const struct bench_task *task,
                                 const struct case_def *def, uint64_t seed, struct bench_report *report);

/* Has the student's code right what one of the task's other cases asks, in calls like the timed ones, in a
 * process like theirs? The layout is that case's. */
enum slice_outcome bench_rehearse(struct bench *bench, const struct bench_task *task,
                                  const struct bench_other *other, struct layout *layout,
                                  struct bench_report *report);

/* Rehearsals between slices. Whatever tells student code that it is timed (its process's number, the CPU, a
 * cold cache) has to tell them apart from these as well. Between two looks each of the task's other cases has
 * its turn, which is drawn, with some of the kinds of contents that it has; before the end it had all. */
struct rehearsals {
    struct draw draw;
    size_t *at;          /* of each case: the turn in front of which it is made */
    unsigned char *made; /* bit i: with contents of kind i */
    size_t planned;      /* turns for which they are drawn */
};

/* False: out of memory. */
bool rehearsals_begin(struct rehearsals *rehearsals, const struct bench_task *task);
void rehearsals_end(struct rehearsals *rehearsals);

/* Those of this turn; turns are asked for one after the other. *layout is what is timed before and, with
 * other contents, behind them. False: report says what went wrong, and *layout is that of it. */
bool rehearsals_make(struct rehearsals *rehearsals, struct bench *bench, const struct bench_task *task,
                     size_t turn, struct layout **layout, struct bench_report *report);

/* Lay out what is timed once more: not from its first filling on, but from another seed. */
bool rehearsals_reopen(struct rehearsals *rehearsals, struct bench *bench, const struct bench_task *task,
                       struct layout **layout, struct bench_report *report);

/* Those that had no turn yet, with contents of each kind. */
bool rehearsals_make_up(struct rehearsals *rehearsals, struct bench *bench, const struct bench_task *task,
                        struct layout **layout, struct bench_report *report);

/* What a role's slices have had of the processors, in seconds. */
struct bench_spent {
    size_t slices;
    double own, least, longest; /* their processes: all, and of a slice (struct slice) */
    double grader;              /* and the grader, to draw their contents and to verify them */
};
void bench_spent_add(struct bench_spent *spent, const struct slice *slice);

/* After the warm-up, of one call each: is the student so slow that a first look would not come within the
 * budget, and slower than the twin (baseline or reference) at its worst? seconds[]: what a call of each
 * takes.
 */
bool bench_hopeless_at_first(const struct bench_spent spent[ROLES], enum role twin, size_t calls,
                             double budget, double seconds[ROLES]);

/* When the time was spent on too few rounds for an interval: would they not have fitted on an idle machine
 * either, and is that the student's doing? seconds[]: what a slice of each takes. */
bool bench_hopeless_at_last(const struct bench_spent spent[ROLES], enum role twin, size_t rounds,
                            double budget, double seconds[ROLES]);

/* After one turn: may it come to that? */
bool bench_hopeless_perhaps(const struct bench_spent spent[ROLES], enum role twin, double budget);

/* All bounds fail, the student being so much slower than the twin. */
void bench_give_up(const struct bench_task *task, enum tier tier, enum role twin, const double seconds[ROLES],
                   struct bench_report *report);

struct measuring {
    struct bench *bench;
    const struct bench_task *task;
    struct layout *layout; /* NULL: another may have the arena */
    struct rehearsals rehearsals;
    size_t calls; /* of a slice */
    struct turns turns;
    struct rounds rounds;
    struct turn_order order;
    /* Twins of the same code in one turn, one of them right after the student: the logarithm of how much
     * longer that one took, of the last so many turns. */
    double after[ROUNDS_MAX];
    size_t after_count;
    struct bench_spent spent[ROLES]; /* by their slices in turns */
    size_t turn;                     /* the next one */
    double elapsed;                  /* seconds, of the times before this one */
    bool begun, ended;               /* turns are taken; the last look was had, or will not be */
    struct bench_report *report;
};

/* The round of m->turn, as it is with all its turns until now. */
void bench_note_round(struct measuring *m);

/* All bounds with the rounds as they are; `is_last`: no turns follow. True when all are decided. */
bool bench_look(struct measuring *m, bool is_last);

/* Does it not pay to go on though all is decided? spent: seconds. */
bool bench_precise(const struct measuring *m, double spent);

/* As of the last look: does every bound fail? */
bool bench_fails_all(const struct measuring *m);

/* Note in the report what went wrong in a plan of report->role. False: nothing did. */
bool bench_fails(struct bench_report *report, enum slice_outcome outcome);

#endif
