/* What the files of the emulated machine share. */
#ifndef CYCLELAB_EMU_EMULATOR_INTERNAL_H
#define CYCLELAB_EMU_EMULATOR_INTERNAL_H

#include <signal.h>
#include <unicorn/unicorn.h>
#include "harness/base/draw.h"
#include "harness/emu/decode.h"
#include "harness/emu/emulator.h"
#include "harness/emu/image.h"
#include "harness/emu/levels.h"
#include "harness/emu/vpmu.h"
#include "harness/sched/schedule.h"

/* Where a call returns to: one page that is neither code nor readable. */
#define RETURN_ADDRESS UINT64_C(0x7f000000)
/* A page of ours, while map_widely() is at work. */
#define TOUCH_ADDRESS UINT64_C(0x7f100000)

/* The stack of the second core. */
#define SECOND_STACK UINT64_C(0x7d800000)

#define NOWHERE UINT64_MAX /* no address of an instruction */

/* Lines of the arena, for what is read. */
#define LINE_SHIFT  6
#define ARENA_LINES (ARENA_SIZE >> LINE_SHIFT)

enum line_use { LINE_READ = 1, LINE_ASKED_FOR = 2 };

enum { CLOCK_READS = 1 << 16 /* that are kept: far more than a measurement makes */ };

enum {
    FRAMES = 1024,
    HANDED = 3,               /* arguments of student code that are looked at, */
    ARGUMENTS = 8,            /* of those that can be in registers: x0 to x7, v0 to v7 */
    FPCR_CONTROL = 0x07f79f00 /* rounding, flush to zero, traps */
};

/* Registers that a function has to bring back: x19 to x29, d8 to d15, and SP. */
enum {
    SAVED_GENERAL = 11,
    SAVED_VECTOR = 8,
    SAVED = SAVED_GENERAL + SAVED_VECTOR + 1,
    FIRST_GENERAL = 19,
    FIRST_VECTOR = 8
};

/* A call that the glue makes. */
struct frame {
    uint64_t back;         /* where it returns to */
    bool left;             /* the glue is left by it, so that the rest is known */
    uint64_t saved[SAVED]; /* as they were at the call, */
    bool hides;            /* or start values, since what the glue has there is put aside: */
    uint64_t hidden[SAVED];
    uint64_t handed[HANDED]; /* the first arguments */
};

/* What has to be done before an instruction executes: bits. */
enum attention {
    ATTENTION_REFUSE = 1,   /* it is not to be executed */
    ATTENTION_QUOTIENT = 2, /* the model is told how long its quotient is */
    ATTENTION_ADDRESS = 4,  /* its access is not told (a prefetch), may not happen (a store exclusive), or
                               begins before its address */
    ATTENTION_LEVEL = 16,   /* it may change the exception level, or be trapped at EL0 */
    ATTENTION_COUNTER = 32, /* Unicorn does not know it, so it is answered here */
    ATTENTION_STACK = 8,    /* SP was written by the one before it, and may be no multiple of 16 */
    ATTENTION_GLUE = 64,    /* a function of the glue begins here: who comes from before it has jumped */
};

/* What was executed, until the model is given it. */
enum { EXECUTED = 1024 /* of a batch: the model is faster by itself than in turns */ };
struct batch {
    unsigned count;
    struct executed { /* instructions one behind the other, and where the execution went then */
        uint32_t first, count;
        uint64_t next;
        const uint64_t *end; /* behind its last access in addresses[] */
    } executed[EXECUTED];
    uint64_t *addresses; /* of the accesses of all, and bits of quotients: what model_run() takes */
};

struct emulator {
    /* Where the execution is; first, since every instruction looks at it. Instructions from run_start up to
     * `expected` are the run under way. */
    uint64_t expected;  /* the next instruction if nothing branches */
    uint64_t attention; /* the next one in line that needs attention */
    uint64_t accessed;  /* the value of `expected` during the last instruction with an access */
    uint64_t *cursor;   /* the next free place in the batch's addresses[] */
    uint64_t run_start;
    struct batch *batch; /* the one that is being filled; without a model there is none */
    uint64_t *full;      /* from here on, its addresses[] have no room for another run */
    struct feed *feed;

    struct emulator_config config;
    struct core core; /* config.core points here */
    struct arena *arena;
    struct image image;
    uc_engine *uc;
    uc_context *start; /* the registers that each call starts with */
    unsigned char *stack;
    uint64_t stack_address;
    uint8_t *read;       /* each line of the arena; NULL: nobody asks */
    struct loads *loads; /* of elements of config.notes_loads_of; NULL as well */
    uint64_t *arrivals;  /* by a jump, at each instruction; NULL: the program has no plan_counted[] */
    uint64_t *counts;    /* those at its places */
    struct clock_read *clock_reads; /* the first CLOCK_READS of them; NULL: nobody asks */
    size_t clock_read_count;
    struct op *ops;
    uint8_t *attentions;      /* enum attention bits, one an instruction */
    uint32_t *next_attention; /* the first instruction from this one on that needs it, or their count */
    uint64_t *known;       /* where each instruction jumped last, and may, with nothing else to do about it */
    uint32_t *next_branch; /* the same of branches */
    uint32_t *accesses;    /* instructions before this one that the model is told something of */
    uint32_t *costs;       /* what those before this one cost beyond an instruction each */
    struct decoded *lookups; /* of the instructions with ATTENTION_ADDRESS */
    uint32_t *lookup_of;     /* which of them, one an instruction */
    struct vpmu *vpmu;
    struct model *model; /* NULL without a core */
    /* Sees what the model is given, in the model's thread where it has one; for tests. */
    void (*tap)(void *context, uint32_t first, uint32_t count, const uint64_t *addresses, uint64_t next);
    void *tap_context;

    struct frame frames[FRAMES]; /* the calls that the glue has made and that have not returned */
    unsigned depth;
    uint32_t visits;                /* how often the glue has called code that is not its own */
    bool gives_value;               /* the function of the glue that was entered last returns one, in x0 */
    struct levels levels;           /* with config.levels */
    uint64_t resume;                /* where Unicorn is to go on when it has been stopped, or NOWHERE */
    uint64_t landing;               /* the target of a change of levels that may be made, or NOWHERE */
    uint64_t interruptions[FRAMES]; /* where exceptions of the glue return to */
    unsigned interrupted;
    uint64_t quiet;        /* no interrupt comes before so many instructions of this emulator_execute */
    bool glue_vectors;     /* the glue wrote VBAR_EL1 */
    uint64_t instructions; /* executed so far by this emulator_execute, but for the run under way */
    uint64_t charged;      /* the same, of what they cost beyond that */
    uint64_t instructions_ever;
    uint64_t
        most; /* instructions and charges: the budget, or fewer while the other core's part stands still */
    uint64_t look;        /* behind so many of them the CPU time is looked at */
    uint64_t until, used; /* ns of CPU time: of the process, when it is over; all before */
    struct emulator_run *run;
    bool stopped; /* run says why */
    bool askew;   /* SP is no multiple of 16: no access may go through it */
    bool watched; /* trace_attach() was called */
    bool broken;  /* Unicorn gave up: it is not to be asked again */

    /* two cores */
    struct emulator *second; /* of the first one, once there was a call with parts */
    bool is_second;
    struct emulator *other; /* while both are at work, the other one */
    bool under_way;         /* the call has not ended */
    bool yields;            /* the turn is over; `resume` is where it goes on */
    uint64_t turn;          /* over when so many instructions are executed; UINT64_MAX: never */
    uint64_t turns;         /* state of the sequence of their lengths */
    uint64_t turns_made;    /* in this call */
    uint64_t until_pause;   /* turns; 0: it does not come to that */
    bool paused;            /* it stands still until the other core's part is done */
    bool pauses_are_made;   /* of the first one: emulator_stand_still() was called; */
    struct draw pauses;     /* where parts stand still, */
    struct turns_of *noted; /* and how long calls are, for that; of this layout */
    uint64_t noted_layout;
    uint32_t noted_calls;
    uint64_t marked; /* the line of the last load exclusive, while nobody else has written to it */
    uint64_t later;  /* calls in which the other core had to wait for this one */

    uint64_t mapped_layout;
    unsigned mapped_count;
    struct plan_region *mapped;
};

/* emulator_costs.c. How many instructions of the budget one takes; attention: enum attention bits. */
unsigned emulator_cost(uint32_t word, const struct decoded *decoded, unsigned attention);

/* emulator_map.c. Memory that student code can read and write. False when Unicorn refuses. */
bool map_writable(uc_engine *uc, uint64_t address, uint64_t size, void *bytes);

/* Makes Unicorn's table of translations as large as these regions, which are mapped, ask for. Executes a few
 * instructions: before trace_attach(). False when Unicorn refuses. */
bool map_widely(uc_engine *uc, const struct plan_region *regions, unsigned count);

/* emulator_feed.c: batches go to the model. Between feed_all() or feed_drop() and the next feed_add() nobody
 * else is at it. False when memory is short. */
bool feed_open(struct emulator *emulator);
void feed_close(struct emulator *emulator);

/* The batch is full: it is on its way, and another one is to be filled. */
void feed_batch(struct emulator *emulator);

/* All so far is with the model. FEED_NONE, or the first instruction of a run that was refused, with all
 * behind it: its accesses are not those that the decoder knows. */
enum { FEED_NONE = UINT32_MAX };
uint32_t feed_all(struct emulator *emulator);

/* What is in the batch is dropped, and a refusal forgotten. */
void feed_drop(struct emulator *emulator);

static inline void feed_add(struct emulator *emulator, uint32_t first, uint32_t count, uint64_t next)
{
    struct batch *batch = emulator->batch;
    batch->executed[batch->count++] = (struct executed){first, count, next, emulator->cursor};
    if (batch->count == EXECUTED || emulator->cursor >= emulator->full)
        feed_batch(emulator);
}

/* emulator_system.c: what the machine answers by itself. */
bool system_count(void *context, uint16_t event, uint64_t *value); /* struct vpmu_source */

/* MRS and MSR of what the virtual PMU answers. 0: that is no such register. */
uint32_t system_access(struct emulator *emulator, bool write);

/* How the model sees an instruction with ATTENTION_LEVEL. */
void system_make_op(struct op *op);

/* Such an instruction is about to be executed. */
void system_step(struct emulator *emulator, uint64_t address);

/* MRS and MSR of an event counter by its number. Unicorn 2.0 knows the first four, and stays at the others.
 */
bool system_is_counter(uint32_t word);

/* Such an instruction is about to be executed: it is answered, and the execution goes on behind it. */
void system_answer(struct emulator *emulator, uint64_t address);

/* Before the instruction at `address`: has an interrupt come? Then it is not executed now. */
bool system_interrupt(struct emulator *emulator, uint64_t address);

/* emulator_calls.c. Known values in the registers that a call has to bring back; the others are as after
 * power-on. */
bool calls_set_start(struct emulator *emulator);

/* The registers that a call has to bring back, as they are. */
void calls_note_saved(struct emulator *emulator, uint64_t saved[SAVED]);

/* What was read (emulator_reads.c): room for it; of the first bytes of the arena, forgotten. */
bool reads_open(struct emulator *emulator);
void reads_close(struct emulator *emulator);
void reads_forget(struct emulator *emulator, uint64_t bytes);

/* The instruction under way loads `bytes` from here on, all in all. Where somebody asks. */
void reads_note_load(struct emulator *emulator, uint64_t address, unsigned bytes);

/* What they have at a call's start, all but SP: values that nobody makes by chance. */
void calls_start_values(uint64_t saved[SAVED]);

/* Others in their place. */
void calls_put_saved(struct emulator *emulator, const uint64_t saved[SAVED]);

/* Are they what they were? Else the run's name is that of one which is not. */
bool calls_check_saved(struct emulator *emulator, const uint64_t saved[SAVED]);

/* Handle SIGABRT, as long as calls are made; *before is to be put back. */
void calls_catch_abort(struct sigaction *before);

/* A call of the plan, with all its parts; run has its outcome. */
void calls_make(struct emulator *emulator, const struct plan *plan, uint64_t call);

/* Two cores: before the instruction at `address`, is it the other one's turn? Then it is not executed now. */
bool calls_turn_ends(struct emulator *emulator, uint64_t address);

/* Room for how long the calls of this plan are, where parts are to stand still. False: no memory. */
bool calls_note(struct emulator *emulator, const struct plan *plan);

/* Two cores: a store exclusive, the instruction at `address`, is about to be executed. It fails here where
 * the line is not marked. The address that the model is told. */
uint64_t calls_store_exclusive(struct emulator *emulator, uint64_t address, uint64_t accessed);

/* emulator_jumps.c. The instruction at `from` jumps to `to`; or the one before `address` is done, which
 * stands one behind the other. False when it must not, and the execution has ended. */
bool jumps_may_jump(struct emulator *emulator, uint64_t from, uint64_t to);
bool jumps_may_fall(struct emulator *emulator, uint64_t address);
bool jumps_escaped(struct emulator *emulator, uint64_t from, uint64_t to, const char *text); /* false */

/* emulator_trace.c: hooks that follow the execution. False when Unicorn refuses. */
bool trace_attach(struct emulator *emulator);

/* emulator_system.c, a hook: what is the glue's alone, and its frames, through which it finds that. */
void system_guard(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value, void *context);
/* Has the glue handed this object to the student code that it called last? As the first argument, or as
 * another one if that points to what is the glue's alone: else it may be left from before. */
bool system_was_handed(const struct emulator *emulator, uint64_t object);

/* What two cores need besides: who has marked which line. */
bool trace_attach_shared(struct emulator *emulator);

static inline uint64_t trace_index(const struct emulator *emulator, uint64_t address)
{
    return (address - emulator->image.code) / 4;
}

/* Instructions of the budget that are used up, by both cores while both are at work; the run under way apart.
 */
static inline uint64_t trace_spent(const struct emulator *emulator)
{
    const struct emulator *other = emulator->other;
    return emulator->instructions + emulator->charged + (other ? other->instructions + other->charged : 0);
}

static inline bool is_store_exclusive(const struct op *op)
{
    return op->op_class == OP_EXCLUSIVE && op->memory == OP_MEMORY_STORE;
}

bool trace_is_code(const struct emulator *emulator, uint64_t address);

static inline bool trace_is_glue(const struct emulator *emulator, uint64_t address)
{
    enum image_place place = (enum image_place)emulator->image.places[trace_index(emulator, address)];
    return place == IMAGE_GLUE || place == IMAGE_GLUE_START || place == IMAGE_GLUE_HANDED;
}

/* The execution ends at `pc`, for this reason. The first one counts. */
struct emulator_run *trace_stop(struct emulator *emulator, enum emulator_outcome outcome, uint64_t pc);

/* A register's value; 31 is zero or SP. */
void trace_set_general(const struct emulator *emulator, unsigned number, uint64_t value);
uint64_t trace_general(const struct emulator *emulator, unsigned number, bool stack_pointer);

/* Is the instruction at `address` one that may be executed, whatever the level? Else it is refused. */
bool trace_passes(struct emulator *emulator, uint64_t address);

/* The run under way ends; `next` is executed then. */
void trace_end_run(struct emulator *emulator, uint64_t next);

/* All so far goes to the model. */
void trace_hand_over(struct emulator *emulator);

/* Before the first instruction of a call at `entry`; and when emulation has ended at `pc`. */
void trace_begin(struct emulator *emulator, uint64_t entry);
void trace_end(struct emulator *emulator, uint64_t pc, uc_err error);

#endif
