/* What is particular to the clock of an x86-64: its instructions, its name, who declares its rate. */
#include "harness/clock/clock.h"
#include "harness/clock/costs.h"

#include <cpuid.h>
#include <string.h>

void clock_cost_rdtsc(uint64_t count);
void clock_cost_rdtscp(uint64_t count);
void clock_cost_lfence(uint64_t count);
void clock_cost_cpuid(uint64_t count);

/* To add a row: a loop in cost_ops.S, and its name here. */
const struct clock_cost clock_costs[] = {
    {"RDTSC", clock_cost_rdtsc},
    {"RDTSCP", clock_cost_rdtscp},
    {"LFENCE", clock_cost_lfence},
    {"CPUID", clock_cost_cpuid},
};
const size_t clock_costs_count = sizeof clock_costs / sizeof clock_costs[0];

const char *const clock_multiply_expected = "3 on most cores";

const char *clock_name(void)
{
    return "TSC";
}

/* CPUID leaf 0x15 gives it on some models only, and hypervisors leave it out: measuring is simpler and surer.
 */
double clock_declared_frequency(void)
{
    return 0.0;
}

bool clock_hypervisor(char signature[13])
{
    unsigned eax;
    unsigned ebx;
    unsigned ecx;
    unsigned edx;
    signature[0] = '\0';
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & 1u << 31))
        return false;
    __cpuid(0x40000000u, eax, ebx, ecx, edx);
    memcpy(signature, &ebx, 4);
    memcpy(signature + 4, &ecx, 4);
    memcpy(signature + 8, &edx, 4);
    signature[12] = '\0';
    return true;
}
