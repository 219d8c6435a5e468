#include "grader/base/csv.h"

#include <stdbool.h>
#include <string.h>

#define BLANKS " \t"

/* A spreadsheet, a cell that begins so. */
static bool would_compute(char first)
{
    return first && strchr("=+-@\t\r", first);
}

void csv_cell(FILE *out, const char *text)
{
    fputs(would_compute(*text) ? "\"'" : "\"", out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('"', out);
}

char *csv_take_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    *text = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    line[strcspn(line, "\r")] = '\0';
    return line;
}

char *csv_take_cell(char **at, char separator)
{
    char *from = *at + strspn(*at, BLANKS), *to = from, *cell = from;
    if (*from == '"') {
        for (from++; *from != '"' || *++from == '"'; *to++ = *from++)
            if (!*from)
                return NULL;
        from += strspn(from, BLANKS);
    } else {
        const char ends[] = {'"', separator, '\0'};
        from += strcspn(from, ends);
        for (to = from; to > cell && strchr(BLANKS, to[-1]);)
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
    char *cell = csv_take_cell(at, ',');
    return cell && *cell == '\'' && would_compute(cell[1]) ? cell + 1 : cell;
}
