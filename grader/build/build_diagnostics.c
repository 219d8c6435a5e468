/* What a compiler wrote, made readable. */
#include "grader/build/build_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 20, MAX_NAMES = 64 };

/* A name of the work folder and what a person calls it. */
struct name {
    char staged[512];
    char shown[512];
};

static size_t name_table(const struct stage *stage, const struct exercise *exercise, struct name *names)
{
    size_t count = 0;
    for (size_t i = 0; i < stage->count && count + 6 < MAX_NAMES; i++) {
        const struct unit *unit = &stage->units[i];
        snprintf(names[count].staged, sizeof names->staged, "%s/%s/%s", stage->folder, stage->sources,
                 unit->staged);
        snprintf(names[count++].shown, sizeof names->shown, "%s", unit->origin);
        snprintf(names[count].staged, sizeof names->staged, "%s", unit->staged);
        snprintf(names[count++].shown, sizeof names->shown, "%s", unit->origin);
    }
    snprintf(names[count].staged, sizeof names->staged, "../include/harness/");
    snprintf(names[count++].shown, sizeof names->shown, "harness/");
    snprintf(names[count].staged, sizeof names->staged, "../include/");
    snprintf(names[count++].shown, sizeof names->shown, "%s/", exercise->folder);
    snprintf(names[count].staged, sizeof names->staged, "glue.c");
    snprintf(names[count++].shown, sizeof names->shown, "%s/glue.c", exercise->folder);
    snprintf(names[count].staged, sizeof names->staged, "{standard input}");
    snprintf(names[count++].shown, sizeof names->shown, "the compiler's assembly");
    return count;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '/' || c == '-';
}

/* The name that stands at `at`, whole; NULL for none. */
static const struct name *name_at(const struct name *names, size_t count, const char *text, const char *at)
{
    if (at > text && in_name(at[-1]))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(names[i].staged);
        if (strncmp(at, names[i].staged, length) == 0 &&
            (names[i].staged[length - 1] == '/' || !in_name(at[length])))
            return &names[i];
    }
    return NULL;
}

static bool is_error(const char *line)
{
    static const char *const marks[] = {"error:", "Error:", "undefined reference", "multiple definition"};
    size_t length = strcspn(line, "\n");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *found = strstr(line, marks[i]);
        if (found && found < line + length)
            return true;
    }
    return false;
}

/* Warnings may come first, and there may be many: begin where the first error is among the lines shown. */
static const char *first_to_show(const char *output)
{
    unsigned number = 0;
    output += strspn(output, "\n");
    for (const char *line = output; *line; number++) {
        if (is_error(line))
            return number < MAX_LINES / 2 ? output : line;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return output;
}

char *diagnostics_tidy(const struct stage *stage, const struct exercise *exercise, const char *output)
{
    struct name *names = calloc(MAX_NAMES, sizeof *names);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!names || !out) {
        free(names);
        if (out)
            fclose(out);
        free(text);
        return NULL;
    }
    const size_t count = name_table(stage, exercise, names);
    unsigned lines = 0;
    const char *at = first_to_show(output);
    const char *start = at;
    while (*at && lines < MAX_LINES) {
        const struct name *name = name_at(names, count, start, at);
        if (name) {
            fputs(name->shown, out);
            at += strlen(name->staged);
            continue;
        }
        unsigned char c = (unsigned char)*at++;
        lines += c == '\n';
        if (c == '\n' && (!*at || lines == MAX_LINES))
            break;
        fputc(c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f) ? c : '?', out);
    }
    if (*at)
        fputs("\n(more follows)", out);
    fclose(out);
    free(names);
    return text;
}
