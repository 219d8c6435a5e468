/* Files below a folder: what begin, reset and solution share. */
#ifndef CYCLELAB_STUDENT_FILES_H
#define CYCLELAB_STUDENT_FILES_H

#include "grader/base/strings.h"
#include "harness/base/error.h"

/* The sources below a folder (.c, .S, .h), sorted, by names relative to it. False with err, also where there
 * are none; the list is empty then. */
bool student_list_files(const char *folder, struct strings *names, struct error *err);

/* Create the folder that holds `path`. */
bool student_make_parent(const char *path, struct error *err);

/* With all that is in it. */
void student_remove_folder(const char *path);

#endif
