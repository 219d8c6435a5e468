/* The runner: executes plans and does nothing else. There are two ways.
 *
 * With arguments (`nursery`, the system calls that are lent, and how many parts of a call are made at once,
 * as numbers) it is a nursery, for student code that is timed or native: it never calls anything of the
 * student's. Whenever the grader continues it, it clones a child for the plan in the arena, or one for each
 * part of its calls. That is a child of the grader's; it maps what the plan says,
 * touches all that it is going to use, gives up every system call but stopping and dying, and stops.
 * Continued, it executes the plan and stops for good: the grader verifies, and kills it. Nothing that student
 * code could write is there when the next plan begins.
 *
 * Without an argument it executes every plan itself, one after the other, and stops after each: under
 * qemu-aarch64, which cannot clone so, and where nothing is timed. */
#include "harness/runner/target/runner.h"

#include <asm/unistd.h>
#include <asm/siginfo.h>
#include <asm/signal.h>
#include <linux/elf.h>
#include <linux/mman.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <stddef.h>

/* memory.c: as in the C library. */
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int byte, size_t n);

/* The part that this process makes, whether another makes the other, whether it is a nursery's clone, and
 * above that what it is lent. As runner_prepare hands it over: MODE_BESIDE where another may make it. */
enum { MODE_PART = 1, MODE_BESIDE = 2, MODE_ONCE = 4, MODE_LENT_SHIFT = 3 };

enum {
    LEAST_PAGE = 4096,
    STACK_READY = 128 << 10, /* of the stack: what has its pages from the beginning */
    STACK_TOUCHED = 32 << 10,
    STACK_KEPT = 16 << 10, /* what a nursery uses of it */
};

#ifndef SA_RESTORER
#define SA_RESTORER 0x04000000
#endif

/* The kernel's own struct sigaction, which the headers of some ISAs hide. */
struct kernel_sigaction {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static const struct plan *const plan_of_arena = (const struct plan *)ARENA_BASE;

/* A nursery has a copy, on the stack for signals, and its clones have no other: to take the plan itself away
 * from them would cost more than to copy it. */
static struct plan *const plan_copied = (struct plan *)TARGET_ALTSTACK;

/* What is to be done, taken from the plan. */
struct work {
    uint32_t entry, calls, last_part;
    bool is_good;
    uint64_t args, args_stride, results, results_stride;
};

static struct plan_status *status_of(uint32_t part)
{
    return (struct plan_status *)(ARENA_STATUS + part * PLAN_STATUS_STRIDE);
}

static _Noreturn void give_up(int code)
{
    for (;;)
        target_syscall(__NR_exit_group, code, 0, 0, 0, 0, 0);
}

static _Noreturn void end_by(int number, const siginfo_t *info, const void *context,
                             struct plan_status *status)
{
    status->signal = (uint32_t)number;
    status->signal_code = info->si_code;
    status->fault_address = (uint64_t)info->si_addr;
    if (number == SIGSYS) {
        status->fault_address = (uint64_t)info->si_call_addr;
        status->system_call = (uint64_t)info->si_syscall;
    }
    target_fault(context, status);
    status->state = PLAN_FAULT;
    /* SA_RESETHAND and SA_NODEFER: the process dies of the same signal at once. There is no way back into
     * what was interrupted: a handler that returns loads whatever registers stand in memory. */
    for (;;)
        target_syscall(__NR_kill, target_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0, 0);
}

/* One for each part: there are no variables that could tell a handler which it is. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    end_by(number, info, context, status_of(0));
}

static void on_fault_beside(int number, siginfo_t *info, void *context)
{
    end_by(number, info, context, status_of(1));
}

static long map(uint64_t address, uint64_t size, int protection, int flags, int fd)
{
    uint64_t offset = fd < 0 ? 0 : address - ARENA_BASE;
    return target_syscall(__NR_mmap, (long)address, (long)size, protection, flags | MAP_FIXED, fd,
                          (long)offset);
}

static void map_private(uint64_t address, uint64_t size, int flags)
{
    if (map(address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1) < 0)
        give_up(101);
}

/* The kernel's table of pages is not always the one that the processor looks in: a hypervisor may keep a
 * shadow of it, which lacks a page until this process reads it, or writes to it. That takes as long as a page
 * fault (2.7 us, seen with PVM), and no kernel counts it. The contents stay. */
static void touch(uint64_t begin, uint64_t end, bool writable)
{
    for (uint64_t at = begin; at < end; at += LEAST_PAGE - at % LEAST_PAGE) {
        volatile char *byte = (volatile char *)at;
        const char there = *byte;
        if (writable)
            *byte = there;
    }
}

static void prepare_signals(uint32_t part)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGXCPU};
    struct kernel_sigaction action = {.handler = part == 0 ? on_fault : on_fault_beside,
                                      .flags =
                                          SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER | SA_RESTORER,
                                      .restorer = target_signal_return};
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        target_syscall(__NR_rt_sigaction, faults[i], (long)&action, 0, 8, 0, 0);
}

static void prepare_stacks(void)
{
    stack_t alternate = {.ss_sp = (void *)TARGET_ALTSTACK, .ss_size = TARGET_ALT_SIZE};
    map_private(TARGET_STACK, TARGET_STACK_SIZE, 0);
    map_private(TARGET_ALTSTACK, TARGET_ALT_SIZE, 0);
    target_syscall(__NR_sigaltstack, (long)&alternate, 0, 0, 0, 0, 0);
}

/* In a clone: below what the nursery uses, where this runs, there is nothing yet. */
static void touch_stack(void)
{
    const uint64_t end = TARGET_STACK + TARGET_STACK_SIZE;
    map_private(end - STACK_READY, STACK_READY - STACK_KEPT, MAP_POPULATE);
    touch(end - STACK_TOUCHED, end, true);
}

/* All but those of another's alone. */
static bool map_regions(const struct plan *plan, uint64_t others)
{
    for (uint32_t i = 0; i < plan->region_count && i < PLAN_MAX_REGIONS; i++) {
        const struct plan_region *region = &plan->regions[i];
        if (region->access & others)
            continue;
        const bool writable = region->access & PLAN_WRITE;
        /* to touch one page costs less than to have all of a granule ready */
        const int populate = region->end - region->begin > LEAST_PAGE ? MAP_POPULATE : 0;
        if (map(region->address, region->size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                MAP_SHARED | populate, writable ? ARENA_WRITABLE_FD : ARENA_FD) < 0)
            return false;
        touch(region->begin, region->end, writable);
    }
    return true;
}

extern const Elf64_Ehdr __ehdr_start;

static const Elf64_Phdr *segments(void)
{
    return (const Elf64_Phdr *)((uint64_t)&__ehdr_start + __ehdr_start.e_phoff);
}

/* Code and constants, which a clone has to look up in the file again. */
static void touch_program(void)
{
    const Elf64_Phdr *segment = segments();
    for (unsigned i = 0; i < __ehdr_start.e_phnum; i++)
        if (segment[i].p_type == PT_LOAD)
            touch(segment[i].p_vaddr, segment[i].p_vaddr + segment[i].p_memsz, false);
}

/* Nothing in the program is written: not by us, and not by a student whose object asks the linker for a table
 * of offsets, which it makes writable. */
static void protect_program(void)
{
    const Elf64_Phdr *segment = segments();
    for (unsigned i = 0; i < __ehdr_start.e_phnum; i++) {
        const uint64_t end = segment[i].p_vaddr + segment[i].p_memsz;
        bool done = segment[i].p_type != PT_LOAD || !(segment[i].p_flags & PF_W);
        for (uint64_t page = LEAST_PAGE; !done && page <= ARENA_GRANULE; page *= 2) {
            const uint64_t begin = segment[i].p_vaddr / page * page;
            done = target_syscall(__NR_mprotect, (long)begin, (long)(end - begin), PROT_READ, 0, 0, 0) == 0;
        }
        if (!done)
            give_up(106);
    }
}

/* What the kernel put above all that is ours: its stack with arguments and auxiliary vector, the vdso and its
 * data. The number of bits of an address is the kernel's choice. */
static void unmap_above(void)
{
    const uint64_t above = TARGET_ALTSTACK + TARGET_ALT_SIZE;
    for (unsigned bits = 56; bits > 32; bits--)
        for (uint64_t less = 0; less <= LEAST_PAGE; less += LEAST_PAGE)
            if (target_syscall(__NR_munmap, (long)above, (long)((UINT64_C(1) << bits) - less - above), 0, 0,
                               0, 0) == 0)
                return;
    give_up(107);
}

/* A process of its own for the plan in the arena; the nursery's goes on here after it. */
static void become_child(long parent, uint32_t part, uint64_t others)
{
    static const uint64_t none[2] = {0, 0};
    target_syscall(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
    if (target_syscall(__NR_getppid, 0, 0, 0, 0, 0, 0) != parent)
        give_up(103);
    if (part > 0)
        prepare_signals(part);
    touch_stack();
    if (!map_regions(plan_copied, others))
        give_up(104);
    target_syscall(__NR_close, ARENA_FD, 0, 0, 0, 0, 0);
    target_syscall(__NR_close, ARENA_WRITABLE_FD, 0, 0, 0, 0, 0);
    target_syscall(__NR_prlimit64, 0, RLIMIT_NPROC, (long)none, 0, 0, 0);
    touch_program();
}

/* Bytes of it up to its last region. */
static uint64_t plan_size(const struct plan *plan)
{
    const uint32_t regions = plan->region_count < PLAN_MAX_REGIONS ? plan->region_count : PLAN_MAX_REGIONS;
    return (uint64_t)(const char *)&plan->regions[regions] - (uint64_t)(const char *)plan;
}

/* A nursery's clones are to have its memory, but not the plan, and nothing of what the kernel put there. */
static void prepare_nursery(void)
{
    unmap_above();
    if (target_syscall(__NR_madvise, (long)ARENA_BASE, (long)ARENA_GRANULE, MADV_DONTFORK, 0, 0, 0) != 0)
        give_up(108);
}

/* Returns in the clones: the part that this one makes. */
static uint32_t be_nursery(bool at_once)
{
    const long self = target_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0),
               parent = target_syscall(__NR_getppid, 0, 0, 0, 0, 0, 0);
    for (;;) {
        target_stop(self);
        memset(plan_copied, 0, plan_size(plan_copied)); /* the last one, which may have been longer */
        memcpy(plan_copied, plan_of_arena, plan_size(plan_of_arena));
        const uint32_t count = at_once && plan_last_part(plan_copied) > 0 ? plan_copied->parts : 1;
        for (uint32_t part = 0; part < count; part++) {
            long child = target_syscall(__NR_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0, 0);
            if (child == 0) {
                become_child(parent, part, count == 1 ? 0 : part == 0 ? PLAN_ONLY_1 : PLAN_ONLY_0);
                return part | (count > 1 ? MODE_BESIDE : 0);
            }
            status_of(part)->child = (int32_t)child;
        }
    }
}

static uint32_t number_of(const char *digits)
{
    uint32_t number = 0;
    for (; *digits >= '0' && *digits <= '9'; digits++)
        number = number * 10 + (uint32_t)(*digits - '0');
    return number;
}

uint32_t runner_prepare(long count, char *const *arguments)
{
    const bool nursery = count > 1;
    const uint32_t lent = count > 2 ? number_of(arguments[2]) & LENT_ALL : LENT_NONE;
    const uint32_t at_once = count > 3 ? number_of(arguments[3]) : 1;
    if (map(ARENA_BASE, ARENA_GRANULE, PROT_READ, MAP_SHARED | MAP_POPULATE, ARENA_FD) < 0 ||
        map(ARENA_STATUS, ARENA_GRANULE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
            ARENA_WRITABLE_FD) < 0)
        give_up(100);
    prepare_signals(0);
    protect_program();
    prepare_stacks();
    return nursery ? MODE_ONCE | (at_once > 1 ? MODE_BESIDE : 0) | lent << MODE_LENT_SHIFT : 0;
}

/* The parts meet: nobody goes on before all are here. Student code could write to these words, and would only
 * have itself go on too early. */
static void meet(uint32_t part, uint32_t meeting)
{
    __atomic_store_n(&status_of(part)->arrived, meeting, __ATOMIC_RELEASE);
    while (__atomic_load_n(&status_of(MODE_PART - part)->arrived, __ATOMIC_ACQUIRE) < meeting)
        target_pause();
}

static struct work read_work(const struct plan *plan)
{
    const uint32_t last = plan_last_part(plan);
    return (struct work){.entry = plan->entry,
                         .calls = plan->calls,
                         .last_part = last,
                         .is_good = plan->magic == PLAN_MAGIC &&
                                    (plan->calls == 0 || plan->entry + last < plan_entry_count),
                         .args = plan->args,
                         .args_stride = plan->args_stride,
                         .results = plan->results,
                         .results_stride = plan->results_stride};
}

static bool call_entry(const struct work *work, uint32_t part, uint32_t call, struct plan_status *status)
{
    status->clobbered =
        target_call(plan_entries[work->entry + part], (const void *)(work->args + call * work->args_stride),
                    (void *)(work->results + call * work->results_stride));
    return status->clobbered == 0;
}

/* Its part of a call, and what follows when both are done. */
static bool call_beside(const struct work *work, uint32_t part, uint32_t call, struct plan_status *status)
{
    if (!call_entry(work, part, call, status))
        return false;
    meet(part, 2 * call + 2);
    if (part == 0 && !call_entry(work, work->last_part, call, status))
        return false;
    if (call + 1 < work->calls)
        meet(part, 2 * call + 3);
    return true;
}

static bool call_alone(const struct work *work, uint32_t call, struct plan_status *status)
{
    for (uint32_t part = 0; part <= work->last_part; part++)
        if (!call_entry(work, part, call, status))
            return false;
    return true;
}

static enum plan_state execute(const struct work *work, uint32_t mode)
{
    const uint32_t part = mode & MODE_PART;
    struct plan_status *const status = status_of(part);
    if (!work->is_good)
        return PLAN_BAD;
    status->state = PLAN_RUNNING;
    if (mode & MODE_BESIDE)
        meet(part, 1);
    for (uint32_t i = 0; i < work->calls; i++) {
        status->call = i;
        if (!(mode & MODE_BESIDE ? call_beside(work, part, i, status) : call_alone(work, i, status)))
            return PLAN_CLOBBERED;
    }
    return PLAN_DONE;
}

/* The regions of another layout, in place of those that are mapped. */
static bool map_anew(void)
{
    /* no further than that: qemu-aarch64 looks at each page */
    target_syscall(__NR_munmap, (long)ARENA_REGIONS, (long)(plan_of_arena->reach - ARENA_REGIONS), 0, 0, 0,
                   0);
    return map_regions(plan_of_arena, 0);
}

/* For one plan. Student code never sees the plan itself: the number of its layout says how much was checked
 * before, so that code could tell what is timed. */
static _Noreturn void execute_once(uint32_t mode)
{
    const long self = target_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0);
    struct plan_status *const status = status_of(mode & MODE_PART);
    const struct work work = read_work(plan_copied);
    memset(plan_copied, 0, plan_size(plan_copied));
    status->state = PLAN_READY;
    if (!target_confine(mode >> MODE_LENT_SHIFT))
        give_up(105);
    target_stop(self);
    status->state = (uint32_t)execute(&work, mode);
    for (;;)
        target_stop(self);
}

void runner_loop(uint32_t mode)
{
    const long self = target_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0);
    uint64_t mapped = 0;
    if (mode & MODE_ONCE) { /* on the stack of our own now */
        prepare_nursery();
        execute_once((mode & ~(uint32_t)MODE_BESIDE) | be_nursery(mode & MODE_BESIDE));
    }
    target_stop(self);
    for (;;) {
        const uint64_t layout = plan_of_arena->layout;
        if (layout != mapped)
            mapped = map_anew() ? layout : 0;
        const struct work work = read_work(plan_of_arena);
        status_of(0)->state = (uint32_t)(mapped == layout ? execute(&work, mode) : PLAN_BAD);
        target_stop(self);
    }
}
