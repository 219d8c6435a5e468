#include "grader/reports/clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Length of the UTF-8 sequence at `s` (RFC 3629: no overlong forms, no surrogates), 0 if it is none. */
static size_t sequence(const unsigned char *s, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (*s < 0x80) {
        *code = *s;
        return 1;
    }
    size_t length = *s >= 0xf8 ? 0 : *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc0 ? 2 : 0;
    if (length == 0)
        return 0;
    *code = *s & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) /* stops at the NUL as well */
            return 0;
        *code = *code << 6 | (s[i] & 0x3f);
    }
    bool valid = *code >= least[length] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
    return valid ? length : 0;
}

/* Does it act on the terminal or on the order of the text, rather than show? */
static bool acts(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0x61c || code == 0xfeff ||
           (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe0fff) ||
           (code & 0xfffe) == 0xfffe; /* these are no characters, and XML forbids two of them */
}

static void escape(FILE *out, const unsigned char *s, size_t length)
{
    for (size_t i = 0; i < length; i++)
        fprintf(out, "\\x%02x", s[i]);
}

/* One character, or one byte that belongs to none. Returns how many bytes it was. */
static size_t print_one(FILE *out, const unsigned char *s)
{
    uint32_t code = 0;
    size_t length = sequence(s, &code);
    if (length == 0)
        escape(out, s, length = 1);
    else if (code == '\t')
        fputs("    ", out);
    else if (acts(code))
        escape(out, s, length);
    else
        fwrite(s, 1, length, out);
    return length;
}

void clean_print(FILE *out, const char *text, const char *indent, size_t lines, size_t bytes)
{
    const unsigned char *s = (const unsigned char *)text, *end = s + strlen(text);
    for (size_t line = 0; *s && line < lines; line++) {
        const unsigned char *newline = memchr(s, '\n', (size_t)(end - s));
        size_t size = (size_t)((newline ? newline : end) - s);
        fputs(indent, out);
        size_t done = 0;
        while (done < size && done < bytes)
            done += print_one(out, s + done);
        fputs(done < size ? "...\n" : "\n", out);
        s += size + (s[size] == '\n');
    }
    size_t rest = 0;
    for (; s < end; rest++) {
        const unsigned char *newline = memchr(s, '\n', (size_t)(end - s));
        s = newline ? newline + 1 : end;
    }
    if (rest)
        fprintf(out, "%s(%zu more line%s)\n", indent, rest, rest == 1 ? "" : "s");
}

void clean_print_line(FILE *out, const char *text, size_t bytes)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t size = strlen(text), done = 0;
    while (size > 0 && s[size - 1] == '\n')
        size--;
    while (done < size && done < bytes) {
        if (s[done] == '\n') {
            fputc(' ', out);
            done++;
        } else {
            done += print_one(out, s + done);
        }
    }
    if (done < size)
        fputs("...", out);
}

/* Columns up to the next blank that a line may end at; *bytes is how far that is. */
static size_t next_piece(const char *s, size_t *bytes)
{
    size_t columns = 0, i = 0;
    bool quoted = false;
    for (; s[i] && (s[i] != ' ' || quoted); i++) {
        if (s[i] == '`')
            quoted = !quoted && strchr(s + i + 1, '`');
        columns += (s[i] & 0xc0) != 0x80;
    }
    *bytes = i;
    return columns;
}

void clean_print_wrapped(FILE *out, const char *text, const char *first, size_t width, size_t bytes)
{
    char *clean = NULL;
    size_t size = 0, piece;
    FILE *line = open_memstream(&clean, &size);
    if (line)
        clean_print_line(line, text, bytes);
    if (!line || fclose(line) != 0) {
        free(clean);
        return;
    }
    const size_t indent = strlen(first);
    size_t column = indent;
    fputs(first, out);
    for (const char *s = clean; *s; s += piece) {
        const bool begins = column == indent;
        s += strspn(s, " ");
        const size_t columns = next_piece(s, &piece);
        if (piece == 0)
            break;
        if (!begins && column + 1 + columns > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!begins) {
            fputc(' ', out);
            column++;
        }
        fwrite(s, 1, piece, out);
        column += columns;
    }
    fputc('\n', out);
    free(clean);
}

static void fold_line(FILE *out, const char *line, size_t length, size_t columns)
{
    const size_t blanks = strspn(line, " "), indent = blanks < columns / 2 ? blanks : columns / 2;
    size_t from = 0, blank = 0, used = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\033') { /* a colour takes no column */
            i += strcspn(line + i, "m");
            continue;
        }
        used += ((unsigned char)line[i] & 0xc0) != 0x80;
        if (line[i] == ' ' && i > from && i >= blanks && line[i - 1] != ' ')
            blank = i;
        if (used <= columns || blank <= from)
            continue;
        fprintf(out, "%.*s\n%*s", (int)(blank - from), line + from, (int)indent, "");
        from = blank + strspn(line + blank, " ");
        i = from - 1;
        used = indent;
    }
    fwrite(line + from, 1, length - from, out);
}

void clean_fold(FILE *out, const char *text, size_t columns)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        fold_line(out, text, length, columns);
        text += length;
        if (*text == '\n')
            fputc(*text++, out);
    }
}

char *clean_line(const char *text, size_t bytes)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return NULL;
    clean_print_line(out, text, bytes);
    if (fclose(out) != 0) {
        free(line);
        return NULL;
    }
    return line;
}

char *clean_utf8(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    char *clean = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&clean, &size);
    if (!out)
        return NULL;
    while (*s) {
        uint32_t code;
        size_t length = sequence(s, &code);
        if (length == 0)
            escape(out, s, 1);
        else
            fwrite(s, 1, length, out);
        s += length ? length : 1;
    }
    if (fclose(out) != 0) {
        free(clean);
        return NULL;
    }
    return clean;
}
