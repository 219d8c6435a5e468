/* What `cyclelab explain` shows. */
#include "grader/explain/explain_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum {
    HOT_PERCENT = 10,    /* of all cycles: marked */
    LEAST_PERMILLE = 10, /* of all cycles: a function that is listed */
    FUNCTIONS_SHOWN = 8,
    TEXT_WIDTH = 30,
    CHAIN_SHOWN = 12,
    SOURCE_WIDTH = 90,
    WIDTH = 100,
};

struct page {
    FILE *out;
    const struct explain_page *given;
    const struct profile *run;
    uint64_t cycles; /* of all sites */
};

#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

static void style(const struct page *page, const char *code)
{
    if (page->given->colour)
        fputs(code, page->out);
}

/* A name from a student's file may hold anything. */
static const char *clean(char *text)
{
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    return text;
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* In lines of WIDTH columns at most. */
static void write_wrapped(const struct page *page, const char *text)
{
    size_t column = 0;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > 0 && column + 1 + word > WIDTH) {
            fputc('\n', page->out);
            column = 0;
        } else if (column > 0) {
            fputc(' ', page->out);
            column++;
        }
        fprintf(page->out, "%.*s", (int)word, text);
        column += word;
        text += word + strspn(text + word, " ");
    }
}

/* ---- the head ---- */

static void write_head(const struct page *page)
{
    static const char *const names[] = {"retiring", "bad speculation", "frontend", "backend-core",
                                        "backend-memory"};
    const struct explain_page *given = page->given;
    const uint64_t *count = given->counts.value;
    uint64_t slots = 0;
    style(page, BOLD);
    fprintf(page->out, "%s: %s on %s", given->exercise->title, given->what, page->run->core->name);
    style(page, PLAIN);
    fprintf(page->out, "\ncase %s, %" PRIu64 " call%s", given->case_name, given->calls,
            given->calls == 1 ? "" : "s");
    if (!page->run->elements)
        fprintf(page->out, ": %" PRIu64 " cycles\n", count[MODEL_CYCLES]);
    else
        fprintf(page->out, ", %" PRIu64 " elements: %" PRIu64 " cycles, %.2f an element\n",
                page->run->elements, count[MODEL_CYCLES], ratio(count[MODEL_CYCLES], page->run->elements));
    fprintf(page->out, "%" PRIu64 " instructions, %.2f a cycle", count[MODEL_INSTRUCTIONS],
            ratio(count[MODEL_INSTRUCTIONS], count[MODEL_CYCLES]));
    for (unsigned i = 0; i < 5; i++)
        slots += count[MODEL_SLOTS_RETIRING + i];
    for (unsigned i = 0; i < 5; i++)
        fprintf(page->out, "%s%.0f %% %s",
                i ? ", " : "\nslots: ", 100 * ratio(count[MODEL_SLOTS_RETIRING + i], slots), names[i]);
    fputs("\n", page->out);
}

/* ---- the listing ---- */

static void write_row(const struct page *page, const struct explain_row *row, const struct location *at)
{
    const struct model_site *site = &row->site;
    uint64_t cycles = site_cycles(site);
    bool hot = cycles * 100 >= page->cycles * HOT_PERCENT;
    char text[160], line[16] = "", offset[32], waits[128];

    listing_short_text(page->given->listing, row->index, at->function, text, sizeof text - 24);
    if (row->times > 1)
        snprintf(text + strlen(text), 24, "  (%u times)", row->times);
    if (at->line)
        snprintf(line, sizeof line, "%u", at->line);
    snprintf(offset, sizeof offset, "+0x%" PRIx64, at->offset);
    style(page, hot ? BOLD : site->executions ? "" : DIM);
    fprintf(page->out, "%c %7s %5s ", hot ? '>' : ' ', offset, line);
    if (site->executions)
        fprintf(page->out, "%9" PRIu64 " %10" PRIu64 " %7.2f %5.1f%%  ", site->executions, cycles,
                ratio(cycles, site->executions), 100 * ratio(cycles, page->cycles));
    else
        fprintf(page->out, "%9s %10s %7s %6s  ", "-", "", "", "");
    int gap = TEXT_WIDTH + 1 - (int)strlen(text);
    explain_waits(site, waits, sizeof waits);
    fprintf(page->out, waits[0] ? "%s%*s%s" : "%s", text, gap > 1 ? gap : 1, "", waits);
    style(page, hot || !site->executions ? PLAIN : "");
    fputs("\n", page->out);
}

/* The source line, above the first instruction that came from it. */
static void write_source(const struct page *page, const struct location *at, unsigned *line)
{
    char source[SOURCE_WIDTH];
    if (at->line == *line)
        return;
    *line = at->line;
    listing_source(page->given->listing, at, source, sizeof source);
    if (!source[0])
        return;
    style(page, DIM);
    fprintf(page->out, "%15u | %s", at->line, source);
    style(page, PLAIN);
    fputs("\n", page->out);
}

static void write_rows(const struct page *page, uint32_t first, uint32_t last)
{
    struct explain_row row;
    unsigned line = 0;
    for (uint32_t i = first; i <= last; i += row.times) {
        struct location at;
        explain_row_at(page->given->listing, i, last, &row);
        locator_find(page->given->listing->locator, page->run->ops[i].address, &at);
        write_source(page, &at, &line);
        write_row(page, &row, &at);
    }
}

/* Instructions first..last are one function's. */
static void write_function(const struct page *page, uint32_t first, uint32_t last, uint64_t cycles)
{
    struct location at;
    locator_find(page->given->listing->locator, page->run->ops[first].address, &at);
    style(page, BOLD);
    fprintf(page->out, "\n%s", at.function[0] ? clean(at.function) : "(no name)");
    style(page, PLAIN);
    if (at.file[0])
        fprintf(page->out, ", %s", clean(at.file));
    fprintf(page->out, ": %.1f %% of the cycles\n", 100 * ratio(cycles, page->cycles));
    fprintf(page->out, "  %7s %5s %9s %10s %7s %6s  %-*s %s\n", "at", "line", "executed", "cycles", "each",
            "share", TEXT_WIDTH, "instruction", "waits for");
    write_rows(page, first, last);
}

/* Where there are several: each one's share, the largest first. */
static void write_shares(const struct page *page)
{
    const struct listing *listing = page->given->listing;
    struct explain_function function, shown[FUNCTIONS_SHOWN];
    unsigned count = 0;
    for (uint32_t from = 0; explain_function_at(listing, from, &function); from = function.last + 1) {
        if (function.cycles * 1000 < page->cycles * LEAST_PERMILLE)
            continue;
        unsigned at = count < FUNCTIONS_SHOWN ? count++ : FUNCTIONS_SHOWN;
        for (; at > 0 && shown[at - 1].cycles < function.cycles; at--)
            if (at < FUNCTIONS_SHOWN)
                shown[at] = shown[at - 1];
        if (at < FUNCTIONS_SHOWN)
            shown[at] = function;
    }
    for (unsigned i = 0; i < count && count > 1; i++) {
        struct location at;
        locator_find(listing->locator, page->run->ops[shown[i].first].address, &at);
        fprintf(page->out, "%s%s %.1f %%",
                i ? ", " : "functions: ", at.function[0] ? clean(at.function) : "(no name)",
                100 * ratio(shown[i].cycles, page->cycles));
    }
    fputs(count > 1 ? "\n" : "", page->out);
}

/* All functions with cycles worth speaking of. */
static void write_functions(const struct page *page)
{
    const struct listing *listing = page->given->listing;
    struct explain_function function;
    uint64_t others = 0;
    write_shares(page);
    for (uint32_t from = 0; explain_function_at(listing, from, &function); from = function.last + 1) {
        if (function.cycles * 1000 >= page->cycles * LEAST_PERMILLE)
            write_function(page, function.first, function.last, function.cycles);
        else
            others += function.cycles;
    }
    if (others * 1000 >= page->cycles && others > 0)
        fprintf(page->out, "\nand %.1f %% in other functions\n", 100 * ratio(others, page->cycles));
    if (listing->missing)
        fprintf(page->out, "(%s)\n", listing->missing);
}

/* ---- the loop ---- */

static void write_bound(const struct page *page, const char *name, const char *more, double cycles,
                        bool binds)
{
    const struct hot_loop *loop = &page->given->view->loop;
    char text[80];
    snprintf(text, sizeof text, "%s%s", name, more);
    style(page, binds ? BOLD : "");
    fprintf(page->out, "  %-44s %9.2f", text, cycles);
    if (page->run->elements)
        fprintf(page->out, " %11.2f", cycles * (double)loop->rounds / (double)page->run->elements);
    fputs(binds ? "   <- binds" : "", page->out);
    style(page, binds ? PLAIN : "");
    fputs("\n", page->out);
}

static void port_names(const struct core *core, uint16_t ports, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (unsigned p = 0; p < core->port_count && length < size; p++)
        if (ports >> p & 1)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : " (",
                                       core->port_name[p]);
    if (length > 0 && length < size)
        snprintf(text + length, size - length, ")");
}

static void write_bounds(const struct page *page)
{
    const struct loop_view *view = page->given->view;
    const struct core *core = page->run->core;
    char more[64];
    fprintf(page->out, "  %-44s %9s%s\n", "cycles", "a round", page->run->elements ? "  an element" : "");
    more[0] = '\0';
    if (view->chain.parallel > 1)
        snprintf(more, sizeof more, " (%u side by side)", view->chain.parallel);
    if (!view->loop.holds_loops)
        write_bound(page, "dependency chain", more, loop_ratio_value(view->chain.ratio),
                    view->binding == BIND_CHAIN);
    port_names(core, view->ports.ports, more, sizeof more);
    write_bound(page, "busiest ports", more, loop_ratio_value(view->ports.ratio),
                view->binding == BIND_PORTS);
    snprintf(more, sizeof more, " (%u a cycle)", loop_view_handed_out(view));
    write_bound(page, "width", more, loop_ratio_value(view->width), view->binding == BIND_WIDTH);
    if (view->has_alone)
        write_bound(page, "all of it, if nothing missed", "", loop_ratio_value(view->alone),
                    view->binding == BIND_STALLS);
    write_bound(page, "as it ran", "", ratio(view->loop.cycles, view->loop.rounds), false);
    for (enum binding group = BIND_MEMORY; group <= BIND_ORDER; group++) {
        if (view->part[group] * 100 < view->loop.cycles && group != view->binding)
            continue;
        snprintf(more, sizeof more, "  of that ");
        char name[64];
        snprintf(name, sizeof name, "%s%s", more, binding_name(group));
        write_bound(page, name, "", ratio(view->part[group], view->loop.rounds), view->binding == group);
    }
}

static const char *link_text(const struct page *page, const struct loop_link *link)
{
    return listing_text(page->given->listing, page->given->view->loop.path[link->op]);
}

static void write_chain(const struct page *page)
{
    const struct loop_view *view = page->given->view;
    const struct loop_chain *chain = &view->chain;
    if (chain->count == 0)
        return;
    fprintf(page->out, "\nThe longest chain, once around in %" PRIu64 " round%s:\n", chain->ratio.rounds,
            chain->ratio.rounds == 1 ? "" : "s");
    size_t kept = chain->count < LOOP_LINKS ? chain->count : LOOP_LINKS, next = 0;
    for (unsigned lines = 0; next < kept && lines < CHAIN_SHOWN; lines++) {
        const struct loop_link *link = &chain->links[next];
        size_t from = next;
        char text[160];
        while (next < kept && chain->links[next].latency == link->latency &&
               chain->links[next].moves_base == link->moves_base &&
               strcmp(link_text(page, &chain->links[next]), link_text(page, link)) == 0)
            next++;
        snprintf(text, sizeof text, "%s", link_text(page, link));
        fprintf(page->out, "  %3u  %s%s", link->latency, clean(text),
                link->moves_base ? "   (its base register)" : "");
        if (next - from > 1)
            fprintf(page->out, "  (%zu times)", next - from);
        fputs("\n", page->out);
    }
    if (chain->count > next)
        fprintf(page->out, "       and %zu more\n", chain->count - next);
}

static void write_loop(const struct page *page)
{
    const struct explain_page *given = page->given;
    const struct hot_loop *loop = &given->view->loop;
    struct location first, last;
    uint32_t low = loop->body[0], high = loop->body[0];
    for (size_t i = 0; i < loop->size; i++) {
        low = loop->body[i] < low ? loop->body[i] : low;
        high = loop->body[i] > high ? loop->body[i] : high;
    }
    locator_find(given->listing->locator, page->run->ops[low].address, &first);
    locator_find(given->listing->locator, page->run->ops[high].address, &last);
    style(page, BOLD);
    fprintf(page->out, "\nThe hot loop");
    style(page, PLAIN);
    fprintf(page->out, ": %s +0x%" PRIx64 " to +0x%" PRIx64 ", %" PRIu64 " rounds, %.1f %% of the cycles",
            clean(first.function), first.offset, last.offset, loop->rounds,
            100 * ratio(loop->cycles, page->cycles));
    if (page->run->elements)
        fprintf(page->out, ", %.2f elements a round", ratio(page->run->elements, loop->rounds));
    fputs("\n", page->out);
    write_bounds(page);
    write_chain(page);
    if (given->second_opinion[0])
        fprintf(page->out, "\n%s\n", given->second_opinion);
    fputs("\n", page->out);
    style(page, BOLD);
    write_wrapped(page, given->sentence);
    style(page, PLAIN);
    fputs("\n", page->out);
}

void explain_page_write(FILE *out, const struct explain_page *given)
{
    struct page page = {.out = out, .given = given, .run = given->listing->run};
    for (size_t i = 0; i < page.run->count; i++)
        page.cycles += site_cycles(&page.run->sites[i]);
    write_head(&page);
    write_functions(&page);
    if (given->order)
        fputs(given->order, out);
    if (given->view)
        write_loop(&page);
    else
        fprintf(out, "\n%s\n", given->no_loop);
}
