/* Cells of comma-separated values. */
#ifndef CYCLELAB_CSV_H
#define CYCLELAB_CSV_H

#include <stdio.h>

/* In quotation marks, on one line, and such that no spreadsheet takes it for a formula. */
void csv_cell(FILE *out, const char *text);

#endif
