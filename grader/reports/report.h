/* Reports: one file a format, all from one struct result. */
#ifndef CYCLELAB_REPORT_H
#define CYCLELAB_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include "grader/check/result.h"
#include "harness/base/error.h"

enum { REPORT_SCHEMA = 3 }; /* the JSON report's version */

/* For people. First line the title, second the verdict, third the one thing to look at; the last one tells
 * the verdict again, with the exit status (which `make` hides) and the seed to repeat it with. */
void report_text(FILE *out, const struct result *result, bool colour);

/* The same without the last two lines: place, time and seed. */
void report_text_body(FILE *out, const struct result *result, bool colour);

/* One line an exercise, with its remarks, and a total, for `make check` of all. */
void report_summary(FILE *out, struct result *const *results, size_t count, bool colour);

/* The JSON report of one or more results, as docs/report.md has it: {"schema": 1, "results": [...]}. The
 * caller frees the text. NULL when out of memory. */
char *report_json(struct result *const *results, size_t count);

/* `spec` is "FORMAT:FILE" with a format of formats.h, or several with commas between:
 * "json:a.json,junit:b.xml". "json:-" is standard output, as "json:/dev/stdout" is. report_parse refuses an
 * unknown format and a place where no file can be written: ask it before anything is measured. report_write
 * puts each file there whole or not at all (devices and pipes are written to as they are).
 * report_write_early, while there are more results to come, does so for the formats that want it. False with
 * err. */
bool report_parse(const char *spec, struct error *err);
bool report_write(const char *spec, struct result *const *results, size_t count, struct error *err);
bool report_write_early(const char *spec, struct result *const *results, size_t count, struct error *err);

/* Is this format one of them? */
bool report_asks_for(const char *spec, const char *format);

/* Does one of them go to standard output? */
bool report_takes_stdout(const char *spec);

#endif
