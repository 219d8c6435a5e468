/* Cells of comma-separated values (RFC 4180). */
#ifndef CYCLELAB_CSV_H
#define CYCLELAB_CSV_H

#include <stdio.h>
#include "harness/base/error.h"

/* In quotation marks, on one line, and such that no spreadsheet takes it for a formula, nor what is behind a
 * semicolon in it, which some countries' spreadsheets have between cells. */
void csv_cell(FILE *out, const char *text);

/* A whole file as somebody's spreadsheet saves it, in UTF-16 with its mark or in bytes with or without that
 * of UTF-8: in bytes, without it. malloc'ed; NULL with err, which does not name the file: there is a NUL in
 * it, or memory is short. */
char *csv_decode(const char *data, size_t size, struct error *err);

/* Of commas, semicolons and tabs the one that the line has most of outside of quotation marks. */
char csv_separator(const char *line);

/* The row at *text, in place, without its end; lines may end in quotation marks, and with CR alone. *text is
 * then the next one, or NULL behind the last; *lines grows by what it takes. */
char *csv_take_row(char **text, unsigned *lines);

/* The line at *text, in place, without its end, which can be CR alone; *text is then the next one, or NULL
 * behind the last. */
char *csv_take_line(char **text);

/* The cell at *at, in place, without quotation marks and what blanks are around it; *at is then behind its
 * separator, or NULL at the end of the line. NULL where its quotation marks are wrong. */
char *csv_take_cell(char **at, char separator);

/* The same of a line that csv_cell wrote: its text as it was given. */
char *csv_take_own_cell(char **at);

#endif
