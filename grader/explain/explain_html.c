/* What explain shows, as a part of a page. */
#include <inttypes.h>
#include <string.h>

#include "grader/explain/explain_internal.h"
#include "grader/reports/page.h"

enum { HOT_PERCENT = 10, LEAST_PERMILLE = 20, COLUMNS = 7 };

static double percent_of(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void write_source(FILE *out, const struct listing *listing, const struct location *at, unsigned *line)
{
    char source[120];
    if (at->line == *line)
        return;
    *line = at->line;
    listing_source(listing, at, source, sizeof source);
    if (!source[0])
        return;
    fprintf(out, "<tr class=\"src\"><td class=\"n\">%u</td><td colspan=\"%d\">", at->line, COLUMNS - 1);
    page_text(out, source);
    fputs("</td></tr>\n", out);
}

static void write_row(FILE *out, const struct listing *listing, const struct explain_row *row,
                      const struct location *at, uint64_t all)
{
    const uint64_t cycles = site_cycles(&row->site);
    const bool hot = cycles * 100 >= all * HOT_PERCENT;
    char text[160], waits[128];
    listing_short_text(listing, row->index, at->function, text, sizeof text);
    explain_waits(&row->site, waits, sizeof waits);
    fprintf(out, "<tr%s><td class=\"n\">+0x%" PRIx64 "</td><th scope=\"row\">%s", hot ? " class=\"hot\"" : "",
            at->offset, hot ? "<strong>" : "");
    page_text(out, text);
    if (row->times > 1)
        fprintf(out, " (%u times)", row->times);
    fprintf(out,
            "%s</th><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td>"
            "<td class=\"n\">%.2f</td><td class=\"n\">%.1f %%</td><td>%s</td></tr>\n",
            hot ? "</strong>" : "", row->site.executions, cycles,
            row->site.executions ? (double)cycles / (double)row->site.executions : 0, percent_of(cycles, all),
            waits);
}

static void write_function(FILE *out, const struct listing *listing, const struct explain_function *function,
                           uint64_t all)
{
    struct location at;
    struct explain_row row;
    char name[200];
    unsigned line = 0;
    locator_find(listing->locator, listing->run->ops[function->first].address, &at);
    fputs("<h3><code>", out);
    page_text(out, at.function[0] ? at.function : "(no name)");
    fprintf(out, "</code>: %.1f %% of the cycles</h3>\n<div class=\"code\">",
            percent_of(function->cycles, all));
    snprintf(name, sizeof name, "Instructions of %s and their cycles", at.function);
    page_table_begin(out, name,
                     (const struct page_column[]){{"at", true},
                                                  {"instruction", false},
                                                  {"executed", true},
                                                  {"cycles", true},
                                                  {"each", true},
                                                  {"share", true},
                                                  {"waits for", false},
                                                  {NULL, false}});
    for (uint32_t i = function->first; i <= function->last; i += row.times) {
        explain_row_at(listing, i, function->last, &row);
        locator_find(listing->locator, listing->run->ops[i].address, &at);
        write_source(out, listing, &at, &line);
        write_row(out, listing, &row, &at, all);
    }
    page_table_end(out);
    fputs("</div>\n", out);
}

static void write_bound(FILE *out, const char *name, double cycles, bool binds)
{
    fprintf(out, "<tr><th scope=\"row\">%s%s</th><td class=\"n\">%.2f</td></tr>\n", name,
            binds ? " <strong>(binds)</strong>" : "", cycles);
}

static void write_loop(FILE *out, const struct explain_page *given)
{
    const struct loop_view *view = given->view;
    fputs("<p><strong>", out);
    page_prose(out, given->sentence);
    fputs("</strong></p>\n", out);
    page_table_begin(
        out, "Bounds of the hot loop",
        (const struct page_column[]){{"the hot loop", false}, {"cycles a round", true}, {NULL, false}});
    if (!view->loop.holds_loops)
        write_bound(out, "dependency chain", loop_ratio_value(view->chain.ratio),
                    view->binding == BIND_CHAIN);
    write_bound(out, "busiest ports", loop_ratio_value(view->ports.ratio), view->binding == BIND_PORTS);
    write_bound(out, "width", loop_ratio_value(view->width), view->binding == BIND_WIDTH);
    if (view->has_alone)
        write_bound(out, "all of it, if nothing missed", loop_ratio_value(view->alone),
                    view->binding == BIND_STALLS);
    for (enum binding group = BIND_MEMORY; group <= BIND_ORDER; group++)
        if (view->part[group] * 100 >= view->loop.cycles || group == view->binding)
            write_bound(out, binding_name(group),
                        view->loop.rounds ? (double)view->part[group] / (double)view->loop.rounds : 0,
                        view->binding == group);
    write_bound(out, "as it ran",
                view->loop.rounds ? (double)view->loop.cycles / (double)view->loop.rounds : 0, false);
    page_table_end(out);
}

void explain_html_write(FILE *out, const struct explain_page *given)
{
    const struct listing *listing = given->listing;
    struct explain_function function;
    uint64_t all = 0;
    for (size_t i = 0; i < listing->run->count; i++)
        all += site_cycles(&listing->run->sites[i]);
    fputs("<h2>Where the cycles go</h2>\n<p class=\"dim\">", out);
    page_text(out, given->what);
    fputs(" on the model core ", out);
    page_text(out, listing->run->core->name);
    fputs(", case ", out);
    page_text(out, given->case_name);
    fputs("</p>\n", out);
    if (given->view)
        write_loop(out, given);
    for (uint32_t from = 0; explain_function_at(listing, from, &function); from = function.last + 1)
        if (function.cycles * 1000 >= all * LEAST_PERMILLE)
            write_function(out, listing, &function, all);
    if (given->order && given->order[0]) {
        fputs("<pre tabindex=\"0\">", out);
        page_lines(out, given->order, SIZE_MAX);
        fputs("</pre>\n", out);
    }
}
