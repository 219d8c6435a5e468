/* Cells of comma-separated values (RFC 4180). */
#ifndef CYCLELAB_CSV_H
#define CYCLELAB_CSV_H

#include <stdio.h>

/* In quotation marks, on one line, and such that no spreadsheet takes it for a formula. */
void csv_cell(FILE *out, const char *text);

/* The line at *text, in place, without its end; *text is then the next one, or NULL behind the last. */
char *csv_take_line(char **text);

/* The cell at *at, in place, without quotation marks and what blanks are around it; *at is then behind its
 * separator, or NULL at the end of the line. NULL where its quotation marks are wrong. */
char *csv_take_cell(char **at, char separator);

/* The same of a line that csv_cell wrote: its text as it was given. */
char *csv_take_own_cell(char **at);

#endif
