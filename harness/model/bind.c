#include "harness/model/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- is it a core? ---- */

struct range {
    const char *name;
    unsigned value, least, most;
};

static bool check_ranges(const struct core *core, const struct range *ranges, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most)
            return error_set(err, "core %s: %s is %u; it has to be from %u to %u", core->name, ranges[i].name,
                             ranges[i].value, ranges[i].least, ranges[i].most);
    return true;
}

static bool check_core(const struct core *core, struct error *err)
{
    bool in_order = core->kind == CORE_IN_ORDER;
    if (!in_order && core->kind != CORE_OUT_OF_ORDER)
        return error_set(err, "core %s: unknown kind %d", core->name, (int)core->kind);
    const struct range ranges[] = {
        {"width", core->width, 1, 32},
        {"fetch", core->fetch, 1, 64},
        {"load_queue", core->load_queue, 1, 1024},
        {"store_queue", core->store_queue, 1, 1024},
        {"port_count", core->port_count, 0, CORE_PORTS},
        {"base_uops", core->base_uops, 0, 4},
        {"store_data", core->store_data, 0, 63},
        {"base_ports", core->base_ports, 0, (1u << core->port_count) - 1},
    };
    const struct range more[] = {
        {"commit", core->commit, 1, 64},
        {"window", core->window, core->width, 4096},
    };
    if (!check_ranges(core, ranges, sizeof ranges / sizeof *ranges, err) ||
        (!in_order && !check_ranges(core, more, sizeof more / sizeof *more, err)))
        return false;
    unsigned ports = (1u << core->port_count) - 1;
    for (unsigned i = 0; i < OP_CLASS_COUNT * 2; i++) {
        const struct core_class *class = &core->classes[i / 2][i % 2];
        if ((class->ports | class->also_ports) & ~ports)
            return error_set(err, "core %s: class %s goes to a port that the core does not have", core->name,
                             op_class_name(i / 2));
        if (!in_order && class->uops > core->window)
            return error_set(err, "core %s: class %s has more micro-operations than the window holds",
                             core->name, op_class_name(i / 2));
        if (class->accumulate > class->latency)
            return error_set(err, "core %s: class %s: accumulate is above the latency", core->name,
                             op_class_name(i / 2));
    }
    return true;
}

/* ---- ports ---- */

/* New numbers for the ports: those of fewer classes first, as the first free one is taken. */
static void order_ports(const struct core *core, uint8_t number[CORE_PORTS])
{
    unsigned users[CORE_PORTS] = {0};
    for (unsigned i = 0; i < OP_CLASS_COUNT * 2; i++)
        for (unsigned port = 0; port < CORE_PORTS; port++)
            users[port] += core->classes[i / 2][i % 2].ports >> port & 1;
    for (unsigned port = 0; port < CORE_PORTS; port++) {
        number[port] = 0;
        for (unsigned other = 0; other < CORE_PORTS; other++) {
            bool alike_and_before = other < port && users[other] == users[port];
            number[port] = (uint8_t)(number[port] + (users[other] < users[port] || alike_and_before));
        }
    }
}

static uint16_t renumber(const uint8_t number[CORE_PORTS], unsigned ports)
{
    unsigned result = 0;
    for (unsigned port = 0; port < CORE_PORTS; port++)
        result |= (ports >> port & 1) << number[port];
    return (uint16_t)result;
}

static uint16_t full_index(struct model *model, uint16_t ports, uint8_t busy)
{
    unsigned i = 0;
    while (i < model->full_count && (model->full[i].ports != ports || model->full[i].busy != busy))
        i++;
    if (i == model->full_count)
        model->full[model->full_count++] = (struct full){0, 0, ports, busy};
    return (uint16_t)i;
}

/* ---- instructions ---- */

static void bind_registers(struct step *step, const struct op *op, bool in_order)
{
    bool store = op->memory == OP_MEMORY_STORE;
    for (unsigned i = 0; i < op->read_count; i++) {
        bool late = store ? !(op->address_reads >> i & 1) : i == op->accumulator;
        if (late)
            step->late[step->late_count++] = op->reads[i];
        else
            step->early[step->early_count++] = op->reads[i];
    }
    while (step->early_count < 2)
        step->early[step->early_count++] = REGISTER_READY;
    step->base = REGISTER_SINK;
    for (unsigned i = 0; i < op->write_count; i++) {
        if (i == op->base_write)
            step->base = op->writes[i];
        else
            step->writes[step->write_count++] = op->writes[i];
    }
    while (step->write_count < 2)
        step->writes[step->write_count++] = REGISTER_SINK;
    if (store && !in_order && step->late_count > 0)
        step->flags |= STEP_LATE_DATA;
    step->more_reads = step->early_count > 2 || (step->late_count > 0 && !(step->flags & STEP_LATE_DATA));
}

static void bind_step(struct model *model, const struct op *op, const uint8_t number[CORE_PORTS],
                      struct step *step)
{
    const struct core *core = &model->core;
    const struct core_class *class = &core->classes[op->op_class][op->wide];
    bool in_order = core->kind == CORE_IN_ORDER;
    bool moves_base = op->base_write != OP_NONE && op->base_write < op->write_count;
    bind_registers(step, op, in_order);
    step->uops = (uint8_t)(class->uops + (moves_base ? core->base_uops : 0));
    step->port_uses = class->ports ? class->uops : 0;
    step->latency = class->latency;
    step->busy = class->busy ? class->busy : 1;
    step->kind = (uint8_t)(op->op_class * 2 + op->wide);
    step->allowance = class->accumulate ? (uint8_t)(class->latency - class->accumulate) : 0;
    if (op->memory == OP_MEMORY_STORE)
        step->allowance = core->store_data;
    step->memory = op->memory;
    step->order = op->order;
    step->branch = op->branch;
    step->bytes = op->bytes;
    step->alone = class->alone && in_order;
    if (op->order != OP_UNORDERED)
        step->flags |= STEP_ORDER;
    step->ports = renumber(number, step->port_uses ? class->ports : 0);
    step->also_ports = renumber(number, class->also_ports);
    step->base_ports = renumber(number, moves_base ? core->base_ports : 0);
    step->ports_full = full_index(model, step->ports, step->busy);
    step->also_full = full_index(model, step->also_ports, step->busy);
    step->base_full = full_index(model, step->base_ports, 1);
    if (step->also_ports | step->base_ports || step->port_uses > 1 || (step->ports && step->busy > 1))
        step->port_use = PORTS_MANY;
    else
        step->port_use = step->ports ? PORTS_ONE : PORTS_NONE;
    unsigned weight = step->latency < WEIGHT_MOST ? step->latency : WEIGHT_MOST;
    step->own = (uint64_t)weight << WEIGHT_SHIFT | MODEL_WAIT_OPERAND << REASON_SHIFT | step->kind;
    if (step->uops != 1 || step->alone || step->flags & STEP_ORDER || step->write_count > 2 ||
        step->port_use == PORTS_MANY)
        step->shape = SHAPE_ANY;
    else
        step->shape = step->memory == OP_NO_MEMORY ? SHAPE_PLAIN : SHAPE_ACCESS;
}

static bool check_op(const struct op *op, size_t i, const struct op *first, struct error *err)
{
    bool good = op->op_class < OP_CLASS_COUNT && op->read_count <= OP_READS && op->write_count <= OP_WRITES &&
                op->memory <= OP_MEMORY_PREFETCH && op->branch <= OP_RETURN && op->order <= OP_ORDER_CONTEXT;
    for (unsigned n = 0; good && n < op->read_count; n++)
        good = op->reads[n] < OP_REGISTERS;
    for (unsigned n = 0; good && n < op->write_count; n++)
        good = op->writes[n] < OP_REGISTERS;
    if (!good)
        return error_set(err, "the instruction at %#" PRIx64 " is no valid one for the core model",
                         op->address);
    if (op->address != first->address + 4 * (uint64_t)i)
        return error_set(
            err, "instruction %zu is at %#" PRIx64 "; expected %#" PRIx64 ": four bytes each, without gaps",
            i, op->address, first->address + 4 * (uint64_t)i);
    return true;
}

/* How many cycles ahead of dispatch ports can be taken: all that the window may hold. */
static uint64_t calendar_size(const struct core *core)
{
    unsigned busy = 1;
    for (unsigned i = 0; i < OP_CLASS_COUNT * 2; i++) {
        const struct core_class *class = &core->classes[i / 2][i % 2];
        if (class->ports && class->busy > busy)
            busy = class->busy;
    }
    uint64_t wanted = core->kind == CORE_IN_ORDER ? busy * 64u : (uint64_t)core->window * busy + busy;
    uint64_t size = 1024;
    while (size < wanted && size < 65536)
        size *= 2;
    return size;
}

bool pipeline_bind(struct model *model, const struct op *ops, struct error *err)
{
    const struct core *core = &model->core;
    if (!check_core(core, err))
        return false;
    if (model->count == 0)
        return error_set(err, "no instructions for the core model");
    uint8_t number[CORE_PORTS];
    order_ports(core, number);
    full_index(model, 0, 1);
    model->start = ops[0].address;
    model->steps = calloc(model->count, sizeof *model->steps);
    if (!model->steps)
        return error_set(err, "no memory for a core model of %zu instructions", model->count);
    for (size_t i = 0; i < model->count; i++) {
        if (!check_op(&ops[i], i, ops, err))
            return false;
        bind_step(model, &ops[i], number, &model->steps[i]);
    }
    model->fetch_lead = core->fetch_queue / core->fetch;
    model->commit_width = core->commit < core->width ? core->commit : core->width;
    model->calendar_mask = calendar_size(core) - 1;
    return true;
}
