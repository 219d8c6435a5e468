/* AArch64 instructions for the core model: class, registers, memory, branch; and what is allowed to student
 * code. Table-driven, by encoding class of the architecture manual (Arm ARM, C4). An instruction that the
 * tables do not know is DECODE_UNKNOWN: never guessed. */
#ifndef CYCLELAB_EMU_DECODE_H
#define CYCLELAB_EMU_DECODE_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/model/op.h"

/* Register numbers in struct op: X0-X30 are 0-30, then these. XZR is none. */
enum { REG_SP = 31, REG_V0 = 32, REG_NZCV = 64, REG_FPCR, REG_FPSR };

enum decode_verdict {
    DECODE_OK,
    DECODE_UNKNOWN,   /* not modelled */
    DECODE_FORBIDDEN, /* known, and nothing that a submission may execute: SVC, WFI, MSR DAIF, DC, IC, ... */
};

/* Extensions that a core may lack. */
enum decode_feature {
    FEATURE_BASE,
    FEATURE_LSE = 1,
    FEATURE_CRC32 = 2,
    FEATURE_FP16 = 4,
    FEATURE_DOTPROD = 8,
    FEATURE_RDM = 16, /* SQRDMLAH, SQRDMLSH */
    FEATURE_RCPC = 32 /* LDAPR */
};

/* MRS and MSR of what the emulated machine answers by itself: op0:op1:CRn:CRm:op2 packed as in bits 20..5 of
 * the instruction. 0 where the instruction is no such one. */
struct decoded {
    enum decode_verdict verdict;
    struct op op;
    const char *name; /* mnemonic or, where that would take more tables, the encoding class: for messages */
    uint8_t feature;  /* enum decode_feature bits that it needs */
    uint16_t system;  /* system register of an MRS or MSR */
    bool system_write;
    uint64_t target; /* of a direct branch; of an access whose address is a constant */

    /* An access is at the base register (base; OP_NONE: at `target`) + offset + an index register (OP_NONE:
     * none), which is extended as the instruction's option field says (Arm ARM, ExtendReg: 2 is UXTW, 3
     * UXTX, 6 SXTW, 7 SXTX), then shifted left. */
    uint8_t base, index, index_option, index_shift;
    int64_t offset;
};

/* Where an access begins, from X0-X30 and SP as they are before the instruction. For a prefetch too. */
uint64_t decode_access_address(const struct decoded *decoded, const uint64_t registers[32]);

void decode(uint32_t word, uint64_t address, struct decoded *decoded);

/* "x3", "sp", "v17", "nzcv": for messages. */
const char *decode_register_name(unsigned number);

#endif
