/* The runner: executes plans and does nothing else. It stops itself after each; the grader continues it. */
#include "harness/runner/target/runner.h"

#include <asm/unistd.h>
#include <asm/siginfo.h>
#include <asm/signal.h>
#include <linux/mman.h>

enum { FORGET_BYTES = 64 << 10 }; /* of the stack, after each plan: 1 us; all of it before another layout */

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

static const struct plan *const plan = (const struct plan *)ARENA_BASE;
static struct plan_status *const status = (struct plan_status *)ARENA_STATUS;

static _Noreturn void give_up(int code)
{
    for (;;)
        target_syscall(__NR_exit_group, code, 0, 0, 0, 0, 0);
}

static void on_fault(int number, siginfo_t *info, void *context)
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
    /* SA_RESETHAND: on return the instruction faults again, and the process dies of the right signal. The
     * grader asks with SIGXCPU where an endless loop is; that one does not come again by itself. A trap and a
     * system call are behind their instruction; a sent signal has none. */
    if (number == SIGXCPU || number == SIGTRAP || number == SIGSYS || info->si_code <= 0)
        target_syscall(__NR_kill, target_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0, 0);
}

static long map(uint64_t address, uint64_t size, int protection, int flags, int fd)
{
    uint64_t offset = fd < 0 ? 0 : address - ARENA_BASE;
    return target_syscall(__NR_mmap, (long)address, (long)size, protection, flags | MAP_FIXED, fd,
                          (long)offset);
}

static void map_private(uint64_t address, uint64_t size)
{
    if (map(address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1) < 0)
        give_up(101);
}

void runner_prepare(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGXCPU};
    struct kernel_sigaction action = {.handler = on_fault,
                                      .flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_RESTORER,
                                      .restorer = target_signal_return};
    stack_t alternate = {.ss_sp = (void *)TARGET_ALTSTACK, .ss_size = TARGET_ALT_SIZE};

    if (map(ARENA_BASE, ARENA_GRANULE, PROT_READ, MAP_SHARED | MAP_POPULATE, ARENA_FD) < 0 ||
        map(ARENA_STATUS, ARENA_GRANULE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
            ARENA_WRITABLE_FD) < 0)
        give_up(100);
    map_private(TARGET_STACK, TARGET_STACK_SIZE);
    map_private(TARGET_ALTSTACK, TARGET_ALT_SIZE);
    target_syscall(__NR_sigaltstack, (long)&alternate, 0, 0, 0, 0, 0);
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        target_syscall(__NR_rt_sigaction, faults[i], (long)&action, 0, 8, 0, 0);
    target_confine();
}

static void zero(uint64_t address, uint64_t size)
{
    volatile uint64_t *words = (volatile uint64_t *)address;
    for (uint64_t i = 0; i < size / sizeof *words; i++)
        words[i] = 0;
}

/* What student code could have left behind where it can write, and that no region is. The stack's used part
 * is done after each plan. */
static void forget_all(bool wide)
{
    zero(ARENA_STATUS, ARENA_GRANULE);
    zero(TARGET_ALTSTACK, TARGET_ALT_SIZE);
    zero(TARGET_STACK + TARGET_STACK_SIZE - TARGET_STACK_ROOM, TARGET_STACK_ROOM);
    target_forget(TARGET_STACK_SIZE, wide);
}

static bool map_regions(void)
{
    /* no further than that: qemu-aarch64 looks at each page */
    target_syscall(__NR_munmap, (long)ARENA_REGIONS, (long)(plan->reach - ARENA_REGIONS), 0, 0, 0, 0);
    for (uint32_t i = 0; i < plan->region_count && i < PLAN_MAX_REGIONS; i++) {
        const struct plan_region *region = &plan->regions[i];
        bool writable = region->access & PLAN_WRITE;
        if (map(region->address, region->size, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                MAP_SHARED | MAP_POPULATE, writable ? ARENA_WRITABLE_FD : ARENA_FD) < 0)
            return false;
    }
    return true;
}

static enum plan_state execute(uint64_t *mapped_layout, bool wide)
{
    if (plan->magic != PLAN_MAGIC || (plan->calls > 0 && plan->entry >= plan_entry_count))
        return PLAN_BAD;
    if (plan->layout != *mapped_layout) {
        forget_all(wide);
        *mapped_layout = 0;
        if (!map_regions())
            return PLAN_BAD;
        *mapped_layout = plan->layout;
    }
    status->state = PLAN_RUNNING;
    for (uint32_t i = 0; i < plan->calls; i++) {
        status->call = i;
        uint32_t broken =
            target_call(plan_entries[plan->entry], (const void *)(plan->args + i * plan->args_stride),
                        (void *)(plan->results + i * plan->results_stride));
        if (broken) {
            status->clobbered = broken;
            return PLAN_CLOBBERED;
        }
    }
    return PLAN_DONE;
}

void runner_loop(void)
{
    uint64_t mapped_layout = 0;
    const bool wide = target_wide();
    long self = target_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0);
    for (;;) {
        target_syscall(__NR_kill, self, SIGSTOP, 0, 0, 0, 0);
        status->state = (uint32_t)execute(&mapped_layout, wide);
        target_forget(FORGET_BYTES, wide);
    }
}
