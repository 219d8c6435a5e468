/* Taking a trace: a run to find the loop, and the same run again to look at its instructions. */
#include <stdlib.h>
#include <string.h>

#include "grader/explain/listing.h"
#include "grader/loops/loop_view.h"
#include "grader/trace/trace.h"

enum {
    STORES = 256, /* of the last ones: whose data a load may take */
    REGISTERS = 256,
};

struct stored {
    uint64_t address, end;
    uint32_t row;
};

struct taking {
    struct trace *trace;
    struct look *look;
    struct loop_view *view; /* of the first run; NULL: there is no loop */
    struct error *err;
    uint32_t wanted;

    /* the second run */
    const struct op *ops;
    uint32_t head;            /* the instruction that a round begins with; TRACE_NONE: from the start on */
    uint64_t skip;            /* rounds before the first row */
    uint64_t number;          /* of the next instruction */
    bool begun;               /* rows are taken */
    uint32_t last[REGISTERS]; /* the row that wrote a register last */
    struct stored stores[STORES];
    uint64_t store_count;
};

/* ---- the first run: where ---- */

static int find_loop(void *state, const struct model_task *task, struct emulator *emulator)
{
    struct taking *taking = state;
    struct trace *trace = taking->trace;
    struct profile run = look_profile(taking->look, emulator, emulator_model(emulator));
    struct model_counts counts;
    struct image image;
    struct error no_loop;
    (void)task;
    model_count(emulator_model(emulator), &counts);
    size_t used = strlen(trace->what);
    if (emulator_cores(emulator) > 1)
        snprintf(trace->what + used, sizeof trace->what - used, ", the first of two cores,");
    trace->all_instructions = counts.value[MODEL_INSTRUCTIONS];
    trace->all_cycles = counts.value[MODEL_CYCLES];
    trace->elements = run.elements;
    if (!image_open(&image, run.program, taking->err))
        return LOOK_SUITE;
    free(taking->view);
    taking->view = loop_view(&run, &image, &no_loop);
    if (taking->view) {
        loop_sentence(&run, &image, taking->view, trace->sentence, sizeof trace->sentence);
        trace->chain_binds = taking->view->binding == BIND_CHAIN;
        trace->head = taking->view->loop.body[0];
    }
    image_close(&image);
    return LOOKED;
}

/* The middle of its rounds; earlier where there are too few behind that. */
static void choose_begin(struct taking *taking)
{
    const struct loop_view *view = taking->view;
    taking->head = TRACE_NONE;
    if (!view || taking->wanted >= taking->trace->all_instructions)
        return;
    uint64_t path = view->loop.count ? view->loop.count : 1;
    uint64_t needed = (taking->wanted + path - 1) / path;
    taking->head = taking->trace->head;
    taking->skip = view->loop.rounds / 2;
    if (view->loop.rounds - taking->skip < needed)
        taking->skip = view->loop.rounds > needed ? view->loop.rounds - needed : 0;
}

/* ---- the second run: rows ---- */

static void add_producer(struct trace_row *row, uint32_t producer)
{
    if (producer == TRACE_NONE)
        return;
    for (unsigned i = 0; i < row->producers; i++)
        if (row->producer[i] == producer)
            return;
    if (row->producers < TRACE_PRODUCERS)
        row->producer[row->producers++] = producer;
}

static void note_memory(struct taking *taking, const struct op *op, struct trace_row *row, uint32_t index)
{
    uint64_t address = row->step.address, end = address + op->bytes;
    uint64_t oldest = taking->store_count > STORES ? taking->store_count - STORES : 0;
    if (op->memory & OP_MEMORY_LOAD && op->memory != OP_MEMORY_PREFETCH)
        for (uint64_t i = taking->store_count; i-- > oldest;) {
            const struct stored *stored = &taking->stores[i % STORES];
            if (stored->address >= end || address >= stored->end)
                continue;
            add_producer(row, stored->row);
            break;
        }
    if (op->memory & OP_MEMORY_STORE && op->memory != OP_MEMORY_PREFETCH)
        taking->stores[taking->store_count++ % STORES] = (struct stored){address, end, index};
}

static void take(void *context, const struct timeline_step *step)
{
    struct taking *taking = context;
    struct trace *trace = taking->trace;
    uint64_t number = taking->number++;
    if (!taking->begun) {
        if (taking->head != TRACE_NONE && (step->site != taking->head || taking->skip-- > 0))
            return;
        taking->begun = true;
    }
    if (trace->count == taking->wanted)
        return;
    const struct op *op = &taking->ops[step->site];
    uint32_t index = trace->count++;
    struct trace_row *row = &trace->rows[index];
    *row = (struct trace_row){.step = *step, .number = number, .chain = TRACE_NONE};
    if (index > 0 && row->step.fetch < row[-1].step.fetch) /* a barrier's is not known to the cycle */
        row->step.fetch = row[-1].step.fetch;
    for (unsigned i = 0; i < op->read_count; i++)
        add_producer(row, taking->last[op->reads[i]]);
    note_memory(taking, op, row, index);
    for (unsigned i = 0; i < op->write_count; i++)
        taking->last[op->writes[i]] = index;
}

static void begin_taking(void *state, struct emulator *emulator)
{
    struct taking *taking = state;
    size_t count;
    taking->ops = emulator_code(emulator, &count);
    memset(taking->last, 0xff, sizeof taking->last);
    model_timeline(emulator_model(emulator), take, taking);
}

/* ---- what the rows say ---- */

static void fill_place(const struct listing *listing, uint32_t site, struct trace_place *place)
{
    struct location at = {0};
    const char *text;
    place->address = listing->run->ops[site].address;
    if (listing->locator)
        locator_find(listing->locator, place->address, &at);
    snprintf(place->function, sizeof place->function, "%.60s", at.function);
    place->offset = at.offset;
    place->line = at.line;
    listing_source(listing, &at, place->source, sizeof place->source);
    listing_short_text(listing, site, at.function, place->text, sizeof place->text);
    /* one blank for the disassembler's column */
    char *gap = strchr(place->text, ' ');
    for (text = gap; text && *text == ' ';)
        text++;
    if (gap && text > gap + 1)
        memmove(gap + 1, text, strlen(text) + 1);
}

static bool fill_places(struct taking *taking, const struct listing *listing)
{
    struct trace *trace = taking->trace;
    uint32_t places = 0;
    trace->place_of = malloc((listing->run->count + 1) * sizeof *trace->place_of);
    trace->places = calloc(trace->count + 1, sizeof *trace->places);
    if (!trace->place_of || !trace->places)
        return error_set(taking->err, "out of memory");
    memset(trace->place_of, 0xff, listing->run->count * sizeof *trace->place_of);
    for (uint32_t i = 0; i < trace->count; i++) {
        uint32_t site = trace->rows[i].step.site;
        if (trace->place_of[site] == TRACE_NONE) {
            trace->place_of[site] = places;
            fill_place(listing, site, &trace->places[places++]);
        }
        trace->rows[i].place = &trace->places[trace->place_of[site]];
    }
    return true;
}

/* Mark the chain's instructions, and who of them handed its result to whom. */
static void mark_chain(struct taking *taking)
{
    struct trace *trace = taking->trace;
    const struct loop_chain *chain = &taking->view->chain;
    size_t links = chain->count < LOOP_LINKS ? chain->count : LOOP_LINKS;
    for (size_t link = 0; link < links; link++) {
        uint32_t site = taking->view->loop.path[chain->links[link].op];
        uint32_t before = taking->view->loop.path[chain->links[(link + links - 1) % links].op];
        if (trace->place_of[site] == TRACE_NONE)
            continue;
        trace->places[trace->place_of[site]].in_chain = true;
        for (uint32_t i = 0; i < trace->count; i++) {
            struct trace_row *row = &trace->rows[i];
            for (unsigned p = 0; row->step.site == site && p < row->producers; p++)
                if (trace->rows[row->producer[p]].step.site == before)
                    row->chain = row->producer[p];
        }
    }
}

static int end_taking(void *state, const struct model_task *task, struct emulator *emulator)
{
    struct taking *taking = state;
    struct profile run = look_profile(taking->look, emulator, emulator_model(emulator));
    struct image image;
    struct listing listing;
    (void)task;
    if (!image_open(&image, run.program, taking->err))
        return LOOK_SUITE;
    bool good = listing_open(&listing, &run, &image, taking->err);
    if (good) {
        listing_sources(&listing, taking->look);
        good = fill_places(taking, &listing);
    }
    if (good && taking->view)
        mark_chain(taking);
    listing_close(&listing);
    image_close(&image);
    return good ? LOOKED : LOOK_SUITE;
}

/* ---- both ---- */

int trace_take(struct trace *trace, struct look *look, const char *what, uint32_t count, FILE *out,
               struct error *err)
{
    struct taking *taking = calloc(1, sizeof *taking);
    *trace = (struct trace){.in_order = look->core.kind == CORE_IN_ORDER, .head = TRACE_NONE};
    snprintf(trace->what, sizeof trace->what, "%s", what);
    snprintf(trace->title, sizeof trace->title, "%.120s", look->exercise->title);
    snprintf(trace->core, sizeof trace->core, "%.60s", look->core.name);
    snprintf(trace->case_name, sizeof trace->case_name, "%.60s", look->def->name);
    trace->rows = calloc((size_t)count + 1, sizeof *trace->rows);
    if (!taking || !trace->rows) {
        free(taking);
        error_set(err, "out of memory");
        return LOOK_SUITE;
    }
    taking->trace = trace;
    taking->look = look;
    taking->wanted = count;
    taking->err = err;
    int status = look_run(look, &(struct looker){.after = find_loop, .state = taking}, out, err);
    if (status == LOOKED) {
        const struct looker looker = {.before = begin_taking, .after = end_taking, .state = taking};
        choose_begin(taking);
        status = look_run(look, &looker, out, err);
    }
    trace->wrong = look->wrong;
    if (trace->count > 0) {
        trace->first = trace->rows[0].step.fetch;
        trace->last = trace->rows[trace->count - 1].step.cycles;
    }
    free(taking->view);
    free(taking);
    return status;
}

void trace_free(struct trace *trace)
{
    free(trace->rows);
    free(trace->places);
    free(trace->place_of);
    *trace = (struct trace){0};
}

/* ---- spans ---- */

const char *trace_stage_name(enum trace_stage stage)
{
    static const char *const names[] = {"fetched", "dispatched", "waits", "executes", "done", "commits"};
    return names[stage];
}

char trace_wait_letter(enum model_wait wait)
{
    static const char letters[MODEL_WAIT_COUNT] = {
        [MODEL_WAIT_OPERAND] = 'o', [MODEL_WAIT_LOAD] = 'l',   [MODEL_WAIT_L2] = '2',
        [MODEL_WAIT_LLC] = '3',     [MODEL_WAIT_MEMORY] = 'm', [MODEL_WAIT_TLB] = 't',
        [MODEL_WAIT_OTHER] = 'c',   [MODEL_WAIT_STORE] = 's',  [MODEL_WAIT_PORT] = 'p',
        [MODEL_WAIT_QUEUE] = 'q',   [MODEL_WAIT_WINDOW] = 'w', [MODEL_WAIT_MISPREDICT] = 'x',
        [MODEL_WAIT_FETCH] = 'f',   [MODEL_WAIT_ORDER] = 'b',  [MODEL_WAIT_WIDTH] = '.',
    };
    return letters[wait];
}

static void add_span(struct trace_span *spans, unsigned *count, enum trace_stage stage, uint64_t from,
                     uint64_t to, enum model_wait wait)
{
    if (to > from)
        spans[(*count)++] = (struct trace_span){stage, from, to, wait};
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t earlier_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What a load that missed was waiting for. */
static enum model_wait level_wait(const struct timeline_step *step)
{
    return step->level ? (enum model_wait)(MODEL_WAIT_LOAD + step->level) : MODEL_WAIT_WIDTH;
}

/* In order all that is held up waits for issue; the last cycles of that are its own fault. */
static unsigned spans_in_order(const struct trace_row *row, struct trace_span *spans)
{
    const struct timeline_step *step = &row->step;
    uint64_t own = 0;
    enum model_wait wait = MODEL_WAIT_WIDTH;
    unsigned count = 0;
    for (unsigned i = 0; i < step->charge_count; i++)
        if (step->charge[i].wait != MODEL_WAIT_WIDTH && step->charge[i].wait != MODEL_WAIT_MISPREDICT &&
            step->charge[i].cycles > own) {
            own = step->charge[i].cycles;
            wait = step->charge[i].wait;
        }
    uint64_t since = step->issue - earlier_of(own, step->issue - step->fetch);
    add_span(spans, &count, STAGE_FETCHED, step->fetch, since, MODEL_WAIT_WIDTH);
    add_span(spans, &count, STAGE_WAITS, since, step->issue, wait);
    add_span(spans, &count, STAGE_EXECUTES, step->issue, step->commit + 1, level_wait(step));
    return count;
}

unsigned trace_spans(const struct trace *trace, const struct trace_row *row, struct trace_span *spans)
{
    const struct timeline_step *step = &row->step;
    unsigned count = 0;
    if (trace->in_order)
        return spans_in_order(row, spans);
    uint64_t queued = step->dispatch + 1;
    uint64_t ready = earlier_of(later_of(step->ready, queued), step->issue);
    add_span(spans, &count, STAGE_FETCHED, step->fetch, step->dispatch, step->dispatch_wait);
    add_span(spans, &count, STAGE_DISPATCH, step->dispatch, queued, MODEL_WAIT_WIDTH);
    add_span(spans, &count, STAGE_WAITS, queued, ready, step->operand_wait);
    add_span(spans, &count, STAGE_WAITS, ready, step->issue, MODEL_WAIT_PORT);
    add_span(spans, &count, STAGE_EXECUTES, later_of(step->issue, queued), step->complete, level_wait(step));
    add_span(spans, &count, STAGE_DONE, later_of(step->complete, queued), step->commit, MODEL_WAIT_WIDTH);
    add_span(spans, &count, STAGE_COMMIT, step->commit, step->commit + 1, MODEL_WAIT_WIDTH);
    return count;
}
