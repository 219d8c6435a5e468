/* Other people's programs that show something: a disassembler, llvm-mca, gnuplot. What is made of a student's
 * file is given to them within the compiler's walls. */
#ifndef CYCLELAB_TOOL_H
#define CYCLELAB_TOOL_H

#include <stddef.h>
#include "grader/base/workdir.h"
#include "harness/base/error.h"

/* A new folder in the work folder, with `text` in a file `name` that the tool can read (NULL: no file).
 * malloc'ed. NULL with err. */
char *tool_folder(const struct workdir *workdir, const char *name, const char *text, struct error *err);

/* Run argv (looked up in PATH) in `folder`, which it can read, and give back what it wrote, malloc'ed. NULL
 * with err: it is not there, failed (its first line), or was stopped after 10 s. */
char *tool_run(const char *const *argv, const char *folder, struct error *err);

/* The same without walls, where all of the input is the suite's own: `command` (a shell's) with the file
 * `name` of `folder` as its last argument. */
char *tool_run_trusted(const char *command, const char *folder, const char *name, struct error *err);

#endif
