/* The outcome of one check of one exercise: the one structure that every report is made from. */
#ifndef CYCLELAB_RESULT_H
#define CYCLELAB_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "grader/exercise/exercise.h"
#include "grader/base/isa.h"
#include "grader/loops/loop_view.h"
#include "harness/model/model.h"
#include "harness/pmu/pmu.h"

enum verdict {
    VERDICT_PASS,
    VERDICT_FAIL,
    VERDICT_UNSTABLE, /* no verdict: this machine is too noisy to say, or cannot show what matters */
    VERDICT_REJECTED, /* the submission breaks the rules */
    VERDICT_ERROR,    /* the suite could not run */
    VERDICT_SKIP,     /* of a check only: not asked here, and why */
};
const char *verdict_name(enum verdict verdict); /* "pass", ... as in the JSON */

enum check_kind { CHECK_BUILD, CHECK_CORRECTNESS, CHECK_BOUND, CHECK_MECHANISM };
const char *check_kind_name(enum check_kind kind);

struct check {
    char *name;
    enum check_kind kind;
    char *case_name; /* NULL where there is none */
    enum verdict verdict;
    char *message;      /* for the student; never NULL */
    char *next;         /* the one thing to look at next; NULL where there is nothing */
    uint32_t points;    /* at stake */
    double score;       /* 0..points; NAN while unstable */
    double share;       /* of a bound: the part of its points that its median brings, decided or not */
    bool has_measured;  /* the five below are filled */
    const char *metric; /* "speedup", "slowdown", "cycles/element", ... */
    double measured, low, high; /* point and 99.9 % interval */
    const char *comparison;     /* ">=", "<=", "within" */
    double bound;
    double trusted;   /* with "within": the trusted value, 0 where it is not told */
    const char *unit; /* "x", "%", "per element" */
    size_t rounds;
};

struct measurement {
    char *case_name;
    const char *variant;  /* "baseline", "student", "reference", "control" */
    uint64_t elements;    /* per slice */
    double ticks;         /* median per slice, handover subtracted */
    double cycles;        /* per slice; NAN where the tier gives none */
    double nanoseconds;   /* per slice */
    double minimum_ticks; /* diagnostic only */
    size_t slices, disturbed;
    struct pmu_count counters; /* per slice, where there is a PMU */
    bool modelled;             /* on a model core: exact, and `model` holds all counters */
    struct model_counts model;
    char *waits_for;           /* what the hot loop of the student waits for, in the model's words; or NULL */
    struct loop_limits limits; /* and what bounds it; zero where it is not known */
};

/* The call of a correctness case that went wrong: all that is needed to lay it out once more. */
struct failing {
    char case_name[64];
    bool aarch64;  /* the AArch64 build; else this machine's own */
    bool modelled; /* as in struct correctness, as are those that follow */
    uint64_t seed, largest, once, cache_bytes, elements, calls, student;
    uint64_t call;    /* which of its calls, of all plans together */
    uint64_t filling; /* as in struct failed_call */
};

struct result {
    unsigned number;
    char *id, *slug, *title;
    char *on; /* "native", "qemu" */
    char *isa;
    char *cpu; /* model name, or the core */
    enum tier tier;
    char *seed;              /* NULL: not told */
    uint32_t student_number; /* that a case was drawn by, too; 0: none was, or the code has none */
    char *source;            /* folder that was graded */
    char *files; /* those of it that count: "clamp.c", "aarch64/dot.S, probe.c"; NULL: not known */
    enum verdict verdict;
    char *headline; /* the verdict in words */
    char *next;     /* the one thing to look at next */
    char *mistake;  /* the exercise's name for what it looks like; or NULL */
    double score;   /* NAN while unstable */
    uint32_t max_score;
    struct check *checks;
    size_t checks_count;
    struct measurement *measurements;
    size_t measurements_count;
    char *remarks;          /* about the student's guess, and how far it is to the core's limits; or NULL */
    double seconds;         /* how long it took */
    struct failing failing; /* no case_name: none, or a hidden one */
    char *annex;            /* more for a page: HTML that may go into it as it is; NULL: none */
};

/* An empty result with the exercise's names and points. Memory running out ends the program (abort), here and
 * in what appends: a check has nothing left to tell then. */
struct result *result_new(const struct exercise *exercise);
void result_free(struct result *result);

/* Append; the pointer is good until the next append. Strings are copied where the fields own them. The score
 * of a check that passes starts as its points, of one that fails as 0: change it where there is part of it.
 */
struct check *result_add_check(struct result *result, enum check_kind kind, const char *name,
                               const char *case_name, enum verdict verdict, uint32_t points,
                               const char *message_format, ...) __attribute__((format(printf, 7, 8)));
/* The check of that name, or NULL. */
const struct check *result_find_check(const struct result *result, const char *name);

struct measurement *result_add_measurement(struct result *result, const char *case_name, const char *variant);

/* Set a text that a check or a result owns, in place of what was there. */
void result_set(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* `to` for `from`, a file's name or path (strings_replace), in what a check says, or all that the result
 * says. */
void check_rename(struct check *check, const char *from, const char *to);
void result_rename(struct result *result, const char *from, const char *to);

/* A value as reports show it: three digits that count and the unit, "7.10x", "0.0120 per element"; "?" where
 * it is not finite. unit may be NULL. Like snprintf. */
int result_format_value(char *buffer, size_t size, double value, const char *unit);

/* What a check with a measurement asks for: ">= 7.10x", "0.93x to 1.07x of the trusted value, 0.25; yours
 * 0.24". Like snprintf. */
int result_format_asked(char *buffer, size_t size, const struct check *check);

/* From the checks: verdict, headline, next and score. The first check that is not pass or skip, in the order
 * error, rejected, fail, unstable, decides. Where all others pass and the main bound (of those on speed the
 * one that brings most points) was skipped, nothing that matters was judged: unstable, never pass. Wrong
 * (build or correctness) and rejected score 0 in all; NAN where the suite could not run, a check is unstable
 * or the main bound was skipped. Where the work is right, the points of what else was skipped are taken out
 * of max_score. Call it once, when all checks are in. */
void result_conclude(struct result *result);

/* Is a check undecided? Then *certain are the points that the others have brought, and *open are at stake.
 * Both may be NULL. */
bool result_is_open(const struct result *result, double *certain, double *open);

/* Exit status of `cyclelab check`: 0 pass, 1 fail or rejected, 3 unstable, 4 error. */
int result_exit_status(const struct result *result);

/* The same for several: 4 if there is a 4, else 1, else 3, else 0. */
int results_exit_status(struct result *const *results, size_t count);

#endif
