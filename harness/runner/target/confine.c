/* The last wall, which a process that is to execute one plan builds itself once all is mapped and touched:
 * with what remains it can stop, in target_stop only, and die of a fault. So student code maps nothing, ends
 * no call by stopping, loads no registers by a signal's return, and kills nobody. The filter that the
 * nursery was started with stays in force as well, and looks at the processor. */
#include "harness/runner/target/runner.h"

#include <asm/errno.h>
#include <asm/signal.h>
#include <asm/unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#define LOAD(MEMBER)       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, MEMBER))
#define ALLOW              BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE             BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
#define IF(VALUE)          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, 0, 1)
#define ABOVE(VALUE)       BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, VALUE, 1, 0)
#define OTHER(VALUE, SKIP) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, 0, SKIP)
#define UNLESS(VALUE)      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, 1, 0)

#define LENT_NUMBER(name) __NR_##name,
static const uint32_t lent_numbers[] = {LENT_CALLS(LENT_NUMBER)};
#undef LENT_NUMBER

/* One that is lent, with its first argument, a clock, as the kernel takes it: the lower half. */
static struct sock_filter *allow_one(struct sock_filter *at, uint32_t number)
{
    *at++ = (struct sock_filter)LOAD(nr);
    *at++ = (struct sock_filter)OTHER(number, 4); /* on behind this rule */
    *at++ = (struct sock_filter)LOAD(args[0]);
    *at++ = (struct sock_filter)ABOVE(LENT_CLOCK);
    *at++ = (struct sock_filter)ALLOW;
    *at++ = (struct sock_filter)REFUSE;
    return at;
}

/* Returns where what follows goes. */
static struct sock_filter *allow_lent(struct sock_filter *at, unsigned lent)
{
    if (lent == LENT_NONE)
        return at;
    *at++ = (struct sock_filter)LOAD(nr);
    *at++ = (struct sock_filter)IF(__NR_restart_syscall);
    *at++ = (struct sock_filter)ALLOW;
    for (unsigned i = 0; i < LENT_COUNT; i++)
        if (lent >> i & 1)
            at = allow_one(at, lent_numbers[i]);
    return at;
}

enum { MOST_LENT = 3 + 6 * LENT_COUNT };

bool target_confine(unsigned lent)
{
    const uint64_t stopped = (uint64_t)target_stopped;
    const uint32_t self = (uint32_t)target_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0);
    const struct sock_filter filter[] = {
        LOAD(nr),
        IF(__NR_getpid),
        ALLOW,
        UNLESS(__NR_kill),
        REFUSE,
        LOAD(args[0]), /* the lower half, as kill takes it */
        UNLESS(self),
        REFUSE,
        LOAD(args[1]),
        IF(SIGSEGV),
        ALLOW,
        IF(SIGBUS),
        ALLOW,
        IF(SIGILL),
        ALLOW,
        IF(SIGFPE),
        ALLOW,
        IF(SIGTRAP),
        ALLOW,
        IF(SIGSYS),
        ALLOW,
        IF(SIGXCPU),
        ALLOW,
        UNLESS(SIGSTOP),
        REFUSE,
        LOAD(instruction_pointer), /* the lower half first: both are little-endian */
        UNLESS((uint32_t)stopped),
        REFUSE,
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        UNLESS((uint32_t)(stopped >> 32)),
        REFUSE,
        ALLOW,
    };
    struct sock_filter all[MOST_LENT + sizeof filter / sizeof *filter], *at = allow_lent(all, lent);
    for (unsigned i = 0; i < sizeof filter / sizeof *filter; i++)
        *at++ = filter[i];
    const struct sock_fprog program = {(unsigned short)(at - all), all};
    /* SPEC_ALLOW: some kernels would slow every store down without it, and all timing with it */
    long got = target_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                              (long)&program, 0, 0, 0);
    if (got == -EINVAL)
        got = target_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0);
    return got >= 0 || got == -ENOSYS || got == -EINVAL;
}
