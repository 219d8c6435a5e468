/* Traces on a page. */
#include <inttypes.h>

#include "grader/reports/page.h"
#include "grader/trace/trace.h"

static void write_cell(FILE *out, uint64_t cycle)
{
    fprintf(out, "<td class=\"n\">%" PRIu64 "</td>", cycle);
}

static void write_row(FILE *out, const struct trace *trace, uint32_t index)
{
    const struct trace_row *row = &trace->rows[index];
    struct trace_span spans[TRACE_SPANS];
    unsigned count = trace_spans(trace, row, spans);
    bool any = false;
    fprintf(out, "<tr><td class=\"n\">%u</td><th scope=\"row\"><code>%s", index + 1,
            row->place->in_chain ? "&#9679; " : "");
    page_text(out, row->place->text);
    fputs("</code></th><td>", out);
    if (row->place->line)
        fprintf(out, "%u ", row->place->line);
    fputs("<code>", out);
    page_text(out, row->place->source);
    fputs("</code></td>", out);
    write_cell(out, row->step.fetch);
    if (!trace->in_order)
        write_cell(out, row->step.dispatch);
    write_cell(out, row->step.issue);
    write_cell(out, row->step.complete);
    if (!trace->in_order)
        write_cell(out, row->step.commit);
    fputs("<td>", out);
    for (unsigned i = 0; i < count; i++) {
        if (spans[i].wait >= MODEL_WAIT_WIDTH || spans[i].stage == STAGE_FETCHED)
            continue;
        fprintf(out, "%s%s %" PRIu64, any ? ", " : "", model_wait_name(spans[i].wait),
                spans[i].to - spans[i].from);
        any = true;
    }
    fprintf(out, "%s</td></tr>\n", row->step.mispredicted ? any ? ", mispredicted" : "mispredicted" : "");
}

void trace_figure(FILE *out, const struct trace *const *traces, unsigned count, unsigned index)
{
    const struct trace *trace = traces[index];
    char name[160];
    const struct page_column columns[] = {
        {"no.", true},      {"instruction", false}, {"source line", false},
        {"fetch", true},    {"dispatch", true},     {"issue", true},
        {"complete", true}, {"commit", true},       {"waits, cycles", false},
        {NULL, false}};
    const struct page_column in_order[] = {
        {"no.", true},   {"instruction", false}, {"source line", false},   {"fetch", true},
        {"issue", true}, {"complete", true},     {"waits, cycles", false}, {NULL, false}};
    if (trace->count == 0)
        return;
    fputs("<figure><section class=\"scroll\" tabindex=\"0\" aria-label=\"Timeline of ", out);
    page_text(out, trace->what);
    fputs("\">\n", out);
    trace_svg_part(out, traces, count, index);
    fprintf(out,
            "</section>\n<figcaption>%s: instructions %" PRIu64 " to %" PRIu64 " of %" PRIu64
            ", from cycle %" PRIu64 " on. %s</figcaption></figure>\n",
            trace->rows[0].number > 0 ? "In the middle of the loop's rounds" : "From the start",
            trace->rows[0].number + 1, trace->rows[trace->count - 1].number + 1, trace->all_instructions,
            trace->first, trace->wrong ? "Its results are wrong." : "");
    fputs("<details><summary>The same as a table</summary>\n", out);
    snprintf(name, sizeof name, "When each instruction of %s was where, in cycles", trace->what);
    page_table_begin(out, name, trace->in_order ? in_order : columns);
    for (uint32_t i = 0; i < trace->count; i++)
        write_row(out, trace, i);
    page_table_end(out);
    fputs("</details>\n", out);
}

void trace_html(FILE *out, const struct trace *const *traces, unsigned count)
{
    char title[256];
    snprintf(title, sizeof title, "%.120s on %.60s", traces[0]->title, traces[0]->core);
    page_begin(out, title, page_timeline_style);
    fputs("<h1>", out);
    page_text(out, title);
    fputs("</h1>\n<p class=\"dim\">case ", out);
    page_text(out, traces[0]->case_name);
    fputs(". A row is an instruction, a column a cycle of the model core; the pictures have one scale.</p>\n",
          out);
    trace_legend(out, traces, count);
    fputs("<div class=\"panels\">\n", out);
    for (unsigned i = 0; i < count; i++) {
        fputs("<section><h2>", out);
        page_text(out, traces[i]->what);
        fputs("</h2>\n<p>", out);
        if (traces[i]->elements > 0)
            fprintf(out, "%.2f cycles an element. ",
                    (double)traces[i]->all_cycles / (double)traces[i]->elements);
        page_prose(out, traces[i]->sentence);
        fputs("</p>\n", out);
        trace_figure(out, traces, count, i);
        fputs("</section>\n", out);
    }
    fputs("</div>\n", out);
    page_end(out);
}
