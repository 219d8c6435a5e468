#include "grader/check/model_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/draw.h"
#include "harness/base/seed.h"
#include "harness/stats/stats.h"

enum {
    CALLS_MAX = 256,          /* as exercise.yml has it */
    SEED_OF_LATENCIES = 6061, /* behind the seeds of the inputs' fillings */
    SEED_OF_PAUSES,
    SLOWED_MOST = 12, /* cycles */
};

const char *const model_defines[] = {"-DCYCLELAB_PMU=1", NULL};

size_t model_cache_bytes(const struct core *core)
{
    return core->llc.bytes ? core->llc.bytes : core->l2.bytes ? core->l2.bytes : core->l1d.bytes;
}

static struct layout *open_layout(const struct model_task *task, struct arena *arena, struct error *err)
{
    struct layout_call calls[CALLS_MAX];
    const size_t count = task->size.calls < CALLS_MAX ? task->size.calls : CALLS_MAX;
    for (size_t i = 0; i < count; i++)
        calls[i] = (struct layout_call){task->size.elements, ARENA_AT_START};
    const struct layout_request request = {.def = task->def,
                                           .calls = calls,
                                           .count = count,
                                           .timed = true,
                                           .modelled = true,
                                           .seed = task->seed,
                                           .student = task->student,
                                           .cache_bytes = model_cache_bytes(task->core)};
    return layout_open(arena, &request, err);
}

/* Instructions of one execution of all calls. */
static uint64_t budget_each(const struct model_task *task)
{
    return task->size.warm_up ? task->budget / 2 : task->budget;
}

static bool verify(struct layout *layout, struct fault_text *text)
{
    struct finding why;
    char n[LAYOUT_N];
    for (size_t i = 0; i < layout_count(layout); i++) {
        if (layout_verify(layout, i, &why))
            continue;
        snprintf(text->message, sizeof text->message, "wrong result in a timed call%s: %s",
                 layout_n(layout, i, " with ", "", n), why.text);
        return false;
    }
    return true;
}

enum { LINE = 64 };

/* Of the lines that a call needs of this buffer, those that were not read; and the others that were, or were
 * asked for. */
static void count_lines(const struct emulator *emulator, const struct layout *layout,
                        const struct whole *whole, uint64_t *unread, uint64_t *in_vain)
{
    const uint64_t first = whole->address / LINE, end = (whole->address + whole->bytes + LINE - 1) / LINE;
    *unread = *in_vain = 0;
    for (uint64_t line = first; line < end; line++) {
        if (layout_needs(layout, whole, (size_t)(line - first)))
            *unread += emulator_unread(emulator, line * LINE, 1);
        else
            *in_vain += emulator_touched(emulator, line * LINE);
    }
}

/* Has every line been read that the answer needs? Whoever has it without that has not computed it. And no
 * other line of the same buffer? That is MODEL_WRONG: the contract forbids it, but it takes no trick. */
static enum model_outcome reads_whole(const struct emulator *emulator, const struct layout *layout,
                                      struct fault_text *text)
{
    struct whole whole;
    for (size_t i = 0; layout_whole(layout, i, &whole); i++) {
        const char *name = whole.name ? whole.name : "a buffer";
        const size_t lines = (whole.bytes + LINE - 1) / LINE;
        uint64_t unread, in_vain;
        count_lines(emulator, layout, &whole, &unread, &in_vain);
        if (unread > 0) {
            snprintf(text->message, sizeof text->message,
                     "%" PRIu64
                     " of the %zu cache lines of `%s` were not read: the result was not computed from its "
                     "input",
                     unread, lines, name);
            snprintf(text->next, sizeof text->next, "Read all of `%s` that the call needs, in each call.",
                     name);
            return MODEL_RULE;
        }
        if (in_vain > 0) {
            snprintf(text->message, sizeof text->message,
                     "%" PRIu64 " of the %zu cache lines of `%s` were read, or asked for by a prefetch, "
                     "though the call does not need them",
                     in_vain, lines, name);
            snprintf(text->next, sizeof text->next,
                     "Touch nothing of `%s` but what the call needs: the rest takes as long to come from "
                     "memory.",
                     name);
            return MODEL_WRONG;
        }
    }
    return MODEL_MEASURED;
}

/* Was every operation executed? Whoever has the result without has not measured it. */
static bool executes_all(struct emulator *emulator, const struct layout *layout, const struct case_def *def,
                         struct fault_text *text)
{
    size_t count;
    const struct op *ops = emulator_code(emulator, &count);
    const struct model_site *sites = model_sites(emulator_model(emulator));
    const uint64_t least = layout_operations(layout, layout_count(layout));
    uint64_t executed = 0;
    for (size_t i = 0; def->family && i < count; i++)
        if (strncmp(op_class_name(ops[i].op_class), def->family, strlen(def->family)) == 0)
            executed += sites[i].executions;
    if (!def->family || executed >= least)
        return true;
    snprintf(text->message, sizeof text->message,
             "%" PRIu64 " instructions of the kind `%s` were executed, of %" PRIu64
             " that were asked for: the result was found in another way",
             executed, def->family, least);
    snprintf(text->next, sizeof text->next, "Execute every operation, one instruction each.");
    return false;
}

/* Was each element loaded by itself? */
static bool loads_each(const struct emulator *emulator, const struct layout *layout,
                       const struct case_def *def, struct fault_text *text)
{
    struct whole whole;
    for (size_t i = 0; def->loads_each > 0 && layout_whole(layout, i, &whole); i++) {
        const uint64_t left = emulator_unloaded(emulator, whole.address, whole.bytes);
        if (left == 0)
            continue;
        snprintf(text->message, sizeof text->message,
                 "%" PRIu64 " of the %zu elements of `%s` were not loaded one by one, by loads of %u byte%s: "
                 "the result was found in another way",
                 left, whole.bytes / def->loads_each, whole.name ? whole.name : "a buffer", def->loads_each,
                 def->loads_each == 1 ? "" : "s");
        snprintf(text->next, sizeof text->next,
                 "Load each element by itself; what is asked is where the loop lies.");
        return false;
    }
    return true;
}

/* Was as much stored as has to be? Wherever that was: it takes as long elsewhere. */
static bool stores_all(struct emulator *emulator, const struct layout *layout, const struct case_def *def,
                       struct fault_text *text)
{
    size_t count;
    const struct op *ops = emulator_code(emulator, &count);
    const struct model_site *sites = model_sites(emulator_model(emulator));
    uint64_t least = 0, stored = 0;
    for (size_t i = 0; i < layout_count(layout); i++)
        least += def->stores * (uint64_t)layout_elements(layout, i);
    for (size_t i = 0; def->stores > 0 && i < count; i++)
        if (ops[i].memory == OP_MEMORY_STORE)
            stored += sites[i].executions * ops[i].bytes;
    if (stored >= least)
        return true;
    snprintf(text->message, sizeof text->message,
             "%" PRIu64 " bytes were stored, and the call asks for %" PRIu64 ": some were left out", stored,
             least);
    snprintf(text->next, sizeof text->next, "Store every element, each time anew.");
    return false;
}

/* All calls once, with contents of their own. */
static enum model_outcome execute(const struct model_task *task, const char *program,
                                  struct emulator *emulator, struct layout *layout,
                                  struct model_measured *measured, struct fault_text *text)
{
    static const enum model_outcome outcomes[] = {
        [TRIAL_BROKE] = MODEL_BROKE, [TRIAL_RULE] = MODEL_RULE, [TRIAL_ERROR] = MODEL_ERROR};
    struct emulator_run run;
    layout_fill(layout, layout_count(layout));
    emulator_execute(emulator, 0, (uint32_t)layout_count(layout), &run);
    layout_note_arrivals(layout, emulator_arrivals(emulator));
    measured->spent += run.instructions + run.charged;
    if (!run.waits && (run.outcome == EMULATOR_BUDGET || run.outcome == EMULATOR_TIME)) {
        emulated_describe(&run, layout, program, budget_each(task), 0, text);
        return MODEL_LONG;
    }
    if (run.outcome != EMULATOR_DONE)
        return outcomes[emulated_describe(&run, layout, program, budget_each(task), 0, text)];
    if (task->unverified)
        return MODEL_MEASURED;
    if (!verify(layout, text))
        return MODEL_WRONG;
    const enum model_outcome reads = reads_whole(emulator, layout, text);
    if (reads != MODEL_MEASURED)
        return reads;
    return loads_each(emulator, layout, task->def, text) && executes_all(emulator, layout, task->def, text) &&
                   stores_all(emulator, layout, task->def, text) && emulated_readings(emulator, layout, text)
               ? MODEL_MEASURED
               : MODEL_RULE;
}

/* Calls with parts once more, timed as before, with each part standing still in its turn: a student that can
 * tell measuring from trials may wait for the other thread here alone. Nothing of it counts. */
static enum model_outcome stand_still(const struct model_task *task, const char *program,
                                      struct emulator *emulator, struct layout *layout,
                                      struct fault_text *text)
{
    struct model_measured uncounted = {0};
    enum model_outcome outcome = MODEL_MEASURED;
    emulator_stand_still(emulator, seed_derive(task->seed, SEED_OF_PAUSES));
    for (unsigned part = 0; part < PLAN_MOST_PARTS && outcome == MODEL_MEASURED; part++)
        outcome = execute(task, program, emulator, layout, &uncounted, text);
    return outcome;
}

/* What a bound of kind `agree` compares. */
static double agreed_value(const struct model_task *task, const struct layout *layout, uint64_t cycles)
{
    double values[CALLS_MAX];
    const size_t count = layout_count(layout);
    if (!task->def->value)
        return (double)cycles / (double)layout_operations(layout, count);
    for (size_t i = 0; i < count; i++)
        values[i] = layout_value(layout, i);
    return stats_median(values, count);
}

static void slow_down(struct core *core, const char *family, unsigned cycles)
{
    for (unsigned i = 0; i < OP_CLASS_COUNT; i++)
        for (unsigned wide = 0; wide < 2; wide++) {
            struct core_class *figures = &core->classes[i][wide];
            const unsigned latency = figures->latency + cycles;
            if (strncmp(op_class_name((enum op_class)i), family, strlen(family)) == 0 && latency <= UINT8_MAX)
                figures->latency = (uint8_t)latency;
        }
}

/* The core of the task, with the latencies that its case draws. Who looks at code sees the core of the file.
 */
static struct core core_of(const struct model_task *task)
{
    struct core core = *task->core;
    struct draw draw;
    draw_begin(&draw, seed_derive(task->seed, SEED_OF_LATENCIES));
    for (size_t i = 0; !task->prepare && task->def->slowed && task->def->slowed[i]; i++)
        slow_down(&core, task->def->slowed[i], 1 + (unsigned)draw_below(&draw, SLOWED_MOST));
    return core;
}

enum model_outcome model_measure(const struct model_task *task, const char *program, struct arena *arena,
                                 struct model_measured *measured, struct fault_text *text)
{
    const struct core core = core_of(task);
    struct emulator_config config = {.program = program,
                                     .core = &core,
                                     .features = task->core->features,
                                     .budget = budget_each(task),
                                     .seconds = task->seconds,
                                     .crowded = task->crowded,
                                     .notes_reads = task->def->reads_whole != 0,
                                     .notes_loads_of = task->def->loads_each,
                                     .notes_clock = task->def->readings != 0,
                                     .no_counters = !case_reads_counters(task->def),
                                     .cycles_only = !task->def->levels,
                                     .levels = task->def->levels};
    enum model_outcome outcome = MODEL_ERROR;
    struct error err;
    struct layout *layout = open_layout(task, arena, &err);
    config.guards = plan_guards(arena_plan(arena));
    struct emulator *emulator = layout ? emulator_open(&config, arena, &err) : NULL;

    *measured = (struct model_measured){0};
    *text = (struct fault_text){0};
    if (emulator) {
        outcome = MODEL_MEASURED;
        if (task->size.warm_up) {
            outcome = execute(task, program, emulator, layout, measured, text);
            emulator_forget_counts(emulator);
        }
        if (outcome == MODEL_MEASURED && task->prepare)
            task->prepare(task->state, emulator);
        if (outcome == MODEL_MEASURED)
            outcome = execute(task, program, emulator, layout, measured, text);
    } else {
        snprintf(text->message, sizeof text->message, "%s", err.text);
    }
    if (outcome == MODEL_MEASURED) {
        emulator_count(emulator, &measured->counts);
        measured->elements = (uint64_t)layout_count(layout) * task->size.elements;
        measured->value = agreed_value(task, layout, measured->counts.value[MODEL_CYCLES]);
        if (task->inspect)
            task->inspect(task->state, task, emulator);
        if (task->stands_still && plan_last_part(arena_plan(arena)) > 0)
            outcome = stand_still(task, program, emulator, layout, text);
    }
    emulator_close(emulator);
    layout_close(layout);
    return outcome;
}

uint64_t model_left(uint64_t budget, const struct model_measured *measured)
{
    return measured->spent < budget ? budget - measured->spent : 0;
}

bool model_same_task(const struct bound_spec *a, const struct bound_spec *b)
{
    return strcmp(a->case_name, b->case_name) == 0 && a->model.elements == b->model.elements &&
           a->model.calls == b->model.calls && a->model.warm_up == b->model.warm_up;
}
