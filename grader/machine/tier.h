/* The tier: what native evidence this machine can give. */
#ifndef CYCLELAB_TIER_H
#define CYCLELAB_TIER_H

#include <stddef.h>
#include "harness/clock/clock.h"
#include "harness/pmu/pmu.h"

/* The evidence that this thread can get here, and `why` as one sentence: TIER_PMU if a group of counters on
 * it really counts a block of known length, else TIER_CALIBRATED if the add chain is steady, else TIER_CLOCK.
 * The add chain's figures go to `calibration`, which may be NULL. Takes some 20 ms, up to half a second on a
 * restless machine. */
enum tier tier_find(const struct pmu_system *system, struct calibration *calibration, char *why, size_t size);

#endif
