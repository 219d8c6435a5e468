/* A trace as text: a line an instruction, a column a cycle, or a few. */
#include <inttypes.h>
#include <string.h>

#include "grader/trace/trace.h"

enum { BAR = 60, TEXT = 28 };

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

static char letter_of(const struct trace_span *span)
{
    static const char letters[] = {[STAGE_FETCHED] = '.',  [STAGE_DISPATCH] = 'D', [STAGE_WAITS] = 0,
                                   [STAGE_EXECUTES] = 'E', [STAGE_DONE] = '-',     [STAGE_COMMIT] = 'C'};
    return letters[span->stage] ? letters[span->stage] : trace_wait_letter(span->wait);
}

/* Where several share a column, the one that is most worth to be seen. */
static unsigned rank(char letter)
{
    static const char order[] = " .-wqtDC";
    const char *found = strchr(order, letter);
    return letter == 'E' ? 100 : found ? (unsigned)(found - order) : 50;
}

static void draw(const struct trace *trace, const struct trace_row *row, uint64_t scale, char *bar)
{
    struct trace_span spans[TRACE_SPANS];
    unsigned count = trace_spans(trace, row, spans);
    memset(bar, ' ', BAR);
    for (unsigned i = 0; i < count; i++)
        for (uint64_t cycle = spans[i].from; cycle < spans[i].to; cycle++) {
            uint64_t column = (cycle - trace->first) / scale;
            char letter = letter_of(&spans[i]);
            if (cycle >= trace->first && column < BAR && rank(letter) > rank(bar[column]))
                bar[column] = letter;
        }
    size_t end = BAR;
    while (end > 0 && bar[end - 1] == ' ')
        end--;
    bar[end] = '\0';
}

static void write_head(FILE *out, const struct trace *trace, uint64_t scale)
{
    fprintf(out, "%s: %s on %s, case %s\n", trace->title, trace->what, trace->core, trace->case_name);
    fprintf(out,
            "instructions %" PRIu64 " to %" PRIu64 " of %" PRIu64 ", cycles %" PRIu64 " to %" PRIu64
            " of %" PRIu64 "\n",
            trace->rows[0].number + 1, trace->rows[trace->count - 1].number + 1, trace->all_instructions,
            trace->first, trace->last, trace->all_cycles);
    if (scale > 1)
        fprintf(out, "a column is %" PRIu64 " cycles\n", scale);
    fprintf(out, "\n%5s   %-*s %6s %6s %6s %6s  cycle %" PRIu64 "\n", "", TEXT, "instruction", "fetch",
            "issue", "done", trace->in_order ? "" : "commit", trace->first);
}

static void write_legend(FILE *out, const struct trace *trace)
{
    bool used[MODEL_WAIT_COUNT] = {false}, any = false, chain = false;
    for (uint32_t i = 0; i < trace->count; i++) {
        struct trace_span spans[TRACE_SPANS];
        unsigned count = trace_spans(trace, &trace->rows[i], spans);
        for (unsigned s = 0; s < count; s++)
            used[spans[s].wait] = used[spans[s].wait] || spans[s].stage == STAGE_WAITS;
        chain = chain || trace->rows[i].place->in_chain;
    }
    fprintf(out, trace->in_order ? "\n. fetched  E executes"
                                 : "\n. fetched  D dispatched  E executes  - done  C commits");
    for (unsigned wait = 0; wait < MODEL_WAIT_WIDTH; wait++) {
        if (used[wait])
            fprintf(out, "%s%c %s", any ? ", " : "\nwaits for: ", trace_wait_letter((enum model_wait)wait),
                    model_wait_name((enum model_wait)wait));
        any = any || used[wait];
    }
    fputs("\n", out);
    if (chain)
        fprintf(out, "* the longest chain of results from round to round%s\n",
                trace->chain_binds ? ", which binds" : "; it is not what binds");
}

void trace_text(FILE *out, const struct trace *trace, bool colour)
{
    if (trace->count == 0) {
        fputs("No instruction was executed.\n", out);
        return;
    }
    uint64_t scale = (trace->last - trace->first + BAR - 1) / BAR;
    scale = scale ? scale : 1;
    write_head(out, trace, scale);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct trace_row *row = &trace->rows[i];
        char bar[BAR + 1] = "";
        draw(trace, row, scale, bar);
        bool bold = colour && row->place->in_chain;
        fprintf(out, "%s%5u %c %-*.*s %6" PRIu64 " %6" PRIu64 " %6" PRIu64, bold ? BOLD : "", i + 1,
                row->place->in_chain ? '*' : ' ', TEXT, TEXT, row->place->text,
                row->step.fetch - trace->first, row->step.issue - trace->first,
                row->step.complete - trace->first);
        if (trace->in_order)
            fprintf(out, " %6s", "");
        else
            fprintf(out, " %6" PRIu64, row->step.commit - trace->first);
        fprintf(out, "  %s%s%s\n", bar, row->step.mispredicted ? "  mispredicted" : "", bold ? PLAIN : "");
    }
    write_legend(out, trace);
    if (trace->sentence[0])
        fprintf(out, "\n%s\n", trace->sentence);
}
