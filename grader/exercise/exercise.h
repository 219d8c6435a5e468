/* An exercise as its folder describes it: exercise.yml read and checked. */
#ifndef CYCLELAB_EXERCISE_H
#define CYCLELAB_EXERCISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/base/pool.h"
#include "grader/base/strings.h"
#include "harness/base/error.h"
#include "harness/model/core.h"

enum bound_kind {
    BOUND_SPEEDUP,   /* `share`: saves at least limit/1000 of the time that the reference saves */
    BOUND_NO_SLOWER, /* `slack`: s below 1 + limit/1000 times the slower of b and r */
    BOUND_AGREE, /* `tolerance`: the value that the call reports, or else its cycles, within limit/1000 of the
                    reference's */
    BOUND_COUNTER, /* `per-element`: counter per element at most limit/1000 */
};

enum bench_set { BENCH_ANY, BENCH_NATIVE, BENCH_QEMU };

/* The sizes for a model core, which is exact but takes its time for each instruction. */
struct bound_model {
    uint32_t elements, calls;
    bool warm_up; /* everything is run once before, uncounted: caches and predictors are as it leaves them */
};

/* Where exercise.yml does not say: the native sizes, but no more than this. */
enum { BOUND_MODEL_ELEMENTS = 16384, BOUND_MODEL_CALLS = 4 };

struct bound_spec {
    char *name;      /* kebab-case, unique in the exercise */
    char *where;     /* "on random input": the end of the sentence that tells what is asked */
    char *advice;    /* the one thing to look at when it is missed */
    char *case_name; /* a name in cases.c */
    enum bound_kind kind;
    enum bench_set on;
    bool needs_fma; /* natively asked only where the processor has it: isa_native_has_fma() */
    char *cores;    /* "" for all, or the kind of core where it holds: "in-order", "out-of-order", or a model
                       core that fetches aligned blocks: "fetch-blocks" */
    char *counter;  /* BOUND_COUNTER: branch-misses, l1d-load-misses, instructions, ...; with BENCH_QEMU any
                       event of the model */
    uint32_t limit; /* thousandths */
    uint32_t elements; /* n of a timed call */
    uint32_t calls;    /* K of a slice: calls with windows of their own, at most 256 */
    uint32_t points;
    uint32_t floor; /* thousandths of a cycle for an element that no core can do without; 0: not known */
    struct bound_model model;
};

/* What is known about the best value of a parameter before anything is measured. */
enum sweep_formula {
    SWEEP_NO_FORMULA,
    SWEEP_LATENCY_THROUGHPUT, /* latency over reciprocal throughput, of an instruction class of the core */
    SWEEP_MEMORY_LATENCY,     /* latency of memory over the time of an element where it does not wait */
};

/* A parameter of the reference that `make sweep` tries values of. */
struct sweep_spec {
    char *parameter; /* a macro of the source: ACCUMULATORS */
    char *says;      /* the axis' name: "accumulators" */
    uint32_t *values;
    unsigned values_count;
    char *bound; /* whose case and sizes are used */
    enum sweep_formula formula;
    char *op_class; /* SWEEP_LATENCY_THROUGHPUT: "fp-add", ...; else "" */
};

/* A figure that students guess before it is measured. */
enum predict_quantity {
    PREDICT_CYCLES,        /* an element */
    PREDICT_SPEEDUP,       /* over the baseline */
    PREDICT_BRANCH_MISSES, /* an element */
    PREDICT_L1D_LOAD_MISSES,
    PREDICT_VALUE, /* what a bound of kind `agree` compares: the student's own */
};
struct predict_spec {
    char *bound; /* whose case is measured */
    enum predict_quantity quantity;
    char *asks; /* the question, one sentence */
};

/* A typical wrong answer, by what it does: evidence that all has to be there. A figure is in thousandths, and
 * MISTAKE_ANY is any. */
#define MISTAKE_ANY UINT32_MAX
#define CHECK_RIGHT "right-" /* a check of correctness is called so, and by its case */
struct mistake_spec {
    char *name;
    char **fails; /* checks that all fail, `right-CASE` or a bound; the first of them is the one that */
    unsigned fails_count;
    char *message;        /* says this, or ""; */
    uint32_t least, most; /* and measured this */
    enum bench_set on;    /* where these figures hold */
    char **passes;        /* checks that all pass */
    unsigned passes_count;
    struct {
        char *case_name, *counter; /* "": nothing is counted */
        uint32_t least, most;      /* for an element, in the student's code; unknown is not within */
    } counted;
    char *says; /* what was believed, why it does not hold, what to look at */
};

struct exercise {
    /* from the folder's name */
    unsigned number;
    char *id;       /* "03-branch-elimination" */
    char *slug;     /* "branch-elimination" */
    char *folder;   /* path of exercises/NN-slug */
    char *solution; /* path of solutions/NN-slug */
    /* from exercise.yml */
    char *title;
    char *goal;
    char *core;        /* default model core */
    enum bench_set on; /* BENCH_QEMU: for model cores alone, there is nothing for another ISA in its folder */
    char **sources;    /* stems of the student's files: "clamp" is clamp.c, x86_64/clamp.S, aarch64/clamp.S */
    unsigned sources_count;
    char **functions; /* what those files may define */
    unsigned functions_count;
    char **cflags;
    unsigned cflags_count;
    char **cases; /* correctness cases, in this order */
    unsigned cases_count;
    char **native; /* those of them that the native bench alone asks */
    unsigned native_count;
    char **basic; /* those that are tried with the least x86-64 processor, too */
    unsigned basic_count;
    char **avx2; /* and those that are with one that has AVX2 and FMA, and no AVX-512 */
    unsigned avx2_count;
    uint32_t correctness_points;
    uint32_t largest;    /* correctness: every n from 0 to this, 8..256 (twice the unroll factor and more) */
    char **system_calls; /* that the student's process is lent, natively and under qemu-user, */
    unsigned system_calls_count;
    unsigned lent; /* and as bits of harness/walls/lent.h */
    bool baseline; /* is there a baseline/ ? (not where nothing is a matter of speed) */
    struct bound_spec *bounds;
    unsigned bounds_count;
    char **hints; /* from a nudge to nearly the answer */
    unsigned hints_count;
    struct mistake_spec *mistakes; /* the more special ones first */
    unsigned mistakes_count;
    struct sweep_spec *sweep;     /* or NULL */
    struct predict_spec *predict; /* or NULL */
    struct pool *pool;            /* all that is from exercise.yml */
};

/* All verdicts of "qemu" follow from the files and the seed: so it has one where none is given. */
#define MODEL_SEED "1"

/* The name as in exercise.yml: "any", "native", "qemu". */
const char *bench_set_name(enum bench_set set);

/* What the bound asks, as a sentence for the student: "Reach at least 87 % of the reference's time saving on
 * random input."; cut at BOUND_GOAL. */
enum { BOUND_GOAL = 512 };
void bound_goal(const struct bound_spec *bound, char text[BOUND_GOAL]);

/* Is this the name of an exercise's folder: two digits and a slug, "03-branch-elimination"? */
bool exercise_is_id(const char *name);

/* Read exercises/<id>/exercise.yml below `root`, with every value checked; err names file, line, key and what
 * was expected. NULL on error. Keys of a bound that may be left out: on (any), cores (""), counter (""),
 * calls (0), floor (0), model (see above); and of the file: baseline (true), bounds, mistakes, sweep,
 * predict, system-calls, correctness.native, correctness.basic and correctness.avx2 (none). */
struct exercise *exercise_read(const char *root, const char *id, struct error *err);
void exercise_free(struct exercise *exercise);

/* The ids of all exercises below `root`, in order of their numbers (NULL-terminated; textfile_names_free).
 * NULL with err where there is none. */
char **exercise_list(const char *root, struct error *err);

/* "3", "03", "branch-elimination" or "03-branch-elimination" to the id (malloc'ed). NULL with err listing
 * what there is. */
char *exercise_find(const char *root, const char *name, struct error *err);

/* The ids that these names mean, with blanks between, each once and as they come; behind what the list has.
 * False with err when a name means none. */
bool exercise_find_each(const char *root, const char *names, struct strings *ids, struct error *err);

uint32_t exercise_points(const struct exercise *exercise);

/* Whether the case is asked on that bench; whether it is one of correctness.basic, of correctness.avx2; the
 * points that correctness.points has for the i-th case; and for all that are asked there. */
bool exercise_asks_case(const struct exercise *exercise, const char *name, bool native);
bool exercise_is_basic(const struct exercise *exercise, const char *name);
bool exercise_is_avx2(const struct exercise *exercise, const char *name);
uint32_t exercise_case_points(const struct exercise *exercise, unsigned i);
uint32_t exercise_correctness_points(const struct exercise *exercise, bool native);

/* Whether the bound is asked natively on this machine, and on this model core. */
bool bound_is_native(const struct bound_spec *bound);
bool bound_is_for(const struct bound_spec *bound, const struct core *core);

#endif
