/* The pipeline of a core in order.
 *
 * An instruction issues when those before it have, at most `width` micro-operations a cycle, as soon as
 * - it is fetched,
 * - the registers that it reads are ready (a scoreboard: what misses the cache stalls whoever uses it, not
 *   those between); an accumulator or a store's data may be late by its allowance,
 * - its ports are free,
 * - there is room in the load queue or the store buffer,
 * and it is not the second of a pair that excludes it, nor behind one that is serial and has no result yet.
 * The latest of these is why the others behind it wait, and the cycles since the last issue are charged to
 * it: WIDTH for the first of them where the cycle before was full, that reason for the rest. So a cycle is
 * charged once, to the instruction that opens it; a mispredict to its branch, and what a barrier holds up to
 * the barrier.
 *
 * A store leaves its buffer for the cache in order, when its data is there; loads take its data from there
 * (forwarding). */
#include "harness/model/pipeline.h"

/* ---- when ---- */

static NEVER_INLINE uint64_t more_operands(const struct model *model, const struct step *step, uint64_t time)
{
    const uint64_t *registers = model->registers;
    for (unsigned i = 2; i < step->early_count; i++)
        time = later(time, registers[step->early[i]]);
    for (unsigned i = 0; i < step->late_count; i++)
        time = later(time, late_operand(model, step, step->late[i]));
    return time;
}

static ALWAYS_INLINE uint64_t operands(const struct model *model, const struct step *step)
{
    uint64_t time = later(model->registers[step->early[0]], model->registers[step->early[1]]);
    return step->more_reads ? more_operands(model, step, time) : time;
}

static ALWAYS_INLINE uint64_t queues(const struct model *model, const struct step *step, uint64_t time)
{
    if (!(step->memory & MEMORY_WRITES)) {
        time = later(time, model->load_queue[(model->loads - model->core.load_queue) & model->load_mask]);
    } else {
        const struct store *store =
            &model->store_queue[(model->stores - model->core.store_queue) & model->store_mask];
        time = later(time, time_of(store->drained, MODEL_WAIT_STORE));
    }
    return later(time, time_of(model->memory_floor, MODEL_WAIT_ORDER));
}

/* ---- issue ---- */

/* The cycle of issue moves on; `full`: the last one had no slot for this instruction. */
static ALWAYS_INLINE void advance(struct model *model, struct flow *flow, const struct step *step, bool full,
                                  uint64_t cycle, unsigned reason)
{
    uint64_t cycles = cycle - flow->cycle;
    uint64_t slots = flow->left;
    uint32_t site = site_of(model, step);
    if (full) {
        model->sites[site].cycles[MODEL_WAIT_WIDTH]++;
        charge_slots(model, site, SLOTS_BACKEND_CORE, slots);
        slots = model->core.width;
        cycles--;
    }
    if (cycles)
        charge(model, site, reason, cycles, slots + (cycles - 1) * model->core.width);
    flow->cycle = cycle;
    flow->left = model->core.width;
    flow->floor = time_of(cycle, MODEL_WAIT_WIDTH);
}

static void take_slots(struct model *model, struct flow *flow, const struct step *step)
{
    unsigned uops = step->uops;
    while (uops > flow->left) {
        uops -= flow->left;
        flow->left = 0;
        advance(model, flow, step, true, flow->cycle + 1, MODEL_WAIT_WIDTH);
    }
    flow->left -= uops;
    flow->floor = time_of(flow->cycle + (flow->left == 0), MODEL_WAIT_WIDTH);
}

/* ---- ports ---- */

/* One of these ports, from the first cycle from `cycle` on in which one is free. As nothing is asked for
 * before the cycle of issue, a port that is free once is free until it is taken. */
static ALWAYS_INLINE uint64_t take_port(struct model *model, unsigned ports, unsigned busy, uint64_t cycle)
{
    uint64_t *best = &model->port_free[__builtin_ctz(ports)];
    for (ports &= ports - 1; ports && *best > cycle; ports &= ports - 1) {
        uint64_t *port = &model->port_free[__builtin_ctz(ports)];
        best = *port < *best ? port : best;
    }
    cycle = later(cycle, *best);
    *best = cycle + busy;
    return cycle;
}

/* All that a step needs, the first port for `extra` cycles longer than `busy`; that port's cycle, and in
 * *last the last one's. */
static ALWAYS_INLINE uint64_t take_ports(struct model *model, const struct step *step, unsigned extra,
                                         uint64_t cycle, uint64_t *last, enum shape shape)
{
    const unsigned busy = shape == SHAPE_ANY ? step->busy : 1;
    if (step->ports)
        cycle = take_port(model, step->ports, busy + extra, cycle);
    *last = cycle;
    for (unsigned i = 1; shape == SHAPE_ANY && i < step->port_uses; i++)
        *last = later(*last, take_port(model, step->ports, busy, cycle));
    if (shape == SHAPE_ANY && step->also_ports)
        *last = later(*last, take_port(model, step->also_ports, busy, cycle));
    if (shape == SHAPE_ANY && step->base_ports)
        take_port(model, step->base_ports, 1, cycle);
    return cycle;
}

/* ---- memory ---- */

/* A load that issues in `issue` and takes a store's data, or waits for it to reach the cache. */
static NEVER_INLINE uint64_t from_store(const struct model *model, const struct step *step,
                                        const struct store *store, uint64_t address, uint64_t issue,
                                        uint64_t ready)
{
    bool all;
    uint64_t cycle = store_gives(model, step, store, address, issue, &all);
    if (all)
        ready = time_of(issue + step->latency, MODEL_WAIT_LOAD);
    return later(ready, time_of(cycle, MODEL_WAIT_STORE));
}

/* A store enters the buffer; `old`: the cycle in which it has what was there, where that matters. */
static ALWAYS_INLINE void buffer(struct model *model, const struct step *step, uint64_t address,
                                 uint64_t issue, uint64_t extra, uint64_t old)
{
    uint64_t data = issue;
    for (unsigned i = 0; i < step->late_count; i++)
        data = later(data, cycle_of(model->registers[step->late[i]]));
    uint64_t left = later(data, old);
    model->drained = later(model->drained, later(data + 1 + extra, left));
    model->memory_complete = later(model->memory_complete, model->drained);
    store_enter(model, address, step->bytes, left, model->drained);
}

/* The time of the result. */
static ALWAYS_INLINE uint64_t access_data(struct model *model, const struct step *step, uint64_t address,
                                          uint64_t issue)
{
    unsigned reason;
    uint64_t extra = data_access(model, step, site_of(model, step), address, issue, &reason);
    uint64_t ready = time_of(issue + step->latency, MODEL_WAIT_OPERAND), old = issue;
    if (step->memory & OP_MEMORY_LOAD) {
        ready = time_of(issue + step->latency + extra, reason);
        old = issue + extra;
        const struct store *store = store_find(model, address, step->bytes, issue);
        if (UNLIKELY(store)) {
            ready = from_store(model, step, store, address, issue, ready);
            old = later(old, reason_of(ready) == MODEL_WAIT_STORE ? cycle_of(ready) : 0);
        }
        model->memory_complete = later(model->memory_complete, cycle_of(ready));
    } else if (UNLIKELY(step->kind / 2 == OP_EXCLUSIVE)) {
        old = exclusive_data(model, step, address, issue);
        ready = later(ready, time_of(old, MODEL_WAIT_STORE));
    } else if (step->memory == OP_MEMORY_PREFETCH && extra)
        ready = time_of(issue + step->latency + extra, reason);
    if (!(step->memory & MEMORY_WRITES))
        model->load_queue[model->loads++ & model->load_mask] = ready;
    if (step->memory & OP_MEMORY_STORE)
        buffer(model, step, address, issue, extra, old);
    return ready;
}

static NEVER_INLINE struct flow barrier(struct model *model, struct flow flow, const struct step *step,
                                        uint32_t site, uint64_t issue)
{
    model->order_site = site;
    uint64_t complete = later(cycle_of(flow.complete), issue + 1);
    if (step->order == OP_ORDER_CONTEXT)
        fetch_restart(model, &flow, complete + model->core.mispredict, MODEL_WAIT_ORDER);
    else if (step->order == OP_ORDER_ALL)
        fetch_restart(model, &flow, later(model->memory_complete, issue + 1), MODEL_WAIT_ORDER);
    else if (step->order == OP_ORDER_SERIAL)
        fetch_restart(model, &flow, complete, MODEL_WAIT_ORDER);
    else
        model->memory_floor = later(model->memory_floor, model->memory_complete);
    return flow;
}

/* An instruction; `shape`: what struct step says, known where this is compiled. */
static ALWAYS_INLINE uint64_t issue_step(struct model *model, struct flow *flow, const struct step *step,
                                         const uint64_t **addresses, enum shape shape)
{
    if (shape == SHAPE_ANY && flow->left != 0 && flow->left != model->core.width &&
        (step->first || step->uops > flow->left))
        flow->floor = time_of(flow->cycle + 1, MODEL_WAIT_WIDTH);
    uint64_t there = operands(model, step);
    uint64_t time = later(later(flow->floor, flow->front), there - step->late_operands);
    if (shape != SHAPE_PLAIN && step->memory != OP_NO_MEMORY)
        time = queues(model, step, time);
    unsigned extra = shape == SHAPE_ANY && step->quotient ? quotient_extra(step, *(*addresses)++) : 0;
    const unsigned turn = shape != SHAPE_PLAIN ? second_turn(model, step, *addresses) : 0;
    uint64_t last;
    uint64_t issue = take_ports(model, step, extra + turn, cycle_of(time), &last, shape);
    if (issue > flow->cycle)
        advance(model, flow, step, cycle_of(flow->floor) > flow->cycle, issue,
                issue > cycle_of(time) ? MODEL_WAIT_PORT : reason_of(time));
    if (shape == SHAPE_ANY)
        take_slots(model, flow, step);
    else if (--flow->left == 0)
        flow->floor += UINT64_C(1) << TIME_SHIFT;

    uint64_t ready = time_of(later(last, cycle_of(there)) + step->latency + extra, MODEL_WAIT_OPERAND);
    if (shape != SHAPE_PLAIN && step->memory != OP_NO_MEMORY) {
        ready = access_data(model, step, *(*addresses)++, last);
        model->registers[step->base] =
            time_of(issue + model->core.classes[OP_ALU][0].latency, MODEL_WAIT_OPERAND);
    }
    if (shape == SHAPE_ANY && step->order == OP_ORDER_SERIAL)
        ready = later(ready, time_of(cycle_of(flow->complete) + step->latency, MODEL_WAIT_ORDER));
    uint64_t result = ready - KIND_NONE + step->kind;
    if (shape != SHAPE_PLAIN && step->memory != OP_NO_MEMORY)
        model->loaded = reason_of(ready) == MODEL_WAIT_LOAD ? result : 0;
    model->registers[step->writes[0]] = result;
    model->registers[step->writes[1]] = result;
    for (unsigned i = 2; shape == SHAPE_ANY && i < step->write_count; i++)
        model->registers[step->writes[i]] = result;
    if (shape == SHAPE_ANY && step->serial)
        flow->floor = later(flow->floor, ready);
    if (ready > flow->complete) {
        flow->complete = ready;
        flow->complete_site = site_of(model, step);
    }
    return issue;
}

void in_order_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses)
{
    struct flow flow = model->flow;
    uint64_t issue = 0;
    const struct step *step = &model->steps[first], *end = step + count;
    while (step < end) {
        const struct step *stop = fetch(model, &flow, step, end);
        for (; step < stop; step++) {
            if (LIKELY(step->shape == SHAPE_PLAIN)) {
                issue = issue_step(model, &flow, step, &addresses, SHAPE_PLAIN);
                continue;
            }
            if (step->shape == SHAPE_ACCESS) {
                issue = issue_step(model, &flow, step, &addresses, SHAPE_ACCESS);
                continue;
            }
            issue = issue_step(model, &flow, step, &addresses, SHAPE_ANY);
            if (step->flags & STEP_ORDER) {
                flow.fetch_left += (unsigned)(stop - step - 1);
                flow = barrier(model, flow, step, site_of(model, step), issue);
                stop = step + 1;
            }
        }
    }
    model->observed = issue;
    model->flow = flow;
}
