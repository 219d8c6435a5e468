/* A chain of roots and a chain of additions, timed with fences and without, one addition, and nothing at all,
 * in ticks of the time-stamp counter. The median of many readings, each: an interrupt makes one longer, or,
 * where a fence is missing, shorter. x86_64. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 4001 };

static uint64_t readings[ROUNDS];

#define ROOTS      ".rept 12\n\tsqrtsd %%xmm0, %%xmm0\n\t.endr\n\t"
#define ADDS       ".rept 120\n\tadd %%rdi, %%rsi\n\t.endr\n\t"
#define KEEP       "shl $32, %%rdx\n\tor %%rdx, %%rax\n\tmov %%rax, %%r8\n\t"
#define DIFFERENCE "shl $32, %%rdx\n\tor %%rdx, %%rax\n\tsub %%r8, %%rax\n\t"

#define TIMED(BEGIN, BETWEEN, END)                                                                           \
    do {                                                                                                     \
        uint64_t now;                                                                                        \
        __asm__ volatile(BEGIN KEEP BETWEEN END DIFFERENCE                                                   \
                         : "=a"(now)                                                                         \
                         :                                                                                   \
                         : "rcx", "rdx", "rsi", "rdi", "r8", "xmm0", "memory", "cc");                        \
        readings[i] = now;                                                                                   \
    } while (0)

#define PRINT(NAME, BEGIN, BETWEEN, END)                                                                     \
    do {                                                                                                     \
        for (int i = 0; i < ROUNDS; i++)                                                                     \
            TIMED(BEGIN, BETWEEN, END);                                                                      \
        qsort(readings, ROUNDS, sizeof *readings, rising);                                                   \
        printf("%s %" PRIu64 "\n", NAME, readings[ROUNDS / 2]);                                              \
    } while (0)

#define FENCED "lfence\n\trdtsc\n\tlfence\n\t"

static int rising(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

int main(void)
{
    PRINT("roots-fenced", FENCED, ROOTS, "lfence\n\trdtsc\n\t");
    PRINT("roots-unfenced", FENCED, ROOTS, "rdtsc\n\t");
    PRINT("roots-rdtscp", FENCED, ROOTS, "rdtscp\n\t");
    PRINT("adds-fenced", FENCED, ADDS, "lfence\n\trdtsc\n\t");
    PRINT("adds-fence-before", "lfence\n\trdtsc\n\t", ADDS, "lfence\n\trdtsc\n\t");
    PRINT("adds-rdtscp-fence-behind", ROOTS "rdtscp\n\tlfence\n\t", ADDS, "lfence\n\trdtsc\n\t");
    PRINT("adds-rdtscp", ROOTS "rdtscp\n\t", ADDS, "lfence\n\trdtsc\n\t");
    PRINT("adds-behind-roots", ROOTS "rdtsc\n\tlfence\n\t", ADDS, "lfence\n\trdtsc\n\t");
    PRINT("one-add", FENCED, "add %%rdi, %%rsi\n\t", "lfence\n\trdtsc\n\t");
    PRINT("nothing", FENCED, "", "lfence\n\trdtsc\n\t");
    return 0;
}
