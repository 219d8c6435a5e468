#include "grader/loops/flow.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

void flow_close(struct flow *flow)
{
    free(flow->next);
    free(flow->entered);
    free(flow->first);
    free(flow->before);
    free(flow->order);
    free(flow->place);
    free(flow->dominator);
    free(flow->heads);
    free(flow->loop);
    free(flow->begin);
    free(flow->size);
    free(flow->stack);
    *flow = (struct flow){0};
}

bool flow_open(struct flow *flow, uint32_t count)
{
    const size_t n = count + (size_t)1;
    *flow = (struct flow){.count = count,
                          .next = malloc(n * sizeof *flow->next),
                          .entered = calloc(n, sizeof *flow->entered),
                          .first = calloc(n + 1, sizeof *flow->first),
                          .before = calloc(2 * n, sizeof *flow->before),
                          .order = calloc(n, sizeof *flow->order),
                          .place = calloc(n, sizeof *flow->place),
                          .dominator = calloc(n, sizeof *flow->dominator),
                          .heads = calloc(n, sizeof *flow->heads),
                          .loop = malloc(n * sizeof *flow->loop),
                          .begin = calloc(n, sizeof *flow->begin),
                          .size = calloc(n, sizeof *flow->size),
                          .stack = calloc(n, sizeof *flow->stack)};
    if (!flow->next || !flow->entered || !flow->first || !flow->before || !flow->order || !flow->place ||
        !flow->dominator || !flow->heads || !flow->loop || !flow->begin || !flow->size || !flow->stack)
        return false;
    memset(flow->next, 0xff, n * sizeof *flow->next);
    memset(flow->loop, 0xff, n * sizeof *flow->loop);
    return true;
}

/* ---- edges back ---- */

static void find_predecessors(struct flow *flow)
{
    for (uint32_t n = 0; n < flow->count; n++)
        for (unsigned i = 0; i < 2; i++)
            if (flow->next[n][i] != FLOW_NONE)
                flow->first[flow->next[n][i] + 1]++;
    for (uint32_t n = 0; n < flow->count; n++)
        flow->first[n + 1] += flow->first[n];
    memcpy(flow->stack, flow->first, flow->count * sizeof *flow->stack); /* where the next one goes */
    for (uint32_t n = 0; n < flow->count; n++)
        for (unsigned i = 0; i < 2; i++)
            if (flow->next[n][i] != FLOW_NONE)
                flow->before[flow->stack[flow->next[n][i]]++] = n;
}

static bool is_root(const struct flow *flow, uint32_t n)
{
    return flow->entered[n] || flow->first[n] == flow->first[n + 1];
}

/* ---- dominators: Lengauer and Tarjan, A Fast Algorithm for Finding Dominators in a Flowgraph (TOPLAS 1,
 * 1979), with simple path compression. Nodes are known by their numbers in a depth-first search from node
 * `count`. ---- */

struct search {
    uint32_t found;     /* nodes so far; the first one is node `count` */
    uint32_t *number;   /* of a node; FLOW_NONE: not seen */
    uint32_t *vertex;   /* and back */
    uint32_t *parent;   /* in the search; from here on everything is numbers */
    uint32_t *semi;     /* the semidominator */
    uint32_t *ancestor; /* in the forest of what is linked; FLOW_NONE: a root of it */
    uint32_t *label;    /* of least semidominator on the way to that root */
    uint32_t *bucket;   /* the first one with this semidominator, */
    uint32_t *others;   /* and those behind it */
    uint32_t *dominator;
    uint32_t *path;
};
enum { ARRAYS = 10 };

static uint32_t *search_open(struct search *search, uint32_t count)
{
    const size_t n = count + (size_t)1;
    uint32_t *all = malloc(ARRAYS * n * sizeof *all);
    if (!all)
        return NULL;
    memset(all, 0xff, ARRAYS * n * sizeof *all);
    *search = (struct search){.number = all,
                              .vertex = all + n,
                              .parent = all + 2 * n,
                              .semi = all + 3 * n,
                              .ancestor = all + 4 * n,
                              .label = all + 5 * n,
                              .bucket = all + 6 * n,
                              .others = all + 7 * n,
                              .dominator = all + 8 * n,
                              .path = all + 9 * n};
    return all;
}

static void number_node(struct search *search, uint32_t n, uint32_t parent)
{
    const uint32_t number = search->found++;
    search->number[n] = number;
    search->vertex[number] = n;
    search->parent[number] = parent;
    search->semi[number] = search->label[number] = number;
}

/* All that can be reached from `root`, and is new: numbered, and into order[] from *free_place down. */
static void visit(struct flow *flow, struct search *search, uint32_t root, uint32_t *free_place)
{
    uint32_t depth = 0;
    if (search->number[root] != FLOW_NONE)
        return;
    number_node(search, root, 0);
    flow->stack[depth++] = root;
    while (depth > 0) {
        const uint32_t n = flow->stack[depth - 1];
        uint32_t deeper = FLOW_NONE;
        for (unsigned i = 0; i < 2 && deeper == FLOW_NONE; i++)
            if (flow->next[n][i] != FLOW_NONE && search->number[flow->next[n][i]] == FLOW_NONE)
                deeper = flow->next[n][i];
        if (deeper == FLOW_NONE) {
            depth--;
            flow->order[--*free_place] = n;
        } else {
            number_node(search, deeper, search->number[n]);
            flow->stack[depth++] = deeper;
        }
    }
}

static void find_order(struct flow *flow, struct search *search)
{
    uint32_t free_place = flow->count;
    number_node(search, flow->count, FLOW_NONE);
    for (uint32_t n = 0; n < flow->count; n++)
        if (is_root(flow, n))
            visit(flow, search, n, &free_place);
    for (uint32_t n = 0; n < flow->count; n++) /* a ring that nothing leads into */
        if (search->number[n] == FLOW_NONE) {
            flow->entered[n] = true;
            visit(flow, search, n, &free_place);
        }
    for (uint32_t i = 0; i < flow->count; i++)
        flow->place[flow->order[i]] = i;
}

/* Of the nodes from v up to the root of what is linked, the root apart, the one of least semidominator. */
static uint32_t evaluate(struct search *search, uint32_t v)
{
    uint32_t depth = 0;
    if (search->ancestor[v] == FLOW_NONE)
        return v;
    for (uint32_t u = v; search->ancestor[search->ancestor[u]] != FLOW_NONE; u = search->ancestor[u])
        search->path[depth++] = u;
    while (depth > 0) {
        const uint32_t u = search->path[--depth], above = search->ancestor[u];
        if (search->semi[search->label[above]] < search->semi[search->label[u]])
            search->label[u] = search->label[above];
        search->ancestor[u] = search->ancestor[above];
    }
    return search->label[v];
}

static void find_semidominator(const struct flow *flow, struct search *search, uint32_t w)
{
    const uint32_t n = search->vertex[w];
    if (is_root(flow, n))
        search->semi[w] = 0;
    for (uint32_t p = flow->first[n]; p < flow->first[n + 1]; p++) {
        const uint32_t u = evaluate(search, search->number[flow->before[p]]);
        if (search->semi[u] < search->semi[w])
            search->semi[w] = search->semi[u];
    }
}

static void find_dominators(struct flow *flow, struct search *search)
{
    for (uint32_t w = search->found - 1; w > 0; w--) {
        const uint32_t parent = search->parent[w];
        find_semidominator(flow, search, w);
        search->others[w] = search->bucket[search->semi[w]];
        search->bucket[search->semi[w]] = w;
        search->ancestor[w] = parent;
        for (uint32_t v = search->bucket[parent]; v != FLOW_NONE; v = search->others[v]) {
            const uint32_t u = evaluate(search, v);
            search->dominator[v] = search->semi[u] < search->semi[v] ? u : parent;
        }
        search->bucket[parent] = FLOW_NONE;
    }
    flow->dominator[flow->count] = flow->count;
    for (uint32_t w = 1; w < search->found; w++) {
        if (search->dominator[w] != search->semi[w])
            search->dominator[w] = search->dominator[search->dominator[w]];
        flow->dominator[search->vertex[w]] = search->vertex[search->dominator[w]];
    }
}

/* Each node's part of the tree of dominators; in order[] a node stands behind those that dominate it. */
static void find_parts(struct flow *flow)
{
    uint32_t *free_place = flow->stack;
    for (uint32_t n = 0; n <= flow->count; n++)
        flow->size[n] = 1;
    for (uint32_t i = flow->count; i-- > 0;)
        flow->size[flow->dominator[flow->order[i]]] += flow->size[flow->order[i]];
    flow->begin[flow->count] = 0;
    free_place[flow->count] = 1;
    for (uint32_t i = 0; i < flow->count; i++) {
        const uint32_t n = flow->order[i], above = flow->dominator[n];
        flow->begin[n] = free_place[above];
        free_place[above] += flow->size[n];
        free_place[n] = flow->begin[n] + 1;
    }
}

/* ---- loops: inner ones first, each made one node when it is known, as in Tarjan, Testing Flow Graph
 * Reducibility (JCSS 9, 1974). Two loops with different heads have nothing in common or lie one in the other.
 * ---- */

/* The node that n is part of by now. */
static uint32_t whole(uint32_t *part_of, uint32_t n)
{
    while (part_of[n] != n) {
        part_of[n] = part_of[part_of[n]];
        n = part_of[n];
    }
    return n;
}

/* n becomes part of the loop of `head`, and what leads to it is to be looked at. */
static uint32_t take(struct flow *flow, uint32_t *part_of, uint32_t head, uint32_t n, uint32_t depth)
{
    n = whole(part_of, n);
    if (n == head)
        return depth;
    flow->loop[n] = head;
    part_of[n] = head;
    flow->stack[depth++] = n;
    return depth;
}

static void find_loop(struct flow *flow, uint32_t *part_of, uint32_t head)
{
    uint32_t depth = 0;
    for (uint32_t p = flow->first[head]; p < flow->first[head + 1]; p++) {
        if (!flow_dominates(flow, head, flow->before[p]))
            continue;
        flow->heads[head] = true;
        depth = take(flow, part_of, head, flow->before[p], depth);
    }
    while (depth > 0) {
        const uint32_t n = flow->stack[--depth];
        for (uint32_t p = flow->first[n]; p < flow->first[n + 1]; p++)
            depth = take(flow, part_of, head, flow->before[p], depth);
    }
}

static void find_loops(struct flow *flow, uint32_t *part_of)
{
    for (uint32_t n = 0; n < flow->count; n++)
        part_of[n] = n;
    for (uint32_t i = flow->count; i-- > 0;)
        find_loop(flow, part_of, flow->order[i]);
}

void flow_mark_loop(const struct flow *flow, uint32_t head, bool *in)
{
    for (uint32_t i = 0; i < flow->count; i++) {
        const uint32_t n = flow->order[i], around = flow->loop[n];
        in[n] = n == head || (around != FLOW_NONE && in[around]);
    }
}

bool flow_find(struct flow *flow)
{
    struct search search;
    uint32_t *memory = search_open(&search, flow->count);
    if (!memory)
        return false;
    find_predecessors(flow);
    find_order(flow, &search);
    find_dominators(flow, &search);
    find_parts(flow);
    find_loops(flow, search.path);
    free(memory);
    return true;
}
