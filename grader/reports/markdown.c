/* A page in GitHub's Markdown: what a step summary shows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"

/* Of the 1 MiB that a step summary may have. */
enum { MOST_BYTES = 900 << 10 };

/* In a table's cell, where nothing may act as markup or mention a person. */
static const char *escape(char c)
{
    switch (c) {
    case '|':
        return "&#124;";
    case '`':
        return "&#96;";
    case '*':
        return "&#42;";
    case '_':
        return "&#95;";
    case '[':
        return "&#91;";
    case ']':
        return "&#93;";
    case '~':
        return "&#126;";
    case '\\':
        return "&#92;";
    case '@': /* names and numbers are looked for in the finished page as well */
        return "&#64;<wbr>";
    case '#':
        return "&#35;<wbr>";
    case '$': /* no formula */
        return "&#36;";
    case ':': /* no link that nobody wrote */
        return "&#58;";
    case '\n':
        return "<br>";
    default:
        return digest_html(c);
    }
}

static void print_cell(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char one[] = {*text, '\0'};
        digest_escape(out, one, escape);
        if (strncasecmp(text, "www.", 4) == 0) /* a link without a colon */
            fputs("<wbr>", out);
    }
}

static const char *mark_of(enum verdict verdict)
{
    static const char *const marks[] = {
        [VERDICT_PASS] = "✅",     [VERDICT_FAIL] = "❌",  [VERDICT_UNSTABLE] = "⚠️",
        [VERDICT_REJECTED] = "⛔", [VERDICT_ERROR] = "💥", [VERDICT_SKIP] = "–",
    };
    return marks[verdict];
}

static void print_points(FILE *out, double score, uint32_t points)
{
    char text[32];
    digest_points_text(text, sizeof text, score);
    if (isfinite(score))
        fprintf(out, "%s of %" PRIu32, text, points);
    else
        fprintf(out, "? of %" PRIu32, points);
}

static bool print_overview(FILE *out, const struct result *result)
{
    char *text = digest_result(result);
    if (!text)
        return false;
    size_t end = strlen(text);
    if (end > 0 && text[end - 1] == '\n')
        text[end - 1] = '\0';
    fprintf(out, "| %s | %u. ", mark_of(result->verdict), result->number);
    print_cell(out, result->title ? result->title : result->id);
    fputs(" | ", out);
    print_points(out, result->score, result->max_score);
    fputs(" | ", out);
    print_cell(out, text);
    fputs(" |\n", out);
    free(text);
    return true;
}

static bool print_details(FILE *out, const struct result *result)
{
    fprintf(out, "\n<details><summary>%s</summary>\n\n| | check | points | |\n|---|---|---|---|\n",
            result->id);
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        char *text = digest_check(check);
        if (!text)
            return false;
        size_t end = strlen(text);
        if (end > 0 && text[end - 1] == '\n')
            text[end - 1] = '\0';
        fprintf(out, "| %s | ", mark_of(check->verdict));
        print_cell(out, check->name);
        fputs(" | ", out);
        print_points(out, check->score, check->points);
        fputs(" | ", out);
        print_cell(out, text);
        fputs(" |\n", out);
        free(text);
    }
    fputs("\n</details>\n", out);
    return true;
}

static char *report_markdown(struct result *const *results, size_t count)
{
    struct digest_text text;
    bool ok = true;
    if (!digest_open(&text))
        return NULL;
    if (count == 0)
        fputs("Nothing was graded.\n", text.out);
    else
        fputs("| | exercise | points | |\n|---|---|---|---|\n", text.out);
    for (size_t i = 0; ok && i < count; i++)
        ok = print_overview(text.out, results[i]);
    for (size_t i = 0; ok && i < count; i++) {
        struct digest_text details;
        ok = digest_open(&details);
        if (!ok)
            break;
        ok = print_details(details.out, results[i]);
        char *one = digest_close(&details);
        fflush(text.out);
        if (ok && one && text.size + strlen(one) < MOST_BYTES)
            fputs(one, text.out);
        else if (ok)
            fprintf(text.out, "\n(%s: no room for its checks)\n", results[i]->id);
        ok = ok && one;
        free(one);
    }
    char *markdown = digest_close(&text);
    if (ok)
        return markdown;
    free(markdown);
    return NULL;
}

REPORT_FORMAT(markdown, report_markdown, "a page for GitHub's step summary, or elsewhere", .early = false);
