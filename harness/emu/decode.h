/* AArch64 instructions for the core model: class, registers, memory, branch; and what is allowed to student
 * code. Table-driven, by encoding class of the architecture manual (Arm ARM, C4). An instruction that the
 * tables do not know is DECODE_UNKNOWN: never guessed. */
#ifndef CYCLELAB_EMU_DECODE_H
#define CYCLELAB_EMU_DECODE_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/model/op.h"

/* Register numbers in struct op: X0-X30 are 0-30, then these. XZR is none. */
enum {
    REG_SP = 31,
    REG_V0 = 32,
    REG_NZCV = 64,
    REG_FPCR,
    REG_FPSR,
    REG_MONITOR, /* what a load exclusive has marked */
    REG_SYSTEM   /* all other system registers that can be written, and what follows from them */
};

enum decode_verdict {
    DECODE_OK,
    DECODE_UNKNOWN,   /* not modelled */
    DECODE_FORBIDDEN, /* known, and nothing that a submission may execute: SVC, WFI, MSR DAIF, DC, IC, ... */
};

/* Extensions that a core may lack: bit, name in a core's file, what to call it in a message. */
#define DECODE_FEATURES(X)                                                                                   \
    X(LSE, 0, "lse", "LSE atomics")                                                                          \
    X(CRC32, 1, "crc32", "CRC32")                                                                            \
    X(FP16, 2, "fp16", "half precision")                                                                     \
    X(DOTPROD, 3, "dotprod", "dot products")                                                                 \
    X(RDM, 4, "rdm", "SQRDMLAH")                                                                             \
    X(RCPC, 5, "rcpc", "LDAPR")                                                                              \
    X(CRYPTO, 6, "crypto", "AES, PMULL of 64 bits, SHA-1 and SHA-256")                                       \
    X(SHA3, 7, "sha3", "SHA-3 and SHA-512")                                                                  \
    X(FHM, 8, "fhm", "FMLAL")                                                                                \
    X(FCMA, 9, "fcma", "complex numbers")                                                                    \
    X(JSCVT, 10, "jscvt", "FJCVTZS")                                                                         \
    X(FLAGM, 11, "flagm", "RMIF, SETF and CFINV")                                                            \
    X(RCPC2, 12, "rcpc2", "LDAPUR and STLUR")                                                                \
    X(FRINTTS, 13, "frintts", "FRINT32 and FRINT64")

enum decode_feature {
    FEATURE_BASE,
#define DECODE_FEATURE_ENUM(name, bit, text, title) FEATURE_##name = 1 << (bit),
    DECODE_FEATURES(DECODE_FEATURE_ENUM)
#undef DECODE_FEATURE_ENUM
};

/* MRS and MSR of what the emulated machine answers by itself: op0:op1:CRn:CRm:op2 packed as in bits 20..5 of
 * the instruction. 0 where the instruction is no such one. */
struct decoded {
    enum decode_verdict verdict;
    struct op op;
    const char *name; /* mnemonic or, where that would take more tables, the encoding class: for messages */
    uint16_t feature; /* enum decode_feature bits that it needs */
    uint16_t system;  /* system register of an MRS or MSR */
    bool system_write;
    uint64_t target; /* of a direct branch; of an access whose address is a constant */

    /* An access is at the base register (base; OP_NONE: at `target`) + offset + an index register (OP_NONE:
     * none), which is extended as the instruction's option field says (Arm ARM, ExtendReg: 2 is UXTW, 3
     * UXTX, 6 SXTW, 7 SXTX), then shifted left. */
    uint8_t base, index, index_option, index_shift;
    uint8_t block; /* log2: it begins at a multiple of this */
    int64_t offset;
};

/* Where an access begins, from X0-X30 and SP as they are before the instruction. For a prefetch too. */
uint64_t decode_access_address(const struct decoded *decoded, const uint64_t registers[32]);

/* The length in bits of a division's quotient (struct op: quotient), as dividers know it in advance: by the
 * leading zeros of its operands. It may be one too many; 0 where the dividend is shorter than the divisor, or
 * that is 0. */
unsigned decode_quotient_bits(uint32_t word, uint64_t dividend, uint64_t divisor);

/* AESE and AESMC, or AESD and AESIMC, one behind the other and all of one register, go through a core as one:
 * the first one's class is OP_AES_PAIRED then. */
bool decode_is_aes_pair(uint32_t first, uint32_t second);

/* Does an instruction that writes SP keep it a multiple of 16, as its constant tells? */
bool decode_keeps_stack_aligned(uint32_t word, const struct op *op);

void decode(uint32_t word, uint64_t address, struct decoded *decoded);

/* "x3", "sp", "v17", "nzcv": for messages. */
const char *decode_register_name(unsigned number);

#endif
