/* Where a student works: WORK/NN-slug/ holds the student's files of an exercise, WORK/.state what is
 * remembered of checks and hints. The suite's own folders are never written to, so they may be read-only or
 * shared. */
#ifndef CYCLELAB_WORK_H
#define CYCLELAB_WORK_H

#include <stdbool.h>
#include <stdio.h>
#include "grader/exercise/exercise.h"
#include "harness/base/error.h"

/* WORK/NN-slug. malloc'ed; NULL when memory is short. */
char *work_folder(const char *work, const char *id);

/* Is there such a folder, and anything in it? */
bool work_begun(const char *work, const char *id);

enum begun { BEGUN_NOW, BEGUN_BEFORE, BEGUN_FAILED };

/* Copy the stub to WORK/NN-slug/, with a compile_flags.txt for editors, at once or not at all: Ctrl-C, a full
 * disk or another begin leave all of it or nothing. What was begun before is not touched; a
 * compile_flags.txt that is missing comes back, and a WORK outside the suite gets a .gitignore for what is
 * made there. BEGUN_FAILED with err. */
enum begun work_begin(const char *root, const char *work, const struct exercise *exercise, struct error *err);

/* The text of compile_flags.txt: how clangd finds exercise.h, which is not copied. Relative where the suite
 * holds WORK, so that a clone may be moved. malloc'ed; NULL with err. */
char *work_compile_flags(const char *work, const struct exercise *exercise, const char *root,
                         struct error *err);

/* Names that a student's files of the exercise can have, "aarch64/clamp.S" or "clamp.c", by index; malloc'ed.
 * NULL past the last one, or when memory is short. */
char *work_name(const struct exercise *exercise, unsigned index);

/* One line on `out` where there is an edited file in the exercise's own folder, where no student's file
 * counts: that it belongs in WORK/NN-slug/. */
void work_note_misplaced(const char *work, const struct exercise *exercise, FILE *out);

#endif
