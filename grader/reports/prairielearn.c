/* PrairieLearn's results.json: a share of the points for all, a test a check. Where there is no verdict it
 * says that it could not be graded, which costs no attempt. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"
#include "grader/reports/jsonparts.h"

static cJSON *make_test(const struct result *result, size_t index)
{
    const struct check *check = &result->checks[index];
    char name[200], of_result[160], *text = digest_check(check);
    cJSON *o = cJSON_CreateObject();
    digest_name(of_result, sizeof of_result, result, index);
    snprintf(name, sizeof name, "%u. %s", result->number, of_result);
    const bool ok = text && o && json_add_string(o, "name", name) &&
                    json_add_number(o, "points", digest_points(check->score)) &&
                    json_add_number(o, "max_points", check->points) && json_add_string(o, "output", text);
    free(text);
    if (ok)
        return o;
    cJSON_Delete(o);
    return NULL;
}

static char *report_prairielearn(struct result *const *results, size_t count)
{
    double score = 0, most = 0;
    bool graded = count > 0;
    char *text = NULL;
    struct digest_text message;
    cJSON *o = cJSON_CreateObject(), *tests = cJSON_CreateArray();
    bool ok = o && tests && digest_open(&message);
    for (size_t i = 0; ok && i < count; i++) {
        char *headline = digest_result(results[i]);
        ok = headline != NULL;
        fprintf(message.out, "%u. %s\n%s\n", results[i]->number, results[i]->title, headline ? headline : "");
        free(headline);
        graded = graded && isfinite(results[i]->score);
        score += digest_points(results[i]->score);
        most += results[i]->max_score;
        for (size_t k = 0; ok && k < results[i]->checks_count; k++)
            ok = json_append(tests, make_test(results[i], k));
    }
    char *said = o && tests ? digest_close(&message) : NULL;
    const char *const stopped = "Grading has not ended: submit again, or ask your instructor.";
    ok = json_add(o, "tests", tests) && ok && said && json_add(o, "gradable", cJSON_CreateBool(graded)) &&
         json_add_number(o, "score", most > 0 ? score / most : 0) &&
         json_add_string(o, "output", count > 0 ? said : stopped) &&
         (graded || json_add_string(o, "format_errors", count > 0 ? said : stopped));
    if (ok)
        text = cJSON_Print(o);
    free(said);
    cJSON_Delete(o);
    return text;
}

REPORT_FORMAT(prairielearn, report_prairielearn, "results.json of PrairieLearn's external grader",
              .early = false);
