/* What this machine is and what it can measure: `cyclelab info`, and the tier that a check starts from. */
#ifndef CYCLELAB_INFO_H
#define CYCLELAB_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "harness/error.h"
#include "harness/pmu/pmu.h"

/* The evidence that this thread can get here, and `why` as one sentence: TIER_PMU if a group of counters on
 * it really counts a block of known length, else TIER_CALIBRATED if the add chain is steady, else TIER_CLOCK.
 * Takes some 20 ms, up to half a second on a restless machine. */
enum tier info_tier(const struct pmu_system *system, char *why, size_t size);

/* The CPU's name as it gives itself, "not known" where it gives none. Good until the program ends. */
const char *info_cpu_name(void);

/* Write the whole page to `out`. Takes some 4 s, mostly asleep; says so on stderr where that is a terminal.
 */
bool info_print(FILE *out, bool colour, struct error *err);

/* The same with what a test wants to choose. */
struct info_settings {
    const struct pmu_system *system;
    unsigned sleep_ms; /* each of the five sleeps, between which the clock checks itself */
    const char *root;  /* where /proc and /sys are: "" */
};
bool info_print_with(const struct info_settings *settings, FILE *out, bool colour, struct error *err);

#endif
