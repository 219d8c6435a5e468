/* A trace as a log that Konata draws: Kanata, version 0004. A log goes from cycle to cycle, so all that
 * happens is sorted by when it does. */
#include <inttypes.h>
#include <stdlib.h>

#include "grader/trace/trace.h"

enum { LANE = 0, LANE_OF_STALLS = 1 };

enum event_kind { EVENT_END_STALL, EVENT_BEGIN, EVENT_STAGE, EVENT_STALL, EVENT_WAKE_UP, EVENT_RETIRE };

struct event {
    uint64_t cycle;
    uint32_t row;
    enum event_kind kind;
    const char *name;
};

struct log {
    struct event *events;
    size_t count;
};

static void add(struct log *log, uint64_t cycle, uint32_t row, enum event_kind kind, const char *name)
{
    log->events[log->count++] = (struct event){cycle, row, kind, name};
}

static int compare(const void *a, const void *b)
{
    const struct event *left = a, *right = b;
    if (left->cycle != right->cycle)
        return left->cycle < right->cycle ? -1 : 1;
    bool left_ends = left->kind == EVENT_RETIRE, right_ends = right->kind == EVENT_RETIRE;
    if (left_ends != right_ends) /* who is over in a cycle can still be pointed at by others */
        return left_ends ? 1 : -1;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    return (int)left->kind - (int)right->kind;
}

static void add_row(struct log *log, const struct trace *trace, uint32_t index)
{
    static const char *const stages[] = {"F", "D", "Q", "X", "Wb", "Cm"};
    struct trace_span spans[TRACE_SPANS];
    const struct trace_row *row = &trace->rows[index];
    unsigned count = trace_spans(trace, row, spans);
    uint64_t begin = count ? spans[0].from : row->step.fetch;
    uint64_t end = count ? spans[count - 1].to : begin;
    add(log, begin, index, EVENT_BEGIN, NULL);
    for (unsigned i = 0; i < count; i++) {
        if (i == 0 || spans[i].stage != spans[i - 1].stage)
            add(log, spans[i].from, index, EVENT_STAGE, stages[spans[i].stage]);
        if (spans[i].stage == STAGE_WAITS && spans[i].wait != MODEL_WAIT_WIDTH) {
            add(log, spans[i].from, index, EVENT_STALL, model_wait_name(spans[i].wait));
            add(log, spans[i].to, index, EVENT_END_STALL, model_wait_name(spans[i].wait));
        }
    }
    if (row->producers > 0)
        add(log, row->step.issue < begin ? begin : row->step.issue, index, EVENT_WAKE_UP, NULL);
    add(log, end, index, EVENT_RETIRE, NULL);
}

static void write_begin(FILE *out, const struct trace_row *row, uint32_t id)
{
    const struct trace_place *place = row->place;
    fprintf(out, "I\t%u\t%" PRIu64 "\t0\nL\t%u\t0\t%" PRIx64 ": %s%s\n", id, row->number, id, place->address,
            place->in_chain ? "* " : "", place->text);
    if (place->function[0])
        fprintf(out, "L\t%u\t1\t%s+0x%" PRIx64 "\n", id, place->function, place->offset);
    if (place->source[0])
        fprintf(out, "L\t%u\t1\t line %u: %s\n", id, place->line, place->source);
    if (place->in_chain)
        fprintf(out, "L\t%u\t1\t (longest chain)\n", id);
    if (row->step.mispredicted)
        fprintf(out, "L\t%u\t1\t (mispredicted)\n", id);
}

static void write_event(FILE *out, const struct trace *trace, const struct event *event, const uint32_t *ids,
                        uint32_t *retired)
{
    const struct trace_row *row = &trace->rows[event->row];
    uint32_t id = ids[event->row];
    switch (event->kind) {
    case EVENT_BEGIN:
        write_begin(out, row, id);
        break;
    case EVENT_STAGE:
        fprintf(out, "S\t%u\t%d\t%s\n", id, LANE, event->name);
        break;
    case EVENT_STALL:
        fprintf(out, "S\t%u\t%d\t%s\n", id, LANE_OF_STALLS, event->name);
        break;
    case EVENT_END_STALL:
        fprintf(out, "E\t%u\t%d\t%s\n", id, LANE_OF_STALLS, event->name);
        break;
    case EVENT_WAKE_UP:
        for (unsigned p = 0; p < row->producers; p++)
            fprintf(out, "W\t%u\t%u\t0\n", id, ids[row->producer[p]]);
        break;
    case EVENT_RETIRE:
        fprintf(out, "R\t%u\t%u\t0\n", id, (*retired)++);
        break;
    }
}

void trace_kanata(FILE *out, const struct trace *trace)
{
    struct log log = {.events = calloc((size_t)trace->count * (2 * TRACE_SPANS + 4) + 1, sizeof *log.events)};
    uint32_t *ids = calloc((size_t)trace->count + 1, sizeof *ids), id = 0, retired = 0;
    uint64_t cycle = trace->first;
    if (log.events && ids) {
        for (uint32_t i = 0; i < trace->count; i++)
            add_row(&log, trace, i);
        qsort(log.events, log.count, sizeof *log.events, compare);
        for (size_t i = 0; i < log.count; i++)
            if (log.events[i].kind == EVENT_BEGIN)
                ids[log.events[i].row] = id++;
        fprintf(out, "Kanata\t0004\nC=\t%" PRIu64 "\n", trace->first);
    }
    for (size_t i = 0; ids && log.events && i < log.count; i++) {
        if (log.events[i].cycle > cycle)
            fprintf(out, "C\t%" PRIu64 "\n", log.events[i].cycle - cycle);
        cycle = log.events[i].cycle > cycle ? log.events[i].cycle : cycle;
        write_event(out, trace, &log.events[i], ids, &retired);
    }
    if (trace->last > cycle)
        fprintf(out, "C\t%" PRIu64 "\n", trace->last - cycle);
    free(log.events);
    free(ids);
}
