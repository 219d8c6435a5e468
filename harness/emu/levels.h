/* Exception levels 1 and 0, for exercises about them (struct emulator_config: levels). Unicorn executes all
 * code at one level; what a level makes different is done here, before an instruction executes, by its word
 * alone: SVC, ERET, MRS and MSR (Arm ARM, D1). A call begins at EL1 with all interrupts masked, as after
 * reset.
 *
 * There are: VBAR, ELR, SPSR, ESR, FAR (always 0), TPIDR and the two stack pointers; SVC, accesses that are
 * trapped or undefined at EL0, and the PMU's interrupt as an IRQ. Faults, BRK and what else stops the machine
 * without levels stop it with them, too. */
#ifndef CYCLELAB_EMU_LEVELS_H
#define CYCLELAB_EMU_LEVELS_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/emu/vpmu.h"

enum { LEVELS_VECTORS = 0xc600 }; /* VBAR_EL1, as in bits 20 to 5 of an MSR */

struct levels {
    unsigned level;           /* 1 or 0 */
    unsigned width;           /* PMMIR_EL1.SLOTS */
    uint32_t masks;           /* DAIF, bits 9 to 6 */
    uint64_t vectors;         /* VBAR_EL1 */
    uint64_t link, saved;     /* ELR_EL1, SPSR_EL1 */
    uint64_t syndrome;        /* ESR_EL1 */
    uint64_t thread;          /* TPIDR_EL1 */
    uint64_t stack;           /* the stack pointer of the level that is not executing */
    uint64_t taken, returned; /* exceptions so far, and ERETs */
};

/* The registers of the machine that matter, before and after. */
struct level_registers {
    uint64_t operand; /* of MSR and MRS */
    uint64_t stack;   /* SP */
    uint64_t flags;   /* NZCV, bits 31 to 28 */
};

enum level_step {
    LEVEL_PASS,    /* no business of the levels: to be executed as it is */
    LEVEL_NEXT,    /* done: go on behind it */
    LEVEL_READ,    /* done: `operand` is for its register; go on behind it */
    LEVEL_GO,      /* done: go on at *to, at another level or in a handler */
    LEVEL_REFUSED, /* not to be executed, and here is why */
};

/* Is this an instruction that has to come by levels_step() each time? */
bool levels_concern(uint32_t word);

/* `width`: PMMIR_EL1.SLOTS, the slots of a cycle. */
void levels_reset(struct levels *levels, unsigned width);

/* Before the instruction `word` at `pc` executes. */
enum level_step levels_step(struct levels *levels, struct vpmu *vpmu, uint32_t word, uint64_t pc,
                            struct level_registers *registers, uint64_t *to, const char **why);

/* Would an interrupt be taken now, if the PMU asked for one? */
bool levels_listen(const struct levels *levels, const struct vpmu *vpmu);

/* The PMU's interrupt, before the instruction at `pc`. Where to go on. */
uint64_t levels_interrupt(struct levels *levels, struct vpmu *vpmu, uint64_t pc,
                          struct level_registers *registers);

#endif
