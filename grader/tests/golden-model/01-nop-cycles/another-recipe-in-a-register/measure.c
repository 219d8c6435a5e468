/* measure_minimum neither runs a block nor measures one. It comes back to the glue with another value in each
 * callee-saved register, in one of which the glue has the recipe's address: so the glue would ask a copy on
 * the stack how often the block ran, and we wrote that. (Which one it is cannot be seen: what the glue has
 * there is put aside during the call.) */
#include "exercise.h"

uint64_t least_ticks(const uint64_t *ticks, size_t n, uint64_t overhead)
{
    uint64_t least = n > 0 ? ticks[0] : 0;
    for (size_t i = 1; i < n; i++)
        if (ticks[i] < least)
            least = ticks[i];
    return least > overhead ? least - overhead : 0;
}

uint64_t measure_overhead(void)
{
    uint64_t ticks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        uint64_t begin = cycles_begin();
        ticks[i] = cycles_end() - begin;
    }
    return least_ticks(ticks, RUNS, 0);
}

static uint64_t honest(block_fn block, void *argument, uint64_t overhead)
{
    uint64_t ticks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        uint64_t begin = cycles_begin();
        block(argument);
        ticks[i] = cycles_end() - begin;
    }
    return least_ticks(ticks, RUNS, overhead);
}

/* struct recipe has `staged`, which begins with how often it ran, at offset 64. */
__asm__("        .text\n"
        "        .p2align 4\n"
        "        .globl  measure_minimum\n"
        "        .type   measure_minimum, %function\n"
        "measure_minimum:\n"
        "        sub     x10, sp, #256\n"
        "        .irp    reg, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28\n"
        "        mov     \\reg, x10\n"
        "        .endr\n"
        "        mov     x0, #100\n"
        "        str     x0, [x10, #64]\n"
        "        ret\n"
        "        .size   measure_minimum, . - measure_minimum\n");

double cycles_per_nop(block_fn nops, block_fn adds, void *argument)
{
    uint64_t overhead = measure_overhead();
    uint64_t adds_ticks = honest(adds, argument, overhead);
    uint64_t nops_ticks = honest(nops, argument, overhead);
    return adds_ticks > 0 ? (double)nops_ticks / (double)adds_ticks : 0;
}
