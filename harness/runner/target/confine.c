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

#define LOAD(MEMBER)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, MEMBER))
#define ALLOW         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
#define IF(VALUE)     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, 0, 1)
#define UNLESS(VALUE) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, 1, 0)

bool target_confine(void)
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
    const struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)filter};
    /* SPEC_ALLOW: some kernels would slow every store down without it, and all timing with it */
    long got = target_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                              (long)&program, 0, 0, 0);
    if (got == -EINVAL)
        got = target_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0);
    return got >= 0 || got == -ENOSYS || got == -EINVAL;
}
