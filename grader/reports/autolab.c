/* The last line of an Autolab job: {"scores": {...}}, a problem an exercise; without those that have no
 * score, and nothing where none has: a 0 would be the student's. Numbers only: Autolab's parser puts
 * quotation marks around what it takes for a key, so a text with a colon in it would break the line. */
#include <math.h>
#include <string.h>

#include "grader/reports/digest.h"
#include "grader/reports/formats.h"
#include "grader/reports/jsonparts.h"

static char *report_autolab(struct result *const *results, size_t count)
{
    char *text = NULL;
    cJSON *o = cJSON_CreateObject(), *scores = cJSON_CreateObject();
    bool ok = o && scores;
    for (size_t i = 0; ok && i < count; i++)
        ok = !isfinite(results[i]->score) ||
             json_add_number(scores, results[i]->slug, digest_points(results[i]->score));
    const bool any = cJSON_GetArraySize(scores) > 0;
    ok = json_add(o, "scores", scores) && ok;
    if (ok)
        text = any ? cJSON_PrintUnformatted(o) : strdup("");
    cJSON_Delete(o);
    return text;
}

REPORT_FORMAT(autolab, report_autolab, "the last line of an Autolab job", .early = false);
