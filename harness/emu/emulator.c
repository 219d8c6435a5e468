#include "harness/emu/emulator.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "harness/emu/emulator_internal.h"
#include "harness/runner/target/runner.h"

/* ---- the code ---- */

static unsigned attention_of(const struct emulator *emulator, size_t i, const struct decoded *decoded)
{
    if (emulator->config.levels && levels_concern(emulator->image.words[i]))
        return ATTENTION_LEVEL;
    if (decoded->verdict != DECODE_OK || (decoded->feature & ~emulator->config.features) ||
        emulator->image.places[i] == IMAGE_RUNNER || emulator->image.places[i] == IMAGE_NO_CODE)
        return ATTENTION_REFUSE;
    if (system_is_counter(emulator->image.words[i]))
        return ATTENTION_COUNTER;
    if (decoded->op.quotient)
        return ATTENTION_QUOTIENT;
    return decoded->block || decoded->op.memory == OP_MEMORY_PREFETCH || is_store_exclusive(&decoded->op)
               ? ATTENTION_ADDRESS
               : 0;
}

static bool writes_stack_pointer(const struct op *op)
{
    return op->write_count > 0 && memchr(op->writes, REG_SP, op->write_count);
}

/* Attention to instruction `i`, and what it asks of the one behind it. */
static void attend_to(struct emulator *emulator, size_t i, const struct decoded *decoded)
{
    const enum image_place place = (enum image_place)emulator->image.places[i];
    emulator->attentions[i] |= (uint8_t)attention_of(emulator, i, decoded);
    if (place == IMAGE_GLUE_START || place == IMAGE_GLUE_HANDED)
        emulator->attentions[i] |= ATTENTION_GLUE;
    if (writes_stack_pointer(&decoded->op) &&
        !decode_keeps_stack_aligned(emulator->image.words[i], &decoded->op))
        emulator->attentions[i + 1] |= ATTENTION_STACK;
}

static bool remember(struct emulator *emulator, size_t i, const struct decoded *decoded, uint32_t *count)
{
    struct decoded *more = realloc(emulator->lookups, (*count + 1U) * sizeof *more);
    if (!more)
        return false;
    emulator->lookups = more;
    emulator->lookup_of[i] = *count;
    more[(*count)++] = *decoded;
    return true;
}

static bool decode_all(struct emulator *emulator)
{
    const struct image *image = &emulator->image;
    size_t count = image->count;
    emulator->ops = calloc(count, sizeof *emulator->ops);
    emulator->attentions = calloc(count + 1, 1);
    emulator->next_attention = calloc(count + 1, sizeof *emulator->next_attention);
    emulator->next_branch = calloc(count + 1, sizeof *emulator->next_branch);
    emulator->accesses = calloc(count + 1, sizeof *emulator->accesses);
    emulator->costs = calloc(count + 1, sizeof *emulator->costs);
    emulator->known = calloc(count, sizeof *emulator->known);
    emulator->lookup_of = calloc(count, sizeof *emulator->lookup_of);
    uint32_t lookups = 0;
    if (!emulator->ops || !emulator->attentions || !emulator->next_attention || !emulator->next_branch ||
        !emulator->accesses || !emulator->costs || !emulator->lookup_of || !emulator->known)
        return false;
    memset(emulator->known, 0xff, count * sizeof *emulator->known); /* no address */
    for (size_t i = 0; i < count; i++) {
        struct decoded decoded;
        decode(image->words[i], image->code + 4 * i, &decoded);
        attend_to(emulator, i, &decoded);
        if (emulator->attentions[i] & ATTENTION_ADDRESS && !remember(emulator, i, &decoded, &lookups))
            return false;
        emulator->ops[i] = decoded.op;
        if (emulator->attentions[i] & ATTENTION_LEVEL)
            system_make_op(&emulator->ops[i]);
        if (i > 0 && emulator->ops[i - 1].op_class == OP_AES &&
            decode_is_aes_pair(image->words[i - 1], image->words[i]))
            emulator->ops[i - 1].op_class = OP_AES_PAIRED;
        if (emulator->attentions[i] & ATTENTION_REFUSE)
            emulator->ops[i] = (struct op){.op_class = OP_NOP, .accumulator = OP_NONE, .base_write = OP_NONE};
        emulator->ops[i].address = image->code + 4 * i;
        emulator->accesses[i + 1] = emulator->accesses[i] + op_is_told(&emulator->ops[i]);
        emulator->costs[i + 1] =
            emulator->costs[i] + emulator_cost(image->words[i], &decoded, emulator->attentions[i]) - 1;
    }
    emulator->next_attention[count] = emulator->next_branch[count] = (uint32_t)count;
    for (size_t i = count; i-- > 0;) {
        bool branch = emulator->ops[i].branch != OP_NO_BRANCH;
        emulator->next_branch[i] = branch ? (uint32_t)i : emulator->next_branch[i + 1];
        emulator->next_attention[i] = emulator->attentions[i] ? (uint32_t)i : emulator->next_attention[i + 1];
    }
    return true;
}

/* ---- the machine ---- */

static bool map_program(struct emulator *emulator)
{
    const struct image *image = &emulator->image;
    bool good = true;
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        good = good && uc_mem_map_ptr(emulator->uc, segment->address, segment->size,
                                      segment->code ? UC_PROT_READ | UC_PROT_EXEC : UC_PROT_READ,
                                      segment->bytes) == UC_ERR_OK;
    }
    emulator->stack = aligned_alloc(IMAGE_PAGE, TARGET_STACK_SIZE);
    return good && emulator->stack &&
           map_writable(emulator->uc, emulator->stack_address, TARGET_STACK_SIZE, emulator->stack) &&
           uc_mem_map(emulator->uc, RETURN_ADDRESS, IMAGE_PAGE, UC_PROT_EXEC) == UC_ERR_OK;
}

#define UNICORN_ROOM ((size_t)1088 << 20) /* bytes of addresses: for what it translates, and a little */

/* Unicorn ends the whole program when it does not get them. */
static bool has_room(struct error *err)
{
    void *room = mmap(NULL, UNICORN_ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return error_set(err, "`ulimit -v` leaves less than the 1 GiB of addresses that the emulator needs");
    munmap(room, UNICORN_ROOM);
    return true;
}

static bool start_unicorn(struct emulator *emulator, struct error *err)
{
    if (!has_room(err))
        return false;
    uc_err status = uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &emulator->uc);
    if (status != UC_ERR_OK)
        return error_set(err, "Unicorn does not start: %s", uc_strerror(status));
    if (uc_ctl_set_cpu_model(emulator->uc, UC_CPU_ARM64_MAX) == UC_ERR_OK && map_program(emulator) &&
        calls_set_start(emulator))
        return true;
    return error_set(err, "cannot set up the emulated machine: %s", uc_strerror(uc_errno(emulator->uc)));
}

static bool fill(struct emulator *emulator, struct error *err)
{
    if (!image_open(&emulator->image, emulator->config.program, err))
        return false;
    emulator->mapped = calloc(PLAN_MAX_REGIONS, sizeof *emulator->mapped);
    emulator->vpmu = vpmu_create((struct vpmu_source){system_count, emulator});
    if (!emulator->mapped || !emulator->vpmu || !decode_all(emulator))
        return error_set(err, "out of memory");
    if (emulator->config.core) {
        emulator->core = *emulator->config.core;
        emulator->config.core = &emulator->core;
        emulator->model = model_create(&emulator->core, NULL, emulator->ops, emulator->image.count, err);
        if (!emulator->model)
            return false;
        if (!feed_open(emulator))
            return error_set(err, "out of memory");
    }
    return start_unicorn(emulator, err);
}

struct emulator *emulator_open(const struct emulator_config *config, struct arena *arena, struct error *err)
{
    struct emulator *emulator = calloc(1, sizeof *emulator);
    if (!emulator) {
        error_set(err, "out of memory");
        return NULL;
    }
    emulator->config = *config;
    emulator->arena = arena;
    emulator->stack_address = TARGET_STACK;
    emulator->turn = UINT64_MAX;
    if (!fill(emulator, err)) {
        emulator_close(emulator);
        return NULL;
    }
    emulator->config.program = NULL; /* the caller's */
    if (!reads_open(emulator) ||
        (config->notes_clock &&
         !(emulator->clock_reads = malloc(CLOCK_READS * sizeof *emulator->clock_reads))) ||
        (emulator->image.counted_count > 0 &&
         (!(emulator->arrivals = calloc(emulator->image.count, sizeof *emulator->arrivals)) ||
          !(emulator->counts = calloc(emulator->image.counted_count, sizeof *emulator->counts))))) {
        error_set(err, "out of memory");
        emulator_close(emulator);
        return NULL;
    }
    return emulator;
}

void emulator_stand_still(struct emulator *emulator, uint64_t seed)
{
    draw_begin(&emulator->pauses, seed);
    emulator->pauses_are_made = true;
}

const struct clock_read *emulator_clock(const struct emulator *emulator, size_t *count)
{
    *count = emulator->clock_read_count;
    return emulator->clock_reads;
}

const uint64_t *emulator_arrivals(struct emulator *emulator)
{
    const struct image *image = &emulator->image;
    for (uint32_t i = 0; i < image->counted_count; i++) {
        const uint64_t address = image->counted[i];
        emulator->counts[i] =
            trace_is_code(emulator, address) ? emulator->arrivals[trace_index(emulator, address)] : 0;
    }
    return emulator->counts;
}

/* What each core has for itself. */
static void close_core(struct emulator *emulator)
{
    if (emulator->start)
        uc_context_free(emulator->start);
    if (emulator->uc)
        uc_close(emulator->uc);
    feed_close(emulator);
    model_destroy(emulator->model);
    vpmu_destroy(emulator->vpmu);
    free(emulator->mapped);
    free(emulator->stack);
}

void emulator_close(struct emulator *emulator)
{
    if (!emulator)
        return;
    if (emulator->second) {
        close_core(emulator->second);
        free(emulator->second);
    }
    close_core(emulator);
    image_close(&emulator->image);
    reads_close(emulator);
    free(emulator->noted);
    free(emulator->clock_reads);
    free(emulator->arrivals);
    free(emulator->counts);
    free(emulator->ops);
    free(emulator->attentions);
    free(emulator->next_attention);
    free(emulator->next_branch);
    free(emulator->accesses);
    free(emulator->costs);
    free(emulator->lookups);
    free(emulator->known);
    free(emulator->lookup_of);
    free(emulator);
}

/* ---- executing ---- */

static bool suite_error(struct emulator_run *run, const char *text)
{
    run->outcome = EMULATOR_ERROR;
    snprintf(run->name, sizeof run->name, "%.*s", (int)sizeof run->name - 1, text);
    return false;
}

static bool map_region(uc_engine *uc, const struct plan_region *region)
{
    void *bytes = (void *)region->address; /* the arena lies where it does in the grader */
    if (region->address < ARENA_REGIONS || region->size > ARENA_SIZE ||
        region->address + region->size > ARENA_BASE + ARENA_SIZE)
        return false;
    return region->access & PLAN_WRITE
               ? map_writable(uc, region->address, region->size, bytes)
               : uc_mem_map_ptr(uc, region->address, region->size, UC_PROT_READ, bytes) == UC_ERR_OK;
}

/* All but those of the other core alone. Mapping and unmapping take longer with each region that there is:
 * what two plans begin with alike stays. */
static bool map_regions(struct emulator *emulator, const struct plan *plan, struct emulator_run *run)
{
    const uint64_t others = emulator->is_second ? PLAN_ONLY_0 : PLAN_ONLY_1;
    struct plan_region *mapped = emulator->mapped;
    uint32_t i = 0, same = 0;
    if (plan->region_count > PLAN_MAX_REGIONS)
        return suite_error(run, "the plan has too many regions");
    for (; i < plan->region_count; i++) {
        if (plan->regions[i].access & others)
            continue;
        if (same == emulator->mapped_count || memcmp(&mapped[same], &plan->regions[i], sizeof *mapped) != 0)
            break;
        same++;
    }
    while (emulator->mapped_count > same) {
        const struct plan_region *last = &mapped[--emulator->mapped_count];
        uc_mem_unmap(emulator->uc, last->address, last->size);
    }
    for (; i < plan->region_count; i++) {
        if (plan->regions[i].access & others)
            continue;
        mapped[same] = plan->regions[i];
        if (!map_region(emulator->uc, &mapped[same]))
            return suite_error(run, "a region of the plan cannot be mapped");
        emulator->mapped_count = ++same;
    }
    emulator->mapped_layout = plan->layout;
    return true;
}

/* A second core for the same code, image and memory: the rest it has for itself. */
static bool open_second(struct emulator *first, struct emulator *second, struct error *err)
{
    first->second = second;
    *second = *first;
    second->is_second = true;
    second->second = NULL;
    second->config.crowded = true; /* its turns are short */
    second->stack_address = SECOND_STACK;
    second->uc = NULL;
    second->start = NULL;
    second->stack = NULL;
    second->model = NULL;
    second->feed = NULL;
    second->batch = NULL;
    second->clock_reads = NULL;
    second->clock_read_count = 0;
    second->watched = false;
    second->mapped_layout = 0;
    second->mapped_count = 0;
    second->mapped = calloc(PLAN_MAX_REGIONS, sizeof *second->mapped);
    second->vpmu = vpmu_create((struct vpmu_source){system_count, second});
    if (!second->mapped || !second->vpmu)
        return error_set(err, "out of memory");
    if (first->model) {
        second->model = model_create(&first->core, first->model, first->ops, first->image.count, err);
        if (!second->model)
            return false;
        if (!feed_open(second))
            return error_set(err, "out of memory");
    }
    return start_unicorn(second, err);
}

/* Once, with the first plan's regions in place: those of the next plans are alike. */
static bool watch(struct emulator *emulator)
{
    emulator->watched =
        (!emulator->model || map_widely(emulator->uc, emulator->mapped, emulator->mapped_count)) &&
        trace_attach(emulator);
    return emulator->watched;
}

/* The second core, for a plan whose calls have parts. */
static bool prepare_second(struct emulator *emulator, const struct plan *plan, struct emulator_run *run)
{
    struct error err;
    if (emulator->config.levels)
        return suite_error(run, "exception levels are for calls without parts");
    bool is_new = !emulator->second;
    struct emulator *second = is_new ? calloc(1, sizeof *second) : emulator->second;
    if (!second)
        return suite_error(run, "out of memory");
    if (is_new && !open_second(emulator, second, &err)) {
        emulator->broken = true;
        return suite_error(run, err.text);
    }
    if (plan->layout != second->mapped_layout && !map_regions(second, plan, run))
        return false;
    if (is_new && !(watch(second) && trace_attach_shared(emulator) && trace_attach_shared(second))) {
        emulator->broken = true;
        return suite_error(run, "the second core cannot be watched");
    }
    memset(second->stack, 0, TARGET_STACK_SIZE);
    return calls_note(emulator, plan) || suite_error(run, "out of memory");
}

/* What it prints then, on either output, is for its developers. (A sanitizer's report goes past this.) */
static FILE *nowhere(FILE *fallback)
{
    static FILE *file;
    if (!file)
        file = fopencookie(NULL, "w", (cookie_io_functions_t){.write = NULL}); /* NULL: it is dropped */
    return file ? file : fallback;
}

void emulator_set_budget(struct emulator *emulator, uint64_t budget)
{
    emulator->config.budget = budget;
    if (emulator->second)
        emulator->second->config.budget = budget;
}

void emulator_execute(struct emulator *emulator, uint32_t from, uint32_t calls, struct emulator_run *run)
{
    const struct plan *plan = arena_plan(emulator->arena);
    *run = (struct emulator_run){.outcome = EMULATOR_DONE, .call = from};
    emulator->run = run;
    emulator->instructions_ever += emulator->instructions;
    emulator->instructions = emulator->charged = 0;
    emulator->most = emulator->config.budget;
    emulator->look = 0;
    emulator->clock_read_count = 0;
    if (plan->magic != PLAN_MAGIC || plan->parts > PLAN_MOST_PARTS ||
        plan->entry + plan_last_part(plan) >= emulator->image.entry_count || from > plan->calls ||
        calls > plan->calls - from) {
        suite_error(run, "a bad plan");
        return;
    }
    if (plan->layout != emulator->mapped_layout && !map_regions(emulator, plan, run))
        return;
    if (emulator->broken) {
        suite_error(run, "the emulator gave up before");
        return;
    }
    if (!emulator->watched && !watch(emulator)) {
        emulator->broken = true; /* some hooks may be in place */
        suite_error(run, "the emulated machine cannot be watched");
        return;
    }
    if (plan_last_part(plan) > 0 && !prepare_second(emulator, plan, run))
        return;
    memset(emulator->stack, 0, TARGET_STACK_SIZE);
    reads_forget(emulator, plan->reach - ARENA_BASE);
    if (emulator->arrivals)
        memset(emulator->arrivals, 0, emulator->image.count * sizeof *emulator->arrivals);
    struct sigaction before;
    FILE *const output = stdout, *const errors = stderr;
    calls_catch_abort(&before);
    stdout = nowhere(output); /* variables, says glibc */
    stderr = nowhere(errors);
    const uint64_t begin = schedule_own_ns();
    emulator->until = begin + emulator->config.seconds * NS_PER_S - emulator->used;
    for (uint32_t i = from; i < from + calls && run->outcome == EMULATOR_DONE; i++) {
        run->call = i;
        calls_make(emulator, plan, i);
    }
    emulator->used += schedule_own_ns() - begin;
    if (emulator->model)
        feed_drop(emulator); /* of a call that was stopped */
    if (emulator->model && emulator->second)
        feed_drop(emulator->second);
    stdout = output;
    stderr = errors;
    sigaction(SIGABRT, &before, NULL);
}

struct model *emulator_model(struct emulator *emulator)
{
    return emulator->model;
}

const struct op *emulator_code(const struct emulator *emulator, size_t *count)
{
    *count = emulator->image.count;
    return emulator->ops;
}

void emulator_count(struct emulator *emulator, struct model_counts *counts)
{
    struct model_counts more;
    model_count(emulator->model, counts);
    counts->value[MODEL_CYCLES] += model_waited(emulator->model);
    if (!emulator->second)
        return;
    model_count(emulator->second->model, &more);
    for (unsigned event = 0; event < MODEL_EVENT_COUNT; event++)
        counts->value[event] += event == MODEL_CYCLES ? 0 : more.value[event];
}

void emulator_forget_counts(struct emulator *emulator)
{
    model_forget_counts(emulator->model);
    if (emulator->second)
        model_forget_counts(emulator->second->model);
}

struct model *emulator_later(struct emulator *emulator)
{
    const struct emulator *second = emulator->second;
    return second && second->later > emulator->later ? second->model : emulator->model;
}

unsigned emulator_cores(const struct emulator *emulator)
{
    return emulator->second ? 2 : 1;
}
