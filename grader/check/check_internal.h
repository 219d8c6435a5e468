/* What the parts of a check share; nobody else's business. What is common is in check.c, building in
 * check_build.c, correctness in check_cases.c; each bench has a file. */
#ifndef CYCLELAB_CHECK_INTERNAL_H
#define CYCLELAB_CHECK_INTERNAL_H

#include "grader/check/bench.h"
#include "grader/check/bounds.h"
#include "grader/exercise/cases.h"
#include "grader/check/check.h"
#include "grader/check/correctness.h"
#include "harness/model/core.h"

struct checking {
    const struct check_context *context;
    const struct check_bench *bench;
    struct exercise *exercise;
    const struct case_table *cases;
    struct workdir *workdir;
    struct result *result;
    enum isa isa; /* that is graded */
    struct selection selection[ISA_COUNT];
    char *program[VARIANT_COUNT]; /* built for it */
    size_t cache_bytes;           /* as in struct lab */
    struct core core;             /* of a bench that models one */
    struct helper_process
        *measuring;   /* of a bench that measures while the correctness cases run; else NULL */
    int64_t spent_ms; /* on compiling what is the student's, and on correctness */
    uint64_t inputs;  /* what this check's inputs are derived from */
    uint32_t student; /* the student's number, as in struct lab */
    double start;     /* seconds, by check_now() */
};

/* A bench, as a table of what it does differently. The checks that its functions add say what went wrong. */
struct check_bench {
    const char *name;           /* in reports and options */
    bool native;                /* real hardware; else a model core */
    enum isa (*isa)(void);      /* whose files it grades */
    const char *const *defines; /* for the compiler; NULL: none */
    unsigned places;            /* that programs are linked for: build_in_places */
    bool (*open)(struct checking *checking, struct error *err); /* once there is the exercise */
    const char *(*target)(const struct checking *checking);     /* the processor, or the core */
    bool (*asks)(const struct checking *checking, const struct bound_spec *bound);
    bool (*correctness)(struct checking *checking);
    void (*bounds)(struct checking *checking);
};

extern const struct check_bench check_native, check_model;

double check_now(void);
void check_set_next(struct check *check, const char *text);

/* The student's files for `isa`, built with the bench's defines. NULL: the check that was added says why. */
char *check_build_student(struct checking *checking, enum isa isa);

/* No bound is measured, for `reason` if it is not that the suite failed at what comes before. */
void check_skip_bounds(struct checking *checking, const char *reason);

/* Baseline or reference, for the ISA that is graded. NULL: the check that was added says why. */
char *check_build_trusted(struct checking *checking, enum variant variant);

/* One way to run the correctness cases. */
struct check_way {
    const char *suffix;    /* of the checks' names: "", "-aarch64" */
    const char *where;     /* what a failure's message begins with */
    enum isa isa;          /* of the program */
    const char *emulator;  /* that runs it ("qemu-aarch64"), or NULL */
    const char *processor; /* that it plays, as its -cpu has it, or NULL */
    bool decides;     /* its points count, and an error is one; else a case is skipped that cannot be run */
    bool modelled;    /* the sizes and caches are those for a model core */
    bool no_counters; /* cases that read a clock or counters are left out: they would be the host's */
    bool fma;         /* that processor has AVX2 and FMA */
    bool (*asks)(const struct exercise *exercise, const char *name); /* these cases alone; NULL: all */
    const char *unless; /* why it is skipped where the reference's instructions are not known there either */
    const char
        *undefined; /* what to do about an instruction that it does not have, or NULL: look at the machine */
};

/* A program as the runner is to execute it in this way. */
struct runner_program check_runner(struct checking *checking, const struct check_way *way, const char *path,
                                   unsigned places);

/* All correctness cases in one machine (NULL: no memory), which is closed then. False when one is not right.
 */
bool check_correctness(struct checking *checking, struct trials *trials, const struct check_way *way);

/* On the native bench: here, as processors that have less, and as AArch64 under qemu. */
bool check_native_correctness(struct checking *checking);

/* The cases that have to be right between the slices of a bound, natively, for the caller to free. NULL: no
 * memory. */
struct bench_other *check_others(const struct checking *checking, const struct bound_spec *bound,
                                 size_t *count);

/* The bounds that the bench asks, in groups of those that one task decides. `run` gives false to end it. */
typedef bool check_group_fn(struct checking *checking, const struct bound_spec *const *bounds, size_t count,
                            unsigned first, void *state);
typedef bool check_same_fn(const struct bound_spec *a, const struct bound_spec *b);
enum { CHECK_GROUP_MAX = 16 };
void check_groups(struct checking *checking, check_same_fn *same, check_group_fn *run, void *state);

/* Add what came of a bound. */
struct check *check_add_bound(struct checking *checking, const struct bound_spec *bound, enum verdict verdict,
                              const struct bound_outcome *outcome);

/* The same of one that was timed natively: UNSTABLE where nothing is believed, and decided all the same at
 * the last try. */
struct bench_report;
void check_report_timed(struct checking *checking, const struct bound_spec *bound,
                        const struct bench_report *report, struct bound_outcome *outcome);

/* Where the stub is untouched, or one ISA's files are edited for another, the result says where to begin, not
 * what fails. Where other files count as they should, what fails may be theirs, and comes first. */
void check_where_to_begin(struct checking *checking);

#endif
