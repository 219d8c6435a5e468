/* What the files that look through a class's folder share. */
#ifndef CYCLELAB_GRADE_FIND_INTERNAL_H
#define CYCLELAB_GRADE_FIND_INTERNAL_H

#include <sys/types.h>
#include "grader/class/grade_find.h"

struct finding_class {
    struct grade_class *class;
    int folder; /* of the submissions */
    enum isa isa;
    bool failed; /* out of memory */
};

/* Adds to a note for people, behind a semicolon. */
void find_note(char **note, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A name for people; good until the second call after. */
const char *find_shown(const char *name);

/* With a slash between them where neither is empty; malloc'ed, NULL when memory is short. */
char *find_join(const char *a, const char *b);

/* What `student` has below `top` for this exercise goes into the entry. Short memory is noted in f->failed.
 */
void find_entry(struct finding_class *f, const struct exercise *exercise, const char *student,
                const char *top, struct grade_entry *entry);

/* The entry is without files then. */
void find_free_files(struct grade_entry *entry);

#endif
