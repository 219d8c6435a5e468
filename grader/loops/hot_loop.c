/* Finding the loop in which a program spends its time: natural loops of what was executed. */
#include "grader/loops/loop_view.h"

#include <stdlib.h>
#include <string.h>
#include "grader/loops/flow.h"
#include "harness/emu/decode.h"

enum {
    LEAST_ROUNDS = 3,   /* of a loop inside another one, for each of the other's */
    LEAST_PERCENT = 35, /* of the other's cycles */
    NONE = FLOW_NONE,
};

/* The executed instructions, which are the nodes, by address. */
struct executed {
    struct flow flow;
    uint32_t *op;     /* node to index into run->ops, */
    uint32_t *node;   /* and back: NONE where not executed */
    uint64_t *cycles; /* of each loop, by its head */
    bool *in;         /* the loop that is looked at */
};

static void executed_free(struct executed *executed)
{
    flow_close(&executed->flow);
    free(executed->op);
    free(executed->node);
    free(executed->cycles);
    free(executed->in);
}

/* ---- where each instruction goes next: a call to the one behind it ---- */

/* The node of a branch's target; NONE where it is not among what was executed. */
static uint32_t target_node(const struct profile *run, const struct image *image,
                            const struct executed *executed, uint32_t index)
{
    struct decoded decoded;
    decode(image->words[index], run->ops[index].address, &decoded);
    uint64_t target = (decoded.target - run->ops[0].address) / 4;
    return target < run->count ? executed->node[target] : NONE;
}

static void connect(const struct profile *run, const struct image *image, struct executed *executed)
{
    struct flow *flow = &executed->flow;
    for (uint32_t n = 0; n < flow->count; n++) {
        uint32_t index = executed->op[n], behind = index + 1 < run->count ? executed->node[index + 1] : NONE,
                 target;
        switch (run->ops[index].branch) {
        case OP_JUMP:
            flow->next[n][0] = target_node(run, image, executed, index);
            break;
        case OP_CONDITIONAL:
            flow->next[n][0] = target_node(run, image, executed, index);
            flow->next[n][1] = behind;
            break;
        case OP_CALL:
            target = target_node(run, image, executed, index);
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

/* ---- loops ---- */

uint64_t site_cycles(const struct model_site *site)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < MODEL_WAIT_COUNT; i++)
        sum += site->cycles[i];
    return sum;
}

/* A loop has the cycles of all that is in it. In order[] a head stands before what is in its loop. */
static void add_cycles(const struct profile *run, struct executed *executed)
{
    const struct flow *flow = &executed->flow;
    for (uint32_t i = flow->count; i-- > 0;) {
        const uint32_t n = flow->order[i];
        executed->cycles[n] += site_cycles(&run->sites[executed->op[n]]);
        if (flow->loop[n] != NONE)
            executed->cycles[flow->loop[n]] += executed->cycles[n];
    }
}

static bool executed_make(const struct profile *run, const struct image *image, struct executed *executed)
{
    uint32_t count = 0, n = 0;
    *executed = (struct executed){0};
    for (size_t i = 0; i < run->count && i < image->count; i++)
        count += run->sites[i].executions > 0;
    executed->op = calloc(count + (size_t)1, sizeof *executed->op);
    executed->node = malloc((run->count + 1) * sizeof *executed->node);
    executed->cycles = calloc(count + (size_t)1, sizeof *executed->cycles);
    executed->in = calloc(count + (size_t)1, sizeof *executed->in);
    if (!flow_open(&executed->flow, count) || !executed->op || !executed->node || !executed->cycles ||
        !executed->in)
        return false;
    memset(executed->node, 0xff, (run->count + 1) * sizeof *executed->node);
    for (uint32_t i = 0; n < count; i++) {
        if (run->sites[i].executions == 0)
            continue;
        executed->node[i] = n;
        executed->op[n++] = i;
    }
    connect(run, image, executed);
    if (!flow_find(&executed->flow))
        return false;
    add_cycles(run, executed);
    return true;
}

/* The loop of most cycles whose head is in `in` (NULL: all), but is not `outer`, and that makes `rounds` at
 * least. */
static uint32_t hottest_loop(const struct profile *run, const struct executed *executed, const bool *in,
                             uint32_t outer, uint64_t rounds)
{
    uint32_t hottest = NONE;
    for (uint32_t head = 0; head < executed->flow.count; head++) {
        if (!executed->flow.heads[head] || head == outer || (in && !in[head]) ||
            run->sites[executed->op[head]].executions < rounds)
            continue;
        if (hottest == NONE || executed->cycles[head] > executed->cycles[hottest])
            hottest = head;
    }
    return hottest;
}

/* From the hottest loop of all inwards, until what is inside is not hot, or makes no rounds of its own. */
static uint32_t choose_loop(const struct profile *run, struct executed *executed)
{
    uint32_t head = hottest_loop(run, executed, NULL, NONE, 2), inner = head;
    while (inner != NONE) {
        head = inner;
        flow_mark_loop(&executed->flow, head, executed->in);
        inner = hottest_loop(run, executed, executed->in, head,
                             LEAST_ROUNDS * run->sites[executed->op[head]].executions);
        if (inner != NONE && executed->cycles[inner] * 100 < executed->cycles[head] * LEAST_PERCENT)
            inner = NONE;
    }
    return head;
}

static bool fill_loop(const struct profile *run, struct executed *executed, uint32_t head,
                      struct hot_loop *loop, struct error *err)
{
    const struct flow *flow = &executed->flow;
    size_t size = 0;
    flow_mark_loop(flow, head, executed->in);
    *loop = (struct hot_loop){.rounds = run->sites[executed->op[head]].executions};
    for (size_t i = 0; i < run->count; i++)
        loop->all_cycles += site_cycles(&run->sites[i]);
    for (uint32_t i = 0; i < flow->count; i++) {
        uint32_t n = flow->order[i], index = executed->op[n];
        const struct model_site *site = &run->sites[index];
        if (!executed->in[n] || size++ >= LOOP_OPS)
            continue;
        loop->body[loop->size++] = index;
        if (site->executions * 2 >= loop->rounds)
            loop->path[loop->count++] = index;
        if (site->executions >= 2 * loop->rounds)
            loop->holds_loops = true;
        loop->cycles += site_cycles(site);
        for (unsigned wait = 0; wait < MODEL_WAIT_COUNT; wait++)
            loop->waits[wait] += site->cycles[wait];
    }
    return loop_fits(size, err);
}

bool hot_loop_find(const struct profile *run, const struct image *image, struct hot_loop *loop,
                   struct error *err)
{
    struct executed executed;
    bool found = false;
    if (!executed_make(run, image, &executed)) {
        error_set(err, "out of memory");
    } else {
        uint32_t head = choose_loop(run, &executed);
        found = head == NONE ? error_set(err, "there is no loop in what was executed")
                             : fill_loop(run, &executed, head, loop, err);
    }
    executed_free(&executed);
    return found;
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
