/* From an address of a built program to function, source file and line. */
#ifndef CYCLELAB_LOCATE_H
#define CYCLELAB_LOCATE_H

#include <stdbool.h>
#include <stdint.h>

/* Where an address of a built program lies: function, and source file and line where known. */
struct location {
    char function[128]; /* "" when unknown */
    uint64_t offset;    /* from the function's start */
    char file[256];     /* base name; "" when unknown */
    unsigned line;
    bool student; /* in a function that the exercise's student defines, or its statics */
};
bool build_locate(const char *program, uint64_t address, struct location *location);

/* Is the address where execution comes that runs on past the end of a student's function: right behind it, or
 * in what fills the page there, in no function? *location is that of the function's last byte. */
bool build_locate_past(const char *program, uint64_t address, struct location *location);

/* The same for many addresses of one program. NULL: there is nothing to learn from the file. */
struct locator;
struct locator *locator_open(const char *program);
bool locator_find(const struct locator *locator, uint64_t address, struct location *location);
void locator_close(struct locator *locator);

#endif
