/* Is it a core? The ranges are those of core_figures.h; what depends on several figures stands here.
 * And how the instructions of one wait for each other. */
#include "harness/model/core.h"

#include <stddef.h>
#include "harness/model/core_figures.h"

struct figure {
    const char *key;
    size_t offset, size;
    uint32_t least, most;
};

#define FIGURE(GROUP, KEY, PLACE, LEAST, MOST, ...)                                                          \
    {GROUP "." KEY ".is", offsetof(struct core, PLACE), sizeof(((struct core *)0)->PLACE), LEAST, MOST},
static const struct figure pipeline_figures[] = {PIPELINE_FIGURES(FIGURE){NULL, 0, 0, 0, 0}};
static const struct figure memory_figures[] = {MEMORY_FIGURES(FIGURE) PREFETCHER_FIGURES(FIGURE)
                                                   TLB_FIGURES(FIGURE){NULL, 0, 0, 0, 0}};
static const struct figure predictor_figures[] = {PREDICTOR_FIGURES(FIGURE){NULL, 0, 0, 0, 0}};

/* What is wrong has this key. */
static bool at(struct core_fault *fault, const char *key)
{
    *fault = (struct core_fault){.key = key};
    return true;
}

static bool check_figures(const struct core *core, const struct figure *figure, struct core_fault *fault,
                          struct error *err)
{
    for (; figure->key; figure++) {
        const void *place = (const char *)core + figure->offset;
        unsigned value = figure->size == 1 ? *(const uint8_t *)place : *(const uint16_t *)place;
        if (at(fault, figure->key) && (value < figure->least || value > figure->most))
            return error_set(err, "expected a whole number from %u to %u, found `%u`", figure->least,
                             figure->most, value);
    }
    return true;
}

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* ---- pipeline ---- */

static bool one_queue(const struct core *core, unsigned ports)
{
    for (unsigned rest = ports; rest; rest &= rest - 1)
        if (core->port_queue[__builtin_ctz(rest)] != core->port_queue[__builtin_ctz(ports)])
            return false;
    return true;
}

static unsigned queue_of(const struct core *core, unsigned ports)
{
    return ports ? core->port_queue[__builtin_ctz(ports)] : CORE_NO_QUEUE;
}

/* Has each queue room for all that an instruction takes of it at the most? Else dispatch would wait for ever.
 */
static bool check_queues(const struct core *core, const struct core_class *class, const char *name,
                         struct error *err)
{
    if (!one_queue(core, class->ports) || !one_queue(core, class->also_ports))
        return error_set(err, "`%s`: expected ports behind one issue queue, found two issue queues", name);
    unsigned entries[CORE_QUEUES] = {0}, registers = class->each ? CORE_MOST_REGISTERS : 1;
    entries[queue_of(core, class->ports)] += class->uops * registers;
    entries[queue_of(core, class->also_ports)] += registers;
    entries[queue_of(core, core->base_ports)]++;
    for (unsigned queue = CORE_NO_QUEUE + 1; queue < CORE_QUEUES; queue++)
        if (core->kind == CORE_OUT_OF_ORDER && core->queue[queue] && entries[queue] > core->queue[queue])
            return error_set(err, "`%s`: expected an issue queue of %u entries at least, found a smaller one",
                             name, entries[queue]);
    return true;
}

static bool check_class(const struct core *core, unsigned op_class, unsigned wide, struct core_fault *fault,
                        struct error *err)
{
    const struct core_class *class = &core->classes[op_class][wide];
    const char *name = op_class_name((enum op_class)op_class);
    unsigned ports = (1u << core->port_count) - 1;
    *fault = (struct core_fault){"ports", true, op_class, wide};
    if ((class->ports | class->also_ports) & ~ports)
        return error_set(err, "`%s`: expected ports of the core, found another one", name);
    if (!check_queues(core, class, name, err))
        return false;
    fault->key = "uops";
    unsigned slots = class->uops * (class->each ? CORE_MOST_REGISTERS : 1u) + class->more_slots;
    if (core->kind == CORE_OUT_OF_ORDER && slots > core->window)
        return error_set(err, "`%s`: expected no more micro-operations than the window holds, %u, found %u",
                         name, core->window, slots);
    fault->key = "accumulate";
    if (class->accumulate > class->latency)
        return error_set(err, "`%s`: expected at most the latency, %u, found %u", name, class->latency,
                         class->accumulate);
    fault->key = "most";
    if (class->most && class->most < class->latency)
        return error_set(err, "`%s`: expected at least the latency, %u, found %u", name, class->latency,
                         class->most);
    fault->key = class->most ? "digit" : "most";
    return (class->most != 0) == (class->digit != 0) ||
           error_set(err, "`%s`: expected both `most` and `digit` or none of them, found one", name);
}

bool core_check_pipeline(const struct core *core, struct core_fault *fault, struct error *err)
{
    bool in_order = core->kind == CORE_IN_ORDER;
    if (at(fault, "kind") && !in_order && core->kind != CORE_OUT_OF_ORDER)
        return error_set(err, "expected in-order or out-of-order, found %d", (int)core->kind);
    if (!check_figures(core, pipeline_figures, fault, err))
        return false;
    if (at(fault, "pipeline.fetch-block.is") && core->fetch_block &&
        (!is_power_of_two(core->fetch_block) || core->fetch_block < 4))
        return error_set(err, "expected 0 or a power of two from 4 on, found %u", core->fetch_block);
    if (at(fault, "pipeline.window.is") && !in_order && core->window < core->width)
        return error_set(err, "expected at least the width, %u, found %u", core->width, core->window);
    const unsigned most = OP_WRITES * (core->halves ? 2U : 1U); /* that one instruction writes */
    if (at(fault, "pipeline.vector-registers.is") && core->vector_registers && core->vector_registers < most)
        return error_set(err, "expected 0 or at least %u, found %u", most, core->vector_registers);
    if (at(fault, "ports") && core->port_count > CORE_PORTS)
        return error_set(err, "expected at most %d, found %u", CORE_PORTS, core->port_count);
    if (at(fault, "pipeline.base-ports.is") && core->base_ports >> core->port_count)
        return error_set(err, "expected ports of the core, found another one");
    for (unsigned i = 0; i < core->port_count; i++)
        if (at(fault, "ports") && core->port_queue[i] >= CORE_QUEUES)
            return error_set(err, "expected an issue queue from 0 to %d, found %u", CORE_QUEUES - 1,
                             core->port_queue[i]);
    if (at(fault, "pipeline.base-ports.is") && !one_queue(core, core->base_ports))
        return error_set(err, "expected ports behind one issue queue, found two issue queues");
    for (unsigned i = 0; i < OP_CLASS_COUNT * 2; i++)
        if (!check_class(core, i / 2, i % 2, fault, err))
            return false;
    return true;
}

/* ---- memory ---- */

static bool check_cache(const struct core *core, const struct core_cache *cache, const char *key,
                        struct core_fault *fault, struct error *err)
{
    uint32_t way = cache->ways ? cache->bytes / cache->ways : 0;
    return cache->bytes == 0 ||
           (at(fault, key) && cache->ways >= 1 && cache->ways <= CORE_MOST_WAYS &&
            cache->bytes <= (uint32_t)CORE_MOST_KIB << 10 && way * cache->ways == cache->bytes &&
            is_power_of_two(way) && way >= core->line) ||
           error_set(
               err,
               "expected the ways times a power of two, at least a line for each way, found %u bytes in "
               "%u ways",
               cache->bytes, cache->ways);
}

static bool check_tlb(const struct core *core, struct core_fault *fault, struct error *err)
{
    unsigned entries = core->tlb.second_entries, ways = core->tlb.second_ways;
    return entries == 0 ||
           (at(fault, "tlb.second-entries.is") && ways != 0 && entries % ways == 0 &&
            is_power_of_two(entries / ways)) ||
           error_set(err, "expected a multiple of second-ways by a power of two, found %u in %u ways",
                     entries, ways);
}

bool core_check_memory(const struct core *core, struct core_fault *fault, struct error *err)
{
    if (!check_figures(core, memory_figures, fault, err))
        return false;
    if (at(fault, "memory.line.is") && !is_power_of_two(core->line))
        return error_set(err, "expected a power of two, found %u", core->line);
    if (at(fault, "caches.l1d.kib") && core->l1d.bytes == 0)
        return error_set(err, "expected a first level, found none");
    if (!check_cache(core, &core->l1i, "caches.l1i.kib", fault, err) ||
        !check_cache(core, &core->l1d, "caches.l1d.kib", fault, err) ||
        !check_cache(core, &core->l2, "caches.l2.kib", fault, err) ||
        !check_cache(core, &core->llc, "caches.llc.kib", fault, err))
        return false;
    if (at(fault, "caches.llc.latency") && core->l2.bytes && core->llc.bytes &&
        core->llc.latency <= core->l2.latency)
        return error_set(err, "expected more than that of l2, %u, found %u", core->l2.latency,
                         core->llc.latency);
    if (at(fault, "memory.dram.is") && (core->dram <= core->llc.latency || core->dram <= core->l2.latency))
        return error_set(err, "expected more than the latencies of the caches, found %u", core->dram);
    return check_tlb(core, fault, err);
}

/* ---- predictor ---- */

bool core_check_predictor(const struct core *core, struct core_fault *fault, struct error *err)
{
    if (!check_figures(core, predictor_figures, fault, err))
        return false;
    at(fault, "predictor.history.is");
    for (unsigned i = 0, last = 0; i < core->predictor.tables; last = core->predictor.history[i++])
        if (core->predictor.history[i] <= last)
            return error_set(err, "expected numbers that rise from 1 on, found %u behind %u",
                             core->predictor.history[i], last);
    return true;
}

bool core_check(const struct core *core, struct core_fault *fault, struct error *err)
{
    return core_check_pipeline(core, fault, err) && core_check_memory(core, fault, err) &&
           core_check_predictor(core, fault, err);
}

bool core_refused(const struct core *core, core_check_fn *check, struct error *err)
{
    struct core_fault fault;
    struct error why;
    if (check(core, &fault, &why))
        return false;
    error_set(err, "core %s: %s: %s", core->name, fault.key, why.text);
    return true;
}

/* ---- how its instructions wait for each other ---- */

static unsigned times(const struct core_class *class, const struct op *op)
{
    return class->each && op->registers > 1 ? op->registers : 1;
}

unsigned core_port_uses(const struct core *core, const struct op *op)
{
    const struct core_class *class = &core->classes[op->op_class][op->wide];
    return class->ports ? class->uops * times(class, op) : 0;
}

unsigned core_also_uses(const struct core *core, const struct op *op)
{
    const struct core_class *class = &core->classes[op->op_class][op->wide];
    return class->also_ports ? times(class, op) : 0;
}

unsigned core_slots(const struct core *core, const struct op *op)
{
    const struct core_class *class = &core->classes[op->op_class][op->wide];
    bool many = core->kind == CORE_OUT_OF_ORDER && class->ports;
    unsigned uses = many ? core_port_uses(core, op) : class->uops, slots = uses + class->more_slots;
    bool loads = op->memory == OP_MEMORY_LOAD;
    if (!core->halves || !op->wide || op->write_count == 0 || (op->memory != OP_NO_MEMORY && !loads))
        return slots;
    if (op->half || class->uops == 0)
        return uses;
    unsigned halves = 2u * (loads ? op->registers : 1u);
    return slots > halves ? slots : halves;
}

/* A multiplication that has `accumulate` hands its product to accumulators as its multiply-add does. */
unsigned core_kind(const struct core *core, const struct op *op)
{
    static const uint8_t pairs[][2] = {
        {OP_MUL, OP_MUL_ADD},       {OP_MUL_WIDE, OP_MUL_ADD_WIDE}, {OP_MUL_LONG, OP_MUL_ADD_LONG},
        {OP_V_MUL, OP_V_MLA},       {OP_V_MUL_LONG, OP_V_MLA_LONG}, {OP_FP_MUL, OP_FP_FMA},
        {OP_V_FP_MUL, OP_V_FP_FMA},
    };
    unsigned op_class = op->op_class;
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (op_class == pairs[i][0] && core->classes[op_class][op->wide].accumulate)
            return pairs[i][1] * 2u + op->wide;
    return op_class * 2u + op->wide;
}

bool core_first_is_late(const struct core *core, const struct op *op)
{
    bool shifts = op->op_class == OP_ALU_SHIFT || op->op_class == OP_ALU_SHIFT_FLAGS ||
                  op->op_class == OP_ALU_SHIFT_FAR || op->op_class == OP_LOGIC_SHIFT;
    return shifts && core->kind == CORE_IN_ORDER && op->read_count > 1 &&
           core->classes[op->op_class][op->wide].late > 0;
}

bool core_address_is_late(const struct core *core, const struct op *op)
{
    return core->kind == CORE_IN_ORDER && op->memory == OP_MEMORY_LOAD &&
           (core->load_address > 0 || core->load_chase > 0);
}

unsigned core_kept_half(const struct core *core, const struct op *op)
{
    return core->halves && core->kind == CORE_OUT_OF_ORDER ? op->kept_half : 0;
}

unsigned core_latency(const struct core *core, const struct op *producer, const struct op *consumer,
                      unsigned read, bool consecutive)
{
    const struct core_class *from = &core->classes[producer->op_class][producer->wide];
    const struct core_class *to = &core->classes[consumer->op_class][consumer->wide];
    unsigned allowance = 0, more = 0;
    const bool address = core_address_is_late(core, consumer) && (consumer->address_reads >> read & 1) &&
                         op_gives_address(producer->op_class);
    if (read == consumer->accumulator && to->accumulate &&
        core_kind(core, producer) == core_kind(core, consumer))
        allowance = to->latency - to->accumulate;
    else if (core_kept_half(core, consumer) >> read & 1)
        allowance = to->latency;
    else if (read == 0 && core_first_is_late(core, consumer))
        allowance = to->late;
    else if (address && consecutive && op_is_by_base(consumer))
        allowance = core->load_chase;
    else if (address)
        more = core->load_address;
    return from->latency + more > allowance ? from->latency + more - allowance : 0;
}
