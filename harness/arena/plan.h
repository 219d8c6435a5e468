/* The plan: the one thing that the grader and a machine that runs student code have in common.
 *
 * The arena is a piece of shared memory at a fixed address, the same in the grader and in every machine, on
 * every ISA. So an argument block may hold plain C pointers. Its first granule holds the plan, which the
 * machine can only read, and natively not even that once student code runs; the third holds the status, which
 * the machine writes and the grader believes nothing of but for the wording of a message. The regions follow,
 * each between guard granules.
 *
 *     granule 0     struct plan          read-only for the runner; natively unmapped before the first call
 *     granule 2     struct plan_status   read and write
 *     granule 4...  regions              as the plan says; everything else is unmapped
 *
 * This header is used with and without a C library, natively and on AArch64: fixed-width members only. */
#ifndef CYCLELAB_PLAN_H
#define CYCLELAB_PLAN_H

#include <stdint.h>

#define ARENA_BASE    UINT64_C(0x40000000)
#define ARENA_GRANULE UINT64_C(0x10000)     /* the largest page size of AArch64 Linux */
#define ARENA_SIZE    (UINT64_C(960) << 20) /* more fails under sanitizers, see docs/design.md */
#define ARENA_STATUS  (ARENA_BASE + 2 * ARENA_GRANULE)
#define ARENA_REGIONS (ARENA_BASE + 4 * ARENA_GRANULE)

/* Where the runner finds the arena's two files, of the same layout: what it may only read is in one, which it
 * has open for reading; what it may write is in the other. */
#define ARENA_FD          3
#define ARENA_WRITABLE_FD 4

#define PLAN_MAGIC       UINT32_C(0x6e616c70) /* "plan" in a little-endian dump */
#define PLAN_MAX_REGIONS 1024
#define PLAN_MOST_PARTS  2

/* The status of whoever makes part p is so many bytes behind that of part 0: in a page of its own. */
#define PLAN_STATUS_STRIDE UINT64_C(0x1000)

/* PLAN_ONLY_n: where the parts of a call have a process each, only that of part n has the region. PLAN_GLUE:
 * in the emulated machine only the glue may access it. */
enum { PLAN_READ = 1, PLAN_WRITE = 2, PLAN_ONLY_0 = 4, PLAN_ONLY_1 = 8, PLAN_GLUE = 16 };

struct plan_region {
    uint64_t address;    /* a multiple of ARENA_GRANULE */
    uint64_t size;       /* bytes, a multiple of ARENA_GRANULE */
    uint64_t access;     /* PLAN_READ, or PLAN_READ | PLAN_WRITE; and PLAN_ONLY_n, PLAN_GLUE */
    uint64_t begin, end; /* the buffer in it: whoever times touches the pages of that before */
};

/* "Call entry K times: with args + i * args_stride and results + i * results_stride."
 *
 * A call may have parts, that are made at the same time where there are processors for it: part p is entry
 * entry + p. When all parts are done, entry + parts is called, by whoever made part 0. All have the same
 * arguments and the same result block. */
struct plan {
    uint32_t magic;
    uint32_t region_count;
    uint64_t layout; /* changes whenever the regions do; the machine then maps them anew */
    uint64_t reach;  /* no region of this or an earlier layout ends beyond it */
    uint32_t entry;  /* index into the exercise's plan_entries[] */
    uint32_t calls;
    uint32_t parts; /* 0 or 1: a call is its entry; at most PLAN_MOST_PARTS */
    uint32_t reserved;
    uint64_t args;
    uint64_t args_stride;
    uint64_t results;
    uint64_t results_stride;
    struct plan_region regions[PLAN_MAX_REGIONS];
};

/* Is there a region that is the glue's alone? */
static inline int plan_guards(const struct plan *plan)
{
    int guards = 0;
    for (uint32_t i = 0; i < plan->region_count && i < PLAN_MAX_REGIONS; i++)
        guards |= (plan->regions[i].access & PLAN_GLUE) != 0;
    return guards;
}

/* The last of the entries of a call, counted from plan.entry. */
static inline uint32_t plan_last_part(const struct plan *plan)
{
    return plan->parts > 1 && plan->parts <= PLAN_MOST_PARTS ? plan->parts : 0;
}

enum plan_state { PLAN_IDLE, PLAN_READY, PLAN_RUNNING, PLAN_DONE, PLAN_BAD, PLAN_CLOBBERED, PLAN_FAULT };

/* What the machine says. Untrusted: for messages only. */
struct plan_status {
    uint32_t state;
    uint32_t call;      /* the call under way, or the one that failed */
    uint32_t clobbered; /* PLAN_CLOBBERED: what target_call found not restored */
    uint32_t signal;    /* PLAN_FAULT: the signal, its si_code, the address that si_addr gives, pc and sp */
    int32_t signal_code;
    uint32_t access; /* PLAN_READ or PLAN_WRITE where the CPU says so, else 0 */
    uint64_t fault_address;
    uint64_t pc;
    uint64_t sp;
    uint64_t system_call; /* SIGSYS: its number */
    int32_t child;        /* the process that is to execute the plan; read before it does */
    uint32_t arrived;     /* at how many meetings of the parts it has been */
};

#endif
