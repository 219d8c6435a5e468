#include "grader/reports/digest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/reports/clean.h"

enum { MOST_LINES = 40, MOST_LINE = 400 };

bool digest_open(struct digest_text *text)
{
    *text = (struct digest_text){NULL, 0, NULL};
    text->out = open_memstream(&text->text, &text->size);
    return text->out != NULL;
}

char *digest_close(struct digest_text *text)
{
    bool ok = !ferror(text->out);
    ok = fclose(text->out) == 0 && ok;
    if (ok)
        return text->text;
    free(text->text);
    return NULL;
}

void digest_escape(FILE *out, const char *text, const char *(*escape)(char c))
{
    for (; *text; text++) {
        const char *replacement = escape(*text);
        if (replacement)
            fputs(replacement, out);
        else
            fputc(*text, out);
    }
}

static void print_measured(FILE *out, const struct check *check)
{
    char measured[64], asked[96];
    result_format_value(measured, sizeof measured, check->measured, check->unit);
    result_format_asked(asked, sizeof asked, check);
    fprintf(out, ": %s %s, asked for %s", check->metric ? check->metric : "measured", measured, asked);
}

/* Cut at a whole line, or at a whole character of the first one. */
static char *cut(char *text)
{
    static const char more[] = "(cut)";
    if (!text || strlen(text) <= DIGEST_BYTES)
        return text;
    size_t end = DIGEST_BYTES - sizeof more;
    while (end > 0 && text[end] != '\n')
        end--;
    if (end == 0)
        for (end = DIGEST_BYTES - sizeof more; ((unsigned char)text[end] & 0xc0) == 0x80;)
            end--;
    if (text[end] == '\n')
        end++;
    memcpy(text + end, more, sizeof more);
    return text;
}

char *digest_check(const struct check *check)
{
    struct digest_text text;
    if (!digest_open(&text))
        return NULL;
    fputs(verdict_name(check->verdict), text.out);
    if (check->has_measured)
        print_measured(text.out, check);
    if (check->verdict == VERDICT_UNSTABLE)
        fputs(" (no verdict on this machine now: run it again)", text.out);
    fputc('\n', text.out);
    if (check->verdict != VERDICT_PASS || !check->has_measured)
        clean_print(text.out, check->message, "", MOST_LINES, MOST_LINE);
    if (check->next)
        clean_print(text.out, check->next, "next: ", 1, MOST_LINE);
    return cut(digest_close(&text));
}

void digest_student(FILE *out, const char *before, const struct result *result)
{
    if (result->student_number != 0)
        fprintf(out, "%sstudent number: %" PRIu32 "\n", before, result->student_number);
}

char *digest_result(const struct result *result)
{
    struct digest_text text;
    if (!digest_open(&text))
        return NULL;
    clean_print(text.out, result->headline ? result->headline : verdict_name(result->verdict), "", 2,
                MOST_LINE);
    if (result->next)
        clean_print(text.out, result->next, "Next: ", 2, MOST_LINE);
    digest_student(text.out, "", result);
    return cut(digest_close(&text));
}

void digest_name(char *buffer, size_t size, const struct result *result, size_t check)
{
    const char *name = result->checks[check].name;
    unsigned before = 0;
    for (size_t i = 0; i < check; i++)
        before += strcmp(result->checks[i].name, name) == 0;
    if (before == 0)
        snprintf(buffer, size, "%s", name);
    else
        snprintf(buffer, size, "%s (%u)", name, before + 1);
}

/* "work/03-x/clamp.c:9:18" around the file's name at `name`? */
static bool read_place(const char *text, const char *name, size_t length, struct digest_place *place)
{
    static const char around[] = " \t\n`'\"(";
    const char *start = name;
    while (start > text && !strchr(around, start[-1]))
        start--;
    const size_t whole = (size_t)(name - start) + length;
    *place = (struct digest_place){0};
    if ((start < name && name[-1] != '/') || whole >= sizeof place->path ||
        sscanf(name + length, ":%8u:%8u", &place->line, &place->column) < 1)
        return false;
    memcpy(place->path, start, whole);
    char *clean = clean_line(place->path, sizeof place->path);
    const bool harmless = clean && strcmp(clean, place->path) == 0; /* else it is shown in the text alone */
    free(clean);
    return harmless;
}

bool digest_place(const struct result *result, const struct check *check, struct digest_place *place)
{
    const char *const text = check->message, *end = text + strlen(text);
    const char *first = end;
    for (const char *file = result->files; file && *file; file += strspn(file, ", ")) {
        const size_t length = strcspn(file, ",");
        const char *at = text;
        while ((at = memmem(at, (size_t)(first - at), file, length))) {
            struct digest_place found;
            if (read_place(text, at++, length, &found)) {
                first = at - 1;
                *place = found;
                break;
            }
        }
        file += length;
    }
    return first < end;
}

double digest_points(double score)
{
    return isfinite(score) ? score : 0;
}

void digest_points_text(char *buffer, size_t size, double points)
{
    double tenths = round(points * 10) / 10;
    if (tenths == floor(tenths) && points < tenths - 1e-6) /* 3/3 is for those who have all of it */
        tenths -= 0.1;
    snprintf(buffer, size, "%.*f", tenths == floor(tenths) ? 0 : 1, tenths);
}

const char *digest_html(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>': /* so no ]]> in XML either */
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}
