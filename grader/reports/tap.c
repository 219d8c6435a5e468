/* TAP 13, the Test Anything Protocol. */
#include <stdlib.h>
#include <string.h>
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"

/* A # begins a directive. */
static const char *escape(char c)
{
    return c == '#' ? "\\#" : c == '\\' ? "\\\\" : NULL;
}

/* Only the first line: a directive has one. */
static void print_reason(FILE *out, char *text)
{
    text[strcspn(text, "\n")] = '\0';
    digest_escape(out, text, escape);
}

/* As a YAML block: literal style takes any printable text. */
static void print_block(FILE *out, const char *text)
{
    fputs("  ---\n  message: |\n", out);
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "    %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
    fputs("  ...\n", out);
}

static bool print_check(FILE *out, const struct result *result, size_t index, size_t number)
{
    const struct check *check = &result->checks[index];
    bool skip = check->verdict == VERDICT_SKIP;
    char name[160], *text = digest_check(check);
    if (!text)
        return false;
    digest_name(name, sizeof name, result, index);
    fprintf(out, "%s %zu - %s: ", skip || check->verdict == VERDICT_PASS ? "ok" : "not ok", number,
            result->id);
    digest_escape(out, name, escape);
    if (skip) {
        fputs(" # SKIP ", out);
        print_reason(out, text + strcspn(text, "\n") + 1);
    }
    fputc('\n', out);
    if (!skip && check->verdict != VERDICT_PASS)
        print_block(out, text);
    free(text);
    return true;
}

static char *report_tap(struct result *const *results, size_t count)
{
    struct digest_text text;
    size_t all = 0, number = 0;
    bool ok = true;
    if (!digest_open(&text))
        return NULL;
    for (size_t i = 0; i < count; i++)
        all += results[i]->checks_count;
    fprintf(text.out, "TAP version 13\n1..%zu\n", all);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; ok && k < results[i]->checks_count; k++)
            ok = print_check(text.out, results[i], k, ++number);
    char *tap = digest_close(&text);
    if (ok)
        return tap;
    free(tap);
    return NULL;
}

REPORT_FORMAT(tap, report_tap, "Test Anything Protocol 13", .early = false);
