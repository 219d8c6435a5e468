/* What the files of the emulated machine share. */
#ifndef CYCLELAB_EMU_EMULATOR_INTERNAL_H
#define CYCLELAB_EMU_EMULATOR_INTERNAL_H

#include <unicorn/unicorn.h>
#include "harness/emu/decode.h"
#include "harness/emu/emulator.h"
#include "harness/emu/image.h"
#include "harness/emu/vpmu.h"

/* Where a call returns to: one page that is neither code nor readable. */
#define RETURN_ADDRESS UINT64_C(0x7f000000)

enum { FRAMES = 1024, FPCR_CONTROL = 0x07f79f00 /* rounding, flush to zero, traps */ };

/* What has to be done before an instruction executes. */
enum attention {
    ATTENTION_NONE,
    ATTENTION_REFUSE,  /* it is not to be executed */
    ATTENTION_ADDRESS, /* its access is not told (a prefetch), or may not happen (a store exclusive) */
};

/* Instructions that were executed one behind the other, and where the execution went then. */
struct executed {
    uint32_t first, count;
    uint64_t next;
    const uint64_t *end; /* behind its last access in addresses[] */
};

enum { EXECUTED = 256 }; /* handed to the model at a time: it is faster by itself than in turns */

struct emulator {
    /* Where the execution is; first, since every instruction looks at it. Instructions from run_start up to
     * `expected` are the run under way. */
    uint64_t expected;  /* the next instruction if nothing branches */
    uint64_t attention; /* the next one in line that needs attention */
    uint64_t accessed;  /* the value of `expected` during the last instruction with an access */
    uint64_t *cursor;   /* the next free place in addresses[] */
    uint64_t run_start;
    uint64_t *addresses;
    uint64_t *full; /* from here on, addresses[] has no room for another run */
    unsigned executed_count;
    struct executed executed[EXECUTED];

    struct emulator_config config;
    struct core core; /* config.core points here */
    struct arena *arena;
    struct image image;
    uc_engine *uc;
    uc_context *start; /* the registers that each call starts with */
    unsigned char *stack;
    struct op *ops;
    uint8_t *attentions;      /* enum attention, one an instruction */
    uint32_t *next_attention; /* the first instruction from this one on that needs it, or their count */
    uint64_t *known;       /* where each instruction jumped last, and may, with nothing else to do about it */
    uint32_t *next_branch; /* the same of branches */
    uint32_t *accesses;    /* instructions with accesses before this one */
    struct decoded *lookups; /* of the instructions with ATTENTION_ADDRESS */
    uint32_t *lookup_of;     /* which of them, one an instruction */
    struct vpmu *vpmu;
    struct model *model; /* NULL without a core */

    uint64_t frames[FRAMES]; /* where calls that the glue has made return to */
    unsigned depth;
    uint64_t instructions; /* executed so far by this emulator_execute, but for the run under way */
    uint64_t instructions_ever;
    struct emulator_run *run;
    bool stopped; /* run says why */
    bool broken;  /* Unicorn gave up: it is not to be asked again */

    /* Sees what the model is given; for tests. */
    void (*tap)(void *context, uint32_t first, uint32_t count, const uint64_t *addresses, uint64_t next);
    void *tap_context;

    uint64_t mapped_layout;
    unsigned mapped_count;
    struct plan_region *mapped;
};

/* emulator_map.c: memory that student code can read and write. False when Unicorn refuses. */
bool map_writable(uc_engine *uc, uint64_t address, uint64_t size, void *bytes);

/* emulator_trace.c: hooks that follow the execution. False when Unicorn refuses. */
bool trace_attach(struct emulator *emulator);

/* Before the first instruction of a call at `entry`; and when emulation has ended at `pc`. */
void trace_begin(struct emulator *emulator, uint64_t entry);
void trace_end(struct emulator *emulator, uint64_t pc, uc_err error);

#endif
