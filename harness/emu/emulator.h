/* The emulated machine: the same plans as a native runner executes (harness/runner/machine.h), in QEMU's CPU
 * emulator as a library (Unicorn), where student code has no system calls, no clock but the virtual PMU and
 * no memory but the plan's. Each executed instruction drives a core model.
 *
 * It takes the ordinary AArch64 runner with a variant in it and calls plan_entries[] itself, so the same file
 * serves qemu-aarch64, hardware and the model. */
#ifndef CYCLELAB_EMU_EMULATOR_H
#define CYCLELAB_EMU_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/base/error.h"
#include "harness/model/model.h"
#include "harness/arena/arena.h"

struct emulator;

struct emulator_config {
    const char *program;     /* the static AArch64 ELF of a variant */
    const struct core *core; /* NULL: no timing, correctness only */
    unsigned features;       /* enum decode_feature bits that the core has */
    uint64_t budget;         /* instructions of one emulator_execute; slow ones count as several */
    unsigned seconds;        /* of the process's CPU time, in all emulator_execute together; 0: no limit. For
                                what no budget foresees */
    bool crowded;            /* other CPUs have work of their own: no thread for the core model */
    bool notes_reads;        /* for emulator_unread(); with a core only */
    unsigned notes_loads_of; /* so many bytes, for emulator_unloaded(); 0: nobody asks; with a core only */
    bool notes_clock;        /* for emulator_clock() */
    bool no_counters;        /* student code may not read or set the virtual PMU's: EMULATOR_COUNTER */
    bool cycles_only;        /* nor, of those, what counts other events than cycles: EMULATOR_EVENTS */
    bool guards;             /* what is PLAN_GLUE is guarded: of a plan that has such a region */
    bool levels;             /* calls begin at EL1 and can go to EL0 (harness/emu/levels.h) */
};

enum emulator_outcome {
    EMULATOR_DONE,
    EMULATOR_FAULT,     /* unmapped, read-only or not executable: address, access, pc */
    EMULATOR_GUARDED,   /* student code accessed what is the glue's alone: address, access, pc */
    EMULATOR_SYSCALL,   /* svc, hvc, smc */
    EMULATOR_FORBIDDEN, /* an instruction that a submission may not execute: name */
    EMULATOR_COUNTER,   /* one that reads or sets a counter, with `no_counters`: name */
    EMULATOR_EVENTS,    /* or that of events, with `cycles_only`: name */
    EMULATOR_UNKNOWN,   /* one that is not modelled: name, word */
    EMULATOR_ESCAPED,   /* a jump out of the program's code: to address */
    EMULATOR_STACK,     /* an access through an SP that is no multiple of 16, a fault on hardware: sp, name */
    EMULATOR_BUDGET,    /* no end within the budget */
    EMULATOR_TIME,      /* none within the seconds */
    EMULATOR_CLOBBERED, /* a callee-saved register did not come back: name */
    EMULATOR_ERROR,     /* the suite's own: name */
};

struct emulator_run {
    enum emulator_outcome outcome;
    uint32_t call;
    uint32_t part;    /* of a call with parts: which one was under way */
    bool waits;       /* EMULATOR_BUDGET: while the other part stood still */
    uint64_t pc;      /* the instruction that did it */
    uint64_t address; /* EMULATOR_FAULT, EMULATOR_GUARDED, EMULATOR_ESCAPED */
    unsigned access;  /* the first two: PLAN_READ, PLAN_WRITE, or 0 for a fetch */
    uint32_t word;    /* the instruction, where it is to be named */
    uint64_t sp;
    uint64_t link; /* X30 when it was stopped */
    uint64_t instructions;
    uint64_t charged; /* what they cost beyond an instruction each */
    char name[96];    /* "msr daifset", "x19", ... */
};

/* Which Unicorn executes: another number for each version. */
unsigned emulator_version(void);

/* NULL with err: not such an ELF, no memory, no Unicorn. */
struct emulator *emulator_open(const struct emulator_config *config, struct arena *arena, struct error *err);
void emulator_close(struct emulator *emulator);

/* Another budget, for the next emulator_execute() and those behind it. */
void emulator_set_budget(struct emulator *emulator, uint64_t budget);

/* From now on, where the calls of a layout are made again, one part of each stands still until the other one
 * is done, as a thread without a CPU does: each part in turn; where, and which one first, is drawn from
 * `seed`. */
void emulator_stand_still(struct emulator *emulator, uint64_t seed);

/* Execute the plan in the arena; calls with parts on two cores (emulator_calls.c), their last part on the
 * first. `from`, `calls`: only these calls of the plan, for measuring them apart. */
void emulator_execute(struct emulator *emulator, uint32_t from, uint32_t calls, struct emulator_run *run);

/* Of the cache lines (of 64 bytes) that have part of these bytes of the arena, how many no instruction of the
 * last emulator_execute() has read from. Needs `notes_reads`. */
uint64_t emulator_unread(const struct emulator *emulator, uint64_t address, uint64_t bytes);

/* Has one read from the line of this address, or asked for it by a prefetch? Needs `notes_reads`. */
bool emulator_touched(const struct emulator *emulator, uint64_t address);

/* Of the elements of `notes_loads_of` bytes, from this address of the arena on: how many has no instruction
 * of the last emulator_execute() loaded by itself, or one has together with others? */
uint64_t emulator_unloaded(const struct emulator *emulator, uint64_t address, uint64_t bytes);

/* What reads of a counter delivered in the last emulator_execute(), in their order: of a cycle counter
 * (PMCCNTR_EL0 and CNTVCT_EL0), and with `levels` of event counters. Needs `notes_clock`; lives as long as
 * nothing else is executed. */
enum { CLOCK_CYCLES = UINT16_MAX };
struct clock_read {
    uint64_t value;
    uint64_t cycles; /* or events, that there had been: code can write to a counter, but not to this */
    uint32_t call;
    uint32_t visit; /* how often the glue had called code that is not its own */
    uint16_t event; /* that the counter counted; CLOCK_CYCLES for a cycle counter */
    bool by_glue;
};
const struct clock_read *emulator_clock(const struct emulator *emulator, size_t *count);

/* How often the last emulator_execute() came by a jump to each place of plan_counted[], on all cores
 * together; NULL: the program has none. Lives as long as nothing else is executed. */
const uint64_t *emulator_arrivals(struct emulator *emulator);

/* What was counted in all, with a core: of calls with parts the events of both cores, and as MODEL_CYCLES the
 * time until the later of them was done. And to 0, as model_forget_counts(). */
void emulator_count(struct emulator *emulator, struct model_counts *counts);
void emulator_forget_counts(struct emulator *emulator);

/* The model of the core that most calls had to wait for: the only one, and of two alike the first. */
struct model *emulator_later(struct emulator *emulator);

/* On how many cores calls were made: 2 where they have parts. */
unsigned emulator_cores(const struct emulator *emulator);

/* That of the first core. NULL without a core. */
struct model *emulator_model(struct emulator *emulator);

/* The code: ops as the model has them, and their count. */
const struct op *emulator_code(const struct emulator *emulator, size_t *count);

#endif
