#include "grader/trace/annex.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"
#include "grader/explain/explain.h"
#include "grader/reports/page.h"
#include "grader/trace/trace.h"

enum { MOST_CURVE = 256 << 10 };

/* What explain writes, or nothing. */
static bool write_code(FILE *out, const struct look_request *request, const struct exercise *exercise)
{
    const struct explain_request explain = {.look = *request, .html = true};
    struct error ignored;
    char *text = NULL;
    size_t size;
    FILE *part = open_memstream(&text, &size);
    if (!part)
        return false;
    bool good = explain_exercise(&explain, exercise, part, &ignored) == LOOKED;
    good = fclose(part) == 0 && good;
    if (good)
        fputs(text, out);
    free(text);
    return good;
}

static void write_timelines(FILE *out, const struct look_request *request, const struct exercise *exercise)
{
    const struct trace_request asked = {.look = *request, .count = TRACE_COUNT};
    struct trace traces[2];
    unsigned count = trace_with_stub(&asked, exercise, traces);
    const struct trace *const both[] = {&traces[0], &traces[1]};
    if (count > 0) {
        fputs("<h2>Timeline</h2>\n<p class=\"dim\">A row is an instruction, a column a cycle of the model "
              "core.</p>\n",
              out);
        trace_legend(out, both, count);
        fputs("<div class=\"panels\">\n", out);
        for (unsigned i = 0; i < count; i++) {
            fputs("<div>", out);
            trace_figure(out, both, count, i);
            fputs("</div>\n", out);
        }
        fputs("</div>\n", out);
    }
    while (count-- > 0)
        trace_free(&traces[count]);
}

/* The plot of the last `make sweep`: gnuplot's, from figures of the suite's. */
static void write_curve(FILE *out, const struct look_request *request, const struct exercise *exercise)
{
    char path[PATH_MAX];
    struct error ignored;
    const char *core = request->core ? request->core : exercise->core;
    snprintf(path, sizeof path, "%s/sweep/%s-%s.svg", request->build, exercise->id, core);
    char *text = exercise->sweep ? textfile_read(path, MOST_CURVE, NULL, &ignored) : NULL;
    const char *svg = text ? strstr(text, "<svg") : NULL;
    if (svg) {
        fputs(
            "<h2>The sweep's curve</h2>\n<figure class=\"curve\" role=\"img\" aria-label=\"Cycles an element "
            "of the reference at each value of: ",
            out);
        page_text(out, exercise->sweep->says);
        fprintf(out, "\">%s<figcaption>", svg);
        page_text(out, exercise->sweep->says);
        fputs(", of the last `make sweep` on ", out);
        page_text(out, core);
        fputs("</figcaption></figure>\n", out);
    }
    free(text);
}

char *annex_make(const struct look_request *request, const struct exercise *exercise)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (write_code(out, request, exercise))
        write_timelines(out, request, exercise);
    write_curve(out, request, exercise);
    if (fclose(out) == 0 && size > 0)
        return text;
    free(text);
    return NULL;
}
