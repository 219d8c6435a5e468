/* When each instruction was where in a model core's pipeline: N instructions of the loop that takes most
 * cycles, in the middle of its rounds. As text, as a picture (SVG, HTML), as a log for Konata. */
#ifndef CYCLELAB_TRACE_H
#define CYCLELAB_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "grader/explain/look.h"
#include "harness/model/timeline.h"

enum {
    TRACE_COUNT = 40,     /* instructions, unless told otherwise */
    TRACE_MOST = 100000,  /* in a log */
    TRACE_DRAWN = 500,    /* in a picture or as text */
    TRACE_PRODUCERS = 12, /* whose results one instruction takes */
};

#define TRACE_NONE UINT32_MAX

/* An instruction of the code. */
struct trace_place {
    char text[80];     /* "fadd s0, s0, s1" */
    char function[64]; /* "" where not known */
    uint64_t address, offset;
    unsigned line; /* 0: not known */
    char source[90];
    bool in_chain; /* of the longest chain of the loop, as explain has it */
};

/* An instruction, executed. */
struct trace_row {
    struct timeline_step step;
    uint64_t number; /* among all that are counted, from 0 */
    const struct trace_place *place;
    uint32_t producer[TRACE_PRODUCERS]; /* rows whose results it takes */
    unsigned producers;
    uint32_t chain; /* of those, the one that is before it in the chain; or TRACE_NONE */
};

struct trace {
    char what[64]; /* "your code", "the stub" */
    char title[128], core[64], case_name[64];
    bool in_order, wrong;
    uint64_t all_instructions, all_cycles, elements;
    uint64_t first, last; /* cycles: the first row is fetched, the last is over */
    uint32_t head;        /* the site that a round of the loop begins with; TRACE_NONE: there is none */
    char sentence[512];   /* about the loop, as explain has it */
    bool chain_binds;
    struct trace_row *rows;
    uint32_t count;
    struct trace_place *places;
    uint32_t *place_of; /* by site */
};

/* `count` instructions of what look_open() has opened: look_run()'s status. Free it in any case. */
int trace_take(struct trace *trace, struct look *look, const char *what, uint32_t count, FILE *out,
               struct error *err);
void trace_free(struct trace *trace);

/* What an instruction does in cycles [from, to). */
enum trace_stage { STAGE_FETCHED, STAGE_DISPATCH, STAGE_WAITS, STAGE_EXECUTES, STAGE_DONE, STAGE_COMMIT };
struct trace_span {
    enum trace_stage stage;
    uint64_t from, to;
    enum model_wait wait; /* MODEL_WAIT_WIDTH: nothing but those before it */
};
enum { TRACE_SPANS = 8 };

/* Its life in spans, one behind the other, none empty. */
unsigned trace_spans(const struct trace *trace, const struct trace_row *row, struct trace_span *spans);
const char *trace_stage_name(enum trace_stage stage);

/* The one letter of a reason to wait, in text and pictures; page_timeline_style has its colour (class `w` and
 * the letter), docs/trace.md its row. */
char trace_wait_letter(enum model_wait wait);

void trace_text(FILE *out, const struct trace *trace, bool colour);

/* Kanata 0004. */
void trace_kanata(FILE *out, const struct trace *trace);

/* A picture of some side by side, a file of its own. */
void trace_svg(FILE *out, const struct trace *const *traces, unsigned count);

/* Parts of a page whose style has page_timeline_style: what the colours are; traces[index] as a picture, in
 * the scale of all of them, and as a table; all of a page. */
void trace_legend(FILE *out, const struct trace *const *traces, unsigned count);
void trace_svg_part(FILE *out, const struct trace *const *traces, unsigned count, unsigned index);
void trace_figure(FILE *out, const struct trace *const *traces, unsigned count, unsigned index);
void trace_html(FILE *out, const struct trace *const *traces, unsigned count);

/* `cyclelab trace`. file: where to, NULL: as text to `out`. The exit status, as of explain. */
struct trace_request {
    struct look_request look;
    const char *file;
    uint32_t count;
    bool colour;
};
/* Into traces[0], and the stub's into traces[1] where that is something else: how many there are; what goes
 * wrong is nobody's business here. Free each of them. */
unsigned trace_with_stub(const struct trace_request *request, const struct exercise *exercise,
                         struct trace traces[2]);

int trace_exercise(const struct trace_request *request, const struct exercise *exercise, FILE *out,
                   struct error *err);

#endif
