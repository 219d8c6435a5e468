/* Source lines of what is in an object file, from its debug information. All give 0 where they cannot tell,
 * also for lines of another file than the object's own source. */
#ifndef CYCLELAB_OBJECT_LINES_H
#define CYCLELAB_OBJECT_LINES_H

#include <stddef.h>
#include <stdint.h>

struct object_lines;

/* NULL where there is nothing to learn; the functions below and close take that. */
struct object_lines *object_lines_open(const char *object, const char *source);
void object_lines_close(struct object_lines *lines);

/* The line of the code at an offset of a section. */
unsigned object_lines_address(const struct object_lines *lines, size_t section, uint64_t offset);

/* The line that declares a variable. Of several with the same name, statics of functions, it is the one that
 * lies there. */
unsigned object_lines_variable(const struct object_lines *lines, const char *name, size_t section,
                               uint64_t offset);

/* The line of a symbol: a variable's or a function's. */
unsigned object_lines_symbol(const struct object_lines *lines, const char *name, size_t section,
                             uint64_t offset);

#endif
