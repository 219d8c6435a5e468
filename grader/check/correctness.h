/* Correctness: many small calls of each case, every buffer against a guard; and calls as they are timed, with
 * the case's own contents. */
#ifndef CYCLELAB_CORRECTNESS_H
#define CYCLELAB_CORRECTNESS_H

#include "grader/build/build.h"
#include "grader/check/fault.h"
#include "grader/exercise/layout.h"

enum correctness_outcome {
    CORRECT,
    INCORRECT,             /* wrong results, a crash, no end */
    CORRECTNESS_RULE,      /* it did what no submission may */
    CORRECTNESS_UNDEFINED, /* it has an instruction that this machine does not */
    CORRECTNESS_NO_START, /* the program does not get as far as its first call: its fault, or the machine's */
    CORRECTNESS_ERROR     /* the suite's own: text.message */
};

/* How a plan ended. */
enum trial_outcome {
    TRIAL_DONE,
    TRIAL_BROKE,     /* a crash, no end: text */
    TRIAL_RULE,      /* it did what no submission may: text */
    TRIAL_MADE_UP,   /* it came to its end, but what it says to have read was not read: text */
    TRIAL_UNDEFINED, /* an instruction that this machine does not have, or not allow: text */
    TRIAL_KILLED,    /* somebody's SIGKILL, which proves nothing */
    TRIAL_NO_START,  /* the program does not get ready for a plan: text */
    TRIAL_ERROR,     /* the suite's own: text.message */
};

/* What executes the trials of one program: the runner, or the emulated machine. */
struct trials {
    /* Execute the plan in the arena. *finished: calls that came to their end. */
    enum trial_outcome (*execute)(struct trials *trials, struct layout *layout, size_t *finished,
                                  struct fault_text *text);
    /* Have the next plan executed by another process. NULL: what a clock says is no chance there. */
    void (*renew)(struct trials *trials);
    void (*close)(struct trials *trials);
    /* Calls with parts are made so many times, 0 is once: where a part stands still is drawn anew for each,
     * or known after the first. */
    unsigned rounds;
};

/* A program of the runner's. */
struct runner_program {
    const char *path;
    unsigned places;       /* that it was linked for (build_in_places), 1 or more */
    const char *emulator;  /* NULL: natively. "qemu-aarch64", "qemu-x86_64" */
    const char *processor; /* that it plays, as its -cpu has it; NULL: its own choice */
    enum isa isa;
    unsigned lent;     /* system calls (lent.h) */
    int64_t *spent_ms; /* that the whole check has spent on the student until now; NULL: nothing else */
};

/* The runner. Each plan is executed by the program of a place drawn from the seed: where code lies does not
 * tell it that it is timed. Started for the first plan. NULL: no memory. */
struct trials *trials_runner(const struct runner_program *program, uint64_t seed, struct arena *arena);

/* Does this program get ready for a plan there? */
bool trials_runner_starts(const struct runner_program *program, struct arena *arena);

struct correctness {
    const struct case_def *def;
    uint32_t largest; /* every n from 0 to this, and some larger ones */
    uint32_t once;    /* n of a case that makes one call only; else of calls that are nearly as long */
    uint32_t elements, calls; /* calls > 0: no small calls, but plans as for a bound, of so many calls each */
    uint64_t seed;
    uint32_t student; /* as in struct lab */
    size_t cache_bytes;
    bool modelled, fma; /* as in struct lab */
    bool hidden;        /* a course's own case: a message says which call and its length, no more */
};

/* So many calls of a layout there is room for, or numbers up to this. */
enum { CORRECTNESS_MOST = 8192 };

/* A call that went wrong. */
struct failed_call {
    size_t call;      /* which one, of all plans together */
    uint64_t filling; /* and of its layout: what layout_filling() said */
};

/* The trials, laid out. NULL with err: no room for them, or more than CORRECTNESS_MOST. */
struct layout *correctness_open(const struct correctness *what, struct arena *arena, struct error *err);

/* The plans of a rehearsal: contents come in kinds, and each kind has to have its turn. */
size_t correctness_plans(const struct correctness *what);

/* Runs the trials. *calls: how many there were; where it is INCORRECT, *failed is which one failed. */
enum correctness_outcome correctness_run(const struct correctness *what, struct arena *arena,
                                         struct trials *trials, size_t *calls, struct failed_call *failed,
                                         struct fault_text *text);

#endif
