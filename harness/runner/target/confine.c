/* The last wall, which the runner builds itself once it is ready: with what remains it can map the arena's
 * regions, stop and die. The filter that it was started with stays in force and looks at the rest. */
#include "harness/runner/target/runner.h"

#include <asm/unistd.h>
#include <linux/filter.h>
#include <linux/mman.h>
#include <linux/seccomp.h>
#include <stddef.h>

#define LOAD(MEMBER)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, MEMBER))
#define ALLOW         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
#define UNLESS(VALUE) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, 0, 1)

void target_confine(void)
{
    static const struct sock_filter filter[] = {
        LOAD(nr),
        UNLESS(__NR_kill),
        ALLOW,
        UNLESS(__NR_getpid),
        ALLOW,
        UNLESS(__NR_rt_sigreturn),
        ALLOW,
        UNLESS(__NR_restart_syscall),
        ALLOW,
        UNLESS(__NR_munmap),
        ALLOW,
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 1, 0),
        REFUSE,
        LOAD(args[3]), /* the lower half */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAP_SHARED | MAP_FIXED | MAP_POPULATE, 1, 0),
        REFUSE,
        LOAD(args[4]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARENA_FD, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARENA_WRITABLE_FD, 1, 0),
        REFUSE,
        ALLOW,
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)filter};
    /* SPEC_ALLOW: some kernels would slow every store down without it, and all timing with it */
    if (target_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, (long)&program,
                       0, 0, 0) < 0)
        target_syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program, 0, 0, 0);
}
