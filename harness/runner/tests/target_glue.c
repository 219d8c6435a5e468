/* Entries that misbehave in every way a machine has to tell: linked with the runner by test_machine.c. */
#include <stddef.h>
#include <stdint.h>
#include "harness/runner/glue.h"
#include "harness/runner/target/runner.h"

struct args {
    volatile int32_t *values;
    uint64_t n;
};

static void call_add_one(const void *args, void *result)
{
    const struct args *a = args;
    (void)result;
    for (uint64_t i = 0; i < a->n; i++)
        a->values[i]++;
}

static void call_overrun(const void *args, void *result)
{
    const struct args *a = args;
    (void)result;
    a->values[a->n] = 1;
}

static void call_underrun(const void *args, void *result)
{
    const struct args *a = args;
    *(volatile int32_t *)result = a->values[-1];
}

static void call_spin(const void *args, void *result)
{
    (void)args;
    for (;;)
        ++*(volatile uint64_t *)result;
}

static void call_trap(const void *args, void *result)
{
    (void)args;
    (void)result;
    __builtin_trap();
}

static void call_exit(const void *args, void *result)
{
    (void)args;
    (void)result;
#ifdef __x86_64__
    __asm__ volatile("syscall" : : "a"(231), "D"(7) : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = 94, status __asm__("x0") = 7;
    __asm__ volatile("svc #0" : : "r"(number), "r"(status) : "memory");
#endif
}

/* The system call that the seven values say; what it gave goes into the result. */
static void call_system(const void *args, void *result)
{
    const struct args *a = args;
    const volatile int64_t *v = (const volatile int64_t *)a->values;
#ifdef __x86_64__
    register long d __asm__("r10") = v[4], e __asm__("r8") = v[5], f __asm__("r9") = v[6];
    long got = v[0];
    __asm__ volatile("syscall"
                     : "+a"(got)
                     : "D"(v[1]), "S"(v[2]), "d"(v[3]), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = v[0], got __asm__("x0") = v[1], b __asm__("x1") = v[2];
    register long c __asm__("x2") = v[3], d __asm__("x3") = v[4], e __asm__("x4") = v[5],
                    f __asm__("x5") = v[6];
    __asm__ volatile("svc #0" : "+r"(got) : "r"(number), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f) : "memory");
#endif
    *(volatile int64_t *)result = got;
}

enum { DEEP = 4096, MARK = 0x5ec2e7 };

/* Hides something on the stack and in vector registers, */
static void call_hide(const void *args, void *result)
{
    volatile uint64_t frame[DEEP];
    (void)args;
    (void)result;
    for (unsigned i = 0; i < DEEP; i++)
        frame[i] = MARK;
#ifdef __x86_64__
    __asm__ volatile("movq %0, %%xmm13" : : "r"(UINT64_C(0x5ec2e7)) : "xmm13");
#else
    __asm__ volatile("fmov d23, %0" : : "r"(UINT64_C(0x5ec2e7)) : "v23");
#endif
}

/* and looks for it: how many are there? */
static void call_seek(const void *args, void *result)
{
    volatile uint64_t frame[DEEP]; /* left as it was found */
    uint64_t found = 0, vector;
    (void)args;
#ifdef __x86_64__
    __asm__ volatile("movq %%xmm13, %0" : "=r"(vector));
#else
    __asm__ volatile("fmov %0, d23" : "=r"(vector));
#endif
    __asm__ volatile("" : : "r"(frame) : "memory");
    for (unsigned i = 0; i < DEEP; i++)
        found += frame[i] == MARK;
    *(volatile uint64_t *)result = found + (vector == MARK);
}

static void call_clobber(const void *args, void *result)
{
    (void)args;
    (void)result;
#ifdef __x86_64__
    __asm__ volatile("xor %r12d, %r12d"); /* not told to the compiler: that is the point */
#else
    __asm__ volatile("mov x21, xzr");
#endif
}

/* Not a tail call, and the compiler cannot know that it does not end. */
static uint64_t deeper(volatile uint64_t *depth)
{
    volatile char frame[4096];
    frame[0] = (char)++*depth;
    return *depth == 0 ? 0 : deeper(depth) + (uint64_t)frame[0];
}

static void call_recurse(const void *args, void *result)
{
    (void)args;
    deeper(result);
}

/* For such a name the linker makes a table, and a page for it. */
extern volatile uint64_t offsets[] __asm__("_GLOBAL_OFFSET_TABLE_");

static void call_offsets(const void *args, void *result)
{
    (void)args;
    (void)result;
    offsets[0] = MARK;
}

/* Two parts: each says that it is there, and looks for the other, for a while. */
enum { PATIENCE = 300000000 };

static void look_for(volatile int32_t *values, unsigned own, unsigned other)
{
    values[own] = 1;
    for (unsigned i = 0; i < PATIENCE && values[other] == 0; i++)
        ;
    values[own + 2] = values[other];
}

static void call_first(const void *args, void *result)
{
    (void)result;
    look_for(((const struct args *)args)->values, 0, 1);
}

static void call_second(const void *args, void *result)
{
    (void)result;
    look_for(((const struct args *)args)->values, 1, 0);
}

static void call_after(const void *args, void *result)
{
    const struct args *a = args;
    (void)result;
    a->values[4] = a->values[2] + a->values[3];
}

enum { LOCK, FREE, LONG = 4 * 1000 * 1000 /* some ten ms on a slow machine */ };

static void take(int32_t *lock)
{
#ifdef __x86_64__
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
        ;
#else /* nothing is linked that gcc would call */
    int32_t was = 1, failed = 1;
    while (was || failed)
        __asm__ volatile("ldaxr %w0, [%2]\n\tstxr %w1, %w3, [%2]"
                         : "=&r"(was), "=&r"(failed)
                         : "r"(lock), "r"(1)
                         : "memory");
#endif
}

/* Takes a while, under a lock where it is not free. */
static void call_locked(const void *args, void *result)
{
    volatile int32_t *values = ((const struct args *)args)->values;
    int32_t *lock = (int32_t *)&values[LOCK];
    const int32_t is_free = values[FREE];
    (void)result;
    if (!is_free)
        take(lock);
    for (volatile unsigned i = 0; i < LONG; i++)
        ;
    if (!is_free)
        __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* How many words of the stack for signals are not 0? */
static void call_plans(const void *args, void *result)
{
    const volatile uint64_t *word = (const volatile uint64_t *)TARGET_ALTSTACK;
    uint64_t *found = result;
    (void)args;
    *found = 0;
    for (uint64_t i = 0; i < TARGET_ALT_SIZE / sizeof *word; i++)
        *found += word[i] != 0;
}

const plan_entry plan_entries[] = {call_add_one, call_overrun, call_underrun, call_spin,   call_trap,
                                   call_exit,    call_clobber, call_recurse,  call_system, call_hide,
                                   call_seek,    call_offsets, call_first,    call_second, call_after,
                                   call_locked,  call_locked,  call_after,    call_plans};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
