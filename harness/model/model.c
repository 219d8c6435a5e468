#include "harness/model/pipeline.h"

#include <stdlib.h>
#include <string.h>

/* ---- coming and going ---- */

static uint64_t ring_mask(unsigned entries)
{
    uint64_t size = 1;
    while (size <= entries)
        size *= 2;
    return size - 1;
}

/* Nothing is in the pipeline; the next instruction is fetched in `cycle`. */
static void empty_until(struct model *model, uint64_t cycle)
{
    calendar_clear(model, model->flow.cycle, UINT64_MAX); /* what is taken beyond `cycle`, too */
    model->flow = (struct flow){
        .front = time_of(cycle, MODEL_WAIT_FETCH),
        .fetch_left = model->core.fetch,
        .left = model->core.width,
        .cycle = cycle,
        .commit_cycle = cycle,
        .dispatch_reason = MODEL_WAIT_FETCH,
        .uops = model->flow.uops,
        .floor = time_of(cycle, MODEL_WAIT_WIDTH),
        .room = time_of(cycle + 1, MODEL_WAIT_WINDOW),
    };
    model->room = model->empty_room;
    model->work_count = 0;
    memset(model->work, 0, sizeof model->work);
    memset(model->port_free, 0, sizeof model->port_free);
    memset(model->port_full, 0, sizeof model->port_full);
    model->begun = cycle;
    model->begun_with = model->instructions;
}

/* The same, and counting begins. */
static void start_at(struct model *model, uint64_t cycle)
{
    model->instructions = 0;
    empty_until(model, cycle);
    model->base = cycle;
    model->waited = 0;
    model->mispredicts = 0;
    model->executed = (struct tally){0};
    memset(model->slots, 0, sizeof model->slots);
    memset(model->sites, 0, model->count * sizeof *model->sites);
    memset(model->starts, 0, (model->count + 1) * sizeof *model->starts);
}

/* A load exclusive alone is none: its store may fail, and is counted each time. */
static bool makes_atomic(const struct step *step)
{
    unsigned op_class = step->kind / 2;
    return op_class == OP_ATOMIC || (op_class == OP_EXCLUSIVE && step->memory & OP_MEMORY_STORE);
}

static void tally_code(struct model *model)
{
    for (size_t i = 0; i < model->count; i++) {
        const struct step *step = &model->steps[i];
        const struct tally *before = &model->tallies[i];
        model->tallies[i + 1] = (struct tally){
            .uops = before->uops + step->uops,
            .branches = before->branches + (step->branch != OP_NO_BRANCH),
            .loads = before->loads + !!(step->memory & OP_MEMORY_LOAD),
            .stores = before->stores + !!(step->memory & OP_MEMORY_STORE),
            .atomics = before->atomics + makes_atomic(step),
        };
    }
}

static bool create(struct model *model, struct model *first, const struct op *ops, struct error *err)
{
    struct pool **pool = &model->pool;
    if (!pipeline_bind(model, ops, err))
        return false;
    const struct core *core = &model->core;
    model->window_mask = ring_mask(core->window);
    model->load_mask = ring_mask(core->load_queue);
    model->renamed_mask = ring_mask(core->vector_registers);
    model->store_mask = ring_mask(core->store_queue);
    model->memory = memory_create(core, first ? first->memory : NULL, pool, err);
    if (!model->memory)
        return false;
    model->predictor = predictor_create(core, pool, err);
    if (!model->predictor)
        return false;
    model->sites = pool_take(pool, model->count * sizeof *model->sites);
    model->view = pool_take(pool, model->count * sizeof *model->view);
    model->tallies = pool_take(pool, (model->count + 1) * sizeof *model->tallies);
    model->starts = pool_take(pool, (model->count + 1) * sizeof *model->starts);
    model->calendar = pool_take(pool, (model->calendar_mask + 1) * sizeof *model->calendar);
    model->window = pool_take(pool, (model->window_mask + 1) * sizeof *model->window);
    model->load_queue = pool_take(pool, (model->load_mask + 1) * sizeof *model->load_queue);
    model->renamed = pool_take(pool, (model->renamed_mask + 1) * sizeof *model->renamed);
    model->store_queue = pool_take(pool, (model->store_mask + 1) * sizeof *model->store_queue);
    if (!model->sites || !model->view || !model->tallies || !model->starts || !model->calendar ||
        !model->window || !model->load_queue || !model->renamed || !model->store_queue)
        return error_set(err, "no memory for a core model of %zu instructions", model->count);
    tally_code(model);
    for (unsigned i = 0; i < REGISTER_COUNT; i++)
        model->registers[i] = time_of(FIRST_CYCLE, MODEL_WAIT_OPERAND);
    model->observed = model->flow.cycle = FIRST_CYCLE;
    start_at(model, FIRST_CYCLE);
    return true;
}

struct model *model_create(const struct core *core, struct model *first, const struct op *ops, size_t count,
                           struct error *err)
{
    struct model *model = calloc(1, sizeof *model);
    if (!model) {
        error_set(err, "no memory for a core model");
        return NULL;
    }
    model->core = *core;
    model->count = count;
    if (create(model, first, ops, err))
        return model;
    model_destroy(model);
    return NULL;
}

void model_destroy(struct model *model)
{
    if (model)
        pool_free(model->pool);
    free(model);
}

/* ---- running ---- */

/* Is the branch's target in the small buffer? It is then. */
static bool is_near(struct model *model, uint32_t site)
{
    unsigned most = model->core.near_targets;
    if (most == 0 || model->steps[site].flags & STEP_NEAR)
        return most > 0;
    uint32_t *oldest = &model->near[model->near_count++ % most];
    if (model->near_count > most)
        model->steps[*oldest].flags &= (uint8_t)~STEP_NEAR;
    *oldest = site;
    model->steps[site].flags |= STEP_NEAR;
    return false;
}

void model_branch(struct model *model, uint32_t site, uint64_t next)
{
    enum op_branch kind = model->steps[site].branch;
    uint64_t address = model->start + (uint64_t)site * 4;
    bool taken = kind != OP_CONDITIONAL || next != address + 4;
    if (!predictor_branch(model->predictor, address, kind, taken, next)) {
        model->mispredicts++;
        model->sites[site].mispredicts++;
        model->front_site = site;
        fetch_restart(model, &model->flow, model->observed + model->core.mispredict, MODEL_WAIT_MISPREDICT);
    } else if (taken) {
        model->flow.fetch_left = 0;
        if (!is_near(model, site))
            model->flow.front += (uint64_t)model->core.taken_bubble << TIME_SHIFT;
    }
}

void model_execute(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses)
{
    if (model->core.kind == CORE_IN_ORDER)
        in_order_run(model, first, count, addresses);
    else
        out_of_order_run(model, first, count, addresses);
    uint32_t last = first + count - 1;
    const struct tally *from = &model->tallies[first], *to = &model->tallies[first + count];
    model->executed.uops += to->uops - from->uops;
    model->executed.branches += to->branches - from->branches;
    model->executed.loads += to->loads - from->loads;
    model->executed.stores += to->stores - from->stores;
    model->executed.atomics += to->atomics - from->atomics;
    model->instructions += count;
    model->starts[first]++;
    model->starts[last + 1]--;
    model->last_site = last;
}

void model_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses, uint64_t next)
{
    if (count == 0)
        return;
    if (UNLIKELY(model->report != NULL)) {
        timeline_run(model, first, count, addresses, next);
        return;
    }
    model_execute(model, first, count, addresses);
    if (model->steps[first + count - 1].branch != OP_NO_BRANCH)
        model_branch(model, first + count - 1, next);
}

void model_hint(const struct model *model, uint64_t address)
{
    memory_hint(model->memory, address);
}

/* ---- counts ---- */

uint64_t model_end(const struct model *model)
{
    if (model->instructions == model->begun_with)
        return model->begun;
    if (model->core.kind == CORE_OUT_OF_ORDER)
        return model->flow.commit_cycle + 1;
    return later(model->flow.cycle + 1, cycle_of(model->flow.complete));
}

void model_forget_counts(struct model *model)
{
    start_at(model, model_end(model));
    memory_forget_counts(model->memory);
}

/* The cycles since the last one that is in the accounts: one of the last instruction, and those until all is
 * complete. */
struct rest {
    bool any;
    unsigned kind, reason; /* of the others' slots and cycles */
    uint64_t slots, other_slots, other_cycles;
};

static struct rest rest_of(const struct model *model)
{
    const uint64_t end = model_end(model);
    const struct flow *flow = &model->flow;
    const bool in_order = model->core.kind == CORE_IN_ORDER;
    if (end == model->begun)
        return (struct rest){0};
    const uint64_t cycles = in_order ? end - flow->cycle - 1 : 0;
    const unsigned reason = in_order ? reason_of(flow->complete) : 0;
    return (struct rest){.any = true,
                         .slots = in_order ? flow->left : model->core.width - flow->committed,
                         .kind = cycles ? slots_of(reason) : 0,
                         .reason = reason,
                         .other_slots = cycles * model->core.width,
                         .other_cycles = cycles};
}

static void settle(const struct model *model, struct model_site *sites)
{
    const struct rest rest = rest_of(model);
    if (!rest.any)
        return;
    struct model_site *last = &sites[model->last_site];
    last->cycles[MODEL_WAIT_WIDTH]++;
    last->slots[SLOTS_BACKEND_CORE] += rest.slots;
    if (rest.other_cycles == 0)
        return;
    struct model_site *complete = &sites[model->flow.complete_site];
    complete->cycles[rest.reason] += rest.other_cycles;
    complete->slots[rest.kind] += rest.other_slots;
}

static void settle_slots(const struct model *model, uint64_t slots[5])
{
    const struct rest rest = rest_of(model);
    slots[SLOTS_BACKEND_CORE] += rest.slots;
    slots[rest.kind] += rest.other_slots;
}

static void wait_until(struct model *model, uint64_t cycle)
{
    uint64_t waited = cycle - model_end(model);
    settle(model, model->sites);
    settle_slots(model, model->slots);
    model->base += waited;
    model->waited += waited;
    empty_until(model, cycle);
}

void model_meet(struct model *model, struct model *other)
{
    uint64_t mine = later(model_end(model), later(model->drained, model->memory_complete));
    uint64_t theirs = later(model_end(other), later(other->drained, other->memory_complete));
    wait_until(model, later(mine, theirs));
    wait_until(other, later(mine, theirs));
}

uint64_t model_waited(const struct model *model)
{
    return model->waited;
}

uint64_t model_now(const struct model *model)
{
    return model->core.kind == CORE_OUT_OF_ORDER ? model->flow.commit_cycle : model->flow.cycle;
}

const struct model_site *model_sites(const struct model *model)
{
    uint64_t executions = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct step *step = &model->steps[i];
        struct model_site *site = &model->view[i];
        executions += model->starts[i];
        *site = model->sites[i];
        site->executions = executions;
        site->slots[SLOTS_RETIRING] += executions * step->uops;
        if (step->memory & OP_MEMORY_UPDATE)
            site->misses[0] =
                executions - site->misses[1] - site->misses[2] - site->misses[3] - site->misses[4];
    }
    settle(model, model->view);
    return model->view;
}

void model_count(const struct model *model, struct model_counts *counts)
{
    const struct memory_counts *memory = memory_counts(model->memory);
    const struct tally *executed = &model->executed;
    *counts = (struct model_counts){{
        [MODEL_CYCLES] = model_end(model) - model->base,
        [MODEL_INSTRUCTIONS] = model->instructions,
        [MODEL_UOPS] = executed->uops,
        [MODEL_BRANCHES] = executed->branches,
        [MODEL_BRANCH_MISSES] = model->mispredicts,
        [MODEL_LOADS] = executed->loads,
        [MODEL_STORES] = executed->stores,
        [MODEL_ATOMICS] = executed->atomics,
        [MODEL_MEMORY_ACCESSES] = executed->loads + executed->stores,
        [MODEL_L1I_ACCESSES] = memory->l1i_accesses,
        [MODEL_L1I_MISSES] = memory->l1i_misses,
        [MODEL_L1D_ACCESSES] = memory->l1d_accesses,
        [MODEL_L1D_MISSES] = memory->l1d_misses,
        [MODEL_L1D_LOADS] = memory->l1d_loads,
        [MODEL_L1D_LOAD_MISSES] = memory->l1d_load_misses,
        [MODEL_L1D_WRITE_BACKS] = memory->l1d_write_backs,
        [MODEL_L1D_TLB_MISSES] = memory->l1d_tlb_misses,
        [MODEL_L2_ACCESSES] = memory->l2_accesses,
        [MODEL_L2_MISSES] = memory->l2_misses,
        [MODEL_LLC_LOADS] = memory->llc_loads,
        [MODEL_LLC_LOAD_MISSES] = memory->llc_load_misses,
        [MODEL_PREFETCHES] = memory->prefetches,
        [MODEL_LINE_TRANSFERS] = memory->line_transfers,
        [MODEL_INVALIDATIONS] = memory->invalidations,
    }};
    uint64_t *slots = &counts->value[MODEL_SLOTS_RETIRING];
    memcpy(slots, model->slots, sizeof model->slots);
    settle_slots(model, slots);
    slots[SLOTS_RETIRING] += executed->uops;
}

/* Instructions that are committed by the cycle in which the last one was executed. */
static uint64_t committed_instructions(const struct model *model)
{
    uint64_t count = model->instructions - 1;
    if (model->core.kind == CORE_IN_ORDER)
        return count;
    /* Its own micro-operations are the last ones; those before it are looked at, back to one that is out. */
    uint64_t uop = model->flow.uops - model->steps[model->last_site].uops;
    uint64_t oldest = uop > model->core.window ? uop - model->core.window : 0;
    while (uop-- > oldest && count > 0) {
        uint64_t time = model->window[uop & model->window_mask];
        if (cycle_of(time) - 1 <= model->observed)
            break;
        count -= time >> WINDOW_FIRST_SHIFT & 1;
    }
    return count;
}

uint64_t model_observe(const struct model *model, enum model_event event)
{
    if (event == MODEL_CYCLES)
        return model->observed - model->base;
    if (event == MODEL_INSTRUCTIONS)
        return committed_instructions(model);
    struct model_counts counts;
    model_count(model, &counts);
    return counts.value[event];
}
