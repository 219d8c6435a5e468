#include "grader/machine/tier.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PROBE_CYCLES 1000000u

/* Counters that open may still count nothing under a hypervisor: let them count a block of known length. */
static bool counters_work(const struct pmu_system *system, struct error *err)
{
    struct pmu *pmu = pmu_open(system, 0, NULL, err);
    struct pmu_count count;
    if (!pmu)
        return false;
    pmu_start(pmu);
    clock_add_chain(PROBE_CYCLES);
    pmu_stop(pmu);
    bool counted = pmu_read(pmu, &count) && count.present[PMU_CYCLES];
    pmu_close(pmu);
    if (!counted)
        return error_set(err, "the performance counters can be opened here, but did not count all the time");
    if (count.value[PMU_CYCLES] < PROBE_CYCLES - PROBE_CYCLES / 10)
        return error_set(err, "the performance counters are wrong here: %" PRIu64 " cycles for a chain of %u",
                         count.value[PMU_CYCLES], PROBE_CYCLES);
    return true;
}

/* Calibrate until it is steady, for at most half a second. */
static struct calibration settle(void)
{
    struct calibration calibration;
    uint64_t start = clock_begin();
    do
        calibration = clock_calibrate(50);
    while (!calibration.steady && (double)(clock_end() - start) < 0.5 * clock_frequency());
    return calibration;
}

enum tier tier_find(const struct pmu_system *system, struct calibration *calibration, char *why, size_t size)
{
    struct error err = {""};
    struct calibration own;
    bool counts = counters_work(system, &err);
    if (!calibration)
        calibration = &own;
    if (!counts || calibration != &own)
        *calibration = settle();
    if (counts) {
        snprintf(why, size, "performance counters count here");
        return TIER_PMU;
    }
    char *way_out = strstr(err.text, ". "); /* `make info` tells it; here is the reason */
    if (way_out)
        *way_out = '\0';
    snprintf(why, size, "%s; the chain of adds that gives core cycles instead is %s (spread %.1f %%)",
             err.text, calibration->steady ? "steady" : "not steady enough", 100.0 * calibration->spread);
    return calibration->steady ? TIER_CALIBRATED : TIER_CLOCK;
}
