/* What instructions cost the emulator, so that a budget of instructions is one of time too: measured with
 * Unicorn 2.0, in loads of eight bytes (about 0.1 us with the core model), rounded up. An access is a call of
 * our hooks and of the memory behind it; much of vectors, floating point and cryptography is a call of a
 * function; a system register, or a change of the exception level, leaves the translated code. */

#include "harness/emu/emulator_internal.h"

enum { OUTSIDE = 8 /* of the translated code, and back */ };

static const uint8_t costs[OP_CLASS_COUNT] = {
    [OP_CRC] = 3,
    [OP_BRANCH_LINK] = 2,
    [OP_BRANCH_REGISTER] = 2,
    [OP_ATOMIC] = 5,
    [OP_EXCLUSIVE] = 4,
    [OP_FP_DIV] = 4,
    [OP_FP_DIV_WIDE] = 4,
    [OP_FP_SQRT] = 4,
    [OP_FP_SQRT_WIDE] = 4,
    [OP_V_TABLE] = 3,
    [OP_V_TABLE_2] = 3,
    [OP_V_TABLE_3] = 3,
    [OP_V_TABLE_4] = 3,
    [OP_V_TABLE_EXTEND_2] = 3,
    [OP_V_TABLE_EXTEND_3] = 3,
    [OP_V_TABLE_EXTEND_4] = 3,
    [OP_V_FP_FMA] = 3,
    [OP_V_FP_FMA_LONG] = 5,
    [OP_V_FP_DIV] = 8,
    [OP_V_FP_DIV_WIDE] = 8,
    [OP_V_FP_SQRT] = 8,
    [OP_V_FP_SQRT_WIDE] = 8,
    [OP_V_FP_MISC] = 5,
    [OP_V_FP_MISC_4] = 5,
    [OP_V_FP_MISC_8] = 5,
    [OP_AES] = 3,
    [OP_AES_PAIRED] = 3,
    [OP_AES_MIX] = 3,
    [OP_PMULL] = 9,
    [OP_SHA1] = 4,
    [OP_SHA256] = 4,
    [OP_SHA512] = 4,
    [OP_COUNTER_READ] = OUTSIDE,
    [OP_SYSTEM_READ] = OUTSIDE,
    [OP_SYSTEM_WRITE] = OUTSIDE,
};

/* In accesses of eight bytes, or of an element where they are interleaved; two of them are as much as a load.
 */
static unsigned cost_of_memory(uint32_t word, const struct decoded *decoded)
{
    const struct op *op = &decoded->op;
    const bool elements = (op->op_class >= OP_LOAD_STRUCT_2 && op->op_class <= OP_LOAD_STRUCT_4) ||
                          op->op_class == OP_STORE_STRUCT;
    const unsigned size = decoded->block ? 1 : elements ? 1U << (word >> 10 & 3) : 8; /* DC ZVA: bytes */
    return op->memory == OP_NO_MEMORY || op->memory == OP_MEMORY_PREFETCH ? 1 : (op->bytes / size + 1) / 2;
}

unsigned emulator_cost(uint32_t word, const struct decoded *decoded, unsigned attention)
{
    const unsigned memory = cost_of_memory(word, decoded), by_class = costs[decoded->op.op_class];
    if (attention & (ATTENTION_LEVEL | ATTENTION_COUNTER))
        return OUTSIDE;
    return memory > by_class ? memory : by_class > 1 ? by_class : 1;
}
