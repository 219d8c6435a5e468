/* The submissions of a class: which of a student's files belong to which exercise. Everything here is taken
 * for hostile: links are never followed, only regular files of a size are opened, names are bytes. */
#ifndef CYCLELAB_GRADE_FIND_H
#define CYCLELAB_GRADE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include "grader/build/build.h"
#include "grader/base/sha256.h"
#include "grader/base/strings.h"
#include "harness/base/error.h"

enum grade_found {
    FOUND_NOTHING, /* not submitted */
    FOUND_FILES,
    FOUND_REFUSED,    /* a link, a device, too large: what no submission may be */
    FOUND_UNREADABLE, /* this machine's fault */
};

struct grade_file {
    char *name; /* as in the exercise's folder: "clamp.c", "aarch64/clamp.S" */
    char *path; /* below the submissions' folder; NULL: the stub stands in for it */
    char *data; /* as it was when it was found: from then on nobody asks for the file again */
    size_t size;
    char hash[SHA256_TEXT];
};

/* What a student has for one exercise. */
struct grade_entry {
    enum grade_found found;
    char *folder; /* below the student's; "." for that itself, NULL where nothing was found */
    struct grade_file *files;
    size_t files_count;
    char hash[SHA256_TEXT]; /* of all names and contents */
    char *note;             /* for people: what was odd; NULL: nothing */
    bool untouched;         /* all files are as the stubs came */
    bool unsure;            /* nothing, or a submission that is nobody's could be theirs */
};

struct grade_student {
    char *name;        /* for people: as the folder is called, or as the platform has it */
    char *id;          /* the platform's, another one for each student; or the folder's name */
    char *platform_id; /* as the platform has it, also where a roster has another; "": handed nothing in */
    char *handed_in;   /* where in the export it lies: the same for all who handed one submission in */
    char *safe;        /* the id for a file system, a link and a terminal; another one for each */
    char *time;        /* when it was handed in, as the platform has it; "" where it does not say */
    char *email, *section;         /* the roster's; "" where there is none */
    char *roster_id, *roster_name; /* where the student is called otherwise; "" where there is no roster */
    struct grade_entry *entries;   /* one an exercise */
    bool earlier; /* is not in these submissions, but in those of an exercise graded before */
    char *note;
};

struct grade_class {
    const struct exercise *const *exercises;
    size_t exercises_count;
    struct grade_student *students; /* in order of their names' bytes, then of their ids' */
    size_t students_count;
    const char *service; /* whose export it is; NULL: of none */
    size_t absent;       /* of them: in the roster, without a submission */
    size_t strangers;    /* of them: with a submission, and whose it is the roster does not say */
    char **ignored;      /* what lies there and is no submission: for people */
    size_t ignored_count;
    struct strings wrappers; /* what was alone, and taken for what is around the class */
};

/* One more, without any files. NULL: out of memory. */
struct grade_student *grade_add_student(struct grade_class *class, const char *id, const char *name,
                                        const char *time);
void grade_sort_students(struct grade_class *class);

/* Is the student called so? Ids are given and names are chosen: whoever is called so by the highest of these
 * is meant. A name that could be an id counts only where it is the roster's. */
enum grade_called { CALLED_NOT, CALLED_BY_NAME, CALLED_BY_ID, CALLED_BY_ROSTER_ID };
enum grade_called grade_called(const struct grade_student *student, const char *name);

/* Look through a folder with a folder, an archive or a repository for each student, or through what Canvas,
 * Moodle or Gradescope export, as a folder or as an archive, and copy what counts. The exercises have to
 * stay. `isa`: for which files are graded; where a student has none of the names that count for it, the
 * stub's file stands in. NULL with err when the folder cannot be read or holds no submission. */
struct grade_class *grade_find(const char *folder, const struct exercise *const *exercises, size_t count,
                               enum isa isa, struct error *err);

/* The same where some of the exercises were graded before: of these, a flag each is set in `before`. Nobody
 * looks for their files. `alone`, or NULL: who is known when one thing lies alone in the folder, so that a
 * student's is not taken for the class's. */
struct grade_alone;
struct grade_class *grade_find_beside(const char *folder, const struct exercise *const *exercises,
                                      const bool *before, const struct grade_alone *alone, size_t count,
                                      enum isa isa, struct error *err);

/* The same where `folder` itself is the submission of one student, who is called ".". */
struct grade_class *grade_find_one(const char *folder, const struct exercise *const *exercises, size_t count,
                                   enum isa isa, struct error *err);
void grade_class_free(struct grade_class *class);

/* Another name for each name: letters, digits, `.` (not in front), `-`, `_`, the rest as =XX. malloc'ed. */
char *grade_safe_name(const char *name);

/* Open a regular file below a folder without following any link. -1 with errno (ELOOP: a link; EINVAL:
 * neither a file; EFBIG: too large). */
int grade_open(int folder, const char *path, size_t limit);

/* The contents of such a file; malloc'ed. NULL with errno. */
char *grade_read(int folder, const char *path, size_t limit, size_t *size);

/* Write the files of an entry below a folder, as they were when they were found, named as the stub's. */
bool grade_stage(const struct grade_entry *entry, const char *folder, struct error *err);

#endif
