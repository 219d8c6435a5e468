/* ci/tests/hostile.sh puts this in the place of each program's #include "hostile.h": a student's folder has
 * no headers that count. System calls by their instruction, since there is no C library; and a right answer,
 * fast and slow. */
#ifdef __x86_64__
#define NUMBER(X86_64, AARCH64) X86_64
#else
#define NUMBER(X86_64, AARCH64) AARCH64
#endif

enum {
    NR_clone = NUMBER(56, 220),
    NR_connect = NUMBER(42, 203),
    NR_execve = NUMBER(59, 221),
    NR_exit = NUMBER(60, 93),
    NR_exit_group = NUMBER(231, 94),
    NR_ftruncate = NUMBER(77, 46),
    NR_getpid = NUMBER(39, 172),
    NR_getppid = NUMBER(110, 173),
    NR_io_uring_setup = NUMBER(425, 425),
    NR_kill = NUMBER(62, 129),
    NR_memfd_create = NUMBER(319, 279),
    NR_mmap = NUMBER(9, 222),
    NR_mprotect = NUMBER(10, 226),
    NR_munmap = NUMBER(11, 215),
    NR_nanosleep = NUMBER(35, 101),
    NR_openat = NUMBER(257, 56),
    NR_prctl = NUMBER(157, 167),
    NR_prlimit64 = NUMBER(302, 261),
    NR_process_vm_readv = NUMBER(310, 270),
    NR_ptrace = NUMBER(101, 117),
    NR_pwrite64 = NUMBER(18, 68),
    NR_read = NUMBER(0, 63),
    NR_rt_sigaction = NUMBER(13, 134),
    NR_rt_sigprocmask = NUMBER(14, 135),
    NR_rt_sigreturn = NUMBER(15, 139),
    NR_rt_sigsuspend = NUMBER(130, 133),
    NR_sched_setaffinity = NUMBER(203, 122),
    NR_seccomp = NUMBER(317, 277),
    NR_setitimer = NUMBER(38, 103),
    NR_setpriority = NUMBER(141, 140),
    NR_sigaltstack = NUMBER(131, 132),
    NR_setsid = NUMBER(112, 157),
    NR_socket = NUMBER(41, 198),
    NR_tgkill = NUMBER(234, 131),
    NR_unshare = NUMBER(272, 97),
    NR_write = NUMBER(1, 64),
};

static inline long call(long number, long a, long b, long c, long d, long e, long f)
{
#ifdef __x86_64__
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return number;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#endif
}

static inline void answer(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        int32_t v = values[i];
        v = v < lo ? lo : v;
        values[i] = v > hi ? hi : v;
    }
}

static inline void slow(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        if (values[i] > hi)
            values[i] = hi;
        else if (values[i] < lo)
            values[i] = lo;
    }
}
