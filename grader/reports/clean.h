/* Text that somebody else wrote (a compiler, a student's names) made safe to show: control characters, bytes
 * that are no UTF-8, and the marks that reorder text are shown as \xNN instead of acting on a terminal. */
#ifndef CYCLELAB_CLEAN_H
#define CYCLELAB_CLEAN_H

#include <stddef.h>
#include <stdio.h>

/* At most `lines` lines, each of at most `bytes` bytes of the original and with `indent` in front, and then
 * how much was left out. A newline at the very end is optional and makes no line. */
void clean_print(FILE *out, const char *text, const char *indent, size_t lines, size_t bytes);

/* All on one line (newlines become spaces), at most `bytes` bytes of the original and "..." after a cut. */
void clean_print_line(FILE *out, const char *text, size_t bytes);

/* The same as a text; malloc'ed, NULL when out of memory. */
char *clean_line(const char *text, size_t bytes);

/* The same, broken at blanks into lines of at most `width` columns where that can be: `first` is in front of
 * the first one, as many blanks in front of the others, and a newline behind the last. What stands in
 * `backquotes` stays together, to be copied. */
void clean_print_wrapped(FILE *out, const char *text, const char *first, size_t width, size_t bytes);

/* A report's lines as they are, those that are longer than so many columns broken between words; what goes on
 * is indented as its line is. Colours take no column. */
void clean_fold(FILE *out, const char *text, size_t columns);

/* For formats that have escapes of their own but ask for valid UTF-8: only the bytes that are none become
 * \xNN. malloc'ed; NULL when out of memory. */
char *clean_utf8(const char *text);

#endif
