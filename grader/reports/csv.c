/* A table, one line an exercise. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/csv.h"
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"

static char *report_csv(struct result *const *results, size_t count)
{
    struct digest_text text;
    bool ok = true;
    if (!digest_open(&text))
        return NULL;
    fputs("exercise,id,on,target,verdict,score,max_score,headline", text.out);
    for (size_t i = 0; ok && i < count; i++) {
        const struct result *r = results[i];
        char *headline = digest_result(r);
        ok = headline != NULL;
        if (headline)
            headline[strcspn(headline, "\n")] = '\0';
        fprintf(text.out, "\n%u,%s,%s,", r->number, r->id, r->on ? r->on : "");
        csv_cell(text.out, r->cpu ? r->cpu : "");
        fprintf(text.out, ",%s,", verdict_name(r->verdict));
        if (isfinite(r->score))
            fprintf(text.out, "%.6g", r->score);
        fprintf(text.out, ",%" PRIu32 ",", r->max_score);
        csv_cell(text.out, headline ? headline : "");
        free(headline);
    }
    char *csv = digest_close(&text);
    if (ok)
        return csv;
    free(csv);
    return NULL;
}

REPORT_FORMAT(csv, report_csv, "a table, one line an exercise", .early = false);
