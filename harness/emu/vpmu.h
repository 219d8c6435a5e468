/* The virtual PMU: the registers of Arm's PMUv3 (Arm ARM, D8 and D17), answering student code in the emulated
 * machine with what the model counts. Off at reset, as on hardware. Six event counters and the cycle counter.
 */
#ifndef CYCLELAB_EMU_VPMU_H
#define CYCLELAB_EMU_VPMU_H

#include <stdbool.h>
#include <stdint.h>

enum { VPMU_COUNTERS = 6 };

/* Where counts come from: the architecture's event number to its count so far. false: no such event here. */
struct vpmu_source {
    bool (*count)(void *context, uint16_t event, uint64_t *value);
    void *context;
};

struct vpmu;
struct vpmu *vpmu_create(struct vpmu_source source);
void vpmu_destroy(struct vpmu *vpmu);
void vpmu_reset(struct vpmu *vpmu);

/* MRS and MSR; `system` as in struct decoded. False: no register of the PMU (or of the generic timer:
 * CNTVCT_EL0 and CNTFRQ_EL0, at 1 tick a cycle of `frequency`), or not to be read or written so. */
bool vpmu_read(struct vpmu *vpmu, uint16_t system, uint64_t *value);
bool vpmu_write(struct vpmu *vpmu, uint16_t system, uint64_t value);

/* The exception level, 1 or 0, at which code executes from now on: a counter's filter can leave one of them
 * out. 0 at reset. The source is up to date. */
void vpmu_set_level(struct vpmu *vpmu, unsigned level);

/* From now on a selection (PMSELR_EL0) counts for PMXEVTYPER_EL0 and PMXEVCNTR_EL0 only after a context
 * synchronization, as the architecture allows: an ISB, an exception, or its return. Until vpmu_reset. */
void vpmu_defer(struct vpmu *vpmu);
void vpmu_synchronize(struct vpmu *vpmu);

/* May code at EL0 access it, as PMUSERENR_EL0 says? True for what is no register of the PMU. */
bool vpmu_user_may(const struct vpmu *vpmu, uint16_t system, bool write);

/* Is a counter asked for an interrupt? Has one come, the source being up to date? If not, *left is how many
 * events one of them has at least to go until it overflows. Changes nothing. */
bool vpmu_may_interrupt(const struct vpmu *vpmu);
bool vpmu_interrupts(const struct vpmu *vpmu, uint64_t *left);

/* Is it a register that counts an event: PMEVCNTRn_EL0 or PMXEVCNTR_EL0? Then its event and what
 * that had counted so far, whatever code has made of the counter. */
bool vpmu_event(const struct vpmu *vpmu, uint16_t system, uint16_t *event, uint64_t *count);

/* Is it one of the event counters, or says what one counts: PMEVCNTRn_EL0, PMXEVCNTR_EL0, PMEVTYPERn_EL0,
 * PMXEVTYPER_EL0? */
bool vpmu_is_events(const struct vpmu *vpmu, uint16_t system);

/* Is it a register that counts cycles: PMCCNTR_EL0 or CNTVCT_EL0? Then the cycles that there were so far,
 * whatever code has made of the counter. */
bool vpmu_cycles(const struct vpmu *vpmu, uint16_t system, uint64_t *cycles);

#endif
