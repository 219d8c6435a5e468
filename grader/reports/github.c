/* For the log of GitHub Actions: the text report, in which no line is taken for a command, and then
 * annotations. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"

/* Of each kind GitHub shows ten a step. */
enum { MOST_OF_A_KIND = 10 };

static const char *escape_message(char c)
{
    return c == '%' ? "%25" : c == '\r' ? "%0D" : c == '\n' ? "%0A" : NULL;
}

static const char *escape_property(char c)
{
    return c == ':' ? "%3A" : c == ',' ? "%2C" : escape_message(c);
}

static bool print_report(FILE *out, struct result *const *results, size_t count)
{
    uint64_t token[2]; /* so that no report can hold the word that ends it */
    if (getrandom(token, sizeof token, 0) != sizeof token)
        return false;
    fprintf(out, "::stop-commands::%016" PRIx64 "%016" PRIx64 "\n", token[0], token[1]);
    for (size_t i = 0; i < count; i++) {
        report_text(out, results[i], false);
        fputc('\n', out);
    }
    if (count > 1)
        report_summary(out, results, count, false);
    fprintf(out, "::%016" PRIx64 "%016" PRIx64 "::\n", token[0], token[1]);
    return true;
}

static const char *kind_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
    case VERDICT_SKIP:
        return NULL;
    case VERDICT_UNSTABLE:
        return "warning";
    default:
        return "error";
    }
}

/* One an exercise and kind first, in the order of the checks; the last one tells how many there was no room
 * for. */
static bool print_annotations(FILE *out, struct result *const *results, size_t count, const char *kind)
{
    size_t all = 0, shown = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < results[i]->checks_count; k++) {
            const char *is = kind_of(results[i]->checks[k].verdict);
            all += is && strcmp(is, kind) == 0;
        }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < results[i]->checks_count; k++) {
            const struct check *check = &results[i]->checks[k];
            const char *is = kind_of(check->verdict);
            if (!is || strcmp(is, kind) != 0)
                continue;
            if (shown == MOST_OF_A_KIND - 1 && all > MOST_OF_A_KIND) {
                fprintf(out, "::%s title=cyclelab::%zu more: see the report above\n", kind, all - shown);
                return true;
            }
            char name[160], *text = digest_check(check);
            if (!text)
                return false;
            digest_name(name, sizeof name, results[i], k);
            struct digest_place place;
            fprintf(out, "::%s ", kind);
            if (digest_place(results[i], check, &place)) {
                fputs("file=", out);
                digest_escape(out, place.path, escape_property);
                fprintf(out, ",line=%u,", place.line);
                if (place.column > 0)
                    fprintf(out, "col=%u,", place.column);
            }
            fputs("title=", out);
            digest_escape(out, results[i]->id, escape_property);
            fputs(" ", out);
            digest_escape(out, name, escape_property);
            fputs("::", out);
            digest_escape(out, text, escape_message);
            fputc('\n', out);
            free(text);
            shown++;
        }
    return true;
}

static char *report_github(struct result *const *results, size_t count)
{
    struct digest_text text;
    if (!digest_open(&text))
        return NULL;
    bool ok = print_report(text.out, results, count) &&
              print_annotations(text.out, results, count, "error") &&
              print_annotations(text.out, results, count, "warning");
    char *log = digest_close(&text);
    if (ok)
        return log;
    free(log);
    return NULL;
}

REPORT_FORMAT(github, report_github, "the text report and annotations for a GitHub Actions log",
              .early = false);
