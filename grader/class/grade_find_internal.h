/* What the parts of finding submissions share; nobody else's business. */
#ifndef CYCLELAB_GRADE_FIND_INTERNAL_H
#define CYCLELAB_GRADE_FIND_INTERNAL_H

#include <sys/types.h>
#include "grader/class/grade_alone.h"
#include "grader/class/grade_find.h"

struct finding_class {
    struct grade_class *class;
    int folder;           /* that paths begin at: of the submissions, or of what was unpacked of one */
    const char *left_out; /* of that archive: unpack_take_left_out() */
    size_t left_out_size;
    enum isa isa;
    const bool *before;              /* a flag for each exercise: it was graded before; NULL: none was */
    bool renamed;                    /* look for files that are called nearly as they should be */
    const struct grade_alone *alone; /* or NULL */
    bool beside_stub;                /* and none that is an untouched stub, since there is one already */
    bool packed;                     /* in an archive: nobody can name what is in it */
    char *unknown;                   /* what lies alone there, if it is not known whose it is */
    bool own;                        /* the folder is that of one student */
    int fault;   /* of this machine's, while a student's files were looked for: errno; 0: none */
    bool failed; /* out of memory */
};

/* ---- grade_note.c ---- */

/* Adds to a note for people, behind a semicolon; beyond 2,000 bytes it is told how many more there are. */
void find_note(char **note, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A name for people; good until the second call after. */
const char *find_shown(const char *name);

/* Is it what a name leads to, and no fault of the machine's? */
bool find_is_absent(int why);

/* With a slash between them where neither is empty; malloc'ed, NULL when memory is short. */
char *find_join(const char *a, const char *b);

/* ---- grade_find_entry.c ---- */

/* Is an exercise asked for? What was graded before does not change what is found now. */
static inline bool find_asks(const struct finding_class *f, size_t e)
{
    return !f->before || !f->before[e];
}

/* Could a file that is called as both exercises have theirs be `other`'s as well as `exercise`'s? */
bool find_rivals(const struct finding_class *f, const struct exercise *exercise, size_t other);

/* What there is below `top` for this exercise goes into the entry. `own`: that, or a folder above it, which
 * is the student's. Short memory is noted in f->failed. */
void find_entry(struct finding_class *f, const struct exercise *exercise, const char *own, const char *top,
                struct grade_entry *entry);

/* Take a file that may be there, under another name or (as NULL) its own. False: nothing more can come of
 * this entry. */
bool find_take_file(struct finding_class *f, struct grade_entry *entry, const char *base, const char *file,
                    const char *as, bool *taken);

/* Is it a stub as it came? */
bool find_is_stub(struct finding_class *f, const struct exercise *exercise, const char *base,
                  const char *file);

/* The entry is without files then. */
void find_free_files(struct grade_entry *entry);

/* ---- grade_renamed.c ---- */

/* Is there a file in `base` that could be one of the exercise's? `direct`: other exercises' files may lie
 * there, too. */
bool find_has_renamed(struct finding_class *f, const struct exercise *exercise, const char *base,
                      bool direct);

/* Take the one file in these folders that is called nearly as the stem's. False as find_take_file. */
bool find_renamed(struct finding_class *f, const struct exercise *exercise, const char *const *bases,
                  size_t count, const char *top, const char *stem, struct grade_entry *entry, bool *taken);

/* ---- grade_find.c ---- */

/* 1: `id` is the exercise's id or its slug. 2: its number alone. 0: neither. */
unsigned find_is_called(const char *id, const struct exercise *exercise);

/* ---- grade_hide.c ---- */

/* `by` in place of these names, and of each of their words, in all that is said of a student's files. False:
 * out of memory. */
bool find_hide_names(struct grade_student *student, size_t exercises, const char *const *names, size_t count,
                     const char *by);

/* ---- grade_handed.c ---- */

enum handed_kind { HANDED_FOLDER, HANDED_FILE, HANDED_ARCHIVE };

/* A part of what a student handed in, as it lies in an export. */
struct handed_part {
    enum handed_kind kind;
    char *path;               /* below the export's folder */
    char *as;                 /* a file: as the student called it */
    unsigned long long order; /* what came later has a higher one */
};

struct handed {
    char *id, *name;
    char *time;       /* as the platform has it; "" where it does not say */
    unsigned attempt; /* 0: not said */
    unsigned earlier; /* submissions of theirs that are left out for this one */
    bool late;
    bool id_is_shared; /* with another name, so that `id` is one that the platform does not know */
    struct handed_part *parts;
    size_t parts_count;
};

struct handed_class {
    const char *service;     /* NULL: a folder or an archive for each student */
    struct handed *students; /* each id once */
    size_t count;
};

/* Read the names in a folder. What belongs to nobody is added to class->ignored. False with err. */
bool handed_read(struct finding_class *f, const char *folder, struct handed_class *handed, struct error *err);
void handed_free(struct handed_class *handed);

/* ---- grade_blackboard.c ---- */

/* Blackboard's names have the assignment's in front of the login, and both may hold the same signs: the text
 * that it writes beside each submission tells them apart. Where there is none, a student keeps both as id and
 * name. False: out of memory. */
bool blackboard_name_students(int folder, struct handed_class *handed);

/* ---- grade_listing.c ---- */

enum { FIND_LISTED = 2000 };
struct listing {
    struct strings names;
    size_t folders; /* of them */
    char *folder;   /* the only one */
    int error;      /* not all could be read: why */
};

/* The names in a folder, without hidden ones. NULL: out of memory. */
struct listing *find_list(int parent, const char *path);
void find_free_listing(struct listing *listing);

/* ---- grade_search.c ---- */

/* Search all parts, whose paths begin at f->folder; archives are unpacked to a place of their own, which is
 * gone again at the end. */
void find_student(struct finding_class *f, struct grade_student *student, const struct handed *handed);

/* The same of one folder, where no archive is opened. */
void find_student_at(struct finding_class *f, struct grade_student *student, const char *path);

/* Was anything of any exercise there? */
bool find_has_some(const struct grade_class *class, const struct grade_student *student);

/* ---- grade_gradescope.c ---- */

/* One of the submitters of a submission, by Gradescope's submission_metadata.yml. */
struct gradescope_submitter {
    char *folder, *id, *name, *time;
    unsigned attempt;
};

struct gradescope {
    struct gradescope_submitter *submitters;
    size_t count;
};

/* False with err: where and why it is no such file. */
bool gradescope_read(const char *text, size_t size, struct gradescope *gradescope, struct error *err);
void gradescope_free(struct gradescope *gradescope);

#endif
