/* What is particular to the clock of an AArch64: its instructions, its name, who declares its rate. */
#include "harness/clock/clock.h"
#include "harness/clock/costs.h"

void clock_cost_cntvct(uint64_t count);
void clock_cost_isb(uint64_t count);
uint64_t clock_cntfrq(void);

/* To add a row: a loop in cost_ops.S, and its name here. */
const struct clock_cost clock_costs[] = {
    {"CNTVCT_EL0", clock_cost_cntvct},
    {"ISB", clock_cost_isb},
};
const size_t clock_costs_count = sizeof clock_costs / sizeof clock_costs[0];

const char *const clock_multiply_expected = "2 to 5, by the core";

const char *clock_name(void)
{
    return "CNTVCT_EL0";
}

double clock_declared_frequency(void)
{
    return (double)clock_cntfrq();
}

/* No register that user space may read tells. */
bool clock_hypervisor(char signature[13])
{
    signature[0] = '\0';
    return false;
}
