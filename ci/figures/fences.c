/* A chain of roots and a chain of additions, timed with fences and without, and nothing at all, in ticks of the time-stamp
 * counter. The smallest of many readings, each. x86_64. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

enum { ROUNDS = 4000 };

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
        least = now < least ? now : least;                                                                   \
    } while (0)

#define PRINT(NAME, BEGIN, BETWEEN, END)                                                                     \
    do {                                                                                                     \
        uint64_t least = UINT64_MAX;                                                                         \
        for (int i = 0; i < ROUNDS; i++)                                                                     \
            TIMED(BEGIN, BETWEEN, END);                                                                      \
        printf("%s %" PRIu64 "\n", NAME, least);                                                             \
    } while (0)

#define FENCED "lfence\n\trdtsc\n\tlfence\n\t"

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
    PRINT("nothing", FENCED, "", "lfence\n\trdtsc\n\t");
    return 0;
}
