/* In an anonymous course: what is said of a student's files, without what the student is called. Archives and
 * folders are called as students are. */
#include "grader/class/grade_find_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LEAST_WORD = 3, LEAST_NUMBER = 5 };

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Wherever the word stands by itself. False: out of memory. */
static bool hide(char **text, const char *word, size_t size, const char *by)
{
    const bool number = strspn(word, "0123456789") >= size;
    for (char *at = *text; at && size >= (number ? LEAST_NUMBER : LEAST_WORD) && *at; at++) {
        if (strncasecmp(at, word, size) != 0 || (at > *text && is_letter(at[-1])) || is_letter(at[size]))
            continue;
        char *whole;
        const int before = (int)(at - *text);
        if (asprintf(&whole, "%.*s%s%s", before, *text, by, at + size) < 0)
            return false;
        free(*text);
        *text = whole;
        at = whole + before + strlen(by) - (*by != '\0');
    }
    return true;
}

/* The whole name, then its words. */
static bool hide_name(char **text, const char *name, const char *by)
{
    if (!*text)
        return true;
    bool enough = hide(text, name, strlen(name), by);
    for (const char *at = name; enough && *at;) {
        size_t size = 0;
        while (is_letter(at[size]) || isdigit((unsigned char)at[size]))
            size++;
        enough = hide(text, at, size, by);
        at += size + (at[size] != '\0');
    }
    return enough;
}

bool find_hide_names(struct grade_student *student, size_t exercises, const char *const *names, size_t count,
                     const char *by)
{
    bool enough = true;
    for (size_t i = 0; enough && i < count; i++) {
        enough = hide_name(&student->note, names[i], by);
        for (size_t e = 0; enough && e < exercises; e++)
            enough = hide_name(&student->entries[e].note, names[i], by) &&
                     hide_name(&student->entries[e].folder, names[i], by);
    }
    return enough;
}
