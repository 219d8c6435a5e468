#include <criterion/criterion.h>
#include <string.h>

#include "harness/model/memory_fast.h"
#include "harness/base/rng.h"

/* L1D of 4 sets of 2 ways, L2 of 8 of 4, LLC of 16 of 8, lines of 64 bytes; extra cycles 10, 30, 100. No
 * prefetcher, no TLB, more fills than needed and endless bandwidth, but where a test says otherwise. */
static struct core small_core(void)
{
    struct core core = {.line = 64,
                        .fills = 64,
                        .l1d = {512, 2, 0},
                        .l1i = {512, 2, 0},
                        .l2 = {2048, 4, 14},
                        .llc = {8192, 8, 34},
                        .dram = 104};
    core.classes[OP_LOAD][0].latency = 4;
    return core;
}

/* What a test makes. */
static struct pool *pool;

static void after(void)
{
    pool_free(pool);
}

/* cppcheck-suppress unknownMacro */
TestSuite(memory, .fini = after);

static struct memory *create(const struct core *core)
{
    struct error err;
    struct memory *memory = memory_create(core, NULL, &pool, &err);
    cr_assert(memory, "%s", err.text);
    return memory;
}

static void expect_refused(const struct core *core, const char *part)
{
    struct error err = {""};
    struct memory *memory = memory_create(core, NULL, &pool, &err);
    cr_expect_null(memory);
    cr_expect(strstr(err.text, part), "expected: ...%s..., found: %s", part, err.text);
}

/* An access long after all before it are over: nothing is on its way. */
static uint64_t calm;

static struct memory_access access_at(struct memory *memory, unsigned op_memory, uint64_t address)
{
    calm += 1000000;
    return memory_data(memory, op_memory, 0x1000 + (address & 0xfff) * 4, address, 4, calm);
}

static uint64_t load(struct memory *memory, uint64_t address)
{
    return access_at(memory, OP_MEMORY_LOAD, address).extra;
}

static uint64_t load_line(struct memory *memory, uint64_t line)
{
    return load(memory, line * 64);
}

Test(memory, each_level_costs_its_latency_beyond_a_hit)
{
    struct core core = small_core();
    struct memory *memory = create(&core);
    struct memory_access access = access_at(memory, OP_MEMORY_LOAD, 0x5000);
    cr_expect_eq(access.extra, 100);
    cr_expect_eq(access.level, MEMORY_DRAM);
    access = access_at(memory, OP_MEMORY_LOAD, 0x503c);
    cr_expect_eq(access.extra, 0);
    cr_expect_eq(access.level, MEMORY_L1);

    /* Two more lines push it out of its set of L1D, four more out of L2, where sets are twice as many. */
    load(memory, 0x5000 + 512);
    load(memory, 0x5000 + 1024);
    cr_expect_eq(load(memory, 0x5000), 10);
    for (unsigned i = 1; i <= 4; i++)
        load(memory, 0x5000 + i * 512);
    access = access_at(memory, OP_MEMORY_LOAD, 0x5000);
    cr_expect_eq(access.extra, 30);
    cr_expect_eq(access.level, MEMORY_LLC);
}

Test(memory, levels_may_be_missing)
{
    struct core core = small_core();
    core.llc = (struct core_cache){0, 0, 0};
    struct memory *memory = create(&core);
    cr_expect_eq(load_line(memory, 1), 100);
    cr_expect_eq(memory_counts(memory)->llc_loads, 1, "without an LLC the last level is L2");
    cr_expect_eq(memory_counts(memory)->llc_load_misses, 1);
    load_line(memory, 5);
    load_line(memory, 9);
    cr_expect_eq(load_line(memory, 1), 10);
    cr_expect_eq(memory_counts(memory)->llc_loads, 4);
    cr_expect_eq(memory_counts(memory)->llc_load_misses, 3);

    core.l2 = core.llc;
    core.l1i = core.llc;
    memory = create(&core);
    cr_expect_eq(load_line(memory, 1), 100);
    cr_expect_eq(memory_counts(memory)->l2_accesses, 0);
    cr_expect_eq(memory_fetch(memory, 0x1000, 0), 0);
}

/* Against the plainest true LRU there is: a list a set, searched from its start. */
static void expect_lru(unsigned ways, unsigned sets, unsigned lines)
{
    struct core core = small_core();
    core.l1d = (struct core_cache){ways * sets * 64, (uint16_t)ways, 0};
    core.l2 = core.llc = (struct core_cache){0, 0, 0};
    struct memory *memory = create(&core);
    uint64_t lists[32][16];
    memset(lists, 0xff, sizeof lists);
    struct rng rng = {ways};
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t line = rng_below(&rng, lines);
        uint64_t *list = lists[line % sets];
        unsigned at = 0;
        while (at < ways && list[at] != line)
            at++;
        bool hit = at < ways;
        memmove(list + 1, list, (hit ? at : ways - 1) * sizeof *list);
        list[0] = line;
        unsigned kind = rng_below(&rng, 2) ? OP_MEMORY_LOAD : OP_MEMORY_STORE;
        bool found = access_at(memory, kind, line * 64 + rng_below(&rng, 60)).extra == 0;
        cr_assert_eq(found, hit, "%u ways, %u sets: access %u to line %llu", ways, sets, i,
                     (unsigned long long)line);
    }
}

Test(memory, replacement_is_true_lru_in_every_geometry)
{
    expect_lru(1, 8, 20);
    expect_lru(2, 4, 14);
    expect_lru(3, 8, 40);
    expect_lru(4, 32, 200);
    expect_lru(8, 2, 24);
    expect_lru(12, 4, 60);
    expect_lru(16, 1, 20);
    expect_lru(16, 8, 160);
}

Test(memory, geometry_that_makes_no_sense_is_refused)
{
    struct core core = small_core();
    core.l1d.ways = 3;
    expect_refused(&core, "l1d");
    core = small_core();
    core.l2.ways = 17;
    expect_refused(&core, "l2");
    core = small_core();
    core.llc.bytes = 100;
    expect_refused(&core, "llc");
    core = small_core();
    core.l1i.ways = 0;
    expect_refused(&core, "l1i");
    core = small_core();
    core.line = 48;
    expect_refused(&core, "line");
    core = small_core();
    core.l1d.bytes = 0;
    expect_refused(&core, "l1d");
    core = small_core();
    core.fills = 0;
    expect_refused(&core, "fills");
    core = small_core();
    core.tlb.entries = 4;
    core.tlb.second_entries = 24;
    core.tlb.second_ways = 4;
    expect_refused(&core, "tlb.second-entries");
    core.tlb.entries = UINT16_MAX;
    expect_refused(&core, "tlb");
}

Test(memory, dirty_lines_are_written_back_once)
{
    struct core core = small_core();
    struct memory *memory = create(&core);
    const struct memory_counts *counts = memory_counts(memory);
    access_at(memory, OP_MEMORY_STORE, 0);
    access_at(memory, OP_MEMORY_UPDATE, 4 * 64);
    cr_expect_eq(counts->l1d_accesses, 2);
    cr_expect_eq(counts->l1d_misses, 2, "stores bring their line in");
    cr_expect_eq(counts->l1d_loads, 1, "an update is a load too");
    cr_expect_eq(counts->l1d_load_misses, 1);
    cr_expect_eq(counts->l1d_write_backs, 0);
    load_line(memory, 8);
    load_line(memory, 12);
    cr_expect_eq(counts->l1d_write_backs, 2);
    cr_expect_eq(counts->l2_accesses, 6, "four lines read, two written back");
    load_line(memory, 0);
    load_line(memory, 4);
    load_line(memory, 8);
    cr_expect_eq(counts->l1d_write_backs, 2, "they are clean now");
}

/* A write-back finds its line further down or goes to memory, and is no use of a line there: L2 sees reads
 * 0 1 2 3 (write-backs of 0 1 2), then 4 takes the place of 0. */
Test(memory, write_backs_use_no_line_below)
{
    struct core core = small_core();
    core.l1d = (struct core_cache){64, 1, 0};
    core.l2 = (struct core_cache){256, 4, 14};
    core.llc = (struct core_cache){0, 0, 0};
    core.dram_busy = 50;
    struct memory *memory = create(&core);
    for (uint64_t line = 0; line < 5; line++)
        access_at(memory, OP_MEMORY_STORE, line * 64);
    cr_expect_eq(load_line(memory, 1), 10);
    cr_expect_eq(load_line(memory, 0), 100);

    /* Line 2 goes to make room for 5. Its channel time delays what is read in the same cycle. */
    memory = create(&core);
    for (uint64_t line = 0; line < 4; line++)
        access_at(memory, OP_MEMORY_STORE, line * 64);
    load_line(memory, 4);
    calm += 1000000;
    uint64_t first = memory_data(memory, OP_MEMORY_LOAD, 0, 5 * 64, 4, calm).extra;
    uint64_t second = memory_data(memory, OP_MEMORY_LOAD, 0, 6 * 64, 4, calm).extra;
    cr_expect_eq(first, 100);
    cr_expect_eq(second, 200, "a line read and one written before it: found %llu",
                 (unsigned long long)second);
}

Test(memory, outstanding_misses_overlap_up_to_the_limit)
{
    struct core core = small_core();
    core.fills = 2;
    struct memory *memory = create(&core);
    uint64_t extra[5];
    for (unsigned i = 0; i < 5; i++)
        extra[i] = memory_data(memory, OP_MEMORY_LOAD, 0, i * 64, 4, i).extra;
    cr_expect_eq(extra[0], 100);
    cr_expect_eq(extra[1], 100);
    cr_expect_eq(extra[2], 198, "waits until 100");
    cr_expect_eq(extra[3], 198, "waits until 101");
    cr_expect_eq(extra[4], 296, "waits until 200");
}

Test(memory, a_miss_that_comes_out_of_order_is_not_held_up_by_later_ones)
{
    struct core core = small_core();
    core.fills = 2;
    struct memory *memory = create(&core);
    memory_data(memory, OP_MEMORY_LOAD, 0, 0, 4, 1000);
    memory_data(memory, OP_MEMORY_LOAD, 0, 64, 4, 1000);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 128, 4, 500).extra, 100);
    /* Nor one to a line that a later access asked for: it is there earlier for all. */
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 64, 4, 600).extra, 100);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 64, 4, 650).extra, 50);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 64, 4, 1000).extra, 0);
}

/* Late and early requests in turn: each early one comes before others that have a place already, and they
 * keep it for longer. `last`: the cycle in which the last line is there. */
static uint64_t late_and_early(unsigned op_memory, unsigned pairs)
{
    struct core core = small_core();
    core.fills = 2;
    core.tlb.entries = 4;
    core.tlb.walk = 30;
    struct memory *memory = create(&core);
    uint64_t last = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        memory_data(memory, op_memory, 0, 0x1000000 + i * 4096, 1, 0); /* 30 cycles later, by its walk */
        uint64_t extra = memory_data(memory, OP_MEMORY_LOAD, 0, i * 64, 4, 40).extra;
        last = 40 + extra > last ? 40 + extra : last;
    }
    return last;
}

Test(memory, no_place_for_a_miss_is_of_use_to_two)
{
    for (unsigned pairs = 2; pairs <= 20; pairs++) {
        cr_expect_geq(late_and_early(OP_MEMORY_LOAD, pairs), pairs * 100, "%u pairs", pairs);
        cr_expect_geq(late_and_early(OP_MEMORY_PREFETCH, pairs), pairs * 100, "%u pairs", pairs);
    }
    /* However far apart, and in whatever order, `fills` misses are under way at most. */
    struct core core = small_core();
    core.fills = 3;
    core.l1d = (struct core_cache){1 << 20, 4, 0};
    struct memory *memory = create(&core);
    struct rng rng = {17};
    enum { MISSES = 1000 };
    uint64_t first = UINT64_MAX, last = 0;
    for (uint64_t i = 0; i < MISSES; i++) {
        uint64_t cycle = 1000 + i * 20 + rng_below(&rng, 300);
        uint64_t ready = cycle + memory_data(memory, OP_MEMORY_LOAD, 0, i * 64, 4, cycle).extra;
        first = cycle < first ? cycle : first;
        last = ready > last ? ready : last;
    }
    cr_expect_geq((last - first) * 3, MISSES * 100, "%llu cycles", (unsigned long long)(last - first));
}

/* Nor is a line below earlier than it comes for having left L1D. */
Test(memory, a_line_that_leaves_l1d_on_its_way_has_still_to_come)
{
    struct core core = small_core();
    struct memory *memory = create(&core);
    for (uint64_t line = 0; line <= 8; line += 4) /* of one set of two ways */
        memory_data(memory, OP_MEMORY_PREFETCH, 0, line * 64, 1, line);
    struct memory_access access = memory_data(memory, OP_MEMORY_LOAD, 0, 0, 4, 20);
    cr_expect_eq(access.extra, 80);
    cr_expect_eq(access.level, MEMORY_DRAM);
    access = memory_data(memory, OP_MEMORY_LOAD, 0, 4 * 64, 4, 96);
    cr_expect_eq(access.extra, 10, "there in 104");
    cr_expect_eq(access.level, MEMORY_L2);

    struct error err;
    memory = create(&core);
    struct memory *second = memory_create(&core, memory, &pool, &err);
    cr_assert(second, "%s", err.text);
    for (uint64_t line = 0; line <= 8; line += 4)
        memory_data(memory, OP_MEMORY_LOAD, 0, line * 64, 4, line);
    cr_expect_eq(memory_data(second, OP_MEMORY_LOAD, 0, 0, 4, 20).extra, 80, "nor for another core");
}

Test(memory, a_second_miss_to_a_line_merges)
{
    struct core core = small_core();
    core.fills = 1;
    struct memory *memory = create(&core);
    memory_data(memory, OP_MEMORY_LOAD, 0, 0, 4, 0);
    struct memory_access access = memory_data(memory, OP_MEMORY_LOAD, 0, 32, 4, 30);
    cr_expect_eq(access.extra, 70);
    cr_expect_eq(access.level, MEMORY_DRAM);
    cr_expect_eq(memory_counts(memory)->l1d_misses, 1);
    cr_expect_eq(memory_counts(memory)->l1d_load_misses, 1);
    cr_expect_eq(memory_counts(memory)->l2_accesses, 1);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 32, 4, 100).extra, 0);
}

Test(memory, bandwidth_spaces_lines_from_memory)
{
    struct core core = small_core();
    core.dram_busy = 20;
    struct memory *memory = create(&core);
    for (unsigned i = 0; i < 50; i++)
        cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, i * 64, 4, i).extra, 100 + i * 20 - i, "line %u",
                     i);
    /* One that comes from before does not queue behind them, one of long ago not at all. */
    memory = create(&core);
    memory_data(memory, OP_MEMORY_LOAD, 0, 0, 4, 5000);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 64, 4, 4000).extra, 100);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 128, 4, 5000).extra, 120);
    memory_data(memory, OP_MEMORY_LOAD, 0, 192, 4, 5000 + CHANNEL_EPOCHS * 256);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 256, 4, 5000).extra, 100);
}

/* Eight lines of L2 that are asked for in one cycle: 10 cycles beyond a hit, and one after the other. */
Test(memory, refills_from_l2_follow_each_other)
{
    struct core core = small_core();
    for (unsigned busy = 0; busy <= 12; busy += 12) {
        core.l2_busy = (uint8_t)busy;
        struct memory *memory = create(&core);
        for (unsigned i = 0; i < 32; i++)
            load_line(memory, i);
        calm += 1000000;
        for (unsigned i = 0; i < 8; i++)
            cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, i * 64, 4, calm).extra, 10 + i * busy,
                         "line %u", i);
    }
}

Test(memory, accesses_across_a_line_are_two)
{
    struct core core = small_core();
    struct memory *memory = create(&core);
    const struct memory_counts *counts = memory_counts(memory);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 60, 8, 0).extra, 101, "the second a cycle later");
    cr_expect_eq(counts->l1d_accesses, 2);
    cr_expect_eq(counts->l1d_loads, 2);
    cr_expect_eq(counts->l1d_load_misses, 2);
    cr_expect_eq(memory_data(memory, OP_MEMORY_STORE, 0, 60, 4, 500).extra, 0);
    cr_expect_eq(counts->l1d_accesses, 3);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 60, 8, 500).extra, 1);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 60, 8, 500).level, MEMORY_L1);
    cr_expect_eq(memory_data(memory, OP_MEMORY_STORE, 0, 64 + 63, 130, 1000).extra, 103);
    cr_expect_eq(counts->l1d_accesses, 3 + 2 + 2 + 4);
    /* No bytes are one byte; the last line of all has none behind it. */
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 60, 0, 2000).extra, 0);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, UINT64_MAX - 3, 4, 2000).extra, 100);
}

Test(memory, software_prefetch_brings_a_line_and_holds_up_nobody)
{
    struct core core = small_core();
    core.fills = 1;
    core.tlb.entries = 4;
    core.tlb.walk = 40;
    struct memory *memory = create(&core);
    const struct memory_counts *counts = memory_counts(memory);
    struct memory_access access = memory_data(memory, OP_MEMORY_PREFETCH, 0, 0, 1, 0);
    cr_expect_eq(access.extra, 0, "neither for the walk nor for the line");
    cr_expect(access.tlb_missed);
    cr_expect_eq(counts->l1d_accesses, 0);
    cr_expect_eq(counts->l1d_misses, 0);
    cr_expect_eq(counts->prefetches, 0, "that is the hardware's");
    cr_expect_eq(counts->l2_accesses, 1);
    access = memory_data(memory, OP_MEMORY_LOAD, 0, 0, 4, 60);
    cr_expect_eq(access.extra, 80, "walk and line are there in 140");
    cr_expect_eq(counts->l1d_load_misses, 0);
    access = memory_data(memory, OP_MEMORY_PREFETCH, 0, 64, 1, 61);
    cr_expect_eq(access.extra, 79, "no fill is free until 140");
    cr_expect_eq(memory_data(memory, OP_MEMORY_PREFETCH, 0, 64, 1, 100).extra, 0, "on its way already");
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 64, 4, 300).extra, 0);
}

static uint64_t tlb_extra(struct memory *memory, uint64_t page)
{
    return access_at(memory, OP_MEMORY_LOAD, page << 12).tlb_extra;
}

Test(memory, translations_have_two_levels_and_a_walk)
{
    struct core core = small_core();
    core.tlb.entries = 4;
    core.tlb.second_entries = 16;
    core.tlb.second_ways = 4;
    core.tlb.second_latency = 7;
    core.tlb.walk = 40;
    struct memory *memory = create(&core);
    for (uint64_t page = 0; page < 4; page++)
        cr_expect_eq(tlb_extra(memory, page), 40);
    for (uint64_t page = 0; page < 4; page++)
        cr_expect_eq(tlb_extra(memory, page), 0);
    cr_expect_eq(memory_counts(memory)->l1d_tlb_misses, 4);
    for (uint64_t page = 4; page < 16; page++)
        cr_expect_eq(tlb_extra(memory, page), 40);
    for (uint64_t page = 0; page < 16; page++)
        cr_expect_eq(tlb_extra(memory, page), 7, "page %d: the first level holds four", (int)page);
    /* 16 pages more, of the same sets of the second level. */
    for (uint64_t page = 64; page < 80; page++)
        cr_expect_eq(tlb_extra(memory, page), 40);
    cr_expect_eq(tlb_extra(memory, 0), 40);

    core.tlb.second_entries = 0;
    memory = create(&core);
    for (unsigned round = 0; round < 2; round++) {
        for (uint64_t page = 0; page < 8; page++)
            cr_expect_eq(tlb_extra(memory, page), 40);
    }
}

/* Second chance: a page in use stays while others pass by. */
Test(memory, pages_in_use_keep_their_translation)
{
    struct core core = small_core();
    core.tlb.entries = 4;
    core.tlb.walk = 40;
    struct memory *memory = create(&core);
    tlb_extra(memory, 1);
    tlb_extra(memory, 2);
    for (uint64_t page = 100; page < 400; page++) {
        cr_expect_eq(tlb_extra(memory, 1), 0);
        cr_expect_eq(tlb_extra(memory, 2), 0);
        cr_expect_eq(tlb_extra(memory, page), 40);
    }
}

Test(memory, a_walk_under_way_is_waited_for)
{
    struct core core = small_core();
    core.tlb.entries = 4;
    core.tlb.walk = 40;
    struct memory *memory = create(&core);
    struct memory_access access = memory_data(memory, OP_MEMORY_LOAD, 0, 0, 4, 100);
    cr_expect_eq(access.extra, 140);
    cr_expect_eq(access.tlb_extra, 40);
    access = memory_data(memory, OP_MEMORY_LOAD, 0, 64, 4, 110);
    cr_expect_eq(access.extra, 130);
    cr_expect_eq(access.tlb_extra, 30);
    cr_expect_not(access.tlb_missed);
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 128, 4, 10).tlb_extra, 40,
                 "never longer than a walk");
    cr_expect_eq(memory_data(memory, OP_MEMORY_LOAD, 0, 192, 4, 140).tlb_extra, 0);
    cr_expect_eq(memory_counts(memory)->l1d_tlb_misses, 1);
}

/* ---- the prefetcher ---- */

static struct core streaming_core(void)
{
    struct core core = small_core();
    core.l1d = (struct core_cache){32 << 10, 4, 0};
    core.l2 = (struct core_cache){256 << 10, 4, 14};
    core.llc = (struct core_cache){1 << 20, 16, 34};
    core.fills = 4;
    core.dram_busy = 14;
    core.prefetcher.streams = 8;
    core.prefetcher.distance = 8;
    core.prefetcher.degree = 2;
    return core;
}

/* `count` loads from one instruction, one each `gap` cycles after the one before is done. */
static uint64_t walk(struct memory *memory, uint64_t pc, uint64_t address, uint64_t stride, unsigned count,
                     uint64_t cycle, unsigned gap)
{
    for (unsigned i = 0; i < count; i++, address += stride)
        cycle += gap + memory_data(memory, OP_MEMORY_LOAD, pc, address, 4, cycle).extra;
    return cycle;
}

Test(memory, three_misses_start_a_stream)
{
    struct core core = streaming_core();
    struct memory *memory = create(&core);
    const struct memory_counts *counts = memory_counts(memory);
    walk(memory, 4, 0x10000, 64, 2, 0, 1000);
    cr_expect_eq(counts->prefetches, 0);
    walk(memory, 4, 0x10080, 64, 1, 2000, 1000);
    cr_expect_eq(counts->prefetches, 2);
    walk(memory, 4, 0x100c0, 64, 100, 10000, 1000);
    cr_expect_eq(counts->l1d_load_misses, 3);
    cr_expect_eq(counts->prefetches, 100 + 8, "8 lines ahead of the last: found %llu",
                 (unsigned long long)counts->prefetches);
}

Test(memory, a_line_prefetched_late_costs_the_rest_of_its_way)
{
    struct core core = streaming_core();
    core.dram_busy = 0;
    struct memory *memory = create(&core);
    walk(memory, 4, 0x10000, 64, 2, 0, 0);
    memory_data(memory, OP_MEMORY_LOAD, 4, 0x10080, 4, 1000);
    struct memory_access access = memory_data(memory, OP_MEMORY_LOAD, 4, 0x100c0, 4, 1030);
    cr_expect_eq(access.level, MEMORY_DRAM);
    cr_expect_eq(access.extra, 70);
    access = memory_data(memory, OP_MEMORY_LOAD, 4, 0x10140, 4, 1030);
    cr_expect_eq(access.extra, 100, "asked for in this cycle");
    cr_expect_eq(memory_counts(memory)->l1d_load_misses, 3);
}

static void expect_followed(uint64_t stride, unsigned most_misses)
{
    struct core core = streaming_core();
    struct memory *memory = create(&core);
    walk(memory, 4, UINT64_C(1) << 30, stride, 500, 0, 500);
    uint64_t misses = memory_counts(memory)->l1d_load_misses;
    cr_expect_leq(misses, most_misses, "stride %lld: %llu misses", (long long)stride,
                  (unsigned long long)misses);
}

Test(memory, streams_follow_strides_up_and_down)
{
    expect_followed(4, 3);
    expect_followed(24, 4);
    expect_followed(64, 3);
    expect_followed(96, 3);
    expect_followed(192, 3);
    expect_followed(4096 + 64, 3);
    expect_followed((uint64_t)-4, 3);
    expect_followed((uint64_t)-24, 4);
    expect_followed((uint64_t)-160, 3);
}

/* A row's end costs one miss, since a running stream keeps its stride over one jump. */
Test(memory, streams_survive_the_end_of_a_row)
{
    struct core core = streaming_core();
    struct memory *memory = create(&core);
    uint64_t cycle = 0;
    for (unsigned row = 0; row < 20; row++)
        cycle = walk(memory, 4, 0x100000 + row * 0x10000, 64, 30, cycle, 500);
    cr_expect_leq(memory_counts(memory)->l1d_load_misses, 3 + 19 * 2);
}

Test(memory, streams_are_as_many_as_configured)
{
    struct core core = streaming_core();
    for (unsigned arrays = 8; arrays <= 9; arrays++) {
        struct memory *memory = create(&core);
        uint64_t cycle = 0;
        for (unsigned i = 0; i < 200; i++) {
            for (unsigned array = 0; array < arrays; array++, cycle += 100)
                memory_data(memory, OP_MEMORY_LOAD, array * 4, (array << 20) + array * 1024 + i * 64, 4,
                            cycle);
        }
        uint64_t misses = memory_counts(memory)->l1d_load_misses;
        cr_expect(arrays == 8 ? misses == 3 * 8 : misses == 200 * 9, "%u arrays: %llu misses", arrays,
                  (unsigned long long)misses);
    }
}

Test(memory, random_loads_start_no_stream)
{
    struct core core = streaming_core();
    struct memory *memory = create(&core);
    struct rng rng = {5};
    for (uint64_t i = 0; i < 20000; i++)
        memory_data(memory, OP_MEMORY_LOAD, 4, rng_below(&rng, 4 << 20) & ~UINT64_C(3), 4, i * 200);
    cr_expect_lt(memory_counts(memory)->prefetches, 20);
}

/* What the ARM article measures on 4 MiB: below 1 % in order, 30 to 50 % shuffled, counted over all loads. */
Test(memory, the_article_s_miss_rates_appear)
{
    struct core core = streaming_core();
    struct memory *memory = create(&core);
    const struct memory_counts *counts = memory_counts(memory);
    enum { ELEMENTS = 1 << 20 };
    uint64_t cycle = walk(memory, 4, 0x50000000, 4, ELEMENTS / 4, 0, 2);
    cr_expect_lt(counts->l1d_load_misses * 100, counts->l1d_loads);

    memory_forget_counts(memory);
    struct rng rng = {7};
    for (uint64_t i = 0; i < ELEMENTS / 16; i++) {
        cycle += 2 + memory_data(memory, OP_MEMORY_LOAD, 8, 0x60000000 + i * 4, 4, cycle).extra;
        cycle +=
            2 + memory_data(memory, OP_MEMORY_LOAD, 12, 0x50000000 + rng_below(&rng, ELEMENTS) * 4, 4, cycle)
                    .extra;
    }
    cr_expect_geq(counts->l1d_load_misses * 10, counts->l1d_loads * 3);
    cr_expect_leq(counts->l1d_load_misses * 2, counts->l1d_loads);
}

/* ---- instructions, counters, determinism ---- */

Test(memory, instructions_come_through_their_own_cache)
{
    struct core core = small_core();
    struct memory *memory = create(&core);
    const struct memory_counts *counts = memory_counts(memory);
    cr_expect_eq(memory_fetch(memory, 0x1000, 0), 100);
    cr_expect_eq(memory_fetch(memory, 0x103c, 0), 0);
    cr_expect(memory_fetch_hit(memory, 0x1000));
    cr_expect_not(memory_fetch_hit(memory, 0x1040));
    memory_fetch(memory, 0x1000 + 512, 0);
    memory_fetch(memory, 0x1000, 0);
    memory_fetch(memory, 0x1000 + 1024, 0);
    cr_expect_eq(memory_fetch(memory, 0x1000 + 512, 0), 10, "it was used longest ago");
    cr_expect_eq(counts->l1i_accesses, 7);
    cr_expect_eq(counts->l1i_misses, 4);
    cr_expect_eq(load(memory, 0x1000), 10, "L2 holds both kinds");
}

static struct memory_counts random_walk(struct memory *memory, uint64_t *cycles)
{
    struct rng rng = {11};
    uint64_t cycle = 0, total = 0;
    for (unsigned i = 0; i < 20000; i++) {
        unsigned kind = 1 + (unsigned)rng_below(&rng, 4);
        uint64_t address = rng_below(&rng, 2) ? rng_below(&rng, 1 << 18) : 0x100000 + i * 8;
        uint64_t at = cycle > 300 ? cycle - rng_below(&rng, 300) : cycle;
        total +=
            memory_data(memory, kind, rng_below(&rng, 8) * 4, address, 1 + (unsigned)rng_below(&rng, 16), at)
                .extra;
        total += memory_fetch(memory, rng_below(&rng, 4096), at);
        cycle += rng_below(&rng, 20);
    }
    *cycles = total;
    return *memory_counts(memory);
}

Test(memory, a_new_one_knows_nothing_and_runs_repeat)
{
    struct core core = streaming_core();
    core.tlb.entries = 16;
    core.tlb.second_entries = 64;
    core.tlb.second_ways = 4;
    core.tlb.second_latency = 5;
    core.tlb.walk = 30;
    struct memory *first = create(&core), *second = create(&core);
    uint64_t cycles[3];
    struct memory_counts counts[3] = {random_walk(first, &cycles[0]), random_walk(second, &cycles[1])};
    first = create(&core);
    cr_expect_eq(memory_counts(first)->l1d_accesses, 0);
    counts[2] = random_walk(first, &cycles[2]);
    for (unsigned i = 1; i < 3; i++) {
        cr_expect_eq(cycles[i], cycles[0]);
        cr_expect_eq(memcmp(&counts[i], &counts[0], sizeof counts[0]), 0);
    }
    memory_forget_counts(first);
    cr_expect_eq(memory_counts(first)->l2_accesses, 0);
}

/* memory_hit() is memory_data() for what costs nothing. */
Test(memory, the_short_way_gives_the_same)
{
    struct core core = streaming_core();
    core.tlb.entries = 8;
    core.tlb.walk = 30;
    struct memory *plain = create(&core), *fast = create(&core);
    struct rng rng = {13};
    unsigned hits = 0;
    for (uint64_t i = 0; i < 50000; i++) {
        unsigned kind = 1 + (unsigned)rng_below(&rng, 4);
        uint64_t address = rng_below(&rng, 4) ? 0x10000 + i / 4 * 4 : rng_below(&rng, 1 << 15);
        uint64_t extra = memory_data(plain, kind, kind * 4, address, 4, i * 5).extra;
        if (memory_hit(fast, kind, address, 4, i * 5)) {
            cr_assert_eq(extra, 0);
            hits++;
        } else {
            cr_assert_eq(memory_data(fast, kind, kind * 4, address, 4, i * 5).extra, extra);
        }
    }
    cr_expect_gt(hits, 10000);
    cr_expect_eq(memcmp(memory_counts(plain), memory_counts(fast), sizeof(struct memory_counts)), 0);
}

/* ---- two cores ---- */

enum { TRANSFER = 50 };

static struct memory *create_pair(struct memory **second)
{
    struct error err;
    struct core core = small_core();
    core.transfer = TRANSFER + 4;
    struct memory *first = create(&core);
    *second = memory_create(&core, first, &pool, &err);
    cr_assert(*second, "%s", err.text);
    return first;
}

Test(memory, what_two_cores_do_to_a_line_costs_what_the_table_says)
{
    enum { READ = OP_MEMORY_LOAD, WRITE = OP_MEMORY_STORE };
    static const struct {
        unsigned core, op_memory;
        uint64_t extra, transfers, invalidations; /* of this access */
    } steps[] = {
        {0, READ, 100, 0, 0},                                  /* exclusive */
        {0, WRITE, 0, 0, 0},                                   /* modified, without a question */
        {1, READ, TRANSFER, 1, 0},                             /* shared in both, clean */
        {0, READ, 0, 0, 0},                                    /* nothing more for either */
        {1, READ, 0, 0, 0},        {1, WRITE, TRANSFER, 0, 1}, /* modified in the second */
        {1, WRITE, 0, 0, 0},       {1, READ, 0, 0, 0},         {0, WRITE, TRANSFER, 1, 1}, /* handed over */
        {0, READ, 0, 0, 0},        {1, READ, TRANSFER, 1, 0},  {0, WRITE, TRANSFER, 0, 1},
    };
    struct memory *pair[2];
    pair[0] = create_pair(&pair[1]);
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct memory *memory = pair[steps[i].core];
        const struct memory_counts was = *memory_counts(memory);
        const uint64_t extra = access_at(memory, steps[i].op_memory, 0x4000 + 8 * (i & 7)).extra;
        const struct memory_counts *is = memory_counts(memory);
        cr_expect_eq(extra, steps[i].extra, "step %u: %u", i, (unsigned)extra);
        cr_expect_eq(is->line_transfers - was.line_transfers, steps[i].transfers, "step %u", i);
        cr_expect_eq(is->invalidations - was.invalidations, steps[i].invalidations, "step %u", i);
    }
}

Test(memory, a_line_goes_to_and_fro_one_time_after_the_other)
{
    struct memory *pair[2];
    pair[0] = create_pair(&pair[1]);
    access_at(pair[0], OP_MEMORY_STORE, 0x4000);
    calm += 1000000;
    for (unsigned i = 1; i <= 6; i++) { /* all asked for in the same cycle */
        struct memory_access access = memory_data(pair[i & 1], OP_MEMORY_STORE, 0x1000, 0x4000, 8, calm);
        cr_expect_eq(access.extra, i * TRANSFER, "%u: %u", i, (unsigned)access.extra);
        cr_expect_eq(access.level, MEMORY_OTHER);
    }
}

Test(memory, two_cores_share_what_is_below_l1)
{
    struct memory *pair[2];
    pair[0] = create_pair(&pair[1]);
    cr_expect_eq(load_line(pair[0], 1), 100);
    cr_expect_eq(load_line(pair[1], 1), 10); /* L2 has it */
    cr_expect_eq(memory_counts(pair[1])->line_transfers, 0);
    access_at(pair[0], OP_MEMORY_STORE, 2 * 64);
    for (uint64_t line = 6; line <= 10; line += 4) /* drive it out of L1D */
        load_line(pair[0], line);
    cr_expect_eq(load_line(pair[1], 2), 10);
    cr_expect_eq(memory_counts(pair[1])->line_transfers, 0);
}

/* Against a plain list of who has which line in what state. */
Test(memory, random_accesses_of_two_cores_follow_mesi)
{
    enum { LINES = 6, ABSENT = 0, SHARED, EXCLUSIVE, MODIFIED };
    struct rng rng = {15};
    unsigned state[2][LINES] = {{0}};
    struct memory *pair[2];
    pair[0] = create_pair(&pair[1]);
    for (unsigned i = 0; i < 20000; i++) {
        unsigned core = rng_next(&rng) & 1, line = (unsigned)(rng_next(&rng) % LINES);
        bool write = rng_next(&rng) & 1;
        unsigned *mine = &state[core][line], *theirs = &state[1 - core][line];
        const struct memory_counts was = *memory_counts(pair[core]);
        uint64_t extra = access_at(pair[core], write ? OP_MEMORY_STORE : OP_MEMORY_LOAD, line * 64).extra;
        const struct memory_counts *is = memory_counts(pair[core]);
        bool ask = write ? *mine < EXCLUSIVE : *mine == ABSENT;
        bool brought = ask && *theirs == MODIFIED, given_up = ask && write && *theirs != ABSENT;
        cr_assert_eq(is->line_transfers - was.line_transfers, brought, "access %u", i);
        cr_assert_eq(is->invalidations - was.invalidations, given_up, "access %u", i);
        cr_assert_eq(is->l1d_misses - was.l1d_misses, *mine == ABSENT, "access %u", i);
        cr_assert(brought || given_up ? extra >= TRANSFER : *mine == ABSENT || extra == 0, "access %u", i);
        if (ask && write)
            *theirs = ABSENT;
        else if (ask && *theirs != ABSENT)
            *theirs = SHARED;
        if (ask)
            *mine = write ? MODIFIED : *theirs ? SHARED : EXCLUSIVE;
        else if (write)
            *mine = MODIFIED;
    }
}
