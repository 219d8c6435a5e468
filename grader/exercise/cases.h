/* What an exercise's cases.c brings: its inputs and its oracle. Trusted; it runs in the grader only, is built
 * as a shared object of its own (build/exercises/NN-slug/cases.so) and exports one symbol:
 *
 *     const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
 *
 * The same definition serves correctness (many small calls, each buffer against a guard; and, where another
 * case of the entry is timed, calls as they are timed, with lab->timed true) and timing (a few large calls,
 * over and over with new contents): the grader decides how many calls there are, of how many elements, and
 * where the buffers lie. For each layout it calls
 *
 *     setup(lab)                 once: what all calls share
 *     allocate(lab, call)        once for each call: its buffers
 *     fill(lab, call)            before each execution: inputs and argument block, from lab->draw. What
 *                                student code can write to holds noise then, or zeros (`zeroed`)
 *     verify(lab, call, why)     after each execution, with the machine stopped
 *
 * and frees everything by itself. Whatever the machine can write is untrusted: verify looks at buffers
 * through call->buffer[] and its own copies in call->shadow, never through a pointer read from the arena. */
#ifndef CYCLELAB_CASES_H
#define CYCLELAB_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/arena/plan.h"
#include "harness/base/draw.h"

enum { CALL_BUFFERS = 6, CALL_CYCLES = UINT16_MAX };

/* One layout: the calls of a plan and what they share. */
struct lab {
    struct draw draw;   /* seeded for this run; the only source of randomness */
    bool timed;         /* laid out for timing, or as if: large calls, no tricks with alignment */
    bool modelled;      /* for a model core: every instruction counts, so keep to what is needed */
    bool fma;           /* for a processor with AVX2 and FMA, whatever this one has */
    size_t elements;    /* the largest n of any call in this layout */
    size_t cache_bytes; /* this machine's last-level cache (or the model's) */
    uint32_t student;   /* the constant `student_number` of the student's code; 0: it has none. For what
                           is drawn for each student, and stays when other code of theirs changes */
    void *shared[CALL_BUFFERS]; /* arena memory from lab_shared() */
    void *memory[CALL_BUFFERS]; /* private memory from lab_memory() */
    uint64_t count;             /* free for the exercise, 0 after setup */
    void *grader;               /* the grader's own */
};

/* One call. */
struct call {
    size_t n;                   /* elements, chosen by the grader; `allocate` may set another number */
    void *args;                 /* the argument block in the arena: read-only for the machine */
    void *result;               /* the result block in the arena; zeroed before fill */
    void *buffer[CALL_BUFFERS]; /* from call_buffer() */
    void *shadow;               /* private memory from call_shadow() */
    /* In the emulated machine, for verify: how often the plan's calls, all together, came by a jump to each
     * place of the glue's plan_counted[] (harness/runner/glue.h). NULL elsewhere. */
    const uint64_t *arrivals;
    void *grader; /* the grader's own */
};

/* The first difference, for the student: filled by verify. */
struct finding {
    char text[512];
};

struct case_def {
    const char *name;
    unsigned entry; /* index into the glue's plan_entries[] */
    /* A call has so many parts, made at the same time: natively by processes that share the arena, on CPUs of
     * their own. Part p is plan_entries[entry + p]; plan_entries[entry + parts] follows when all are done.
     * Where there is one processor, one part is made after the other. 0: a call is its entry. */
    unsigned parts;
    size_t args_size;
    size_t result_size; /* may be 0 */
    bool once;          /* correctness: one call only (a large or slow case), as a bound times it */
    size_t elements;    /* or, if it is not 0, of so many */
    bool unsized;       /* the student's function is given no n, so that messages tell none */

    bool by_student; /* it goes by lab->student */
    /* What it gives depends on the machine's clock, so natively a call that is wrong is made
     * again with the same inputs. What is filled goes by lab->draw alone. */
    bool reads_clock;
    bool reads_counters; /* a model core's; natively there are none */
    /* Its slices spend their time waiting for memory, which is now quicker and now slower: a round keeps
     * their lower quartile, not the least (docs/methodology.md). */
    bool waits_for_memory;

    bool (*setup)(struct lab *lab); /* optional. false: out of memory */
    bool (*allocate)(struct lab *lab, struct call *call);
    void (*fill)(struct lab *lab, struct call *call);

    /* True when right. Else false and *why says what was expected, what was found and at which element. */
    bool (*verify)(struct lab *lab, const struct call *call, struct finding *why);

    /* Optional: what the student calls each call->buffer[], for messages about crashes. */
    const char *buffers[CALL_BUFFERS];

    /* Bit i: a call cannot know its answer without a look at each cache line of call->buffer[i]. On a model
     * core that is counted. (An exercise whose loops may end early has none.) */
    unsigned reads_whole;

    /* So many bytes are an element of these, and each is loaded by an access of its own, where the
     * exercise is about the loop that does so. On a model core that is looked at. 0: however it is read. */
    unsigned loads_each;

    /* Optional: does the call need this cache line of such a buffer, counted from the one that the buffer
     * begins in? On a model core those that it does not need must not be read, nor
     * asked for by a prefetch. NULL: it needs all. */
    bool (*needs_line)(const struct call *call, unsigned buffer, size_t line);

    /* Bit i: call->buffer[i], which the machine can write to, begins as zeros, as the contract promises.
     */
    unsigned zeroed;

    /* Bit i: natively each line of call->buffer[i], or of lab->shared[i], leaves the caches before a timed
     * call. So no gain depends on how large they are. (On a model core `warm-up: false` is as much.) */
    unsigned flushed, flushed_shared;

    /* The contrary: each line of call->buffer[i] is read right before. Natively other programs push out of
     * the last-level cache what was drawn a millisecond ago, some of it or all. */
    unsigned warmed;

    /* An element's operations: so many instructions of the classes of a core's file that begin with `family`
     * ("mul" stands for all multiplications). On a model core they are counted: a call cannot do with fewer.
     */
    unsigned operations;
    const char *family;

    /* Families of such classes, NULL at last. On a model core a bound's calls run where each family takes
     * some cycles more, drawn anew: what the call reports has to be measured there, and no table knows it. */
    const char *const *slowed;

    /* So many bytes are stored for each element, where what was stored is overwritten before anybody could
     * look at all of it. On a model core they are counted. */
    unsigned stores;

    /* Of the result block: so many words from this byte on, each a value of the cycle counter that a read in
     * this call delivered, in the order of the reads. In the emulated machine that is asked after `verify`:
     * a reading that is made up, or of a counter that was written to in between, is found out there. */
    unsigned readings, readings_at;

    /* Each of them is read by a call of a student's function of its own, or by the glue: what a reading
     * stands before or behind is the glue's to say. */
    bool readings_apart;

    /* So many counters take turns in them: word i and word i + read_counters are of the same one. 0 is one.
     * With `levels`, event counters can be among them. */
    unsigned read_counters;

    /* With more than one: which event the counter of word i counts, CALL_CYCLES for the cycle counter. A
     * reading of another counter is none of this one. */
    uint16_t (*counted)(const struct call *call, unsigned word);

    /* In the emulated machine calls begin at EL1, can go to EL0 and take exceptions (harness/emu/levels.h).
     */
    bool levels;

    /* Optional: what the call itself reports, for bounds of kind `agree` (exercise 1: ticks of a block).
     * Without it they compare core cycles: of an operation, or of an element where none are given. */
    double (*value)(const struct lab *lab, const struct call *call);
};

struct case_table {
    const struct case_def *defs;
    size_t count;
};

/* For allocate: `bytes` of arena memory, aligned for elements of `align` bytes and no further when the grader
 * tries unaligned starts; `access` as in plan.h. NULL when the arena is full. Kept in call->buffer[index]. */
void *call_buffer(struct lab *lab, struct call *call, unsigned index, size_t bytes, size_t align,
                  unsigned access);

/* For allocate: private memory for the oracle, kept in call->shadow and freed by the grader. */
void *call_shadow(struct call *call, size_t bytes);

/* For setup: the same for what all calls share: arena memory, and private memory. */
void *lab_shared(struct lab *lab, unsigned index, size_t bytes, unsigned access);
void *lab_memory(struct lab *lab, unsigned index, size_t bytes);

/* Write a finding (printf). Always returns false: `return finding(why, "...")`. */
bool finding(struct finding *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
