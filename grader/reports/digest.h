/* What the formats for other programs have in common: the words and numbers of a check, as those programs can
 * take them. */
#ifndef CYCLELAB_DIGEST_H
#define CYCLELAB_DIGEST_H

#include <stdbool.h>
#include <stdio.h>
#include "grader/check/result.h"

/* Bytes of one check's text: no service takes megabytes, whatever a submission makes a compiler say. */
enum { DIGEST_BYTES = 4000 };

/* "fail: speedup 1.02x, asked for >= 7.10x", the message, and "next: ...". Control characters and broken
 * UTF-8 are shown as \xNN. malloc'ed; NULL when out of memory. */
char *digest_check(const struct check *check);

/* The headline and the one thing to look at, likewise. */
char *digest_result(const struct result *result);

/* "student number: 7", as a line behind `before`, where something was drawn by it. */
void digest_student(FILE *out, const char *before, const struct result *result);

/* A name that no other check of the result has: services drop the second of two. Like snprintf. */
void digest_name(char *buffer, size_t size, const struct result *result, size_t check);

/* The first place that a check names in a file that was graded: its path within what was handed in, line and
 * column (0 where none is told). False where it names none. */
struct digest_place {
    char path[256];
    unsigned line, column;
};
bool digest_place(const struct result *result, const struct check *check, struct digest_place *place);

/* Points for programs that know no "no score": 0 while unstable, and the text says to run it again. */
double digest_points(double score);

/* Points as people read them, in tenths: "4", not "4.0", for what is nearly that. Like snprintf. */
void digest_points_text(char *buffer, size_t size, double points);

/* Text that is built up in memory: what was written to `out`, or NULL when memory ran out (out is closed). */
struct digest_text {
    char *text;
    size_t size;
    FILE *out;
};
bool digest_open(struct digest_text *text);
char *digest_close(struct digest_text *text);

/* Copy `text` with each byte that `escape` has something for replaced by that. */
void digest_escape(FILE *out, const char *text, const char *(*escape)(char c));

/* For digest_escape: what would be markup in HTML or XML, within attributes and content alike. */
const char *digest_html(char c);

#endif
