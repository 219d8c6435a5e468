#include <criterion/criterion.h>
#include <string.h>
#include "harness/emu/levels.h"

enum {
    SVC_5 = 0xd40000a1,
    ERET = 0xd69f03e0,
    MSR_PMCR = 0xd51b9c03,    /* msr pmcr_el0, x3 */
    MRS_PMCCNTR = 0xd53b9d03, /* mrs x3, pmccntr_el0 */
    MSR_PMINTENSET = 0xd5189e23,
    MRS_CURRENT_EL = 0xd5384243,
    MSR_VBAR = 0xd518c003,
    MSR_PMUSERENR = 0xd51b9e03,
    NOP = 0xd503201f,
    PC = 0x1000
};

static struct levels levels;
static struct vpmu *vpmu;
static struct level_registers registers;
static uint64_t to;
static const char *why;

static bool count(void *context, uint16_t event, uint64_t *value)
{
    (void)context;
    *value = 0;
    return event == 0x11;
}

static void before(void)
{
    vpmu = vpmu_create((struct vpmu_source){count, NULL});
    levels_reset(&levels, 4);
    levels.vectors = 0x8000;
    levels.stack = 0x200;
    registers = (struct level_registers){.stack = 0x100, .flags = UINT64_C(6) << 28};
}

static void after(void)
{
    vpmu_destroy(vpmu);
}

/* cppcheck-suppress unknownMacro */
TestSuite(levels, .init = before, .fini = after);

static enum level_step step(uint32_t word)
{
    return levels_step(&levels, vpmu, word, PC, &registers, &to, &why);
}

static void go_down(void)
{
    levels.link = 0x2000;
    levels.saved = UINT64_C(9) << 28;
    cr_assert_eq(step(ERET), LEVEL_GO);
}

Test(levels, eret_goes_to_el0_with_its_own_stack_and_flags)
{
    go_down();
    cr_expect_eq(to, 0x2000);
    cr_expect_eq(levels.level, 0);
    cr_expect_eq(levels.masks, 0);
    cr_expect_eq(registers.stack, 0x200);
    cr_expect_eq(registers.flags, UINT64_C(9) << 28);
}

Test(levels, svc_comes_back_behind_itself)
{
    go_down();
    cr_assert_eq(step(SVC_5), LEVEL_GO);
    cr_expect_eq(to, 0x8400);
    cr_expect_eq(levels.level, 1);
    cr_expect_eq(levels.link, PC + 4);
    cr_expect_eq(levels.syndrome, 0x56000005);
    cr_expect_eq(levels.saved, UINT64_C(9) << 28);
    cr_expect_eq(registers.stack, 0x100);
    cr_assert_eq(step(SVC_5), LEVEL_GO);
    cr_expect_eq(to, 0x8200, "from EL1 itself");
}

Test(levels, what_pmuserenr_does_not_open_is_trapped)
{
    go_down();
    cr_assert_eq(step(MSR_PMCR), LEVEL_GO);
    cr_expect_eq(to, 0x8400);
    cr_expect_eq(levels.link, PC, "it is to be executed again");
    cr_expect_eq(levels.syndrome >> 26, 0x18);
    cr_expect_eq(levels.syndrome & 0x1ffffff, 3 << 20 | 0 << 17 | 3 << 14 | 9 << 10 | 3 << 5 | 12 << 1);
}

Test(levels, reading_is_opened_apart_from_writing)
{
    vpmu_write(vpmu, 0xdcf0, 4); /* PMUSERENR_EL0.CR */
    go_down();
    cr_expect_eq(step(MRS_PMCCNTR), LEVEL_PASS);
    cr_expect_eq(step(MSR_PMCR), LEVEL_GO);
}

Test(levels, registers_of_el1_are_undefined_at_el0)
{
    go_down();
    cr_assert_eq(step(MSR_VBAR), LEVEL_GO);
    cr_expect_eq(levels.syndrome, 1 << 25);
    go_down();
    cr_assert_eq(step(MSR_PMUSERENR), LEVEL_GO);
    cr_expect_eq(levels.syndrome, 1 << 25);
}

Test(levels, registers_are_read_and_written_at_el1)
{
    cr_assert_eq(step(MRS_CURRENT_EL), LEVEL_READ);
    cr_expect_eq(registers.operand, 4);
    registers.operand = 0x9fff;
    cr_assert_eq(step(MSR_VBAR), LEVEL_NEXT);
    cr_expect_eq(levels.vectors, 0x9800);
    cr_expect_eq(step(NOP), LEVEL_PASS);
}

Test(levels, eret_to_another_mode_is_refused)
{
    levels.saved = 9; /* EL2 */
    cr_expect_eq(step(ERET), LEVEL_REFUSED);
    cr_expect(strstr(why, "SPSR_EL1"));
}

Test(levels, an_overflow_interrupts_el0_and_not_a_handler)
{
    uint64_t left;
    registers.operand = 1;
    cr_assert_eq(step(MSR_PMINTENSET), LEVEL_NEXT);
    vpmu_write(vpmu, 0xdce0, 1); /* PMCR_EL0.E */
    vpmu_write(vpmu, 0xdcf3, 1); /* PMOVSSET_EL0 */
    cr_expect(vpmu_interrupts(vpmu, &left));
    cr_expect_not(levels_listen(&levels, vpmu), "masked at reset");
    go_down();
    cr_expect(levels_listen(&levels, vpmu));
    cr_expect_eq(levels_interrupt(&levels, vpmu, 0x2040, &registers), 0x8480);
    cr_expect_eq(levels.link, 0x2040);
    cr_expect_not(levels_listen(&levels, vpmu));
}
