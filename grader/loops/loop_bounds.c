#include "grader/loops/loop_bounds.h"

#include <stdlib.h>
#include <string.h>
#include "harness/model/model.h"

bool loop_fits(size_t count, struct error *err)
{
    return count <= LOOP_OPS ||
           error_set(err, "a loop of %zu instructions is longer than the %d that are looked at", count,
                     LOOP_OPS);
}

bool loop_ratio_less(struct loop_ratio a, struct loop_ratio b)
{
    return (unsigned __int128)a.cycles * b.rounds < (unsigned __int128)b.cycles * a.rounds;
}

double loop_ratio_value(struct loop_ratio ratio)
{
    return ratio.rounds ? (double)ratio.cycles / (double)ratio.rounds : 0;
}

static const struct core_class *class_of(const struct core *core, const struct op *op)
{
    return &core->classes[op->op_class][op->wide];
}

/* ---- the graph of dependences ---- */

/* Each op is two nodes: what it computes or loads, and the base register that it moves on. */
enum { RESULT, BASE, NODES_OF_OP, NO_NODE = UINT32_MAX };

struct edge {
    uint32_t from, to;
    uint32_t latency;
    uint32_t rounds; /* 0, or 1 into the next round */
};

struct graph {
    size_t nodes, edges;
    struct edge *edge;
    int64_t *length;   /* of the longest way found to a node */
    uint32_t *through; /* the edge by which it comes */
    bool *gone;        /* nodes left out */
    uint32_t *seen;    /* for walks: the walk that came by */
};

static void graph_free(struct graph *graph)
{
    free(graph->edge);
    free(graph->length);
    free(graph->through);
    free(graph->gone);
    free(graph->seen);
}

static bool graph_make(struct graph *graph, size_t count, size_t carry_count, struct error *err)
{
    *graph = (struct graph){.nodes = count * NODES_OF_OP};
    graph->edge = calloc(count * OP_READS * NODES_OF_OP + carry_count + 1, sizeof *graph->edge);
    graph->length = calloc(graph->nodes + 1, sizeof *graph->length);
    graph->through = calloc(graph->nodes + 1, sizeof *graph->through);
    graph->gone = calloc(graph->nodes + 1, sizeof *graph->gone);
    graph->seen = calloc(graph->nodes + 1, sizeof *graph->seen);
    if (graph->edge && graph->length && graph->through && graph->gone && graph->seen)
        return true;
    graph_free(graph);
    error_set(err, "out of memory");
    return false;
}

static void write_registers(const struct op *op, size_t index, uint32_t *writer)
{
    for (unsigned i = 0; i < op->write_count; i++)
        writer[op->writes[i]] = (uint32_t)(index * NODES_OF_OP) + (i == op->base_write ? BASE : RESULT);
}

/* The access to memory before this instruction, be it in the round before. */
static size_t access_before(const struct op *ops, size_t count, size_t index)
{
    size_t at = index;
    do
        at = (at + count - 1) % count;
    while (ops[at].memory == OP_NO_MEMORY && at != index);
    return at;
}

static uint32_t latency_of(const struct core *core, const struct op *ops, size_t count, uint32_t node,
                           size_t consumer, unsigned read)
{
    const size_t producer = node / NODES_OF_OP;
    if (node % NODES_OF_OP == BASE)
        return core->classes[OP_ALU][0].latency;
    return core_latency(core, &ops[producer], &ops[consumer], read,
                        access_before(ops, count, consumer) == producer);
}

static bool has_base(const struct op *op)
{
    return op->base_write != OP_NONE;
}

/* Does what it reads there go into its result, which is a store's data? */
static bool goes_into_result(const struct op *op, unsigned read)
{
    if (op->memory == OP_MEMORY_STORE && op->write_count == (has_base(op) ? 1 : 0))
        return !(op->address_reads >> read & 1) && op->step != read + 1;
    return op->write_count > (has_base(op) ? 1 : 0);
}

static void add_edges(struct graph *graph, const struct core *core, const struct op *ops, size_t count,
                      size_t index, const uint32_t *writer, const bool *written)
{
    const struct op *op = &ops[index];
    for (unsigned i = 0; i < op->read_count; i++) {
        uint32_t from = writer[op->reads[i]];
        if (from == NO_NODE)
            continue;
        struct edge edge = {.from = from,
                            .latency = latency_of(core, ops, count, from, index, i),
                            .rounds = written[op->reads[i]] ? 0 : 1};
        for (uint32_t kind = RESULT; kind < NODES_OF_OP; kind++) {
            bool there = kind == BASE ? has_base(op) && (op->address_reads >> i & 1 || op->step == i + 1)
                                      : goes_into_result(op, i);
            edge.to = (uint32_t)(index * NODES_OF_OP) + kind;
            if (there)
                graph->edge[graph->edges++] = edge;
        }
    }
}

/* Whoever wrote a register last is who its reader waits for; at the start of a round, the last of the round
 * before. */
static void graph_fill(struct graph *graph, const struct core *core, const struct op *ops, size_t count)
{
    uint32_t writer[OP_REGISTERS];
    bool written[OP_REGISTERS] = {false};
    memset(writer, 0xff, sizeof writer);
    for (size_t i = 0; i < count; i++)
        write_registers(&ops[i], i, writer);
    for (size_t i = 0; i < count; i++) {
        add_edges(graph, core, ops, count, i, writer, written);
        write_registers(&ops[i], i, writer);
        for (unsigned j = 0; j < ops[i].write_count; j++)
            written[ops[i].writes[j]] = true;
    }
}

/* `forward` is from the store's data to the load's, of which the load's own latency is a part. */
static void add_carries(struct graph *graph, const struct core *core, const struct op *ops,
                        const struct loop_carry *carries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t own = class_of(core, &ops[carries[i].load])->latency;
        graph->edge[graph->edges++] = (struct edge){.from = carries[i].store * NODES_OF_OP + RESULT,
                                                    .to = carries[i].load * NODES_OF_OP + RESULT,
                                                    .latency = core->forward > own ? core->forward - own : 0,
                                                    .rounds = carries[i].store < carries[i].load ? 0 : 1};
    }
}

/* ---- its maximum cycle ratio ---- */

/* A node on a cycle of the edges by which nodes were reached last, or NO_NODE. Where there is one, its length
 * is positive. */
static uint32_t node_on_cycle(struct graph *graph)
{
    memset(graph->seen, 0, graph->nodes * sizeof *graph->seen);
    for (uint32_t start = 0; start < graph->nodes; start++) {
        uint32_t node = start;
        while (node != NO_NODE && graph->seen[node] == 0) {
            graph->seen[node] = start + 1;
            node = graph->through[node] == NO_NODE ? NO_NODE : graph->edge[graph->through[node]].from;
        }
        if (node != NO_NODE && graph->seen[node] == start + 1)
            return node;
    }
    return NO_NODE;
}

/* Bellman and Ford for longest ways, an edge being as long as its latency exceeds `ratio`. A node on a
 * cycle that is longer than the ratio, or NO_NODE. */
static uint32_t better_cycle(struct graph *graph, struct loop_ratio ratio)
{
    bool changed = true;
    memset(graph->length, 0, graph->nodes * sizeof *graph->length);
    memset(graph->through, 0xff, graph->nodes * sizeof *graph->through);
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < graph->edges; i++) {
            const struct edge *edge = &graph->edge[i];
            if (graph->gone[edge->from] || graph->gone[edge->to])
                continue;
            int64_t length = graph->length[edge->from] + (int64_t)(edge->latency * ratio.rounds) -
                             (int64_t)(edge->rounds * ratio.cycles);
            if (length > graph->length[edge->to]) {
                graph->length[edge->to] = length;
                graph->through[edge->to] = i;
                changed = true;
            }
        }
        uint32_t node = changed ? node_on_cycle(graph) : NO_NODE;
        if (node != NO_NODE)
            return node;
    }
    return NO_NODE;
}

/* The cycle through `node`, backwards: its ratio, and its nodes in cycle[] (room for all). */
static struct loop_ratio follow(const struct graph *graph, uint32_t node, uint32_t *cycle, size_t *count)
{
    struct loop_ratio ratio = {0, 0};
    uint32_t at = node;
    *count = 0;
    do {
        const struct edge *edge = &graph->edge[graph->through[at]];
        ratio.cycles += edge->latency;
        ratio.rounds += edge->rounds;
        cycle[(*count)++] = graph->through[at];
        at = edge->from;
    } while (at != node);
    return ratio;
}

/* Edges of the critical cycle, backwards, in cycle[]. 0 cycles: there is none. */
static struct loop_ratio critical_cycle(struct graph *graph, uint32_t *cycle, size_t *count)
{
    struct loop_ratio ratio = {0, 1};
    uint32_t node;
    *count = 0;
    while ((node = better_cycle(graph, ratio)) != NO_NODE)
        ratio = follow(graph, node, cycle, count);
    return ratio;
}

/* Forwards, from the first instruction of a round on. */
static void keep_chain(const struct graph *graph, const uint32_t *cycle, size_t count,
                       struct loop_chain *chain)
{
    size_t start = 0;
    uint32_t first = NO_NODE;
    for (size_t i = 0; i < count; i++) {
        const struct edge *edge = &graph->edge[cycle[i]];
        if (edge->rounds > 0 && edge->to < first) {
            first = edge->to;
            start = i;
        }
    }
    chain->count = count;
    for (size_t i = 0; i < count && i < LOOP_LINKS; i++) {
        const struct edge *edge = &graph->edge[cycle[(start + 2 * count - 1 - i) % count]];
        chain->links[i] =
            (struct loop_link){edge->from / NODES_OF_OP, edge->latency, edge->from % NODES_OF_OP == BASE};
    }
}

bool loop_chain(const struct core *core, const struct op *ops, size_t count, const struct loop_carry *carries,
                size_t carry_count, struct loop_chain *chain, struct error *err)
{
    struct graph graph;
    *chain = (struct loop_chain){.ratio = {0, 1}};
    if (!loop_fits(count, err) || !graph_make(&graph, count, carry_count, err))
        return false;
    uint32_t *cycle = calloc(graph.nodes + 1, sizeof *cycle);
    if (!cycle) {
        graph_free(&graph);
        return error_set(err, "out of memory");
    }
    graph_fill(&graph, core, ops, count);
    add_carries(&graph, core, ops, carries, carry_count);
    for (;;) {
        size_t length;
        struct loop_ratio ratio = critical_cycle(&graph, cycle, &length);
        if (length == 0 || loop_ratio_less(ratio, chain->ratio))
            break;
        if (chain->parallel++ == 0) {
            chain->ratio = ratio;
            keep_chain(&graph, cycle, length, chain);
        }
        for (size_t i = 0; i < length; i++)
            graph.gone[graph.edge[cycle[i]].from] = true;
    }
    free(cycle);
    graph_free(&graph);
    return true;
}

/* ---- ports and width ---- */

/* Work by the set of ports that it may go to. */
struct demand {
    size_t kinds;
    struct {
        uint16_t ports;
        uint64_t work;
    } kind[OP_CLASS_COUNT * 4];
};

static void demand_add(struct demand *demand, uint16_t ports, uint64_t work)
{
    size_t k = 0;
    if (ports == 0 || work == 0)
        return;
    while (k < demand->kinds && demand->kind[k].ports != ports)
        k++;
    if (k == demand->kinds) {
        demand->kind[demand->kinds].work = 0;
        demand->kind[demand->kinds++].ports = ports;
    }
    demand->kind[k].work += work;
}

void loop_ports(const struct core *core, const struct op *ops, const uint64_t *executions, size_t count,
                uint64_t rounds, struct loop_ports *ports)
{
    struct demand demand = {0};
    for (size_t i = 0; i < count; i++) {
        const struct core_class *one = class_of(core, &ops[i]);
        demand_add(&demand, one->ports, executions[i] * core_port_uses(core, &ops[i]) * one->busy);
        unsigned also = ops[i].memory == OP_MEMORY_STORE ? 1 : one->busy;
        demand_add(&demand, one->also_ports, executions[i] * core_also_uses(core, &ops[i]) * also);
        if (has_base(&ops[i]))
            demand_add(&demand, core->base_ports, executions[i]);
    }
    *ports = (struct loop_ports){{0, rounds}, 0};
    for (uint32_t set = 1; set < 1U << core->port_count; set++) {
        uint64_t work = 0;
        for (size_t k = 0; k < demand.kinds; k++)
            if ((demand.kind[k].ports & ~set) == 0)
                work += demand.kind[k].work;
        struct loop_ratio ratio = {work, rounds * (unsigned)__builtin_popcount(set)};
        if (loop_ratio_less(ports->ratio, ratio))
            *ports = (struct loop_ports){ratio, (uint16_t)set};
    }
}

struct loop_ratio loop_width(const struct core *core, const struct op *ops, const uint64_t *executions,
                             size_t count, uint64_t rounds)
{
    uint64_t uops = 0, instructions = 0;
    for (size_t i = 0; i < count; i++) {
        uops += executions[i] * (core_slots(core, &ops[i]) + (has_base(&ops[i]) ? core->base_uops : 0U));
        instructions += executions[i];
    }
    struct loop_ratio by_width = {uops, rounds * core->width},
                      by_fetch = {instructions, rounds * core->fetch};
    return core->fetch > 0 && loop_ratio_less(by_width, by_fetch) ? by_fetch : by_width;
}

/* ---- alone ---- */

enum {
    CODE_BASE = 0x10000,
    CODE_LINE = 64, /* the path begins as far into a cache line as in the program */
    DATA_BASE = 0x100000,
    DATA_STEP = 192, /* a line of its own for each access, whatever its size */
    WARM_UP = 1024,  /* rounds: what the first ones brought from memory has come, the predictor knows */
    MEASURED = 256
};

static void run_round(struct model *model, const struct op *ops, size_t count, const uint64_t *addresses,
                      uint32_t *breaks, size_t break_count)
{
    uint32_t from = 0;
    size_t accesses = 0;
    for (size_t i = 0; i < break_count; i++) {
        uint32_t end = breaks[i] + 1, used = 0;
        for (uint32_t j = from; j < end; j++)
            used += ops[j].memory != OP_NO_MEMORY;
        model_run(model, from, end - from, addresses + accesses,
                  end < count ? ops[end].address : ops[0].address);
        accesses += used;
        from = end;
    }
}

static bool can_run_alone(const struct op *ops, size_t count)
{
    if (count == 0 || count > LOOP_OPS)
        return false;
    for (size_t i = 0; i < count; i++) {
        bool plain = ops[i].branch == OP_NO_BRANCH || ops[i].branch == OP_CONDITIONAL ||
                     (ops[i].branch == OP_JUMP && i + 1 == count);
        if (!plain || ops[i].order != OP_UNORDERED)
            return false;
    }
    return true;
}

bool loop_alone(const struct core *core, const struct op *ops, size_t count, struct loop_ratio *ratio,
                struct error *err)
{
    struct model_counts before, after;
    if (!can_run_alone(ops, count))
        return error_set(err, "the loop cannot be run alone");
    struct op *copy = malloc(count * sizeof *copy);
    uint64_t *addresses = calloc(count, sizeof *addresses);
    uint32_t *breaks = calloc(count, sizeof *breaks);
    size_t accesses = 0, break_count = 0;
    struct model *model = NULL;
    if (copy && addresses && breaks) {
        for (size_t i = 0; i < count; i++) {
            copy[i] = ops[i];
            copy[i].address = CODE_BASE + ops[0].address % CODE_LINE + 4 * i;
            copy[i].quotient = 0; /* as if all were short */
            if (copy[i].memory != OP_NO_MEMORY) {
                addresses[accesses] = DATA_BASE + DATA_STEP * accesses;
                accesses++;
            }
            if (copy[i].branch != OP_NO_BRANCH || i + 1 == count)
                breaks[break_count++] = (uint32_t)i;
        }
        model = model_create(core, NULL, copy, count, err);
    } else {
        error_set(err, "out of memory");
    }
    for (int i = 0; model && i < WARM_UP; i++)
        run_round(model, copy, count, addresses, breaks, break_count);
    if (model) {
        model_count(model, &before);
        for (int i = 0; i < MEASURED; i++)
            run_round(model, copy, count, addresses, breaks, break_count);
        model_count(model, &after);
        *ratio = (struct loop_ratio){after.value[MODEL_CYCLES] - before.value[MODEL_CYCLES], MEASURED};
        model_destroy(model);
    }
    free(copy);
    free(addresses);
    free(breaks);
    return model != NULL;
}
