/* The result that GitHub Classroom's reporter reads from <ID>_RESULTS: JSON in base64. Every score is a
 * number and there is one test at least: a missing one is shown as null, none as NaN. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"
#include "grader/reports/jsonparts.h"

/* It travels in an environment variable, and Linux allows one 128 KiB. */
enum { MOST_BYTES = 90 << 10 };

static char *base64(const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t size = strlen(text);
    char *encoded = calloc(size / 3 + 1, 4 + 1), *to = encoded;
    for (size_t i = 0; encoded && i < size; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < size ? (unsigned char)text[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            *to++ = i + k > size ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    return encoded;
}

static const char *status_of(enum verdict verdict)
{
    return verdict == VERDICT_PASS                                  ? "pass"
           : verdict == VERDICT_FAIL || verdict == VERDICT_REJECTED ? "fail"
                                                                    : "error";
}

static bool add_test(cJSON *tests, const char *name, const char *status, double score, double duration,
                     const char *message)
{
    cJSON *o = cJSON_CreateObject();
    if (o && json_add_string(o, "name", name) && json_add_string(o, "status", status) &&
        json_add_number(o, "score", score) && json_add_string(o, "message", message) &&
        json_add_string(o, "test_code", "") && json_add_string(o, "filename", "") &&
        json_add_number(o, "line_no", 0) && json_add_number(o, "duration", duration))
        return json_append(tests, o);
    cJSON_Delete(o);
    return false;
}

/* A test an exercise: the reporter adds the tests' scores up, and code that is wrong has 0 in all. */
static char *make(struct result *const *results, size_t count, bool messages)
{
    char *text = NULL;
    double most = 0;
    const char *status = count ? "pass" : "error";
    cJSON *o = cJSON_CreateObject(), *tests = cJSON_CreateArray();
    bool ok = o && tests;
    for (size_t i = 0; ok && i < count; i++) {
        const struct result *r = results[i];
        char *message = messages ? digest_result(r) : strdup("");
        const char *one = status_of(r->verdict);
        ok = message && add_test(tests, r->id, one, digest_points(r->score),
                                 isfinite(r->seconds) ? r->seconds : 0, message);
        free(message);
        most += r->max_score;
        if (strcmp(one, "pass") != 0 && strcmp(status, "error") != 0)
            status = one;
    }
    if (ok && count == 0)
        ok = add_test(tests, "cyclelab", "error", 0, 0, "nothing was graded");
    ok = json_add(o, "tests", tests) && ok && json_add_number(o, "version", 1) &&
         json_add_string(o, "status", status) && json_add_number(o, "max_score", most);
    if (ok)
        text = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    return text;
}

static char *report_classroom(struct result *const *results, size_t count)
{
    char *text = make(results, count, true), *encoded = NULL;
    if (text && strlen(text) > MOST_BYTES) {
        free(text);
        text = make(results, count, false);
    }
    if (text)
        encoded = base64(text);
    free(text);
    return encoded;
}

REPORT_FORMAT(classroom, report_classroom, "a result for GitHub Classroom's reporter, in base64",
              .early = false);
