#include "grader/student/draw.h"

#include <stdlib.h>
#include <string.h>

#define LINE_END "\033[0m\033[K" /* and no newline in the last row: that would scroll */

/* A byte that takes a column: not the rest of a UTF-8 character. */
static bool is_column(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* How much of `text` goes into a line of so many columns: up to a blank where there is one. */
static size_t line_length(const char *text, unsigned columns)
{
    size_t length = 0, blank = 0;
    unsigned used = 0;
    for (; text[length] && text[length] != '\n'; length++) {
        used += is_column(text[length]);
        if (used > columns)
            return blank > 0 ? blank : length;
        if (text[length] == ' ' && length > strspn(text, " "))
            blank = length;
    }
    return length;
}

static const char *after_line(const char *text, size_t length)
{
    text += length;
    if (*text == '\n')
        return text + 1;
    return text + strspn(text, " ");
}

static const char *colour_of(const char *line)
{
    static const char *const bad[] = {"FAIL: ", "REJECTED: ", "ERROR: "};
    if (strncmp(line, "PASS: ", 6) == 0)
        return "\033[1;32m";
    if (strncmp(line, "UNSTABLE: ", 10) == 0)
        return "\033[1;33m";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (strncmp(line, bad[i], strlen(bad[i])) == 0)
            return "\033[1;31m";
    return NULL;
}

/* What would move the cursor is shown as a question mark. */
static void print(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        fputc((unsigned char)text[i] < ' ' || text[i] == 127 ? '?' : text[i], out);
}

static void print_line(FILE *out, const char *line, size_t length, bool colour)
{
    const char *code = colour ? colour_of(line) : NULL;
    const char *colon = code ? memchr(line, ':', length) : NULL;
    size_t coloured = colon ? (size_t)(colon - line) : 0;
    if (coloured)
        fprintf(out, "%s%.*s\033[0m", code, (int)coloured, line);
    print(out, line + coloured, length - coloured);
}

static void print_cut(FILE *out, const char *text, unsigned columns)
{
    size_t length = 0;
    for (unsigned used = 0; text[length] && text[length] != '\n'; length++)
        if ((used += is_column(text[length])) > columns)
            break;
    print(out, text, length);
}

static unsigned count_lines(const char *text, unsigned columns)
{
    unsigned count = 0;
    for (; *text; count++)
        text = after_line(text, line_length(text, columns));
    return count;
}

unsigned draw(FILE *out, const struct drawing *drawing, unsigned rows, unsigned columns)
{
    enum { OTHERS = 4 }; /* top, an empty line, bar and bottom */
    unsigned room = rows > OTHERS ? rows - OTHERS : 1;
    unsigned lines = count_lines(drawing->body, columns);
    unsigned last = lines > room ? lines - room : 0, first = drawing->first < last ? drawing->first : last;
    const char *at = drawing->body;
    fprintf(out, "\033[H%s", drawing->colour ? "\033[1m" : "");
    print_cut(out, drawing->top, columns);
    fputs(LINE_END "\r\n" LINE_END, out);
    for (unsigned i = 0; i < first; i++)
        at = after_line(at, line_length(at, columns));
    for (unsigned i = 0; i < room; i++) {
        size_t length = line_length(at, columns);
        fputs("\r\n", out);
        print_line(out, at, length, drawing->colour);
        fputs(LINE_END, out);
        at = after_line(at, length);
    }
    char bar[200];
    snprintf(bar, sizeof bar, "%s%s", drawing->bar, lines > first + room ? "  (space: more)" : "");
    fputs("\r\n", out);
    print_cut(out, bar, columns);
    fputs(LINE_END "\r\n", out);
    print_cut(out, drawing->bottom, columns);
    fputs(LINE_END "\033[J", out);
    return first;
}

void draw_bar(char *text, size_t size, size_t passed, size_t count, unsigned width)
{
    char said[64], bar[64] = "";
    int used = snprintf(said, sizeof said, " %zu of %zu passed", passed, count);
    size_t room = width > (unsigned)used + 2 ? width - (unsigned)used - 2 : 0;
    room = room < 40 ? room : 40;
    for (size_t i = 0; i < room; i++)
        bar[i] = count && i < passed * room / count ? '#' : '.';
    bar[room] = '\0';
    snprintf(text, size, room ? "[%s]%s" : "%s%s", bar, said);
}
