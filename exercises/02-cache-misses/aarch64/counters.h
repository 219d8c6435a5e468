/* The counters of the PMU, where the bench lends one: the events that the article names. They count stores as
 * well as loads. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "exercise.h"

#ifndef CYCLELAB_PMU
#define CYCLELAB_PMU 0
#endif

#if CYCLELAB_PMU

enum { L1D_CACHE_REFILL = 0x03, L1D_CACHE = 0x04, L2D_CACHE = 0x16, L2D_CACHE_REFILL = 0x17 };

static inline void counters_begin(void)
{
    __asm__ volatile("msr pmevtyper0_el0, %0" ::"r"((uint64_t)L1D_CACHE));
    __asm__ volatile("msr pmevtyper1_el0, %0" ::"r"((uint64_t)L1D_CACHE_REFILL));
    __asm__ volatile("msr pmevtyper2_el0, %0" ::"r"((uint64_t)L2D_CACHE));
    __asm__ volatile("msr pmevtyper3_el0, %0" ::"r"((uint64_t)L2D_CACHE_REFILL));
    __asm__ volatile("msr pmcntenset_el0, %0" ::"r"(UINT64_C(0xf)));
    __asm__ volatile("msr pmcr_el0, %0\n\tisb" ::"r"(UINT64_C(3)) : "memory"); /* on, and from 0 */
}

static inline void counters_end(struct miss_counters *counters)
{
    __asm__ volatile("isb\n\tmrs %0, pmevcntr0_el0" : "=r"(counters->l1d_loads)::"memory");
    __asm__ volatile("mrs %0, pmevcntr1_el0" : "=r"(counters->l1d_load_misses));
    __asm__ volatile("mrs %0, pmevcntr2_el0" : "=r"(counters->llc_loads));
    __asm__ volatile("mrs %0, pmevcntr3_el0" : "=r"(counters->llc_load_misses));
}

#else

static inline void counters_begin(void)
{
}

static inline void counters_end(struct miss_counters *counters)
{
    *counters = (struct miss_counters){0, 0, 0, 0};
}

#endif

#endif
