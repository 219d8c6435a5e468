/* seccomp: which system calls a process has. The lists are what gcc, binutils, qemu-user and our own runner
 * were seen to need on the systems that are tested; what is on no list does not exist for them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/walls/isolation_internal.h"
#include "harness/arena/plan.h"

/* Stands for the process's own id, which is known only once it is there. */
#define SELF UINT32_C(0x7e57a11e)

struct call {
    const char *name;
    unsigned conditions;
    struct scmp_arg_cmp condition[3];
};

#define ONLY(ARGUMENT, MASK, VALUE)                                                                          \
    {                                                                                                        \
        (ARGUMENT), SCMP_CMP_MASKED_EQ, (MASK), (VALUE)                                                      \
    }
#define IS(ARGUMENT, VALUE)                                                                                  \
    {                                                                                                        \
        (ARGUMENT), SCMP_CMP_EQ, (VALUE), 0                                                                  \
    }

/* Not F_SETOWN and F_SETSIG: a signal to anybody. */
#define OF_DESCRIPTORS                                                                                       \
    {"fcntl", 1, {IS(1, F_DUPFD)}}, {"fcntl", 1, {IS(1, F_DUPFD_CLOEXEC)}}, {"fcntl", 1, {IS(1, F_GETFD)}},  \
        {"fcntl", 1, {IS(1, F_SETFD)}}, {"fcntl", 1, {IS(1, F_GETFL)}},                                      \
    {                                                                                                        \
        "fcntl", 1,                                                                                          \
        {                                                                                                    \
            IS(1, F_SETFL)                                                                                   \
        }                                                                                                    \
    }

#define NEW_NAMESPACES                                                                                       \
    (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |               \
     CLONE_NEWCGROUP | CLONE_NEWTIME | CLONE_PTRACE)
#define NO_NEW_FILE (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)

/* The runner, which clones itself for each plan; before that runs, it gives up nearly all of this itself
 * (harness/runner/target/confine.c). */
static const struct call runner_calls[] = {
    {"execve", 0, {{0}}},
    {"exit_group", 0, {{0}}},
    {"write", 1, {IS(0, ISOLATION_REPORT_FD)}},
    {"clone", 1, {IS(0, CLONE_PARENT | SIGCHLD)}},
    {"prctl", 2, {IS(0, PR_SET_PDEATHSIG), IS(1, SIGKILL)}},
    {"prlimit64", 2, {IS(0, 0), IS(1, RLIMIT_NPROC)}},
    {"close", 0, {{0}}},
    /* private memory and the arena, at their places, never executable */
    {"mmap",
     3,
     {ONLY(0, ~(ARENA_BASE - 1), ARENA_BASE), ONLY(2, ~UINT64_C(3), 0), ONLY(3, MAP_FIXED, MAP_FIXED)}},
    {"mprotect", 1, {ONLY(2, ~(uint64_t)PROT_READ, 0)}},
    {"munmap", 0, {{0}}},
    {"madvise", 1, {IS(2, MADV_DONTFORK)}},
    {"sigaltstack", 0, {{0}}},
    {"rt_sigaction", 0, {{0}}},
    {"getpid", 0, {{0}}},
    {"getppid", 0, {{0}}},
    {"kill", 0, {{0}}},
    {"seccomp", 1, {IS(0, SECCOMP_SET_MODE_FILTER)}},
    {0},
};

/* qemu-user: a program with libraries and threads, but without a second process, and without a file to write.
 */
static const struct call emulator_calls[] = {
    {"execve", 0, {{0}}},
    {"clone", 1, {ONLY(0, CLONE_THREAD | NEW_NAMESPACES, CLONE_THREAD)}},
    {"open", 1, {ONLY(1, NO_NEW_FILE, 0)}},
    {"openat", 1, {ONLY(2, NO_NEW_FILE, 0)}},
    {"kill", 1, {IS(0, SELF)}},
    {"tgkill", 1, {IS(0, SELF)}},
    {"prlimit64", 2, {IS(0, 0), IS(2, 0)}},
    {"ioctl", 1, {ONLY(1, UINT64_C(0xffffffff), 0x5401 /* TCGETS: is it a terminal? */)}},
    OF_DESCRIPTORS,
    {0},
};
static const char *const emulator_names[] = {
    "read",
    "pread64",
    "readv",
    "write",
    "writev",
    "close",
    "lseek",
    "stat",
    "fstat",
    "lstat",
    "newfstatat",
    "statx",
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
    "getcwd",
    "mmap",
    "munmap",
    "mprotect",
    "mremap",
    "madvise",
    "brk",
    "exit",
    "exit_group",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigpending",
    "rt_sigsuspend",
    "rt_sigtimedwait",
    "sigaltstack",
    "restart_syscall",
    "getpid",
    "gettid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "uname",
    "sysinfo",
    "getrlimit",
    "arch_prctl",
    "set_tid_address",
    "set_robust_list",
    "rseq",
    "futex",
    "membarrier",
    "getrandom",
    "sched_yield",
    "sched_getaffinity",
    "clock_gettime",
    "clock_getres",
    "gettimeofday",
    "poll",
    "ppoll",
    "get_mempolicy",
    NULL,
};

/* Compilers, assemblers and linkers: files as far as Landlock lets them, processes, nothing else. */
static const struct call compiler_calls[] = {
    {"clone", 1, {ONLY(0, NEW_NAMESPACES, 0)}},
    {"prlimit64", 1, {IS(0, 0)}},
    {"prctl", 1, {IS(0, PR_SET_NAME)}},
    {"ioctl", 1, {ONLY(1, UINT64_C(0xffffffff), 0x5401)}},
    OF_DESCRIPTORS,
    {0},
};
static const char *const compiler_names[] = {
    "execve",
    "fork",
    "vfork",
    "wait4",
    "waitid",
    "exit",
    "exit_group",
    "read",
    "readv",
    "pread64",
    "preadv",
    "write",
    "writev",
    "pwrite64",
    "open",
    "openat",
    "creat",
    "close",
    "close_range",
    "lseek",
    "stat",
    "fstat",
    "lstat",
    "newfstatat",
    "statx",
    "statfs",
    "fstatfs",
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
    "getcwd",
    "chdir",
    "fchdir",
    "getdents",
    "getdents64",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "chmod",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "umask",
    "ftruncate",
    "truncate",
    "fallocate",
    "fadvise64",
    "copy_file_range",
    "sendfile",
    "splice",
    "utimensat",
    "dup",
    "dup2",
    "dup3",
    "pipe",
    "pipe2",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "mmap",
    "munmap",
    "mprotect",
    "mremap",
    "madvise",
    "brk",
    "mincore",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigsuspend",
    "rt_sigpending",
    "sigaltstack",
    "restart_syscall",
    "pause",
    "getpid",
    "getppid",
    "gettid",
    "getpgrp",
    "getpgid",
    "getsid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "getgroups",
    "getresuid",
    "getresgid",
    "uname",
    "sysinfo",
    "getrusage",
    "times",
    "time",
    "gettimeofday",
    "clock_gettime",
    "clock_getres",
    "nanosleep",
    "clock_nanosleep",
    "getrlimit",
    "setrlimit",
    "arch_prctl",
    "set_tid_address",
    "set_robust_list",
    "rseq",
    "futex",
    "getrandom",
    "sched_yield",
    "sched_getaffinity",
    "get_mempolicy",
    NULL,
};

static const struct list {
    const struct call *calls;
    const char *const *names;
    bool kills; /* what is not listed: a signal that says which; else an error, as from an older kernel */
} lists[] = {
    [ISOLATION_COMPILER] = {compiler_calls, compiler_names, false},
    [ISOLATION_RUNNER] = {runner_calls, NULL, true},
    [ISOLATION_EMULATOR] = {emulator_calls, emulator_names, false},
};

#define LENT_NAME(name) #name,
const char *const isolation_lent[LENT_COUNT + 1] = {LENT_CALLS(LENT_NAME)};
#undef LENT_NAME

_Static_assert((LENT_CLOCK & (LENT_CLOCK + 1)) == 0, "a mask");

static int add_lent(scmp_filter_ctx filter, unsigned lent)
{
    const struct scmp_arg_cmp own_clock = ONLY(0, ~(uint64_t)LENT_CLOCK, 0);
    int failure = lent ? seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(restart_syscall), 0) : 0;
    for (unsigned i = 0; failure == 0 && i < LENT_COUNT; i++) {
        int number = seccomp_syscall_resolve_name(isolation_lent[i]);
        if (lent >> i & 1 && number >= 0)
            failure = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &own_clock);
    }
    return failure;
}

static int add_all(scmp_filter_ctx filter, const struct list *list)
{
    int failure = 0;
    for (const char *const *name = list->names; failure == 0 && name && *name; name++) {
        int number = seccomp_syscall_resolve_name(*name);
        if (number >= 0) /* else this processor, or this library, has no such thing */
            failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
    }
    for (const struct call *call = list->calls; failure == 0 && call->name; call++) {
        int number = seccomp_syscall_resolve_name(call->name);
        if (number >= 0)
            failure =
                seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, call->conditions, call->condition);
    }
    return failure;
}

/* The library writes a filter to a file only. */
static int export(scmp_filter_ctx filter, struct sock_fprog *program)
{
    struct stat info;
    int fd = memfd_create("filter", MFD_CLOEXEC);
    int failure = fd < 0 ? -errno : seccomp_export_bpf(filter, fd);
    if (failure == 0 && fstat(fd, &info) != 0)
        failure = -errno;
    if (failure == 0) {
        program->len = (unsigned short)((size_t)info.st_size / sizeof *program->filter);
        program->filter = malloc((size_t)info.st_size);
        if (!program->filter || pread(fd, program->filter, (size_t)info.st_size, 0) != info.st_size)
            failure = -ENOMEM;
    }
    if (fd >= 0)
        close(fd);
    return failure;
}

const struct sock_fprog *seccomp_filter(enum isolation_kind kind, unsigned lent, struct error *err)
{
    static struct sock_fprog made[sizeof lists / sizeof *lists][LENT_ALL + 1];
    const struct list *list = &lists[kind];
    struct sock_fprog *kept = &made[kind][lent & LENT_ALL];
    if (kept->filter)
        return kept;
    scmp_filter_ctx filter = seccomp_init(list->kills ? SCMP_ACT_TRAP : SCMP_ACT_ERRNO(ENOSYS));
    struct sock_fprog program = {0};
    int failure = filter ? 0 : -ENOMEM;
    if (failure == 0)
        failure = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (failure == 0) /* the lists are long: a tree is shorter to walk */
        failure = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (failure == 0)
        failure = add_all(filter, list);
    if (failure == 0)
        failure = add_lent(filter, lent & LENT_ALL);
    if (failure == 0)
        failure = export(filter, &program);
    if (filter)
        seccomp_release(filter);
    if (failure != 0) {
        free(program.filter);
        error_set(err, "cannot make the list of system calls for student code: %s", strerror(-failure));
        return NULL;
    }
    *kept = program;
    return kept;
}

bool seccomp_enter(const struct sock_fprog *filter)
{
    const uint32_t self = (uint32_t)getpid();
    for (size_t i = 0; i < filter->len; i++) /* a child's own copy */
        if (BPF_CLASS(filter->filter[i].code) == BPF_JMP && filter->filter[i].k == SELF)
            filter->filter[i].k = self;
    /* Without this flag some kernels slow the process's stores down, and all timing with it. */
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, filter) == 0)
        return true;
    return errno == EINVAL && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) == 0;
}

void isolation_call_name(int number, char *name, size_t size)
{
    char *known = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
    snprintf(name, size, "%s", known ? known : "");
    free(known);
}
