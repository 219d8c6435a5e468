/* The hot loop's bounds beside its measured cycles: which of them binds. */
#include "grader/loops/loop_view.h"

#include <stdlib.h>
#include "harness/emu/decode.h"

const char *binding_name(enum binding binding)
{
    static const char *const names[] = {"dependency chain",      "busiest ports", "width",
                                        "waiting for operands",  "memory",        "stores",
                                        "mispredicted branches", "fetching",      "barriers"};
    return names[binding];
}

static enum binding group_of(unsigned wait)
{
    switch (wait) {
    case MODEL_WAIT_L2:
    case MODEL_WAIT_LLC:
    case MODEL_WAIT_MEMORY:
    case MODEL_WAIT_OTHER:
    case MODEL_WAIT_TLB:
        return BIND_MEMORY;
    case MODEL_WAIT_STORE:
        return BIND_STORE;
    case MODEL_WAIT_MISPREDICT:
        return BIND_MISPREDICT;
    case MODEL_WAIT_FETCH:
        return BIND_FETCH;
    case MODEL_WAIT_ORDER:
        return BIND_ORDER;
    default:
        return BIND_STALLS;
    }
}

/* The highest of the core's own bounds, and whose it is. */
static struct loop_ratio highest_bound(const struct loop_view *view, enum binding *binding)
{
    struct loop_ratio bound = view->chain.ratio;
    *binding = BIND_CHAIN;
    if (loop_ratio_less(bound, view->ports.ratio)) {
        bound = view->ports.ratio;
        *binding = BIND_PORTS;
    }
    if (loop_ratio_less(bound, view->width)) {
        bound = view->width;
        *binding = BIND_WIDTH;
    }
    return bound;
}

/* Of the core's bounds the highest one binds, if it explains what the core took; else its stalls. Something
 * else than the core binds when it took more than that, or than the stalls above the bound. */
static void find_binding(struct loop_view *view)
{
    for (unsigned wait = 0; wait < MODEL_WAIT_COUNT; wait++)
        view->part[group_of(wait)] += view->loop.waits[wait];
    struct loop_ratio took = {view->part[BIND_STALLS], view->loop.rounds};
    struct loop_ratio bound = highest_bound(view, &view->binding);
    struct loop_ratio explained = {bound.cycles * 8, bound.rounds * 7};
    if (loop_ratio_less(explained, took)) {
        const struct loop_ratio twice = {bound.cycles * 2, bound.rounds};
        view->binding = BIND_STALLS;
        if (loop_ratio_less(twice, took)) { /* what is above the bound is more than it */
            bound.cycles = took.cycles * bound.rounds - bound.cycles * took.rounds;
            bound.rounds *= took.rounds;
        }
    }
    for (enum binding group = BIND_MEMORY; group <= BIND_ORDER; group++) {
        struct loop_ratio part = {view->part[group], view->loop.rounds};
        if (loop_ratio_less(bound, part)) {
            view->binding = group;
            bound = part;
        }
    }
}

/* ---- what a round loads of what it, or the round before, has stored ---- */

/* An access whose place is the same in every round: a base that the path does not write, and a constant. */
struct place {
    bool fixed;
    uint8_t base;
    int64_t offset;
    uint16_t bytes;
};

static struct place place_of(const struct profile *run, const struct image *image,
                             const struct hot_loop *loop, size_t at)
{
    const struct op *op = &run->ops[loop->path[at]];
    struct decoded decoded;
    decode(image->words[loop->path[at]], op->address, &decoded);
    struct place place = {.fixed = decoded.base != OP_NONE && decoded.index == OP_NONE,
                          .base = decoded.base,
                          .offset = decoded.offset,
                          .bytes = op->bytes};
    for (size_t i = 0; i < loop->count; i++) {
        const struct op *other = &run->ops[loop->path[i]];
        for (unsigned j = 0; j < other->write_count; j++)
            if (other->writes[j] == place.base)
                place.fixed = false;
    }
    return place;
}

static bool same_place(struct place a, struct place b)
{
    return a.fixed && b.fixed && a.base == b.base && a.offset < b.offset + b.bytes &&
           b.offset < a.offset + a.bytes;
}

/* For each load the last store to its place. Room for one carry an instruction. */
static size_t find_carries(const struct profile *run, const struct image *image, const struct hot_loop *loop,
                           struct loop_carry *carries)
{
    size_t count = 0;
    for (size_t load = 0; load < loop->count; load++) {
        if (run->ops[loop->path[load]].memory != OP_MEMORY_LOAD)
            continue;
        struct place place = place_of(run, image, loop, load);
        for (size_t back = 1; place.fixed && back < loop->count; back++) {
            size_t store = (load + loop->count - back) % loop->count;
            if (run->ops[loop->path[store]].memory != OP_MEMORY_STORE ||
                !same_place(place, place_of(run, image, loop, store)))
                continue;
            carries[count++] = (struct loop_carry){(uint32_t)store, (uint32_t)load};
            break;
        }
    }
    return count;
}

static bool fill_bounds(const struct profile *run, const struct image *image, struct loop_view *view,
                        struct op *ops, struct loop_carry *carries, uint64_t *executions, struct error *err)
{
    const struct hot_loop *loop = &view->loop;
    struct error ignored;

    for (size_t i = 0; i < loop->size; i++) {
        ops[i] = run->ops[loop->body[i]];
        executions[i] = run->sites[loop->body[i]].executions;
    }
    loop_ports(run->core, ops, executions, loop->size, loop->rounds, &view->ports);
    view->width = loop_width(run->core, ops, executions, loop->size, loop->rounds);
    for (size_t i = 0; i < loop->count; i++)
        ops[i] = run->ops[loop->path[i]];
    size_t carry_count = find_carries(run, image, loop, carries);
    view->chain.ratio.rounds = 1;
    if (!loop->holds_loops) { /* else there is no one path of which each round is one turn */
        if (!loop_chain(run->core, ops, loop->count, carries, carry_count, &view->chain, err))
            return false;
        view->has_alone = loop_alone(run->core, ops, loop->count, &view->alone, &ignored);
    }
    find_binding(view);
    return true;
}

struct loop_view *loop_view(const struct profile *run, const struct image *image, struct error *err)
{
    struct loop_view *view = calloc(1, sizeof *view);
    bool good = false;
    error_set(err, "out of memory");
    if (view && hot_loop_find(run, image, &view->loop, err)) {
        struct op *ops = calloc(view->loop.size + 1, sizeof *ops);
        struct loop_carry *carries = calloc(view->loop.count + 1, sizeof *carries);
        uint64_t *executions = calloc(view->loop.size + 1, sizeof *executions);
        good = ops && carries && executions && fill_bounds(run, image, view, ops, carries, executions, err);
        free(ops);
        free(carries);
        free(executions);
    }
    if (good)
        return view;
    free(view);
    return NULL;
}
