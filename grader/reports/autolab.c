/* The last line of an Autolab job: {"scores": {...}}, a problem an exercise. Numbers only: Autolab's parser
 * puts quotation marks around what it takes for a key, so a text with a colon in it would break the line. */
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"
#include "grader/reports/jsonparts.h"

static char *report_autolab(struct result *const *results, size_t count)
{
    char *text = NULL;
    cJSON *o = cJSON_CreateObject(), *scores = cJSON_CreateObject();
    bool ok = o && scores;
    for (size_t i = 0; ok && i < count; i++)
        ok = json_add_number(scores, results[i]->slug, digest_points(results[i]->score));
    ok = json_add(o, "scores", scores) && ok;
    if (ok)
        text = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    return text;
}

REPORT_FORMAT(autolab, report_autolab, "the last line of an Autolab job", .early = false);
