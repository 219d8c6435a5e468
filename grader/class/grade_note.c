/* Notes for people about what was handed in. */
#include "grader/class/grade_find_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/reports/clean.h"

enum { MOST_NAME = 80, MOST_NOTE = 2000 };

/* A note that is full counts what would have been added. */
static void count_note(char **note)
{
    static const char begin[] = "; and ", end[] = " more notes";
    char *last = NULL, *whole;
    unsigned count = 0;
    for (char *at = *note; (at = strstr(at, begin)); at++)
        last = at;
    if (last && sscanf(last, "; and %u more notes", &count) == 1 && strlen(last) > sizeof end &&
        strcmp(last + strlen(last) - strlen(end), end) == 0)
        *last = '\0';
    else
        count = 0;
    if (asprintf(&whole, "%s%s%u%s", *note, begin, count + 1, end) < 0)
        return;
    free(*note);
    *note = whole;
}

void find_note(char **note, const char *format, ...)
{
    char *text, *whole;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    if (text && *note && strlen(*note) + strlen(text) > MOST_NOTE) {
        count_note(note);
        free(text);
    } else if (text && *note && asprintf(&whole, "%s; %s", *note, text) >= 0) {
        free(*note);
        free(text);
        *note = whole;
    } else if (!*note) {
        *note = text;
    } else {
        free(text);
    }
}

const char *find_shown(const char *name)
{
    static char buffer[2][4 * MOST_NAME + 8];
    static unsigned next;
    char *clean = clean_line(name, MOST_NAME);
    next ^= 1;
    snprintf(buffer[next], sizeof buffer[0], "%s", clean ? clean : "?");
    free(clean);
    return buffer[next];
}

char *find_join(const char *a, const char *b)
{
    char *path;
    return asprintf(&path, "%s%s%s", a, *a && *b ? "/" : "", b) < 0 ? NULL : path;
}
