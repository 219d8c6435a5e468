/* What Classroom 50 asks of an autograder's result.json, but for whose result it is: ci/classroom50 adds
 * that. Source: "The result.json contract" in the wiki of foundation50/classroom50. Points are whole there: a
 * part of one is left out. */
#include <math.h>
#include <stdlib.h>
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"
#include "grader/reports/jsonparts.h"

/* A test an exercise: scores are added up there, and code that is wrong has 0 in all. */
static bool add_test(cJSON *tests, const struct result *r, double score)
{
    char *message = digest_result(r);
    cJSON *o = cJSON_CreateObject();
    bool ok = o && message && json_add_string(o, "test-name", r->id) &&
              cJSON_AddBoolToObject(o, "passed", r->verdict == VERDICT_PASS) &&
              json_add_number(o, "score", score) && json_add_number(o, "max-score", r->max_score) &&
              json_add_string(o, "message", message);
    free(message);
    if (ok)
        return json_append(tests, o);
    cJSON_Delete(o);
    return false;
}

static char *report_classroom50(struct result *const *results, size_t count)
{
    char *text = NULL;
    double score = 0, most = 0;
    cJSON *o = cJSON_CreateObject(), *tests = cJSON_CreateArray();
    bool ok = o && tests && json_add_string(o, "schema", "classroom50/result/v1");
    for (size_t i = 0; ok && i < count; i++) {
        const double points = floor(digest_points(results[i]->score));
        ok = add_test(tests, results[i], points);
        score += points;
        most += results[i]->max_score;
    }
    ok = json_add(o, "tests", tests) && ok && json_add_number(o, "score", score) &&
         json_add_number(o, "max-score", most);
    if (ok)
        text = cJSON_Print(o);
    cJSON_Delete(o);
    return text;
}

REPORT_FORMAT(classroom50, report_classroom50, "what ci/classroom50 makes a result.json of, for Classroom 50",
              .early = false);
