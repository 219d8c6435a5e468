#include "grader/base/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A spreadsheet, a cell that begins so. */
static bool would_compute(char first)
{
    return first && strchr("=+-@\t\r", first);
}

/* The same, with the marks in front that keep it from that: how many more there are does not matter. */
static bool is_guarded(const char *text)
{
    return would_compute(text[strspn(text, "'")]);
}

/* Of a cell behind a semicolon quotation marks may be dropped, and blanks. */
static bool is_guarded_behind(const char *text)
{
    return would_compute(text[strspn(text, "'\" ")]) && *text != ' ';
}

void csv_cell(FILE *out, const char *text)
{
    fputs(is_guarded(text) ? "\"'" : "\"", out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text == '\n' ? ' ' : *text, out);
        if (*text == ';' && is_guarded_behind(text + 1))
            fputc('\'', out);
    }
    fputc('"', out);
}

/* ---- reading ---- */

static void put_utf8(char **to, unsigned long c)
{
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    *(*to)++ = (char)(lead[more] | (c >> 6 * more));
    for (int i = more - 1; i >= 0; i--)
        *(*to)++ = (char)(0x80 | (c >> 6 * i & 0x3f));
}

static unsigned long unit_at(const unsigned char *data, bool large_first)
{
    const unsigned long first = data[0], second = data[1];
    return large_first ? first << 8 | second : second << 8 | first;
}

/* A surrogate alone stays what it is, which is no UTF-8. The end of the text. */
static char *decode_utf16(const unsigned char *data, size_t size, bool large_first, char *to)
{
    for (size_t i = 0; i + 1 < size; i += 2) {
        unsigned long c = unit_at(data + i, large_first);
        if (c >= 0xd800 && c < 0xdc00 && i + 3 < size) {
            const unsigned long low = unit_at(data + i + 2, large_first);
            if (low >= 0xdc00 && low < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                i += 2;
            }
        }
        put_utf8(&to, c);
    }
    *to = '\0';
    return to;
}

char *csv_decode(const char *data, size_t size, struct error *err)
{
    const unsigned char *bytes = (const unsigned char *)data;
    const bool little = size >= 2 && bytes[0] == 0xff && bytes[1] == 0xfe,
               big = size >= 2 && bytes[0] == 0xfe && bytes[1] == 0xff;
    const size_t mark = little || big ? 2 : size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    char *text = malloc(2 * size + 1);
    if (!text) {
        error_set(err, "out of memory");
        return NULL;
    }
    const char *end = text + size - mark;
    if (little || big)
        end = decode_utf16(bytes + mark, size - mark, big, text);
    else
        memcpy(text, data + mark, size - mark);
    text[end - text] = '\0';
    if (text + strlen(text) == end)
        return text;
    error_set(err, "expected text in UTF-8, found a NUL byte: save it as \"CSV UTF-8\"");
    free(text);
    return NULL;
}

char csv_separator(const char *line)
{
    static const char candidates[] = ",;\t";
    size_t most = 0;
    char best = ',';
    for (const char *one = candidates; *one; one++) {
        size_t count = 0;
        bool quoted = false;
        for (const char *c = line; *c; c++) {
            quoted = quoted != (*c == '"');
            count += !quoted && *c == *one;
        }
        if (count > most) {
            most = count;
            best = *one;
        }
    }
    return best;
}

/* What is behind the end at `end`; NULL behind the last. */
static char *cut_at(char *end)
{
    char *next = *end ? end + 1 + (end[0] == '\r' && end[1] == '\n') : NULL;
    *end = '\0';
    return next;
}

char *csv_take_row(char **text, unsigned *lines)
{
    char *row = *text, *end = row;
    bool quoted = false;
    for (; *end && (quoted || (*end != '\n' && *end != '\r')); end++) {
        quoted = quoted != (*end == '"');
        *lines += *end == '\n' || (*end == '\r' && end[1] != '\n');
    }
    *lines += 1;
    *text = cut_at(end);
    return row;
}

char *csv_take_line(char **text)
{
    char *line = *text;
    *text = cut_at(line + strcspn(line, "\r\n"));
    return line;
}

char *csv_take_cell(char **at, char separator)
{
    const char *blanks = separator == '\t' ? " " : " \t"; /* a tab that separates is none */
    char *from = *at + strspn(*at, blanks), *to = from, *cell = from;
    if (*from == '"') {
        for (from++; *from != '"' || *++from == '"'; *to++ = *from++)
            if (!*from)
                return NULL;
        from += strspn(from, blanks);
    } else {
        const char ends[] = {'"', separator, '\0'};
        from += strcspn(from, ends);
        for (to = from; to > cell && strchr(blanks, to[-1]);)
            to--;
    }
    if (*from && *from != separator)
        return NULL;
    *at = *from ? from + 1 : NULL;
    *to = '\0';
    return cell;
}

char *csv_take_own_cell(char **at)
{
    char *cell = csv_take_cell(at, ','), *to;
    if (!cell)
        return NULL;
    cell += *cell == '\'' && is_guarded(cell + 1);
    to = cell;
    for (const char *from = cell; *from; from++) {
        *to++ = *from;
        from += from[0] == ';' && from[1] == '\'' && is_guarded_behind(from + 2);
    }
    *to = '\0';
    return cell;
}
