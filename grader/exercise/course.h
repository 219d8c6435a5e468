/* A course as its instructor describes it in course.yml (docs/course.md): what is graded, with which hidden
 * seeds, cases and bounds, and what it is worth. */
#ifndef CYCLELAB_COURSE_H
#define CYCLELAB_COURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "grader/exercise/exercise.h"
#include "harness/base/error.h"

enum { COURSE_SEEDS = 16, COURSE_CORES = 16, COURSE_LATE_DAYS = 60 };

/* A number that may have been left out. */
struct course_number {
    bool given;
    uint32_t value;
};

/* Another bound in place of the published one. */
struct course_bound {
    char *name;
    enum bound_kind kind; /* the exercise's */
    struct course_number limit, points, elements;
};

struct course_cores {
    unsigned count; /* 0: the one that the exercise names */
    const char *name[COURSE_CORES];
};

/* Of all inputs; the worst counts. */
struct course_seeds {
    unsigned count;
    bool one, several; /* the file says `seed`, or `seeds` */
    const char *name[COURSE_SEEDS];
};

struct course_exercise {
    char *id;       /* "03-branch-elimination" */
    unsigned entry; /* in course.yml's list, from 1; 0: not there */
    bool graded;
    struct course_number points; /* what its full score counts in the gradebook */
    char *due;                   /* NULL: the course's */
    char *column;                /* what a platform calls its column; NULL: as the exercise is called */
    struct course_number correctness, largest;
    char **cases; /* hidden: checked after those that exercise.yml names */
    unsigned cases_count;
    struct course_cores cores; /* each of them; the worst counts */
    struct course_seeds seeds; /* its own, else the course's: at least one */
    struct course_bound *bounds;
    unsigned bounds_count;
};

struct course_late {
    char *student, *exercise; /* exercise: its id; NULL: all */
    uint32_t hours;
};

/* By how much later one may hand in. */
struct course_extension {
    char *student, *exercise; /* exercise: its id; NULL: all */
    uint32_t hours;
    char *reason; /* for the student; NULL: none */
};

/* What an instructor gives in place of the points of the checks. */
struct course_override {
    char *student, *exercise; /* exercise: its id */
    uint32_t hundredths;      /* of a point */
    char *reason;             /* for the student */
};

struct course {
    char *title, *due;         /* shown as they are; "" where there is none */
    struct course_cores cores; /* of exercises that do not say */
    const char *on;            /* "qemu", "native"; NULL: not said */
    struct course_seeds
        seeds; /* of exercises that do not say; where the file has none, the model's usual one */
    uint32_t late_percent[COURSE_LATE_DAYS]; /* [0]: up to a day late */
    unsigned late_days;
    char *late_file;     /* where more of them stand; NULL: nowhere */
    uint32_t late_grace; /* days that each student may be late for nothing, in all */
    uint32_t late_after; /* per cent, later than all of these */
    struct course_late *late;
    unsigned late_count;
    void *late_names;                  /* tsearch's tree of their names and exercises */
    char *roster;                      /* a file's path; NULL: there is none */
    bool anonymous;                    /* students are called by the roster's pseudonyms */
    struct course_exercise *exercises; /* all that the project has, in order */
    unsigned exercises_count;
    struct course_extension *extensions;
    unsigned extensions_count;
    struct course_override *overrides;
    unsigned overrides_count;
    struct pool *pool; /* all that is from course.yml */
};

/* Read it, with every value checked: err names file, line, key and what was expected. file NULL: all
 * exercises as they are. */
struct course *course_open(const char *root, const char *file, struct error *err);
/* The same for one submission, where who was late does not count: the files that course.yml names need not be
 * there. */
struct course *course_open_rules(const char *root, const char *file, struct error *err);
void course_close(struct course *course);

/* Does it go with native timing, or with a model? False with err: a seed that stays the same is none for
 * native timing, where what was seen of inputs could be of use once more. */
bool course_goes_with(const struct course *course, const char *file, const char *on, struct error *err);

/* What is left of the points, in per cent. */
uint32_t course_late_percent(const struct course *course, uint32_t hours);

/* Put the course's bounds in place of the exercise's own, and its cases behind them. False: out of memory. */
bool course_change(const struct course_exercise *settings, struct exercise *exercise);

#endif
