/* JUnit XML in the strict subset that Jenkins takes: a suite an exercise, a case a check. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"

/* Within attributes. What XML forbids has been made \xNN before. */
static const char *escape(char c)
{
    return c == '\n' ? "&#10;" : digest_html(c);
}

/* Fail and rejected are the submission's, all else that is no pass is not. */
static const char *element_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
        return NULL;
    case VERDICT_SKIP:
        return "skipped";
    case VERDICT_FAIL:
    case VERDICT_REJECTED:
        return "failure";
    default:
        return "error";
    }
}

static bool print_case(FILE *out, const struct result *result, size_t index)
{
    const struct check *check = &result->checks[index];
    const char *element = element_of(check->verdict);
    char name[160], *text = digest_check(check);
    if (!text)
        return false;
    digest_name(name, sizeof name, result, index);
    fputs("    <testcase name=\"", out);
    digest_escape(out, name, escape);
    fprintf(out, "\" classname=\"cyclelab.%s\" time=\"0.000\"", result->id);
    if (!element) {
        fputs("/>\n", out);
    } else {
        /* GitLab shows what is in the element, others the attribute */
        fprintf(out, ">\n      <%s message=\"", element);
        digest_escape(out, text, escape);
        if (check->verdict != VERDICT_SKIP)
            fprintf(out, "\" type=\"%s", verdict_name(check->verdict));
        if (check->verdict == VERDICT_SKIP) { /* which has no content */
            fputs("\"/>\n    </testcase>\n", out);
        } else {
            fputs("\">", out);
            digest_escape(out, text, digest_html);
            fprintf(out, "</%s>\n    </testcase>\n", element);
        }
    }
    free(text);
    return true;
}

static size_t count_of(const struct result *result, const char *element)
{
    size_t count = 0;
    for (size_t i = 0; i < result->checks_count; i++) {
        const char *is = element_of(result->checks[i].verdict);
        count += is && strcmp(is, element) == 0;
    }
    return count;
}

static bool print_suite(FILE *out, const struct result *result)
{
    char host[256] = "localhost", when[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    gethostname(host, sizeof host - 1);
    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &utc);
    fprintf(out,
            "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" "
            "time=\"%.3f\" timestamp=\"%s\" hostname=\"",
            result->id, result->checks_count, count_of(result, "failure"), count_of(result, "error"),
            count_of(result, "skipped"), isfinite(result->seconds) ? result->seconds : 0, when);
    digest_escape(out, host, escape);
    fputs("\">\n", out);
    bool ok = true;
    for (size_t i = 0; ok && i < result->checks_count; i++)
        ok = print_case(out, result, i);
    fputs("  </testsuite>\n", out);
    return ok;
}

static char *report_junit(struct result *const *results, size_t count)
{
    struct digest_text text;
    if (!digest_open(&text))
        return NULL;
    bool ok = true;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", text.out);
    for (size_t i = 0; ok && i < count; i++)
        ok = print_suite(text.out, results[i]);
    fputs("</testsuites>", text.out);
    char *xml = digest_close(&text);
    if (ok)
        return xml;
    free(xml);
    return NULL;
}

REPORT_FORMAT(junit, report_junit, "JUnit XML: Jenkins, GitLab and others", .early = false);
