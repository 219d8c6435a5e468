/* What the parts of grading share; nobody else's business. */
#ifndef CYCLELAB_GRADE_INTERNAL_H
#define CYCLELAB_GRADE_INTERNAL_H

#include <cjson/cJSON.h>
#include <stdint.h>
#include <sys/types.h>
#include "grader/exercise/course.h"
#include "grader/class/grade.h"
#include "grader/class/grade_find.h"
#include "grader/check/result.h"

enum { GRADE_BOUNDS = 64 }; /* of an exercise, that the class page can count */

/* An exercise as it is graded here. */
struct grade_exercise {
    struct exercise *exercise; /* with the course's bounds */
    const struct course_exercise *settings;
    struct course_cores cores;      /* one at least for a model bench; native: one without a name */
    double points;                  /* what full marks count */
    char rules[SHA256_TEXT];        /* the course's and the exercise's, by hash */
    char public_rules[SHA256_TEXT]; /* likewise, without the seeds */
    bool before;   /* not asked for now: its grades are those that an earlier run recorded, */
    cJSON *record; /* here */
};

/* What is known of one check. */
struct grade_outcome {
    bool known;
    enum verdict verdict;
    double score, most; /* score is NAN where there is none */
    char *headline;
    char kept[SHA256_TEXT];  /* what is kept of it, by hash; "": nothing */
    bool right;              /* it came to the bounds */
    uint64_t asked, missed;  /* the bounds, a bit each in exercise.yml's order */
    uint32_t student_number; /* that a case was drawn by; 0: none was */
    unsigned mistake; /* what it looks like: a number in exercise.yml's list, from 1; 0: nothing known */
};

/* One check to make: files, exercise, core and seed. Several students can share one. */
struct grade_job {
    char key[SHA256_TEXT];
    size_t student, exercise; /* the first who has these files */
    const char *core;         /* NULL natively */
    const char *seed;
    bool ours; /* in this slice, and asked for */
    unsigned tries;
    struct grade_outcome outcome;
};

struct grade_cell {
    size_t *jobs; /* one a core and seed */
    size_t count;
};

struct grade_lateness {
    uint32_t hours;        /* that count, without extension and grace */
    uint32_t before_grace; /* hours, without extension */
    uint32_t extension;    /* hours more to hand in; 0: none */
    const char *reason;    /* of the extension; NULL: none */
    uint32_t grace;        /* days of grace that were spent */
    uint32_t percent;      /* of the points that is left */
    bool recorded;         /* as the run had it that graded the exercise */
};

/* The course's lists of students. */
enum grade_list { GRADE_LATE, GRADE_OVERRIDES, GRADE_EXTENSIONS, GRADE_LISTS };
#define GRADE_NOBODY SIZE_MAX

struct grading {
    const struct grade_request *request;
    struct course *course;
    const char *on;
    enum isa isa;
    struct grade_exercise *exercises;
    const struct exercise **plain; /* the same, for grade_find */
    size_t exercises_count;
    struct grade_class *class;
    bool *asked;                     /* each student: by --only, or all */
    size_t *listed[GRADE_LISTS];     /* whom each line of the course's lists means, or GRADE_NOBODY */
    struct grade_lateness *lateness; /* students x exercises */
    struct grade_cell *cells;        /* students x exercises */
    struct grade_job *jobs;          /* those of this run, and behind them those of exercises graded before */
    size_t jobs_count, before_count;
    char suite[SHA256_TEXT], tools[SHA256_TEXT]; /* what checks, and what translates and executes: by hash */
    struct grade_similar *similar;               /* submissions with much in common */
    int locks[2];                                /* -1: none */
    mode_t umask; /* the caller's, for workers: what grading writes itself is its owner's alone */
    char *work;   /* OUT/.work */
};

static inline struct grade_cell *grade_cell(const struct grading *g, size_t student, size_t exercise)
{
    return &g->cells[student * g->exercises_count + exercise];
}

/* ---- grade_jobs.c: what is to be done ---- */

bool grade_make_jobs(struct grading *g, struct error *err);
void grade_free_jobs(struct grading *g);

/* ---- grade_before.c: exercises that an earlier run graded, and this one does not ---- */

/* Does OUT have grades of this exercise? */
bool grade_was_before(const struct grade_request *request, const char *id);

/* Record which checks gave the grades of this run's exercises, and how late they were. */
bool grade_record(const struct grading *g, struct error *err);

/* Where grades of earlier runs stay: does this run's course file go with them? False with err: points or the
 * names of students would be others. */
bool grade_check_course(struct grading *g, struct error *err);

/* Once the submissions are known, where no roster says who is in the course: add who was graded before and is
 * not among them. */
bool grade_add_earlier(struct grading *g, struct error *err);

/* For the other exercises, the recorded ones: everybody's grade stays as it was, whatever became of the
 * files, the course or the suite since. Who came later and has files has no grade. With --only, the same for
 * who is not asked for, in all exercises. */
bool grade_recall(struct grading *g, struct error *err);

/* Once they are recalled: how late a student was with one of them. False: another exercise, or a version
 * graded it that did not record that. */
bool grade_recall_lateness(const struct grading *g, size_t student, size_t exercise,
                           struct grade_lateness *lateness);

/* Is this grade a recorded one: of an exercise graded before, or, in one that is graded now, of a student who
 * is not asked for or has nothing here? */
bool grade_is_recalled(const struct grading *g, size_t student, size_t exercise);

/* Are a student's files those of the recorded grade? */
bool grade_is_as_recorded(const struct grading *g, size_t student, size_t exercise);

/* The hash of the rules that a grade was given by; "": a record that does not say. */
const char *grade_rules(const struct grading *g, size_t student, size_t exercise);

/* Which suite, compiler and emulator gave a grade, by version and hash; "": a record that does not say. */
enum { GRADE_BY = 200 };
const char *grade_by(const struct grading *g, size_t student, size_t exercise, char by[GRADE_BY]);

/* A line about each of them, and one about students who are in the records alone. */
void grade_tell_before(const struct grading *g, FILE *out);

/* ---- grade_slices.c: one part of so many ---- */

/* Leave to this run what is in its slice. */
void grade_take_slice(struct grading *g);

/* How many checks of this run have no grade. */
size_t grade_lacking(const struct grading *g);

/* A line for each slice that lacks some. */
void grade_tell_slices(const struct grading *g, FILE *out);

/* ---- grade_prove.c: a course's rules before the term ---- */

/* The table of references and stubs, and the verdict on the rules. */
enum grade_status grade_tell_proof(const struct grading *g, FILE *out);

/* ---- grade_store.c: what is kept ---- */

/* Is OUT that of an earlier grading? */
bool grade_store_is_there(const struct grade_request *request);

/* OUT and OUT/.work, and nobody else at work in it. Who only asks what would be checked makes no new OUT. */
bool grade_store_open(struct grading *g, struct error *err);
void grade_store_close(struct grading *g);

/* Remove what was being written when somebody was killed: in a folder, or in all of OUT but the students'
 * pages, where nobody else may be at work. */
void grade_sweep(const char *path);
void grade_sweep_all(const char *out);

/* Keep what came of a check, as the pages need it. `source` is the work folder that it was done in. */
bool grade_store_put(const struct grading *g, const struct grade_job *job, const struct result *result,
                     const char *source, struct error *err);

/* {"result": ..., "text": ...}; NULL where there is nothing to be relied on. `hash`, or NULL, gets its hash.
 */
cJSON *grade_store_get(const struct grading *g, const char *key, char hash[SHA256_TEXT]);

/* What came of a job, by what is kept of it. */
void grade_look_up(const struct grading *g, struct grade_job *job);

/* Neither seed, nor time, nor place in a result of the JSON report. */
bool grade_make_neutral(cJSON *result, const char *source);

/* What the pages show of it. */
void grade_summarize(const cJSON *kept, const struct exercise *exercise, struct grade_outcome *outcome);

/* Write a file if it is not just so already. */
bool grade_write(const char *path, const char *text, size_t size, struct error *err);

/* ---- grade_work.c: the workers ---- */

enum grade_ended { GRADE_ALL_DONE, GRADE_INTERRUPTED, GRADE_BROKEN };

/* Check all jobs that are ours and not known. `step` is called now and then, and after each job (its index).
 */
enum grade_ended grade_run(struct grading *g, unsigned workers,
                           void (*step)(struct grading *g, void *state, const size_t *job), void *state,
                           struct error *err);

/* ---- grade_book.c: points ---- */

struct grade_mark {
    const char *word;            /* "pass", ..., "missing", "pending" */
    double score, most;          /* in the course's points; NAN where there is none */
    const struct grade_job *job; /* that decided, or NULL */
    size_t trials;
    const struct course_override *override; /* whose points `score` is; NULL: the checks' */
    double checked;                         /* what the checks gave */
};

struct grade_mark grade_mark(const struct grading *g, size_t student, size_t exercise);

struct grade_total {
    double score, most;      /* score is NAN where something has none */
    uint32_t hours, percent; /* late at the latest exercise, and what lateness leaves of all points */
    double counts;           /* score with that */
};

/* ---- grade_called.c: students as the command and the course's lists call them ---- */

/* Once the class is known: whom --only and the lists mean. False with err: --only names nobody, or a name in
 * a list is what two are called. */
bool grade_take_names(struct grading *g, struct error *err);
void grade_free_names(struct grading *g);

/* A line for each name in the course's lists that is nobody's. */
void grade_tell_nobody(const struct grading *g, FILE *out);

/* ---- grade_late.c: how late, and what that leaves ---- */

/* Once the class is known, and exercises graded before are recalled. */
bool grade_settle_lateness(struct grading *g, struct error *err);

/* From the record of an exercise graded before, else from the list of late students, else from when it was
 * handed in and when it was due. */
struct grade_lateness grade_lateness(const struct grading *g, size_t student, size_t exercise);

struct grade_total grade_total(const struct grading *g, size_t student);

/* "7", "7.5", "6.67"; "" where there is none. */
const char *grade_points(char buffer[32], double points);

/* A cell for people: cleaned, and cut at so many bytes. */
void grade_csv_cell(FILE *out, const char *text, size_t bytes);

/* A file in OUT. text is malloc'ed and freed; NULL: memory is short. */
bool grade_write_text(const struct grading *g, const char *name, char *text, struct error *err);

/* "8 points in place of 5: the reason", for the student and the gradebook. "" where there is no override. */
const char *grade_override_text(const struct grade_mark *mark, char buffer[400]);

bool grade_write_book(const struct grading *g, struct error *err);

/* ---- grade_history.c ---- */

/* Add to OUT/history.csv what changed since. */
bool grade_write_history(const struct grading *g, struct error *err);

/* What would be checked now, an exercise a line, and what differs from the last line of OUT/history.csv. */
bool grade_tell_anew(const struct grading *g, FILE *out, struct error *err);

/* ---- grade_back.c: what platforms import ---- */

/* After all reports; of platforms that the class is not from, what lies there is removed. */
bool grade_write_back(const struct grading *g, struct error *err);
void grade_tell_back(const struct grading *g, FILE *out);

/* ---- pages ---- */

/* All three, where they are not just so already. */
enum { GRADE_PAGES = 3 };
extern const char *const grade_pages[GRADE_PAGES]; /* "report.json", ... */
bool grade_write_student(const struct grading *g, size_t student, struct error *err);
bool grade_write_index(const struct grading *g, struct error *err);

/* ---- grade_hints.c ---- */

/* Lines of a summary about what an instructor may not expect. */
void grade_tell_hints(const struct grading *g, FILE *out);

/* ---- grade_stamp.c ---- */

/* Are the student's pages as they would be written now? Neither they nor the kept results are read for it. */
bool grade_stamp_holds(const struct grading *g, size_t student);

/* Remember that they are, once they are written. */
bool grade_stamp(const struct grading *g, size_t student, struct error *err);

/* ---- grade_forget.c ---- */

/* On the class page, around what is counted of all students: `forget` takes it away, since it counts the one
 * too who is forgotten. */
void grade_begin_counts(FILE *out);
void grade_end_counts(FILE *out);

/* ---- grade_statistics.c: what a class found hard ---- */

/* For the class page: bounds that were missed, how well each separates, and the typical mistakes made. False:
 * out of memory. */
bool grade_print_statistics(const struct grading *g, FILE *out);

/* ---- grade_similar.c: who handed in the same, or nearly ---- */

/* Pairs that are told, those with most in common, and kept of an exercise. */
enum { GRADE_PAIRS = 100 };

/* What the submissions of an exercise that are here have in common. */
struct grade_compared {
    cJSON *pairs; /* as class.json has them */
    double submissions, long_enough,
        too_long; /* different ones; of them those that are compared, and too long for it */
    double more;  /* pairs that are not kept */
};

/* False: out of memory. */
bool grade_compare(const struct grading *g, size_t exercise, struct grade_compared *compared);

/* ---- grade_told.c ---- */

/* Compare the submissions of each exercise; of those graded before what was told then. NULL: out of memory.
 */
struct grade_similar *grade_find_similar(const struct grading *g);
void grade_similar_free(struct grade_similar *similar); /* or NULL */

/* For the class page, and for class.json. */
void grade_print_similar(const struct grading *g, FILE *out);
cJSON *grade_make_similar(const struct grading *g);

/* For the record of an exercise. NULL: out of memory. */
cJSON *grade_keep_similar(const struct grading *g, size_t exercise);

/* Remove the reports of those who are no longer there. */
void grade_sweep_students(const struct grading *g);

#endif
