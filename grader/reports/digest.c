#include "grader/reports/digest.h"

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

char *digest_result(const struct result *result)
{
    struct digest_text text;
    if (!digest_open(&text))
        return NULL;
    clean_print(text.out, result->headline ? result->headline : verdict_name(result->verdict), "", 2,
                MOST_LINE);
    if (result->next)
        clean_print(text.out, result->next, "Next: ", 2, MOST_LINE);
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
