/* What the parts of course.c share; nobody else's business. */
#ifndef CYCLELAB_COURSE_INTERNAL_H
#define CYCLELAB_COURSE_INTERNAL_H

#include "grader/exercise/course.h"

/* Takes over the name; false when memory is out. */
bool course_add_late(struct course *course, char *student, uint32_t hours);

/* A file of lines `student,days` or `student,HOURSh`. */
bool course_read_late(struct course *course, const char *file, struct error *err);

#endif
