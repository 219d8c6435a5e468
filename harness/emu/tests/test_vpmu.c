#include <criterion/criterion.h>

#include "harness/emu/vpmu.h"

/* op0:op1:CRn:CRm:op2, as the architecture has them (Arm ARM, D17). */
enum {
    PMCR = 0xdce0,
    PMCNTENSET,
    PMCNTENCLR,
    PMOVSCLR,
    PMSWINC,
    PMSELR,
    PMCEID0,
    PMCEID1,
    PMCCNTR,
    PMXEVTYPER,
    PMXEVCNTR,
    PMUSERENR = 0xdcf0,
    PMINTENSET_EL1 = 0xc4f1,
    PMOVSSET = 0xdcf3,
    CNTFRQ = 0xdf00,
    CNTVCT = 0xdf02,
    PMEVCNTR0 = 0xdf40,
    PMEVTYPER0 = 0xdf60,
    PMCCFILTR = 0xdf7f,
    SCTLR_EL1 = 0xc080,
};

static uint64_t cycles, misses;
static unsigned asked;
static struct vpmu *vpmu;

/* Cycles, and misses of L1D. */
static bool count(void *context, uint16_t event, uint64_t *value)
{
    (void)context;
    asked++;
    if (event != 0x11 && event != 0x03)
        return false;
    *value = event == 0x11 ? cycles : misses;
    return true;
}

static void before(void)
{
    cycles = misses = 1000;
    vpmu = vpmu_create((struct vpmu_source){count, NULL});
    cr_assert(vpmu);
}

static void after(void)
{
    vpmu_destroy(vpmu);
}

/* cppcheck-suppress unknownMacro */
TestSuite(vpmu, .init = before, .fini = after);

static uint64_t get(uint16_t system)
{
    uint64_t value = UINT64_MAX;
    cr_assert(vpmu_read(vpmu, system, &value), "0x%x cannot be read", system);
    return value;
}

static void put(uint16_t system, uint64_t value)
{
    cr_assert(vpmu_write(vpmu, system, value), "0x%x cannot be written", system);
}

Test(vpmu, is_off_at_reset)
{
    cycles = misses = 5000;
    cr_expect_eq(get(PMCR), VPMU_COUNTERS << 11);
    cr_expect_eq(get(PMCCNTR), 0);
    cr_expect_eq(get(PMCNTENSET), 0);
    cr_expect_eq(get(PMOVSCLR), 0);
    cr_expect_eq(get(PMEVCNTR0), 0);
    put(PMCR, 1);
    put(PMCNTENSET, 0xffffffff);
    cycles++;
    cr_expect_eq(get(PMCCNTR), 1);
    vpmu_reset(vpmu);
    cycles++;
    cr_expect_eq(get(PMCCNTR), 0);
    cr_expect_eq(get(PMCR), VPMU_COUNTERS << 11);
}

Test(vpmu, counts_cycles_from_where_it_is_turned_on)
{
    put(PMCNTENSET, UINT64_C(1) << 31);
    cycles += 10;
    cr_expect_eq(get(PMCCNTR), 0);
    put(PMCR, 0x41);
    cycles += 7;
    cr_expect_eq(get(PMCCNTR), 7);
    put(PMCCNTR, UINT64_C(1) << 40);
    cycles += 5;
    cr_expect_eq(get(PMCCNTR), (UINT64_C(1) << 40) + 5);
    put(PMCR, 0x45);
    cycles += 3;
    cr_expect_eq(get(PMCCNTR), 3);
    put(PMCNTENCLR, UINT64_C(1) << 31);
    cycles += 100;
    cr_expect_eq(get(PMCCNTR), 3);
}

Test(vpmu, divides_by_64_where_asked)
{
    cycles = 6400;
    put(PMCNTENSET, UINT64_C(1) << 31);
    put(PMCR, 0x09);
    cycles += 640;
    cr_expect_eq(get(PMCCNTR), 10);
    put(PMCR, 0x49);
    cycles += 640;
    cr_expect_eq(get(PMCCNTR), 650);
}

Test(vpmu, counts_the_event_that_a_counter_has)
{
    put(PMSELR, 4);
    put(PMXEVTYPER, 0x03);
    put(PMEVTYPER0 + 5, 0x11);
    put(PMEVTYPER0, 0x3ff); /* no such event */
    put(PMCNTENSET, 0x3f);
    put(PMCR, 1);
    misses += 4;
    cycles += 9;
    cr_expect_eq(get(PMXEVCNTR), 4);
    cr_expect_eq(get(PMEVCNTR0 + 5), 9);
    cr_expect_eq(get(PMEVCNTR0), 0);
    put(PMEVTYPER0 + 4, 0x11);
    cycles += 2;
    misses += 100;
    cr_expect_eq(get(PMEVCNTR0 + 4), 6, "it goes on from where it was");
    put(PMCR, 3);
    cr_expect_eq(get(PMEVCNTR0 + 4), 0);
}

Test(vpmu, counters_wrap_around_at_32_bits_and_say_so)
{
    put(PMEVTYPER0 + 1, 0x03);
    put(PMEVCNTR0 + 1, 0xfffffffe);
    put(PMCNTENSET, 2 | UINT64_C(1) << 31);
    put(PMCR, 0x41);
    misses++;
    cr_expect_eq(get(PMOVSCLR), 0);
    misses += 3;
    cr_expect_eq(get(PMEVCNTR0 + 1), 2);
    cr_expect_eq(get(PMOVSCLR), 2);
    put(PMOVSCLR, 1);
    cr_expect_eq(get(PMOVSSET), 2);
    put(PMOVSCLR, 2);
    cr_expect_eq(get(PMOVSSET), 0);
    put(PMCCNTR, 0xffffffff);
    cycles++;
    cr_expect_eq(get(PMOVSCLR), 0, "64 bits");
    put(PMCCNTR, UINT64_MAX);
    cycles++;
    cr_expect_eq(get(PMCCNTR), 0);
    cr_expect_eq(get(PMOVSCLR), UINT64_C(1) << 31);
    put(PMOVSCLR, 0xffffffff);
    put(PMCR, 1);
    put(PMCCNTR, 0xffffffff);
    cycles++;
    cr_expect_eq(get(PMOVSCLR), UINT64_C(1) << 31, "32 bits");
    misses += UINT64_C(1) << 32;
    cr_expect_eq(get(PMOVSCLR), 2 | UINT64_C(1) << 31, "all the way round");
}

Test(vpmu, software_increments)
{
    uint64_t value;
    put(PMCR, 1);
    put(PMSWINC, 1);
    cr_expect_eq(get(PMEVCNTR0), 0, "off");
    put(PMCNTENSET, 3);
    put(PMEVTYPER0 + 1, 0x11);
    put(PMSWINC, 7);
    put(PMSWINC, 1);
    cr_expect_eq(get(PMEVCNTR0), 2);
    cr_expect_eq(get(PMEVCNTR0 + 1), 0, "it counts something else");
    cr_expect_not(vpmu_read(vpmu, PMSWINC, &value));
}

Test(vpmu, a_filter_for_user_mode_stops_a_counter)
{
    put(PMCNTENSET, 1 | UINT64_C(1) << 31);
    put(PMEVTYPER0, 0x11 | UINT64_C(1) << 30);
    put(PMCR, 1);
    cycles += 5;
    cr_expect_eq(get(PMEVCNTR0), 0);
    cr_expect_eq(get(PMCCNTR), 5);
    put(PMCCFILTR, UINT64_C(1) << 30);
    cycles += 5;
    cr_expect_eq(get(PMCCNTR), 5);
    put(PMCCFILTR, UINT64_C(1) << 31); /* the system's own mode, in which nothing is */
    cycles += 5;
    cr_expect_eq(get(PMCCNTR), 10);
}

Test(vpmu, what_is_not_there_reads_as_0)
{
    put(PMSELR, 9);
    put(PMXEVTYPER, 0x11);
    put(PMXEVCNTR, 5);
    cr_expect_eq(get(PMXEVTYPER), 0);
    cr_expect_eq(get(PMXEVCNTR), 0);
    cr_expect_eq(get(PMEVTYPER0 + 9), 0);
    put(PMEVCNTR0 + 9, 5);
    cr_expect_eq(get(PMEVCNTR0 + 9), 0);
    put(PMSELR, 31);
    cr_expect_eq(get(PMXEVCNTR), 0);
    put(PMXEVTYPER, 0xffffffff);
    cr_expect_eq(get(PMCCFILTR), 0xfc000000);
}

Test(vpmu, says_which_events_there_are)
{
    cr_expect_eq(get(PMCEID0), 1 | 1 << 0x03 | 1 << 0x11);
    cr_expect_eq(get(PMCEID1), 0);
}

Test(vpmu, the_timer_ticks_once_a_cycle)
{
    cycles = 12345;
    cr_expect_eq(get(CNTVCT), 12345);
    cr_expect_eq(get(CNTFRQ), 1000000000);
    cr_expect_not(vpmu_write(vpmu, CNTVCT, 0));
}

Test(vpmu, interrupts_are_asked_for_and_come_with_an_overflow)
{
    uint64_t left;
    put(PMINTENSET_EL1, 1);
    cr_expect_eq(get(PMINTENSET_EL1), 1);
    cr_expect_not(vpmu_interrupts(vpmu, &left), "E is off");
    put(PMCR, 1);
    put(PMCNTENSET, 1);
    put(PMEVTYPER0, 0x03);
    put(PMEVCNTR0, 0xffffff00);
    cr_expect_not(vpmu_interrupts(vpmu, &left));
    cr_expect_eq(left, 0x100);
    put(PMOVSSET, 2);
    cr_expect_not(vpmu_interrupts(vpmu, &left), "another counter's flag");
    put(PMOVSSET, 1);
    cr_expect(vpmu_interrupts(vpmu, &left));
}

Test(vpmu, other_registers_are_not_its_business)
{
    uint64_t value;
    cr_expect_not(vpmu_read(vpmu, SCTLR_EL1, &value));
    cr_expect_not(vpmu_write(vpmu, SCTLR_EL1, 0));
    cr_expect_not(vpmu_write(vpmu, PMCEID0, 0));
    put(PMUSERENR, 0xff);
    cr_expect_eq(get(PMUSERENR), 15);
}

Test(vpmu, a_selection_waits_where_it_is_deferred)
{
    put(PMEVCNTR0, 100);
    put(PMEVCNTR0 + 1, 101);
    put(PMSELR, 1);
    cr_expect_eq(get(PMXEVCNTR), 101, "at once");
    put(PMSELR, 0);
    vpmu_defer(vpmu);
    put(PMSELR, 1);
    cr_expect_eq(get(PMSELR), 1, "its own register has it");
    cr_expect_eq(get(PMXEVCNTR), 100);
    put(PMXEVCNTR, 50);
    cr_expect_eq(get(PMEVCNTR0), 50);
    vpmu_synchronize(vpmu);
    cr_expect_eq(get(PMXEVCNTR), 101);
}

/* A program reads counters as often as it likes. */
Test(vpmu, a_read_asks_for_the_counters_that_are_on)
{
    vpmu_write(vpmu, PMEVTYPER0, 0x03);
    asked = 0;
    for (unsigned i = 0; i < 100; i++)
        get(PMEVCNTR0);
    cr_expect_eq(asked, 0);
    vpmu_write(vpmu, PMCNTENSET, 1);
    vpmu_write(vpmu, PMCR, 1);
    asked = 0;
    misses += 5;
    cr_expect_eq(get(PMEVCNTR0), 5);
    cr_expect_eq(asked, 1);
    vpmu_write(vpmu, PMCNTENCLR, 1);
    misses += 7; /* while it is off */
    cr_expect_eq(get(PMEVCNTR0), 5);
    vpmu_write(vpmu, PMCNTENSET, 1);
    misses += 2;
    cr_expect_eq(get(PMEVCNTR0), 7);
}
