/* What instructions take of a budget, and what CPU time does. */
#include "harness/emu/tests/emulator_kit.h"

/* cppcheck-suppress unknownMacro */
TestSuite(emulator_costs, .init = before, .fini = after);

Test(emulator_costs, each_is_one_or_several)
{
    static const struct {
        uint32_t word;
        unsigned cost;
        const char *text;
    } known[] = {
        {0xd503201f, 1, "nop"},
        {0x8b010000, 1, "add x0, x0, x1"},
        {0x54000000, 1, "b.eq"},
        {0xf9400000, 1, "ldr x0, [x0]"},
        {0x3dc00000, 1, "ldr q0, [x0]"},
        {0xad400400, 2, "ldp q0, q1, [x0]"},
        {0x4c402000, 4, "ld1 {v0.16b-v3.16b}, [x0]"},
        {0x4c400000, 32, "ld4 {v0.16b-v3.16b}, [x0]"},
        {0x4c000c00, 4, "st4 {v0.2d-v3.2d}, [x0]"},
        {0xd50b7420, 32, "dc zva, x0"},
        {0xf9800000, 1, "prfm pldl1keep, [x0]"},
        {0xf8e10000, 5, "ldaddal x1, x0, [x0]"},
        {0x1e61c000, 4, "fsqrt d0, d0"},
        {0x0ee0e000, 9, "pmull v0.1q, v0.1d, v0.1d"},
        {0xd53b9d00, 8, "mrs x0, pmccntr_el0"},
        {0xd51bd040, 8, "msr tpidr_el0, x0"},
        {0xd5033fdf, 1, "isb"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct decoded decoded;
        decode(known[i].word, 0x400000, &decoded);
        cr_assert_eq(decoded.verdict, DECODE_OK, "%s", known[i].text);
        cr_expect_eq(emulator_cost(known[i].word, &decoded, 0), known[i].cost, "%s: %u", known[i].text,
                     emulator_cost(known[i].word, &decoded, 0));
    }
}

Test(emulator_costs, what_is_slow_is_over_the_budget_earlier)
{
    expect_done(CASE_times_adds);
    cr_expect_geq(run.charged, 2 * 7, "two reads of a counter: %" PRIu64, run.charged);
    emulator_set_budget(emulator, run.instructions + run.charged);
    expect_done(CASE_times_adds);
    emulator_set_budget(emulator, run.instructions + 1);
    execute(CASE_times_adds, TARGET_WHOLE);
    cr_expect_eq(run.outcome, EMULATOR_BUDGET);
    expect_done(CASE_nothing);
}

Test(emulator_costs, cpu_time_ends)
{
    emulator->config.seconds = 1000;
    execute(CASE_spins_without_end, TARGET_WHOLE);
    cr_expect_eq(run.outcome, EMULATOR_BUDGET);
    cr_expect_gt(emulator->used, 0);
    cr_expect_lt(emulator->used, 1000 * NS_PER_S);
    emulator->config.seconds = 1;
    emulator->used = NS_PER_S;
    execute(CASE_spins_without_end, TARGET_WHOLE);
    cr_expect_eq(run.outcome, EMULATOR_TIME);
    cr_expect_lt(run.instructions, BUDGET);
}
