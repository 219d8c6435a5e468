/* What this machine is and what it can measure: `cyclelab info`. */
#ifndef CYCLELAB_INFO_H
#define CYCLELAB_INFO_H

#include <stdbool.h>
#include <stdio.h>
#include "harness/base/error.h"
#include "harness/pmu/pmu.h"

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
