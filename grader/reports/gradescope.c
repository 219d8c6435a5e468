/* Gradescope's results.json: a test a check, with points where it brings some; the score of all is given
 * apart, since code that is wrong has 0 in all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"
#include "grader/reports/jsonparts.h"

/* For people: hundredths of a point. */
static double rounded(double points)
{
    return round(100 * points) / 100;
}

static cJSON *make_test(const struct result *result, size_t index)
{
    const struct check *check = &result->checks[index];
    const char *status = check->verdict == VERDICT_PASS ? "passed" : "failed";
    char name[200], of_result[160], *text = digest_check(check);
    cJSON *o = cJSON_CreateObject();
    digest_name(of_result, sizeof of_result, result, index);
    snprintf(name, sizeof name, "%u. %s", result->number, of_result);
    bool ok = text && o && json_add_string(o, "name", name);
    if (ok && check->points > 0) /* what brings none would show as 0/0 beside those that do */
        ok = json_add_number(o, "score", rounded(digest_points(check->score))) &&
             json_add_number(o, "max_score", check->points);
    if (ok && check->verdict != VERDICT_SKIP) /* neither passed nor failed */
        ok = json_add_string(o, "status", status);
    ok = ok && json_add_string(o, "output", text) && json_add_string(o, "output_format", "text") &&
         json_add_string(o, "visibility", "visible");
    free(text);
    if (ok)
        return o;
    cJSON_Delete(o);
    return NULL;
}

/* How fast: of each exercise the speedup at stake for most points. */
static const struct check *main_speedup(const struct result *result)
{
    const struct check *best = NULL;
    for (size_t i = 0; i < result->checks_count; i++) {
        const struct check *check = &result->checks[i];
        if (check->has_measured && check->unit && check->unit[0] == 'x' && check->comparison &&
            check->comparison[0] == '>' && (!best || check->points > best->points))
            best = check;
    }
    return best;
}

static bool add_leaderboard(cJSON *o, struct result *const *results, size_t count)
{
    cJSON *board = cJSON_CreateArray();
    bool ok = board != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const struct check *check = main_speedup(results[i]);
        char name[200];
        if (!check || !isfinite(check->measured))
            continue;
        cJSON *row = cJSON_CreateObject();
        snprintf(name, sizeof name, "%u. %s", results[i]->number, check->name);
        ok = row && json_add_string(row, "name", name) &&
             json_add_number(row, "value", round(100 * check->measured) / 100) &&
             json_add_string(row, "order", "desc");
        if (ok)
            ok = json_append(board, row);
        else
            cJSON_Delete(row);
    }
    return json_add(o, "leaderboard", board) && ok;
}

static char *headlines(struct result *const *results, size_t count)
{
    struct digest_text text;
    bool ok = true;
    if (!digest_open(&text))
        return NULL;
    if (count == 0)
        fputs("Grading has not ended: if this stays, the grader was stopped.\n", text.out);
    for (size_t i = 0; ok && i < count; i++) {
        char *headline = digest_result(results[i]);
        ok = headline != NULL;
        fprintf(text.out, "%u. %s\n%s\n", results[i]->number, results[i]->title, headline ? headline : "");
        free(headline);
    }
    char *all = digest_close(&text);
    if (ok)
        return all;
    free(all);
    return NULL;
}

static char *report_gradescope(struct result *const *results, size_t count)
{
    double score = 0, seconds = 0;
    char *text = NULL, *output = headlines(results, count);
    cJSON *o = cJSON_CreateObject(), *tests = cJSON_CreateArray();
    bool ok = output && o && tests;
    for (size_t i = 0; i < count; i++) {
        score += digest_points(results[i]->score);
        seconds += isfinite(results[i]->seconds) ? results[i]->seconds : 0;
        for (size_t k = 0; ok && k < results[i]->checks_count; k++)
            ok = json_append(tests, make_test(results[i], k));
    }
    ok = json_add(o, "tests", tests) && ok && json_add_number(o, "score", rounded(score)) &&
         json_add_number(o, "execution_time", seconds) && json_add_string(o, "output", output) &&
         json_add_string(o, "output_format", "text") && json_add_string(o, "stdout_visibility", "hidden") &&
         add_leaderboard(o, results, count);
    if (ok)
        text = cJSON_Print(o);
    cJSON_Delete(o);
    free(output);
    return text;
}

REPORT_FORMAT(gradescope, report_gradescope, "Gradescope's results.json", .early = true);
