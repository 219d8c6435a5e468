/* The pipeline of a core out of order, an instruction at a time in program order, each with all its cycles:
 *
 * - fetch: in groups of `fetch`, ended by a taken branch, up to `fetch_queue` ahead of dispatch;
 * - dispatch: in order, `width` micro-operations a cycle, while there is room in the window, the load queue
 *   and the store queue, and the queue of the port that it is given, the one with the least work of its own;
 * - issue: from the next cycle on, when its registers are ready and that port is free: the first free cycle,
 *   be it before others for which earlier, waiting instructions will take the port;
 * - complete: after its latency; a load by what the caches say, or when an earlier store hands its data over;
 *   a store when its data is there;
 * - commit: in order, `commit` micro-operations a cycle; a store is written to the cache from then on.
 *
 * The accounts are kept at commit: cycles in which nothing commits are charged to the instruction at the head
 * of the window. Where that one had just been dispatched the window was empty, and the reason is that of its
 * dispatch (mispredict, fetch, order, ...). Otherwise it is the reason that made it late, which comes along
 * the chain of its operands, as a majority vote weighted by cycles (after Boyer and Moore): of own latency
 * (OPERAND; for a load its level), of waiting for a port, and what its last operand brought along. A
 * mispredict is charged to its branch, and what a barrier holds up to the barrier. */
#include "harness/model/pipeline.h"

/* Why something is late, and by how many cycles: the low bits of a time, but the kind. */
static ALWAYS_INLINE uint64_t blame(unsigned reason, uint64_t weight)
{
    uint64_t most = WEIGHT_MOST;
    return (weight < most ? weight : most) << WEIGHT_SHIFT | reason << REASON_SHIFT;
}

static ALWAYS_INLINE uint64_t vote(uint64_t carried, unsigned reason, uint64_t weight)
{
    uint64_t before = carried >> WEIGHT_SHIFT & WEIGHT_MOST;
    unsigned same = reason_of(carried);
    if (same == reason)
        return blame(reason, before + weight);
    return weight > before ? blame(reason, weight - before) : blame(same, before - weight);
}

/* ---- issue queues and ports ---- */

/* Cycles [from, to) are over: what issued in them has left its queue. */
static ALWAYS_INLINE void queues_pass(struct model *model, uint64_t from, uint64_t to)
{
    for (; from < to && model->work_count; from++) {
        uint32_t *entry = &model->calendar[from & model->calendar_mask];
        for (unsigned taken = *entry & CORE_PORTS_MASK; taken; taken &= taken - 1) {
            unsigned port = (unsigned)__builtin_ctz(taken);
            model->work[port]--;
            model->work_count--;
            model->room += *entry >> BEGIN_SHIFT >> port & 1 ? model->entry[port] : 0;
        }
        *entry = 0;
    }
    if (from < to)
        calendar_pass(model, from, to);
}

/* Of these ports, the one with the least work ahead. */
static ALWAYS_INLINE unsigned choose_port(const struct model *model, unsigned ports)
{
    unsigned best = (unsigned)__builtin_ctz(ports);
    for (ports &= ports - 1; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctz(ports);
        best = model->work[port] < model->work[best] ? port : best;
    }
    return best;
}

/* The first cycle from `cycle` on in which the port is free for `busy` cycles. */
static NEVER_INLINE uint64_t search_port(struct model *model, unsigned port, unsigned busy, uint64_t cycle,
                                         uint64_t end)
{
    struct full *full = &model->port_full[port];
    uint64_t mask = model->calendar_mask;
    uint64_t at = cycle - full->from < full->to - full->from ? full->to : cycle;
    for (unsigned free = 0; at + free < end && free < busy;) {
        if (model->calendar[(at + free) & mask] >> port & 1) {
            at += free + 1;
            free = 0;
        } else {
            free++;
        }
    }
    if (busy == 1 && at != cycle) {
        if (cycle - full->from > full->to - full->from)
            full->from = cycle;
        full->to = at;
    }
    return at;
}

/* A micro-operation to one of these ports, at the earliest in `cycle`: the cycle in which it issues. Where
 * that is further ahead than the calendar reaches from `now`, ports and queues do not matter. */
static ALWAYS_INLINE uint64_t place(struct model *model, unsigned ports, unsigned busy, uint64_t cycle,
                                    uint64_t now)
{
    uint64_t end = now + model->calendar_mask - busy;
    unsigned port = choose_port(model, ports);
    if (model->calendar[cycle & model->calendar_mask] >> port & 1 || busy > 1)
        cycle = search_port(model, port, busy, cycle, end);
    if (UNLIKELY(cycle >= end))
        return cycle;
    model->calendar[cycle & model->calendar_mask] |= (1u << BEGIN_SHIFT | 1u) << port;
    for (unsigned i = 1; i < busy; i++)
        model->calendar[(cycle + i) & model->calendar_mask] |= 1u << port;
    model->work[port] = (uint16_t)(model->work[port] + busy);
    model->work_count += busy;
    model->room -= model->entry[port];
    return cycle;
}

/* When all of a store's data is there. */
static ALWAYS_INLINE uint64_t late_data(const struct model *model, const struct step *step)
{
    uint64_t time = model->registers[step->late[0]];
    for (unsigned i = 1; i < step->late_count; i++)
        time = later(time, model->registers[step->late[i]]);
    return time;
}

/* All that a step needs, the first port for `extra` cycles longer than `busy`; that port's cycle, and in
 * *last the last one's. */
static NEVER_INLINE uint64_t place_all(struct model *model, const struct step *step, unsigned extra,
                                       uint64_t cycle, uint64_t now, uint64_t *last)
{
    const unsigned busy = step->busy;
    uint64_t first = cycle;
    *last = cycle;
    for (unsigned i = 0; i < step->port_uses; i++) {
        *last = later(*last, place(model, step->ports, busy + (i == 0 ? extra : 0), first, now));
        if (i == 0)
            first = *last;
    }
    uint64_t data = step->flags & STEP_LATE_DATA ? cycle_of(late_data(model, step)) : 0;
    for (unsigned i = 0; i < step->also_uses; i++) {
        uint64_t also = place(model, step->also_ports, data ? 1 : busy, later(first, data), now);
        *last = data ? *last : later(*last, also);
    }
    if (step->base_ports)
        place(model, step->base_ports, 1, first, now);
    return first;
}

static ALWAYS_INLINE uint64_t place_step(struct model *model, const struct step *step, unsigned extra,
                                         uint64_t cycle, uint64_t now, uint64_t *last, enum shape shape)
{
    if (shape == SHAPE_ANY || UNLIKELY(extra))
        return place_all(model, step, extra, cycle, now, last);
    return *last = step->ports ? place(model, step->ports, 1, cycle, now) : cycle;
}

/* ---- dispatch ---- */

static ALWAYS_INLINE void dispatch_cycle(struct model *model, struct flow *flow, uint64_t cycle,
                                         unsigned reason)
{
    queues_pass(model, flow->cycle, cycle);
    flow->cycle = cycle;
    flow->left = model->core.width;
    flow->dispatch_reason = reason;
}

static ALWAYS_INLINE void dispatch(struct model *model, struct flow *flow, const struct step *step,
                                   enum shape shape)
{
    unsigned uops = shape != SHAPE_ANY ? 1 : step->uops;
    uint64_t newest = flow->uops + uops - 1;
    uint64_t time = later(flow->front, model->window[(newest - model->core.window) & model->window_mask]);
    if (step->renames)
        time =
            later(time, model->renamed[(model->renames + step->renames - 1 - model->core.vector_registers) &
                                       model->renamed_mask]);
    if (shape != SHAPE_PLAIN && step->memory & (MEMORY_READS | MEMORY_PREFETCHES))
        time = later(time, model->load_queue[(model->loads - model->core.load_queue) & model->load_mask]);
    if (shape != SHAPE_PLAIN && step->memory & OP_MEMORY_STORE) {
        const struct store *store =
            &model->store_queue[(model->stores - model->core.store_queue) & model->store_mask];
        time = later(time, time_of(store->drained, MODEL_WAIT_STORE));
    }
    if (cycle_of(time) > flow->cycle)
        dispatch_cycle(model, flow, cycle_of(time), reason_of(time));
    while (UNLIKELY(((model->room - step->entries) & QUEUE_GUARDS) != QUEUE_GUARDS))
        dispatch_cycle(model, flow, flow->cycle + 1, MODEL_WAIT_QUEUE);
    while (uops > flow->left) {
        uops -= flow->left;
        dispatch_cycle(model, flow, flow->cycle + 1, MODEL_WAIT_WIDTH);
    }
    flow->left -= uops;
}

/* ---- operands ---- */

static NEVER_INLINE uint64_t more_operands(const struct model *model, const struct step *step, uint64_t time)
{
    const uint64_t *registers = model->registers;
    for (unsigned i = 2; i < step->early_count; i++)
        time = later(time, registers[step->early[i]]);
    if (step->flags & STEP_LATE_DATA)
        return time;
    for (unsigned i = 0; i < step->late_count; i++)
        time = later(time, late_operand(model, step, step->late[i]));
    return time;
}

static ALWAYS_INLINE uint64_t operands(const struct model *model, const struct step *step)
{
    uint64_t time = later(model->registers[step->early[0]], model->registers[step->early[1]]);
    return UNLIKELY(step->more_reads) ? more_operands(model, step, time) : time;
}

/* ---- commit ---- */

/* Cycles up to `cycle` in which nothing commits, to the accounts. */
static NEVER_INLINE void charge_stall(struct model *model, struct flow at, const struct step *step,
                                      uint64_t cycle, unsigned reason)
{
    uint32_t site = site_of(model, step);
    const struct flow *flow = &at;
    uint64_t cycles = cycle - flow->commit_cycle;
    uint64_t slots = model->core.width - flow->committed;
    if (flow->committed >= model->commit_width) {
        charge(model, site, MODEL_WAIT_WIDTH, 1, slots);
        slots = model->core.width;
        cycles--;
    }
    uint64_t after = cycle - cycles;
    uint64_t dispatched = flow->cycle + 2;
    if (cycles && dispatched > after) {
        uint64_t part = dispatched < cycle ? dispatched - after : cycles;
        charge(model, site, flow->dispatch_reason, part, slots + (part - 1) * model->core.width);
        slots = model->core.width;
        cycles -= part;
    }
    if (cycles)
        charge(model, site, reason, cycles, slots + (cycles - 1) * model->core.width);
}

static ALWAYS_INLINE void commit_cycle(struct flow *flow, uint64_t cycle)
{
    flow->commit_cycle = cycle;
    flow->committed = 0;
    flow->room = time_of(cycle + 1, MODEL_WAIT_WINDOW);
}

static ALWAYS_INLINE void commit(struct model *model, struct flow *flow, const struct step *step,
                                 uint64_t cycle, unsigned reason, enum shape shape)
{
    if (cycle > flow->commit_cycle) {
        if (flow->committed < model->commit_width && flow->cycle + 2 <= flow->commit_cycle) {
            const uint32_t site = site_of(model, step);
            uint64_t cycles = cycle - flow->commit_cycle;
            model->sites[site].cycles[reason] += cycles;
            charge_slots(model, site, slots_of(reason), cycles * model->core.width - flow->committed);
        } else if (flow->committed == model->core.width && cycle == flow->commit_cycle + 1) {
            model->sites[site_of(model, step)].cycles[MODEL_WAIT_WIDTH]++;
        } else {
            charge_stall(model, *flow, step, cycle, reason);
        }
        commit_cycle(flow, cycle);
    }
    uint64_t first = 1u << WINDOW_FIRST_SHIFT;
    for (unsigned i = shape != SHAPE_ANY ? 1 : step->uops; i > 0; i--) {
        if (flow->committed == model->commit_width) {
            charge(model, site_of(model, step), MODEL_WAIT_WIDTH, 1, model->core.width - flow->committed);
            commit_cycle(flow, flow->commit_cycle + 1);
        }
        flow->committed++;
        model->window[flow->uops++ & model->window_mask] = flow->room | first;
        first = 0;
    }
}

/* ---- memory ---- */

/* Cycles beyond a hit until a load has its data. */
static ALWAYS_INLINE uint64_t load_extra(struct model *model, const struct step *step, uint32_t site,
                                         uint64_t address, uint64_t cycle, unsigned *reason)
{
    uint64_t extra = data_access(model, step, site, address, cycle, reason);
    const struct store *store = store_find(model, address, step->bytes, cycle);
    if (LIKELY(!store))
        return extra;
    bool all;
    uint64_t from = store_gives(model, step, store, address, cycle, &all);
    if (all)
        extra = 0;
    if (from > cycle + step->latency + extra) {
        *reason = MODEL_WAIT_STORE;
        return from - cycle - step->latency;
    }
    return extra;
}

static ALWAYS_INLINE void store_commit(struct model *model, const struct flow *flow, const struct step *step,
                                       uint32_t site, uint64_t address, uint64_t data)
{
    unsigned reason;
    uint64_t written = flow->commit_cycle + 1;
    if (step->memory == OP_MEMORY_STORE)
        written += data_access(model, step, site, address, written, &reason);
    model->drained = later(model->drained, written);
    model->memory_complete = later(model->memory_complete, model->drained);
    store_enter(model, address, step->bytes, data, model->drained);
}

/* ISB and what is serial wait for all before them, DSB for the accesses alone. */
static NEVER_INLINE struct flow barrier(struct model *model, struct flow flow, const struct step *step)
{
    model->order_site = site_of(model, step);
    if (step->order == OP_ORDER_CONTEXT)
        fetch_restart(model, &flow, flow.commit_cycle + model->core.mispredict, MODEL_WAIT_ORDER);
    else if (step->order == OP_ORDER_ALL)
        fetch_restart(model, &flow, later(model->memory_complete, flow.cycle + 1), MODEL_WAIT_ORDER);
    else if (step->order == OP_ORDER_SERIAL)
        fetch_restart(model, &flow, flow.commit_cycle, MODEL_WAIT_ORDER);
    else
        model->memory_floor = later(model->memory_floor, model->memory_complete);
    return flow;
}

/* An instruction; `shape`: what struct step says, known where this is compiled. */
static ALWAYS_INLINE uint64_t run_step(struct model *model, struct flow *flow, const struct step *step,
                                       const uint64_t **addresses, enum shape shape)
{
    dispatch(model, flow, step, shape);
    uint64_t start = flow->cycle + 1;
    uint64_t time = operands(model, step);
    uint64_t ready = later(start, cycle_of(time));
    uint64_t carried = ready > start ? time : 0;
    if (shape != SHAPE_PLAIN && step->memory != OP_NO_MEMORY)
        ready = later(ready, model->memory_floor);
    unsigned extra = shape == SHAPE_ANY && step->quotient ? quotient_extra(step, *(*addresses)++) : 0;
    const unsigned turn = shape != SHAPE_PLAIN ? second_turn(model, step, *addresses) : 0;
    uint64_t last;
    uint64_t issue = place_step(model, step, extra + turn, ready, flow->cycle, &last, shape);

    uint64_t took = step->latency + extra;
    uint64_t complete = last + took;
    unsigned reason = MODEL_WAIT_OPERAND;
    uint64_t address = 0;
    if (shape != SHAPE_PLAIN && step->memory != OP_NO_MEMORY) {
        address = *(*addresses)++;
        if (step->memory & OP_MEMORY_LOAD) {
            took += load_extra(model, step, site_of(model, step), address, last, &reason);
            complete = last + took;
            model->memory_complete = later(model->memory_complete, complete);
        } else if (step->flags & STEP_LATE_DATA) {
            uint64_t data = late_data(model, step);
            if (cycle_of(data) > complete) {
                complete = cycle_of(data);
                carried = data;
            }
            uint64_t old = step->kind / 2 == OP_EXCLUSIVE ? exclusive_data(model, step, address, last) : 0;
            if (UNLIKELY(old > complete)) {
                complete = old;
                carried = time_of(old, MODEL_WAIT_STORE);
            }
        } else if (step->memory == OP_MEMORY_PREFETCH) {
            const uint64_t wait = data_access(model, step, site_of(model, step), address, last, &reason);
            reason = wait ? reason : MODEL_WAIT_OPERAND;
            took += wait;
            complete += wait;
        }
        model->registers[step->base] =
            time_of(issue + model->core.classes[OP_ALU][0].latency, MODEL_WAIT_OPERAND);
    }
    if (shape == SHAPE_ANY && step->order == OP_ORDER_ALL)
        complete = later(complete, model->memory_complete);
    if (shape == SHAPE_ANY && step->order == OP_ORDER_CONTEXT)
        complete = later(complete, flow->commit_cycle);
    if (shape == SHAPE_ANY && step->order == OP_ORDER_SERIAL)
        complete = later(complete, flow->commit_cycle + took);
    if (shape == SHAPE_ANY && complete > last + took && step->flags & STEP_ORDER) {
        model->order_site = site_of(model, step);
        reason = MODEL_WAIT_ORDER;
        took = complete - last;
    }

    uint64_t queued = last - ready;
    uint64_t result = complete << TIME_SHIFT;
    if (!carried && queued <= took && extra == 0 && (shape == SHAPE_PLAIN || step->memory == OP_NO_MEMORY))
        result |= step->own;
    else if (queued > took)
        result |= vote(carried, MODEL_WAIT_PORT, queued) | step->kind;
    else
        result |= vote(carried, reason, took) | step->kind;
    model->registers[step->writes[0]] = result;
    model->registers[step->writes[1]] = result;
    for (unsigned i = 2; shape == SHAPE_ANY && i < step->write_count; i++)
        model->registers[step->writes[i]] = result;

    commit(model, flow, step, complete, reason_of(result), shape);
    for (unsigned i = 0; i < step->renames; i++)
        model->renamed[model->renames++ & model->renamed_mask] = flow->room;
    if (shape != SHAPE_PLAIN && step->memory & (MEMORY_READS | MEMORY_PREFETCHES))
        model->load_queue[model->loads++ & model->load_mask] = flow->room;
    if (shape != SHAPE_PLAIN && step->memory & OP_MEMORY_STORE)
        store_commit(model, flow, step, site_of(model, step), address, complete);
    return issue;
}

void out_of_order_run(struct model *model, uint32_t first, uint32_t count, const uint64_t *addresses)
{
    struct flow flow = model->flow;
    uint64_t issue = 0;
    const struct step *step = &model->steps[first], *end = step + count;
    while (step < end) {
        const struct step *stop = fetch(model, &flow, step, end);
        for (; step < stop; step++) {
            if (LIKELY(step->shape == SHAPE_PLAIN)) {
                issue = run_step(model, &flow, step, &addresses, SHAPE_PLAIN);
                continue;
            }
            if (step->shape == SHAPE_ACCESS) {
                issue = run_step(model, &flow, step, &addresses, SHAPE_ACCESS);
                continue;
            }
            issue = run_step(model, &flow, step, &addresses, SHAPE_ANY);
            if (step->flags & STEP_ORDER) {
                flow.fetch_left += (unsigned)(stop - step - 1);
                flow = barrier(model, flow, step);
                stop = step + 1;
            }
        }
    }
    model->observed = issue;
    model->flow = flow;
}
