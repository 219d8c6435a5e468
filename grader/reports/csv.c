/* A table, one line an exercise (RFC 4180). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "grader/reports/csv.h"
#include "grader/reports/digest.h"
#include "grader/reports/formats.h"

static const char *escape(char c)
{
    return c == '"' ? "\"\"" : c == '\n' ? " " : NULL;
}

/* A spreadsheet, a cell that begins so. */
static bool would_compute(char first)
{
    return first && strchr("=+-@\t\r", first);
}

void csv_cell(FILE *out, const char *text)
{
    fputc('"', out);
    if (would_compute(*text))
        fputc('\'', out);
    digest_escape(out, text, escape);
    fputc('"', out);
}

char *csv_take_cell(char **at, char separator)
{
    char *from = *at, *to = from, *cell = from;
    const bool quoted = *from == '"';
    bool ended = !quoted;
    for (from += quoted; *from && (quoted ? !ended : *from != separator); from++) {
        if (quoted && *from == '"' && from[1] == '"')
            *to++ = *++from;
        else if (quoted && *from == '"')
            ended = true;
        else
            *to++ = *from;
    }
    if (!ended || (*from && *from != separator))
        return NULL;
    *at = *from ? from + 1 : NULL;
    *to = '\0';
    return cell;
}

char *csv_take_own_cell(char **at)
{
    char *cell = csv_take_cell(at, ',');
    return cell && *cell == '\'' && would_compute(cell[1]) ? cell + 1 : cell;
}

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
