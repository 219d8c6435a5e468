#include "grader/exercise/layout.h"

#include "grader/base/strings.h"
#include "grader/exercise/lines.h"
#include "harness/base/seed.h"

#include <assert.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ALIGN = 64, NOISE = 512 };

struct layout {
    struct arena *arena;
    const struct case_def *def;
    struct lab lab;
    uint64_t seed, fills; /* each filling has a seed of its own: the last one says nothing of the next */
    size_t count, first;  /* its calls, and the first one that the plan makes */
    struct call *calls;
    enum arena_place *places;
    size_t args_stride, results_stride;
    char *args, *results;
    char *args_given;        /* private copies of what the machine is to read only, */
    struct plan *plan_given; /* to see that it did */
    /* which region is which buffer: filled by call_buffer in the arena's order */
    struct {
        uint64_t address;
        size_t bytes;
        size_t call;
        unsigned index, access;
    } buffers[PLAN_MAX_REGIONS];
    size_t buffer_count;
    size_t shared_bytes[CALL_BUFFERS]; /* of lab.shared[] */
    uint64_t noise[NOISE];
};

static size_t stride(size_t size)
{
    return (size + BLOCK_ALIGN) / BLOCK_ALIGN * BLOCK_ALIGN; /* never 0 */
}

void *call_buffer(struct lab *lab, struct call *call, unsigned index, size_t bytes, size_t align,
                  unsigned access)
{
    struct layout *layout = lab->grader;
    size_t number = (size_t)(call - layout->calls);
    void *memory = arena_alloc(layout->arena, bytes, align, access, layout->places[number]);
    if (memory && layout->buffer_count < PLAN_MAX_REGIONS) {
        layout->buffers[layout->buffer_count].address = (uint64_t)memory;
        layout->buffers[layout->buffer_count].bytes = bytes;
        layout->buffers[layout->buffer_count].call = number;
        layout->buffers[layout->buffer_count].access = access;
        layout->buffers[layout->buffer_count++].index = index;
    }
    return call->buffer[index] = memory;
}

void *call_shadow(struct call *call, size_t bytes)
{
    return call->shadow = calloc(1, bytes + 1);
}

void *lab_shared(struct lab *lab, unsigned index, size_t bytes, unsigned access)
{
    struct layout *layout = lab->grader;
    layout->shared_bytes[index] = bytes;
    return lab->shared[index] = arena_alloc(layout->arena, bytes, BLOCK_ALIGN, access, ARENA_AT_START);
}

void *lab_memory(struct lab *lab, unsigned index, size_t bytes)
{
    return lab->memory[index] = calloc(1, bytes + 1);
}

bool finding(struct finding *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    return false;
}

static bool allocate(struct layout *layout, const struct layout_request *request)
{
    const struct case_def *def = request->def;
    layout->args_stride = stride(def->args_size);
    layout->results_stride = stride(def->result_size);
    layout->args = arena_alloc(layout->arena, request->count * layout->args_stride, BLOCK_ALIGN, PLAN_READ,
                               ARENA_AT_START);
    layout->results = arena_alloc(layout->arena, request->count * layout->results_stride, BLOCK_ALIGN,
                                  PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    layout->args_given = malloc(request->count * layout->args_stride);
    layout->plan_given = malloc(sizeof *layout->plan_given);
    if (!layout->args || !layout->results || !layout->args_given || !layout->plan_given ||
        (def->setup && !def->setup(&layout->lab)))
        return false;
    for (size_t i = 0; i < request->count; i++) {
        struct call *call = &layout->calls[i];
        call->n = request->calls[i].n;
        layout->places[i] = request->calls[i].place;
        call->args = layout->args + i * layout->args_stride;
        call->result = layout->results + i * layout->results_stride;
        if (def->allocate && !def->allocate(&layout->lab, call))
            return false;
    }
    return true;
}

struct layout *layout_open(struct arena *arena, const struct layout_request *request, struct error *err)
{
    struct layout *layout = calloc(1, sizeof *layout);
    arena_reset(arena);
    if (layout) {
        layout->arena = arena;
        layout->def = request->def;
        layout->count = request->count;
        layout->seed = request->seed;
        layout->calls = calloc(request->count, sizeof *layout->calls);
        layout->places = calloc(request->count, sizeof *layout->places);
        layout->lab = (struct lab){.timed = request->timed,
                                   .modelled = request->modelled,
                                   .fma = request->fma,
                                   .cache_bytes = request->cache_bytes,
                                   .student = request->student,
                                   .grader = layout};
        draw_begin(&layout->lab.draw, seed_derive(request->seed, 0));
        for (size_t i = 0; i < request->count; i++)
            if (request->calls[i].n > layout->lab.elements)
                layout->lab.elements = request->calls[i].n;
        if (layout->calls && layout->places && allocate(layout, request))
            return layout;
    }
    error_set(err,
              "case `%s` with %zu calls of up to %zu elements does not fit into memory (arena of %" PRIu64
              " MiB)",
              request->def->name, request->count, layout ? layout->lab.elements : 0, arena_size(arena) >> 20);
    layout_close(layout);
    return NULL;
}

void layout_close(struct layout *layout)
{
    if (!layout)
        return;
    for (size_t i = 0; layout->calls && i < layout->count; i++)
        free(layout->calls[i].shadow);
    for (unsigned i = 0; i < CALL_BUFFERS; i++)
        free(layout->lab.memory[i]);
    free(layout->args_given);
    free(layout->plan_given);
    free(layout->calls);
    free(layout->places);
    free(layout);
}

size_t layout_count(const struct layout *layout)
{
    return layout->count;
}

size_t layout_elements(const struct layout *layout, size_t call)
{
    return layout->calls[call].n;
}

bool layout_has_n(const struct layout *layout, size_t call)
{
    return !layout->def->once && !layout->def->unsized && call < layout->count;
}

const char *layout_n(const struct layout *layout, size_t call, const char *before, const char *behind,
                     char text[LAYOUT_N])
{
    text[0] = '\0';
    if (layout_has_n(layout, call))
        snprintf(text, LAYOUT_N, "%sn = %zu%s", before, layout->calls[call].n, behind);
    return text;
}

uint64_t layout_operations(const struct layout *layout, size_t calls)
{
    uint64_t elements = 0;
    for (size_t i = 0; i < calls; i++)
        elements += layout->calls[i].n;
    return elements * (layout->def->operations ? layout->def->operations : 1);
}

static size_t plan_size(const struct plan *plan)
{
    return offsetof(struct plan, regions) + plan->region_count * sizeof *plan->regions;
}

/* Can student code write to it? */
static bool is_lent(const struct layout *layout, size_t buffer)
{
    const unsigned access = layout->buffers[buffer].access;
    return access & PLAN_WRITE && !(access & PLAN_GLUE);
}

/* What student code can write to holds anything at first, except where the exercise promises zeros: who adds
 * to it, or leaves some of it out, would be right by chance. So does what lies beside it (is_clean). */
static void make_noise(struct layout *layout, size_t calls, uint64_t number)
{
    struct draw draw;
    draw_begin(&draw, seed_derive(seed_derive(layout->seed, number), number));
    for (size_t i = 0; i < NOISE; i++)
        layout->noise[i] = draw_next(&draw);
    for (size_t b = 0; b < layout->buffer_count; b++) {
        char *at = (char *)layout->buffers[b].address; // NOLINT(performance-no-int-to-ptr)
        if (layout->buffers[b].call >= calls || !is_lent(layout, b))
            continue;
        arena_border(layout->arena, layout->buffers[b].address);
        if (layout->def->zeroed >> layout->buffers[b].index & 1)
            continue;
        for (size_t left = layout->buffers[b].bytes, bytes; left > 0; left -= bytes, at += bytes) {
            const size_t skipped = 8 * draw_below(&draw, NOISE / 2);
            bytes = sizeof layout->noise - skipped < left ? sizeof layout->noise - skipped : left;
            memcpy(at, (char *)layout->noise + skipped, bytes);
        }
    }
}

/* With the contents of this number. */
static void fill(struct layout *layout, size_t calls, uint64_t number)
{
    struct plan *plan = arena_plan(layout->arena);

    if (layout->fills > 0) /* a new layout's memory is zero */
        arena_wipe(layout->arena);
    layout->fills = number;
    make_noise(layout, calls, number);
    layout->first = 0;
    draw_begin(&layout->lab.draw, seed_derive(layout->seed, number));
    for (size_t i = 0; i < calls; i++)
        layout->def->fill(&layout->lab, &layout->calls[i]);
    plan->entry = layout->def->entry;
    plan->calls = (uint32_t)calls;
    plan->parts = layout->def->parts;
    plan->args = (uint64_t)layout->args;
    plan->args_stride = layout->args_stride;
    plan->results = (uint64_t)layout->results;
    plan->results_stride = layout->results_stride;
    memcpy(layout->args_given, layout->args, calls * layout->args_stride);
    memcpy(layout->plan_given, plan, plan_size(plan));
}

void layout_fill(struct layout *layout, size_t calls)
{
    fill(layout, calls, layout->fills + 1);
}

void layout_fill_again(struct layout *layout, size_t calls)
{
    assert(layout->def->reads_clock && layout->fills > 0);
    fill(layout, calls, layout->fills);
}

void layout_set_caches(const struct layout *layout, const struct case_def *as, size_t calls)
{
    as = as ? as : layout->def;
    for (unsigned i = 0; i < CALL_BUFFERS; i++)
        if (layout->lab.shared[i] && as->flushed_shared >> i & 1)
            lines_flush(layout->lab.shared[i], layout->shared_bytes[i]);
    for (size_t b = 0; b < layout->buffer_count; b++) {
        const char *bytes = (const char *)layout->buffers[b].address; // NOLINT(performance-no-int-to-ptr)
        const unsigned index = layout->buffers[b].index;
        if (layout->buffers[b].call >= calls)
            continue;
        if (as->flushed >> index & 1)
            lines_flush(bytes, layout->buffers[b].bytes);
        if (as->warmed >> index & 1)
            lines_read(bytes, layout->buffers[b].bytes);
    }
    __sync_synchronize();
}

void layout_only(struct layout *layout, size_t call)
{
    struct plan *plan = arena_plan(layout->arena);
    layout->first = call;
    plan->calls = 1;
    plan->args = (uint64_t)layout->args + call * layout->args_stride;
    plan->results = (uint64_t)layout->results + call * layout->results_stride;
    memcpy(layout->plan_given, plan, plan_size(plan));
}

size_t layout_planned(const struct layout *layout, uint32_t call)
{
    return layout->first + call;
}

uint64_t layout_filling(const struct layout *layout)
{
    return layout->fills;
}

void layout_note_arrivals(struct layout *layout, const uint64_t *arrivals)
{
    for (size_t i = 0; i < layout->count; i++)
        layout->calls[i].arrivals = arrivals;
}

/* Has nobody written beside the call's buffers? A guard tells only where a buffer ends at one. */
static bool is_clean(const struct layout *layout, size_t call, struct finding *why)
{
    char where[256];
    uint64_t stray = 0;
    for (size_t b = 0; b < layout->buffer_count && !stray; b++)
        if (layout->buffers[b].call == call && is_lent(layout, b))
            stray = arena_stray(layout->arena, layout->buffers[b].address);
    return !stray || !layout_describe(layout, stray, where, sizeof where) ||
           finding(why, "something wrote %s", where);
}

bool layout_verify(struct layout *layout, size_t call, struct finding *why)
{
    const size_t at = call * layout->args_stride;
    why->text[0] = '\0';
    if (memcmp(arena_plan(layout->arena), layout->plan_given, plan_size(layout->plan_given)) != 0 ||
        memcmp(layout->args + at, layout->args_given + at, layout->args_stride) != 0)
        return finding(
            why,
            "something wrote to memory that is not the function's own: the call's arguments or the plan");
    return layout->def->verify(&layout->lab, &layout->calls[call], why) && is_clean(layout, call, why);
}

bool case_reads_counters(const struct case_def *def)
{
    return def->reads_clock || def->reads_counters || def->levels;
}

bool layout_reads_counters(const struct layout *layout)
{
    return case_reads_counters(layout->def);
}

bool layout_levels(const struct layout *layout)
{
    return layout->def->levels;
}

size_t layout_read_counters(const struct layout *layout)
{
    return layout->def->read_counters > 0 ? layout->def->read_counters : 1;
}

bool layout_readings_apart(const struct layout *layout)
{
    return layout->def->readings_apart;
}

uint16_t layout_event(const struct layout *layout, size_t call, size_t word)
{
    return layout->def->counted ? layout->def->counted(&layout->calls[call], (unsigned)word) : CALL_CYCLES;
}

const uint64_t *layout_readings(const struct layout *layout, size_t call, size_t *count)
{
    *count = layout->def->readings;
    if (!*count)
        return NULL;
    return (const uint64_t *)((const char *)layout->calls[call].result + layout->def->readings_at);
}

double layout_value(const struct layout *layout, size_t call)
{
    return layout->def->value(&layout->lab, &layout->calls[call]);
}

bool layout_describe(const struct layout *layout, uint64_t address, char *text, size_t size)
{
    int64_t offset;
    size_t bytes;
    if (arena_find(layout->arena, address, &offset, &bytes) < 0)
        return false;
    const char *name = NULL;
    for (size_t i = 0; i < layout->buffer_count; i++)
        if (layout->buffers[i].address == address - (uint64_t)offset && layout->buffers[i].bytes == bytes)
            name = layout->def->buffers[layout->buffers[i].index];
    char quoted[96];
    if (name)
        snprintf(quoted, sizeof quoted, "`%s`", name);
    else
        snprintf(quoted, sizeof quoted, "a buffer");
    if (offset < 0)
        snprintf(text, size, "%" PRId64 " bytes before the start of %s, which has %zu bytes", -offset, quoted,
                 bytes);
    else if ((uint64_t)offset == bytes)
        snprintf(text, size, "right behind the end of %s, which has %zu bytes", quoted, bytes);
    else if ((uint64_t)offset > bytes)
        snprintf(text, size, "%" PRIu64 " bytes past the end of %s, which has %zu bytes",
                 (uint64_t)offset - bytes, quoted, bytes);
    else
        snprintf(text, size, "byte %" PRId64 " of %s, which has %zu bytes", offset, quoted, bytes);
    return true;
}

bool layout_whole(const struct layout *layout, size_t i, struct whole *whole)
{
    for (size_t b = 0; b < layout->buffer_count; b++) {
        const unsigned index = layout->buffers[b].index;
        if (!(layout->def->reads_whole >> index & 1) || i-- > 0)
            continue;
        *whole = (struct whole){.address = layout->buffers[b].address,
                                .bytes = layout->buffers[b].bytes,
                                .call = layout->buffers[b].call,
                                .index = index,
                                .name = layout->def->buffers[index]};
        return true;
    }
    return false;
}

bool layout_needs(const struct layout *layout, const struct whole *whole, size_t line)
{
    return !layout->def->needs_line ||
           layout->def->needs_line(&layout->calls[whole->call], whole->index, line);
}

const struct case_table *case_table_load(const char *path, struct error *err)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        error_set(err, "cannot load the exercise's cases (`make` builds them): %s", dlerror());
        return NULL;
    }
    const struct case_table *table = dlsym(library, "cyclelab_cases");
    if (table && table->count > 0)
        return table;
    error_set(err, "%s does not export `cyclelab_cases` with a case in it", path);
    return NULL;
}

void case_table_path(const char *build, const char *id, char *path, size_t size)
{
    snprintf(path, size, "%s/exercises/%s/cases.so", build, id);
}

const struct case_table *case_table_of(const char *build, const char *id, struct error *err)
{
    char path[PATH_MAX];
    case_table_path(build, id, path, sizeof path);
    return case_table_load(path, err);
}

const struct case_def *case_find(const struct case_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->defs[i].name, name) == 0)
            return &table->defs[i];
    return NULL;
}

void case_names(const struct case_table *table, char names[CASE_NAMES])
{
    *names = '\0';
    for (size_t i = 0; i < table->count; i++)
        strings_append(names, CASE_NAMES, ", ", table->defs[i].name);
}

const struct case_def *case_named(const struct case_table *table, const char *name, const char *id,
                                  struct error *err)
{
    const struct case_def *def = case_find(table, name);
    char names[CASE_NAMES];
    case_names(table, names);
    if (!def)
        error_set(err, "there is no case `%.80s` in %s; there are: %s", name, id, names);
    return def;
}
