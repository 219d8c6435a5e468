/* The graph of control flow against what its words mean, computed naively; and code made to be slow. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grader/loops/flow.h"
#include "harness/base/rng.h"

enum { GRAPHS = 4000, MOST = 14 };

static struct flow flow;

static void find(void)
{
    cr_assert(flow_find(&flow));
}

static bool leads(uint32_t from, uint32_t to)
{
    return flow.next[from][0] == to || flow.next[from][1] == to;
}

static bool is_root(uint32_t n)
{
    bool led_to = false;
    for (uint32_t from = 0; from < flow.count; from++)
        led_to = led_to || leads(from, n);
    return flow.entered[n] || !led_to;
}

/* What can be reached from the roots without `without`. */
static void reach(uint32_t without, bool *reached)
{
    bool more = true;
    for (uint32_t n = 0; n < flow.count; n++)
        reached[n] = n != without && is_root(n);
    while (more) {
        more = false;
        for (uint32_t from = 0; from < flow.count; from++)
            for (uint32_t to = 0; reached[from] && to < flow.count; to++)
                if (to != without && !reached[to] && leads(from, to))
                    more = reached[to] = true;
    }
}

/* Every way to n goes through a, for all of them. */
static void naive_dominators(bool dominates[MOST][MOST])
{
    for (uint32_t a = 0; a < flow.count; a++) {
        bool reached[MOST] = {false};
        reach(a, reached);
        for (uint32_t n = 0; n < flow.count; n++)
            dominates[a][n] = !reached[n];
    }
}

/* All that comes back to the head without passing it. False: nothing does. */
static bool naive_loop(bool dominates[MOST][MOST], uint32_t head, bool *in)
{
    bool more = true, loop = false;
    memset(in, 0, MOST);
    in[head] = true;
    for (uint32_t n = 0; n < flow.count; n++)
        if (leads(n, head) && dominates[head][n])
            loop = in[n] = true;
    while (more) {
        more = false;
        for (uint32_t from = 0; from < flow.count; from++)
            for (uint32_t to = 0; !in[from] && to < flow.count; to++)
                if (in[to] && to != head && leads(from, to))
                    more = in[from] = true;
    }
    return loop;
}

static void random_graph(struct rng *rng)
{
    flow_close(&flow);
    cr_assert(flow_open(&flow, 1 + (uint32_t)rng_below(rng, MOST)));
    const uint64_t most = flow.count;
    for (uint32_t n = 0; n < flow.count; n++) {
        if (rng_below(rng, 8) > 0)
            flow.next[n][0] = (uint32_t)rng_below(rng, most);
        if (rng_below(rng, 3) > 0)
            flow.next[n][1] = rng_below(rng, 2) && n + 1 < most ? n + 1 : (uint32_t)rng_below(rng, most);
        flow.entered[n] = rng_below(rng, 12) == 0;
    }
}

static void expect_dominators(bool dominates[MOST][MOST], int graph)
{
    for (uint32_t n = 0; n < flow.count; n++) {
        const uint32_t immediate = flow.dominator[n];
        cr_assert(immediate == flow.count || (immediate != n && dominates[immediate][n]), "graph %d", graph);
        for (uint32_t a = 0; a < flow.count; a++) {
            cr_assert_eq(flow_dominates(&flow, a, n), dominates[a][n], "graph %d: %u and %u", graph, a, n);
            if (a != n && dominates[a][n]) /* and so it dominates the immediate one */
                cr_assert(immediate < flow.count && dominates[a][immediate], "graph %d: %u", graph, n);
        }
    }
}

static void expect_loops(bool dominates[MOST][MOST], int graph)
{
    for (uint32_t head = 0; head < flow.count; head++) {
        bool expected[MOST] = {false}, in[MOST] = {false};
        cr_assert_eq(flow.heads[head], naive_loop(dominates, head, expected), "graph %d: %u", graph, head);
        if (!flow.heads[head])
            continue;
        flow_mark_loop(&flow, head, in);
        for (uint32_t n = 0; n < flow.count; n++)
            cr_assert_eq(in[n], expected[n], "graph %d: %u in the loop of %u", graph, n, head);
    }
}

Test(flow, is_what_a_naive_computation_finds)
{
    struct rng rng = {.state = 42};
    for (int graph = 0; graph < GRAPHS; graph++) {
        bool dominates[MOST][MOST] = {{false}};
        random_graph(&rng);
        find();
        naive_dominators(dominates);
        expect_dominators(dominates, graph);
        expect_loops(dominates, graph);
        for (uint32_t i = 0; i < flow.count; i++) {
            const uint32_t n = flow.order[i];
            cr_assert_eq(flow.place[n], i);
            cr_assert(flow.dominator[n] == flow.count || flow.place[flow.dominator[n]] < i);
        }
    }
    flow_close(&flow);
}

Test(flow, of_nothing_there_is_nothing)
{
    cr_assert(flow_open(&flow, 0));
    find();
    flow_close(&flow);
}

static double seconds_of_find(void)
{
    const clock_t begin = clock(); /* CPU time */
    find();
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    flow_close(&flow);
    return seconds;
}

enum { MANY = 131072 /* as many instructions as code may have */ };

static void open_many(void)
{
    cr_assert(flow_open(&flow, MANY));
    for (uint32_t n = 0; n + 1 < MANY; n++)
        flow.next[n][1] = n + 1;
}

/* n squared, or a search through all that is around it for each of these, would be minutes. */
Test(flow, what_was_made_to_be_slow_is_not)
{
    enum { LIMIT = 5 };
    struct rng rng = {.state = 7};
    open_many();
    for (uint32_t n = MANY / 2; n < MANY; n++)
        flow.next[n][0] = MANY - 1 - n;
    cr_expect_lt(seconds_of_find(), LIMIT, "loops in each other");
    open_many();
    for (uint32_t n = 0; n < MANY; n++)
        flow.next[n][0] = (uint32_t)rng_below(&rng, MANY);
    cr_expect_lt(seconds_of_find(), LIMIT, "to anywhere");
    open_many();
    for (uint32_t n = 0; n < MANY; n++)
        flow.next[n][0] = MANY - 1 - n;
    cr_expect_lt(seconds_of_find(), LIMIT, "from both ends to the other");
    open_many();
    for (uint32_t n = 1; n < MANY; n++)
        flow.next[n][0] = n - 1;
    cr_expect_lt(seconds_of_find(), LIMIT, "a step back from each");
    open_many();
    for (uint32_t n = 0; n < MANY; n++)
        flow.entered[n] = true;
    cr_expect_lt(seconds_of_find(), LIMIT, "entered everywhere");
    open_many();
    for (uint32_t n = 0; n < MANY; n++)
        flow.next[n][0] = 0;
    cr_expect_lt(seconds_of_find(), LIMIT, "all back to the first");
}
