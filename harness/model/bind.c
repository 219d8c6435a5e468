#include "harness/model/pipeline.h"

#include <inttypes.h>
#include <string.h>

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

/* What a step takes of the issue queues: an entry for each micro-operation, in the queue of its ports. */
static uint32_t bind_entries(const struct model *model, const struct step *step)
{
    const unsigned sets[] = {step->ports, step->also_ports, step->base_ports};
    const unsigned counts[] = {step->port_uses, step->also_uses, 1};
    uint32_t entries = 0;
    for (unsigned i = 0; i < 3; i++)
        if (sets[i])
            entries += counts[i] * model->entry[__builtin_ctz(sets[i])];
    return entries;
}

static void bind_queues(struct model *model, const uint8_t number[CORE_PORTS])
{
    const struct core *core = &model->core;
    model->empty_room = QUEUE_GUARDS;
    for (unsigned queue = 1; queue < CORE_QUEUES; queue++)
        model->empty_room += (uint32_t)core->queue[queue] << (queue - 1) * QUEUE_BITS;
    for (unsigned port = 0; port < core->port_count; port++) {
        unsigned queue = core->port_queue[port];
        model->entry[number[port]] = queue && core->queue[queue] ? 1u << (queue - 1) * QUEUE_BITS : 0;
    }
}

/* ---- instructions ---- */

static void bind_registers(struct step *step, const struct op *op, const struct core *core)
{
    const bool store = op->memory == OP_MEMORY_STORE, in_order = core->kind == CORE_IN_ORDER;
    const bool late_first = core_first_is_late(core, op), late_address = core_address_is_late(core, op);
    const unsigned kept = core_kept_half(core, op);
    for (unsigned i = 0; i < op->read_count; i++) {
        const bool address = op->address_reads >> i & 1;
        bool late = store          ? !address && i + 1 != op->step
                    : late_address ? address
                                   : i == op->accumulator || (late_first && i == 0) || kept >> i & 1;
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
    const unsigned each = core->halves && op->wide && !op->half ? 2 : 1;
    const bool renames =
        !in_order && core->vector_registers > 0 && core->classes[op->op_class][op->wide].uops > 0;
    for (unsigned i = 0; renames && i < op->write_count; i++)
        step->renames = (uint8_t)(step->renames + (op_is_vector(op->writes[i]) ? each : 0));
    while (step->write_count < 2)
        step->writes[step->write_count++] = REGISTER_SINK;
    if (late_first || kept)
        step->flags |= STEP_LATE_OPERAND;
    if (late_address)
        step->flags |= op_is_by_base(op) ? STEP_ADDRESS | STEP_CHASES : STEP_ADDRESS;
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
    unsigned late = in_order ? class->late : 0;
    bind_registers(step, op, core);
    step->uops = (uint8_t)(core_slots(core, op) + (moves_base ? core->base_uops : 0));
    step->port_uses = (uint8_t)core_port_uses(core, op);
    step->also_uses = (uint8_t)core_also_uses(core, op);
    step->latency = class->latency;
    step->busy = class->busy ? class->busy : 1;
    step->quotient = op->quotient;
    step->digit = class->digit;
    step->more = class->most ? (uint8_t)(class->most - class->latency) : 0;
    step->kind = (uint8_t)core_kind(core, op);
    step->allowance = class->accumulate ? (uint8_t)(class->latency - class->accumulate) : 0;
    if (op->memory == OP_MEMORY_STORE)
        step->allowance = core->store_data;
    else if (step->flags & STEP_LATE_OPERAND)
        step->allowance = (uint8_t)(in_order ? late : class->latency);
    else
        step->late_operands = (uint64_t)late << TIME_SHIFT;
    step->memory = op->memory;
    step->order = op->order;
    step->branch = op->branch;
    step->bytes = op->bytes;
    const bool apart = op->registers > 1 && op->bytes > CORE_ONE_ACCESS;
    step->part = (uint16_t)(apart ? op->bytes / op->registers : op->bytes);
    step->first = class->first && in_order;
    step->serial = class->serial && in_order;
    if (op->order != OP_UNORDERED)
        step->flags |= STEP_ORDER;
    step->ports = renumber(number, step->port_uses ? class->ports : 0);
    step->also_ports = renumber(number, class->also_ports);
    step->base_ports = renumber(number, moves_base ? core->base_ports : 0);
    step->entries = bind_entries(model, step);
    const bool one_port = !(step->also_ports | step->base_ports) && step->port_uses <= 1 &&
                          (!step->ports || step->busy + step->more <= 1);
    unsigned weight = step->latency < WEIGHT_MOST ? step->latency : WEIGHT_MOST;
    step->own = (uint64_t)weight << WEIGHT_SHIFT | MODEL_WAIT_OPERAND << REASON_SHIFT | step->kind;
    if (step->uops != 1 || step->first || step->serial || step->flags & STEP_ORDER || step->write_count > 2 ||
        step->quotient || !one_port)
        step->shape = SHAPE_ANY;
    else
        step->shape = step->memory == OP_NO_MEMORY ? SHAPE_PLAIN : SHAPE_ACCESS;
}

static bool check_op(const struct op *op, size_t i, const struct op *first, struct error *err)
{
    bool good = op->op_class < OP_CLASS_COUNT && op->read_count <= OP_READS && op->write_count <= OP_WRITES &&
                op->memory <= OP_MEMORY_PREFETCH && op->branch <= OP_RETURN && op->order <= OP_ORDER_SERIAL;
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
        unsigned longest = class->busy;
        if (class->most)
            longest += (unsigned)(class->most - class->latency);
        if (class->ports && longest > busy)
            busy = longest;
    }
    uint64_t wanted = (uint64_t)core->window * busy + busy;
    uint64_t size = 1024;
    while (size < wanted && size < 65536)
        size *= 2;
    return size;
}

bool pipeline_bind(struct model *model, const struct op *ops, struct error *err)
{
    const struct core *core = &model->core;
    if (core_refused(core, core_check_pipeline, err))
        return false;
    if (model->count == 0)
        return error_set(err, "no instructions for the core model");
    uint8_t number[CORE_PORTS];
    order_ports(core, number);
    if (core->kind == CORE_OUT_OF_ORDER)
        bind_queues(model, number);
    model->start = ops[0].address;
    model->steps = pool_take(&model->pool, model->count * sizeof *model->steps);
    if (!model->steps)
        return error_set(err, "no memory for a core model of %zu instructions", model->count);
    for (size_t i = 0; i < model->count; i++) {
        if (!check_op(&ops[i], i, ops, err))
            return false;
        bind_step(model, &ops[i], number, &model->steps[i]);
    }
    model->fetch_block = core->fetch_block ? core->fetch_block : UINT64_C(1) << 63;
    model->fetch_lead = core->fetch_queue / core->fetch;
    model->commit_width = core->commit < core->width ? core->commit : core->width;
    model->calendar_mask = calendar_size(core) - 1;
    return true;
}
