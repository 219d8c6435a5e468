/* Finding the loop in which a program spends its time: natural loops of what was executed. */
#include "grader/loops/loop_view.h"

#include <stdlib.h>
#include <string.h>
#include "harness/emu/decode.h"

enum {
    LEAST_ROUNDS = 3,   /* of a loop inside another one, for each of the other's */
    LEAST_PERCENT = 35, /* of the other's cycles */
    NONE = UINT32_MAX,
};

/* The executed instructions and where each goes next. Nodes are numbered by address; node `count` is where
 * all that nothing leads to is entered from. A call goes to the next instruction. */
struct flow {
    uint32_t count;
    uint32_t *op;             /* node to index into run->ops, */
    uint32_t *node;           /* and back: NONE where not executed */
    uint32_t (*next)[2];      /* NONE: nowhere */
    uint32_t *first, *before; /* predecessors of node n: before[first[n]] ... before[first[n + 1] - 1] */
    bool *entered;            /* by a call */
    uint32_t *order;          /* nodes, each before those behind it but for branches back */
    uint32_t *place;          /* in order */
    uint32_t *dominator;      /* immediate */
    uint32_t *stack;
    bool *in; /* the loop that is looked at */
};

static void flow_free(struct flow *flow)
{
    free(flow->op);
    free(flow->node);
    free(flow->next);
    free(flow->first);
    free(flow->before);
    free(flow->entered);
    free(flow->order);
    free(flow->place);
    free(flow->dominator);
    free(flow->stack);
    free(flow->in);
}

static bool flow_allocate(struct flow *flow, size_t ops)
{
    size_t n = flow->count + 1U;
    flow->op = calloc(n, sizeof *flow->op);
    flow->node = malloc((ops + 1) * sizeof *flow->node);
    flow->next = malloc(n * sizeof *flow->next);
    flow->first = calloc(n + 1, sizeof *flow->first);
    flow->before = calloc(2 * n, sizeof *flow->before);
    flow->entered = calloc(n, sizeof *flow->entered);
    flow->order = calloc(n, sizeof *flow->order);
    flow->place = malloc(n * sizeof *flow->place);
    flow->dominator = malloc(n * sizeof *flow->dominator);
    flow->stack = calloc(2 * n, sizeof *flow->stack);
    flow->in = calloc(n, sizeof *flow->in);
    if (!flow->op || !flow->node || !flow->next || !flow->first || !flow->before || !flow->entered ||
        !flow->order || !flow->place || !flow->dominator || !flow->stack || !flow->in)
        return false;
    memset(flow->node, 0xff, (ops + 1) * sizeof *flow->node);
    memset(flow->next, 0xff, n * sizeof *flow->next);
    memset(flow->place, 0xff, n * sizeof *flow->place);
    memset(flow->dominator, 0xff, n * sizeof *flow->dominator);
    return true;
}

/* The node of a branch's target; NONE where it is not among what was executed. */
static uint32_t target_node(const struct profile *run, const struct image *image, const struct flow *flow,
                            uint32_t index)
{
    struct decoded decoded;
    decode(image->words[index], run->ops[index].address, &decoded);
    uint64_t target = (decoded.target - run->ops[0].address) / 4;
    return target < run->count ? flow->node[target] : NONE;
}

static void connect(const struct profile *run, const struct image *image, struct flow *flow)
{
    for (uint32_t n = 0; n < flow->count; n++) {
        uint32_t index = flow->op[n], behind = index + 1 < run->count ? flow->node[index + 1] : NONE, target;
        switch (run->ops[index].branch) {
        case OP_JUMP:
            flow->next[n][0] = target_node(run, image, flow, index);
            break;
        case OP_CONDITIONAL:
            flow->next[n][0] = target_node(run, image, flow, index);
            flow->next[n][1] = behind;
            break;
        case OP_CALL:
            target = target_node(run, image, flow, index);
            if (target != NONE)
                flow->entered[target] = true;
            flow->next[n][1] = behind;
            break;
        case OP_JUMP_INDIRECT:
        case OP_RETURN:
            break;
        default:
            flow->next[n][1] = behind;
        }
    }
}

static void find_predecessors(struct flow *flow)
{
    for (uint32_t n = 0; n < flow->count; n++)
        for (unsigned i = 0; i < 2; i++)
            if (flow->next[n][i] != NONE)
                flow->first[flow->next[n][i] + 1]++;
    for (uint32_t n = 0; n < flow->count; n++)
        flow->first[n + 1] += flow->first[n];
    memcpy(flow->stack, flow->first, flow->count * sizeof *flow->stack); /* where the next one goes */
    for (uint32_t n = 0; n < flow->count; n++)
        for (unsigned i = 0; i < 2; i++)
            if (flow->next[n][i] != NONE)
                flow->before[flow->stack[flow->next[n][i]]++] = n;
}

/* Depth first from `root`, nodes into order[] from its end on. `in` tells who was seen. */
static uint32_t visit(struct flow *flow, uint32_t root, uint32_t free_place)
{
    size_t depth = 0;
    if (flow->in[root])
        return free_place;
    flow->in[root] = true;
    flow->stack[depth++] = root;
    while (depth > 0) {
        uint32_t n = flow->stack[depth - 1], deeper = NONE;
        for (unsigned i = 0; i < 2 && deeper == NONE; i++)
            if (flow->next[n][i] != NONE && !flow->in[flow->next[n][i]])
                deeper = flow->next[n][i];
        if (deeper == NONE) {
            depth--;
            flow->order[--free_place] = n;
        } else {
            flow->in[deeper] = true;
            flow->stack[depth++] = deeper;
        }
    }
    return free_place;
}

static bool is_root(const struct flow *flow, uint32_t n)
{
    return flow->entered[n] || flow->first[n] == flow->first[n + 1];
}

static void find_order(struct flow *flow)
{
    uint32_t free_place = flow->count;
    for (uint32_t n = 0; n < flow->count; n++)
        if (is_root(flow, n))
            free_place = visit(flow, n, free_place);
    for (uint32_t n = 0; n < flow->count; n++) { /* a ring that a function begins with */
        if (!flow->in[n])
            flow->entered[n] = true;
        free_place = visit(flow, n, free_place);
    }
    for (uint32_t i = 0; i < flow->count; i++)
        flow->place[flow->order[i]] = i;
    memset(flow->in, 0, flow->count * sizeof *flow->in);
}

/* Cooper, Harvey and Kennedy: A Simple, Fast Dominance Algorithm. */
static uint32_t common_dominator(const struct flow *flow, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a == flow->count || b == flow->count)
            return flow->count;
        if (flow->place[a] > flow->place[b])
            a = flow->dominator[a];
        else
            b = flow->dominator[b];
    }
    return a;
}

static void find_dominators(struct flow *flow)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < flow->count; i++) {
            uint32_t n = flow->order[i], found = is_root(flow, n) ? flow->count : NONE;
            for (uint32_t p = flow->first[n]; p < flow->first[n + 1]; p++) {
                uint32_t from = flow->before[p];
                if (flow->dominator[from] != NONE)
                    found = found == NONE ? from : common_dominator(flow, found, from);
            }
            if (found != flow->dominator[n]) {
                flow->dominator[n] = found;
                changed = true;
            }
        }
    }
}

static bool dominates(const struct flow *flow, uint32_t head, uint32_t n)
{
    while (n != head && n < flow->count && flow->place[n] > flow->place[head])
        n = flow->dominator[n];
    return n == head;
}

static bool flow_make(const struct profile *run, const struct image *image, struct flow *flow)
{
    *flow = (struct flow){0};
    for (size_t i = 0; i < run->count && i < image->count; i++)
        flow->count += run->sites[i].executions > 0;
    if (!flow_allocate(flow, run->count)) {
        flow_free(flow);
        return false;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; n < flow->count; i++) {
        if (run->sites[i].executions == 0)
            continue;
        flow->node[i] = n;
        flow->op[n++] = i;
    }
    connect(run, image, flow);
    find_predecessors(flow);
    find_order(flow);
    find_dominators(flow);
    return true;
}

/* ---- loops ---- */

uint64_t site_cycles(const struct model_site *site)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < MODEL_WAIT_COUNT; i++)
        sum += site->cycles[i];
    return sum;
}

/* Marks in flow->in all that leads back to `head` without passing it. False: nothing leads back. */
static bool mark_loop(struct flow *flow, uint32_t head)
{
    size_t depth = 0;
    bool loop = false;
    memset(flow->in, 0, flow->count * sizeof *flow->in);
    flow->in[head] = true;
    for (uint32_t p = flow->first[head]; p < flow->first[head + 1]; p++) {
        uint32_t from = flow->before[p];
        if (!dominates(flow, head, from))
            continue;
        loop = true;
        if (!flow->in[from]) {
            flow->in[from] = true;
            flow->stack[depth++] = from;
        }
        while (depth > 0) {
            uint32_t n = flow->stack[--depth];
            for (uint32_t q = flow->first[n]; q < flow->first[n + 1]; q++) {
                if (flow->in[flow->before[q]])
                    continue;
                flow->in[flow->before[q]] = true;
                flow->stack[depth++] = flow->before[q];
            }
        }
    }
    return loop;
}

static uint64_t marked_cycles(const struct profile *run, const struct flow *flow)
{
    uint64_t sum = 0;
    for (uint32_t n = 0; n < flow->count; n++)
        if (flow->in[n])
            sum += site_cycles(&run->sites[flow->op[n]]);
    return sum;
}

/* The loop of most cycles whose head is allowed by `within` (NULL: all) and that makes `rounds` at least. */
static uint32_t hottest_loop(const struct profile *run, struct flow *flow, const bool *within,
                             uint64_t rounds, uint64_t *cycles)
{
    uint32_t hottest = NONE;
    *cycles = 0;
    for (uint32_t head = 0; head < flow->count; head++) {
        if ((within && !within[head]) || run->sites[flow->op[head]].executions < rounds ||
            !mark_loop(flow, head))
            continue;
        uint64_t of_this = marked_cycles(run, flow);
        if (hottest == NONE || of_this > *cycles) {
            hottest = head;
            *cycles = of_this;
        }
    }
    return hottest;
}

/* From the hottest loop of all inwards. */
static uint32_t choose_loop(const struct profile *run, struct flow *flow)
{
    uint64_t cycles, inner_cycles;
    bool *within = calloc(flow->count + 1U, sizeof *within);
    uint32_t head = within ? hottest_loop(run, flow, NULL, 2, &cycles) : NONE, inner = head;
    while (inner != NONE) {
        mark_loop(flow, head);
        memcpy(within, flow->in, flow->count * sizeof *within);
        within[head] = false;
        inner = hottest_loop(run, flow, within, LEAST_ROUNDS * run->sites[flow->op[head]].executions,
                             &inner_cycles);
        if (inner != NONE && inner_cycles * 100 < cycles * LEAST_PERCENT)
            inner = NONE;
        if (inner != NONE) {
            head = inner;
            cycles = inner_cycles;
        }
    }
    free(within);
    return head;
}

static void fill_loop(const struct profile *run, struct flow *flow, uint32_t head, struct hot_loop *loop)
{
    mark_loop(flow, head);
    *loop = (struct hot_loop){.rounds = run->sites[flow->op[head]].executions};
    for (size_t i = 0; i < run->count; i++)
        loop->all_cycles += site_cycles(&run->sites[i]);
    for (uint32_t i = 0; i < flow->count; i++) {
        uint32_t n = flow->order[i], index = flow->op[n];
        const struct model_site *site = &run->sites[index];
        if (!flow->in[n])
            continue;
        if (loop->size < LOOP_OPS)
            loop->body[loop->size++] = index;
        if (site->executions * 2 >= loop->rounds && loop->count < LOOP_OPS)
            loop->path[loop->count++] = index;
        if (site->executions >= 2 * loop->rounds)
            loop->holds_loops = true;
        loop->cycles += site_cycles(site);
        for (unsigned wait = 0; wait < MODEL_WAIT_COUNT; wait++)
            loop->waits[wait] += site->cycles[wait];
    }
}

bool hot_loop_find(const struct profile *run, const struct image *image, struct hot_loop *loop)
{
    struct flow flow;
    if (!flow_make(run, image, &flow))
        return false;
    uint32_t head = choose_loop(run, &flow);
    if (head != NONE)
        fill_loop(run, &flow, head, loop);
    flow_free(&flow);
    return head != NONE;
}

uint32_t loop_slowest(const struct profile *run, const struct hot_loop *loop, unsigned waits)
{
    uint32_t slowest = loop->body[0];
    uint64_t most = 0;
    for (size_t i = 0; i < loop->size; i++) {
        uint64_t cycles = 0;
        for (unsigned wait = 0; wait < MODEL_WAIT_COUNT; wait++)
            if (waits >> wait & 1)
                cycles += run->sites[loop->body[i]].cycles[wait];
        if (cycles > most) {
            most = cycles;
            slowest = loop->body[i];
        }
    }
    return slowest;
}
