#include "harness/pmu/pmu.h"

/* In the order of their numbers. To add a row: the architecture's number and name, and what one count stands
 * for. */
const struct pmu_arm_event pmu_arm_events[] = {
    {0x00, "SW_INCR", "writes to PMSWINC_EL0: a counter that software itself steps"},
    {0x01, "L1I_CACHE_REFILL", "lines brought into the first-level instruction cache"},
    {0x02, "L1I_TLB_REFILL", "translations brought into the first-level instruction TLB"},
    {0x03, "L1D_CACHE_REFILL", "lines brought into the first-level data cache, that is its misses"},
    {0x04, "L1D_CACHE", "accesses to the first-level data cache, hit or miss"},
    {0x05, "L1D_TLB_REFILL", "translations brought into the first-level data TLB"},
    {0x08, "INST_RETIRED", "instructions that took effect, without those on a wrong path"},
    {0x09, "EXC_TAKEN", "exceptions taken: interrupts, faults, system calls"},
    {0x10, "BR_MIS_PRED", "branches that went elsewhere than predicted, or had no prediction"},
    {0x11, "CPU_CYCLES", "core cycles, on a general counter instead of PMCCNTR_EL0"},
    {0x12, "BR_PRED", "branches that the predictor could handle, those on a wrong path included"},
    {0x13, "MEM_ACCESS", "loads and stores of data"},
    {0x14, "L1I_CACHE", "accesses to the first-level instruction cache"},
    {0x15, "L1D_CACHE_WB", "changed lines written back out of the first-level data cache"},
    {0x16, "L2D_CACHE", "accesses to the second-level cache for data"},
    {0x17, "L2D_CACHE_REFILL", "lines brought into the second-level cache for data, that is its misses"},
};
const size_t pmu_arm_event_count = sizeof pmu_arm_events / sizeof pmu_arm_events[0];
