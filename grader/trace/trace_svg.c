/* A trace as a picture: a row an instruction, a bar for what it does in which cycles. Nothing is said by
 * colour alone: waiting carries its letter, the stages differ in height, the chain has lines and dots. */
#include <inttypes.h>
#include <string.h>

#include "grader/reports/page.h"
#include "grader/trace/trace.h"

enum {
    ROW = 16,
    LABEL = 226,  /* width of number and instruction */
    TOP = 40,     /* of a panel: its name, the cycles */
    GAP = 14,     /* between panels */
    WIDTH = 600,  /* that the bars of a panel should have, */
    NARROW = 300, /* of two beside each other on a page */
    CELL_LEAST = 3,
    CELL_MOST = 14,
    LETTER = 8, /* pixels that a letter needs */
    LABEL_TEXT = 26,
    KEY_COLUMNS = 3,
};

/* ---- measures ---- */

struct scale {
    uint64_t cycles; /* of the longest panel */
    double cell;
};

static struct scale scale_of(const struct trace *const *traces, unsigned count, unsigned bars)
{
    struct scale scale = {1, CELL_MOST};
    for (unsigned i = 0; i < count; i++) {
        uint64_t cycles = traces[i]->last - traces[i]->first;
        scale.cycles = cycles > scale.cycles ? cycles : scale.cycles;
    }
    double cell = (double)bars / (double)scale.cycles;
    scale.cell = cell > CELL_MOST ? CELL_MOST : cell < CELL_LEAST ? CELL_LEAST : cell;
    return scale;
}

static double panel_width(const struct trace *trace, struct scale scale)
{
    return LABEL + (double)(trace->last - trace->first) * scale.cell + 12;
}

static unsigned panel_height(const struct trace *trace)
{
    return TOP + trace->count * ROW + 6;
}

/* ---- one panel ---- */

struct panel {
    FILE *out;
    const struct trace *trace;
    struct scale scale;
    double left;  /* of cycle `first` */
    unsigned top; /* of its name */
};

static double x_of(const struct panel *panel, uint64_t cycle)
{
    uint64_t since = cycle > panel->trace->first ? cycle - panel->trace->first : 0;
    return panel->left + (double)since * panel->scale.cell;
}

static unsigned y_of(const struct panel *panel, uint32_t row)
{
    return panel->top + TOP + row * ROW;
}

static void draw_axis(const struct panel *panel)
{
    static const unsigned steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
    const struct trace *trace = panel->trace;
    unsigned step = steps[0];
    for (size_t i = 0; i < sizeof steps / sizeof *steps && step * panel->scale.cell < 36; i++)
        step = steps[i];
    for (uint64_t cycle = 0; cycle <= trace->last - trace->first; cycle += step) {
        double x = x_of(panel, trace->first + cycle);
        fprintf(panel->out,
                "<line class=\"g\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%u\" y2=\"%u\"/>"
                "<text class=\"a\" x=\"%.1f\" y=\"%u\">+%" PRIu64 "</text>\n",
                x, x, y_of(panel, 0) - 6, y_of(panel, trace->count), x + 2, y_of(panel, 0) - 8, cycle);
    }
}

static void draw_span(const struct panel *panel, uint32_t index, const struct trace_span *span)
{
    static const unsigned heights[] = {4, 10, 10, 12, 4, 12};
    unsigned height = heights[span->stage];
    double x = x_of(panel, span->from), width = x_of(panel, span->to) - x;
    double y = y_of(panel, index) + (ROW - (double)height) / 2;
    const struct trace_row *row = &panel->trace->rows[index];
    bool waits =
        (span->stage == STAGE_WAITS || span->stage == STAGE_EXECUTES) && span->wait < MODEL_WAIT_WIDTH;
    if (width <= 0)
        return;
    const char letter_of_wait = trace_wait_letter(span->wait);
    fprintf(panel->out, "<rect class=\"%c%c%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%u\"/>",
            waits ? 'w' : 's',
            waits                        ? letter_of_wait
            : span->stage == STAGE_WAITS ? '0'
                                         : (char)('0' + span->stage),
            span->stage == STAGE_EXECUTES && row->place->in_chain ? " kx" : "", x, y, width, height);
    char letter = waits                           ? letter_of_wait
                  : span->stage == STAGE_EXECUTES ? 'E'
                  : span->stage == STAGE_COMMIT   ? 'C'
                                                  : 0;
    if (letter && width >= LETTER)
        fprintf(panel->out, "<text class=\"l\" x=\"%.1f\" y=\"%u\">%c</text>", x + width / 2,
                y_of(panel, index) + ROW - 5, letter);
}

static void write_title(const struct panel *panel, const struct trace_row *row,
                        const struct trace_span *spans, unsigned count)
{
    fputs("<title>", panel->out);
    page_text(panel->out, row->place->text);
    if (row->place->line) {
        fprintf(panel->out, " (line %u", row->place->line);
        if (row->place->source[0]) {
            fputs(": ", panel->out);
            page_text(panel->out, row->place->source);
        }
        fputs(")", panel->out);
    }
    for (unsigned i = 0; i < count; i++) {
        fprintf(panel->out, "; %s", trace_stage_name(spans[i].stage));
        if (spans[i].wait < MODEL_WAIT_WIDTH && spans[i].stage != STAGE_FETCHED)
            fprintf(panel->out, " (%s)", model_wait_name(spans[i].wait));
        fprintf(panel->out, " %" PRIu64 " to %" PRIu64, spans[i].from, spans[i].to - 1);
    }
    fprintf(panel->out, "%s</title>", row->step.mispredicted ? "; mispredicted" : "");
}

static void draw_row(const struct panel *panel, uint32_t index)
{
    const struct trace_row *row = &panel->trace->rows[index];
    struct trace_span spans[TRACE_SPANS];
    unsigned count = trace_spans(panel->trace, row, spans), y = y_of(panel, index) + ROW - 4;
    char text[LABEL_TEXT + 1];
    snprintf(text, sizeof text, "%.*s", LABEL_TEXT, row->place->text);
    fputs("<g>", panel->out);
    write_title(panel, row, spans, count);
    fprintf(panel->out, "<text class=\"a\" x=\"%.0f\" y=\"%u\" text-anchor=\"end\">%u</text>",
            panel->left - LABEL + 24, y, index + 1);
    fprintf(panel->out, "<text%s x=\"%.0f\" y=\"%u\">%s", row->place->in_chain ? " class=\"b\"" : "",
            panel->left - LABEL + 32, y, row->place->in_chain ? "&#9679; " : "");
    page_text(panel->out, text);
    fprintf(panel->out, "%s</text>", row->step.mispredicted ? " &#10007;" : "");
    for (unsigned i = 0; i < count; i++)
        draw_span(panel, index, &spans[i]);
    fputs("</g>\n", panel->out);
}

/* From a result of the chain to who takes it. */
static void draw_link(const struct panel *panel, uint32_t index)
{
    const struct trace_row *row = &panel->trace->rows[index];
    if (row->chain == TRACE_NONE)
        return;
    const struct trace_row *from = &panel->trace->rows[row->chain];
    double x = x_of(panel, from->step.complete), to = x_of(panel, row->step.issue);
    fprintf(
        panel->out,
        "<path class=\"k\" d=\"M%.1f %u L%.1f %u\"/><circle class=\"k\" cx=\"%.1f\" cy=\"%u\" r=\"2\"/>\n", x,
        y_of(panel, row->chain) + ROW / 2, to, y_of(panel, index) + ROW / 2, to,
        y_of(panel, index) + ROW / 2);
}

static void draw_panel(const struct panel *panel)
{
    const struct trace *trace = panel->trace;
    fprintf(panel->out, "<text class=\"h\" x=\"%.0f\" y=\"%u\">", panel->left - LABEL + 4, panel->top + 14);
    page_text(panel->out, trace->what);
    fprintf(panel->out, ": %u instructions in %" PRIu64 " cycles</text>\n", trace->count,
            trace->last - trace->first);
    draw_axis(panel);
    for (uint32_t i = 1; i < trace->count; i++)
        if (trace->rows[i].step.site == trace->head)
            fprintf(panel->out, "<line class=\"r\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%u\" y2=\"%u\"/>\n",
                    panel->left - LABEL + 4, x_of(panel, trace->last), y_of(panel, i), y_of(panel, i));
    for (uint32_t i = 0; i < trace->count; i++)
        draw_row(panel, i);
    for (uint32_t i = 0; i < trace->count; i++)
        draw_link(panel, i);
}

/* ---- what the colours are ---- */

struct key {
    char class[8];
    unsigned height;
    char letter;
    char name[40];
};
enum { KEYS_MOST = 5 + MODEL_WAIT_COUNT };

/* Of what the traces show: how many; and which marks there are. */
struct marks {
    bool chain, mispredicted;
};
static unsigned keys_of(const struct trace *const *traces, unsigned count, struct key *keys,
                        struct marks *marks)
{
    bool used[MODEL_WAIT_COUNT] = {false}, out_of_order = false;
    unsigned found = 0;
    *marks = (struct marks){0};
    for (unsigned t = 0; t < count; t++) {
        out_of_order = out_of_order || !traces[t]->in_order;
        for (uint32_t i = 0; i < traces[t]->count; i++) {
            struct trace_span spans[TRACE_SPANS];
            unsigned n = trace_spans(traces[t], &traces[t]->rows[i], spans);
            for (unsigned s = 0; s < n; s++)
                used[spans[s].wait] =
                    used[spans[s].wait] || spans[s].stage == STAGE_WAITS || spans[s].stage == STAGE_EXECUTES;
            marks->chain = marks->chain || traces[t]->rows[i].place->in_chain;
            marks->mispredicted = marks->mispredicted || traces[t]->rows[i].step.mispredicted;
        }
    }
    keys[found++] = (struct key){"s0", 4, 0, ""};
    snprintf(keys[0].name, sizeof keys[0].name, "%s",
             out_of_order ? "fetched, not yet dispatched" : "fetched, behind others");
    if (out_of_order)
        keys[found++] = (struct key){"s1", 10, 0, "dispatched"};
    keys[found++] = (struct key){"s3", 12, 'E', "executes"};
    if (out_of_order) {
        keys[found++] = (struct key){"s4", 4, 0, "done, waits for those before it"};
        keys[found++] = (struct key){"s5", 12, 'C', "commits"};
    }
    for (unsigned wait = 0; wait < MODEL_WAIT_WIDTH; wait++) {
        if (!used[wait])
            continue;
        struct key *key = &keys[found++];
        *key = (struct key){.height = 10, .letter = trace_wait_letter((enum model_wait)wait)};
        snprintf(key->class, sizeof key->class, "w%c", key->letter);
        snprintf(key->name, sizeof key->name, "waits: %s", model_wait_name((enum model_wait)wait));
    }
    return found;
}

static void draw_key(FILE *out, const struct key *key, unsigned x, unsigned y)
{
    fprintf(out, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"14\" height=\"%u\"/>", key->class, x + 1,
            y + 8 - key->height / 2, key->height);
    if (key->letter)
        fprintf(out, "<text class=\"l\" x=\"%u\" y=\"%u\">%c</text>", x + 8, y + 11, key->letter);
}

static unsigned keys_height(const struct trace *const *traces, unsigned count)
{
    struct key keys[KEYS_MOST];
    struct marks marks;
    unsigned found = keys_of(traces, count, keys, &marks);
    return GAP + ((found + KEY_COLUMNS - 1) / KEY_COLUMNS + marks.chain + marks.mispredicted) * ROW + GAP;
}

/* Below a picture's panels, in columns. */
static void draw_keys(FILE *out, const struct trace *const *traces, unsigned count, unsigned top)
{
    struct key keys[KEYS_MOST];
    struct marks marks;
    unsigned found = keys_of(traces, count, keys, &marks);
    for (unsigned i = 0; i < found; i++) {
        unsigned x = 4 + i % KEY_COLUMNS * ((LABEL + WIDTH) / KEY_COLUMNS);
        unsigned y = top + 6 + i / KEY_COLUMNS * ROW;
        draw_key(out, &keys[i], x, y);
        fprintf(out, "<text class=\"a\" x=\"%u\" y=\"%u\">%s</text>\n", x + 20, y + 12, keys[i].name);
    }
    static const char *const said[] = {
        "&#9679; and the line: the longest chain of results from round to round",
        "&#10007; mispredicted: what stands below it was fetched anew"};
    const bool is[] = {marks.chain, marks.mispredicted};
    unsigned y = top + 6 + (found + KEY_COLUMNS - 1) / KEY_COLUMNS * ROW + 12;
    for (unsigned i = 0; i < sizeof is / sizeof *is; i++) {
        if (!is[i])
            continue;
        fprintf(out, "<text class=\"a\" x=\"4\" y=\"%u\">%s</text>\n", y, said[i]);
        y += ROW;
    }
}

/* ---- a picture ---- */

static void write_label(FILE *out, const struct trace *const *traces, unsigned count)
{
    fputs("aria-label=\"Pipeline timeline.", out);
    for (unsigned i = 0; i < count; i++) {
        fputc(' ', out);
        page_text(out, traces[i]->what);
        fprintf(out, ": %u instructions in %" PRIu64 " cycles. ", traces[i]->count,
                traces[i]->last - traces[i]->first);
        page_text(out, traces[i]->sentence);
    }
    fputs("\"", out);
}

static void write_svg(FILE *out, const struct trace *const *traces, unsigned count, struct scale scale,
                      bool shared)
{
    double width = shared ? 0 : LABEL + WIDTH;
    unsigned height = 0, top = 0;
    for (unsigned i = 0; i < count; i++) {
        double wide = panel_width(traces[i], scale);
        width = wide > width ? wide : width;
        height += panel_height(traces[i]) + (i ? GAP : 0);
    }
    if (!shared)
        height += keys_height(traces, count);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tl\" role=\"img\" width=\"%.0f\" "
            "height=\"%u\" viewBox=\"0 0 %.0f %u\" ",
            width, height, width, height);
    write_label(out, traces, count);
    fputs(">\n", out);
    if (!shared)
        fprintf(out, "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"var(--tl-bg)\"/>\n",
                page_timeline_style);
    for (unsigned i = 0; i < count; i++) {
        const struct panel panel = {out, traces[i], scale, LABEL, top};
        draw_panel(&panel);
        top += panel_height(traces[i]) + GAP;
    }
    if (!shared)
        draw_keys(out, traces, count, top);
    fputs("</svg>\n", out);
}

void trace_svg(FILE *out, const struct trace *const *traces, unsigned count)
{
    write_svg(out, traces, count, scale_of(traces, count, WIDTH), false);
}

void trace_svg_part(FILE *out, const struct trace *const *traces, unsigned count, unsigned index)
{
    write_svg(out, &traces[index], 1, scale_of(traces, count, count > 1 ? NARROW : WIDTH), true);
}

/* ---- on a page ---- */

void trace_legend(FILE *out, const struct trace *const *traces, unsigned count)
{
    struct key keys[KEYS_MOST];
    struct marks marks;
    unsigned found = keys_of(traces, count, keys, &marks);
    fputs("<ul class=\"legend\">\n", out);
    for (unsigned i = 0; i < found; i++) {
        fputs("<li><svg class=\"tl\" width=\"16\" height=\"16\" aria-hidden=\"true\">", out);
        draw_key(out, &keys[i], 0, 0);
        fprintf(out, "</svg>%s</li>\n", keys[i].name);
    }
    if (marks.chain)
        fputs("<li><svg class=\"tl\" width=\"16\" height=\"16\" aria-hidden=\"true\"><path class=\"k\" "
              "d=\"M1 3 L15 13\"/>"
              "</svg>&#9679; the longest chain of results</li>\n",
              out);
    fputs("</ul>\n", out);
}
