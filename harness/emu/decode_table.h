/* The rows that decode() is driven by; of use to it and its tests only. The first row of the tables whose
 * bits agree and whose condition holds is the instruction. A row overlaps an earlier one only where the
 * earlier one is more specific: it has all the later one's mask bits, and more. */
#ifndef CYCLELAB_EMU_DECODE_TABLE_H
#define CYCLELAB_EMU_DECODE_TABLE_H

#include <stddef.h>
#include "harness/emu/decode.h"

/* Operands, named by the field of the instruction that has the register's number. R: general, 31 is zero, V:
 * vector; IN is read, OUT written. LIST: as many registers as the row has, from this one on. */
#define ROW_OPERANDS(X)                                                                                      \
    X(NO_OPERAND)                                                                                            \
    X(RD)     /* written */                                                                                  \
    X(RD_SP)  /* the same, and 31 is SP */                                                                   \
    X(RD_OLD) /* what was in Rd is kept in part, so it is read */                                            \
    X(RN)                                                                                                    \
    X(RN_SP)                                                                                                 \
    X(RM)                                                                                                    \
    X(RA) /* added to a product */                                                                           \
    X(VD)                                                                                                    \
    X(VD_OLD)                                                                                                \
    X(VD_HALF) /* half of it is written, the other half stays */                                             \
    X(VD_SUM)  /* Vd is added to */                                                                          \
    X(VN)                                                                                                    \
    X(VM)                                                                                                    \
    X(VM_LANE) /* a lane of Vm: of 16-bit ones, only V0-V15 */                                               \
    X(VM_LOW)  /* V0-V15 */                                                                                  \
    X(VA)                                                                                                    \
    X(VA_IN)   /* the same, not added to */                                                                  \
    X(VN_LIST) /* of TBL */                                                                                  \
    X(BASE)    /* of an access: Rn or SP */                                                                  \
    X(BASE_OUT)                                                                                              \
    X(BLOCK) /* Rt, in a block that is written */                                                            \
    X(INDEX) /* Rm, part of the address */                                                                   \
    X(STEP)  /* Rm, added to the base afterwards */                                                          \
    X(RT_IN)                                                                                                 \
    X(RT_OUT)                                                                                                \
    X(RT2_IN)                                                                                                \
    X(RT2_OUT)                                                                                               \
    X(RT_PAIR_IN)                                                                                            \
    X(RS_IN)                                                                                                 \
    X(RS_OUT)                                                                                                \
    X(RS_PAIR_IN)                                                                                            \
    X(RS_PAIR_OUT)                                                                                           \
    X(VT_IN)                                                                                                 \
    X(VT_OUT)                                                                                                \
    X(VT2_IN)                                                                                                \
    X(VT2_OUT)                                                                                               \
    X(VT_LIST_IN)                                                                                            \
    X(VT_LIST_HALF)                                                                                          \
    X(VT_LIST_OUT)                                                                                           \
    X(LR_IN)                                                                                                 \
    X(LR_OUT)                                                                                                \
    X(FLAGS_IN)                                                                                              \
    X(FLAGS_OUT)                                                                                             \
    X(MONITOR_IN)                                                                                            \
    X(MONITOR_OUT)

enum row_operand {
#define ROW_OPERAND_ENUM(name) name,
    ROW_OPERANDS(ROW_OPERAND_ENUM)
#undef ROW_OPERAND_ENUM
        ROW_OPERAND_COUNT
};

/* On 128 bits: never, when the Q bit is set, always. */
enum row_wide { WIDE_NO, WIDE_BY_Q, WIDE_YES };

/* Constants: of an access, or where a direct branch leads. */
enum row_constant {
    NO_CONSTANT,
    OFFSET_IMM12, /* unsigned, scaled */
    OFFSET_IMM9,
    OFFSET_IMM7,  /* scaled */
    BLOCK_OF_64,  /* none: the base is Rt, and the access the 64 bytes that it is in */
    OFFSET_INDEX, /* a register instead: option and S fields */
    TARGET_26,
    TARGET_19,
    TARGET_14,
};

/* What depends on more than the mask. */
enum row_variant {
    AS_IS,
    BY_SHIFT,      /* class by the second operand's shift */
    BY_EXTEND,     /* class by its extension */
    MOVE_IF_SAME,  /* ORR of a vector with itself is a move */
    SHIFT_IF_SAME, /* EXTR of a register and itself is a rotation */
    BY_LANES,      /* class by how many there are to reduce */
    BY_FP_LANES,   /* class by how many there are, of floating point */
    SYSTEM_REGISTER,
};

/* Sets of sizes and Q: bit 2 * size + Q. The size is bits 23:22, or the highest bit of immh where the
 * constant of a shift tells it. */
enum {
    SIZES_ALL = 0xff,
    SIZES_VECTOR = 0xbf, /* no vector of one 64-bit lane */
    SIZES_BHS = 0x3f,
    SIZES_HS = 0x3c,
    SIZES_BH = 0x0f,
    SIZES_B = 0x03,
    SIZES_H = 0x0c,
    SIZES_S = 0x30,
    SIZES_D = 0xc0,
    SIZES_SD = 0xf0,
    SIZES_FP = 0xbb,     /* bit 22 alone: single, or double in 128 bits */
    SIZES_REDUCE = 0x2f, /* a vector of two lanes is not reduced, but added in pairs */
};

struct decode_row {
    uint32_t mask, value;
    const char *name;
    uint8_t verdict;  /* enum decode_verdict */
    uint8_t op_class; /* enum op_class */
    uint8_t operands[8];
    uint8_t wide;                 /* enum row_wide */
    bool half;                    /* of what works on 128 bits: its result has 64 */
    uint8_t memory;               /* enum op_memory */
    uint8_t bytes;                /* a register of an access; 0: 8 or 16 by Q */
    uint8_t registers;            /* of an access or list */
    uint8_t branch;               /* enum op_branch */
    uint8_t order;                /* enum op_order */
    uint16_t feature;             /* enum decode_feature bits */
    uint8_t constant;             /* enum row_constant */
    uint8_t scale;                /* log2, of the constant, where it is not that of `bytes` */
    uint8_t variant;              /* enum row_variant */
    bool (*valid)(uint32_t word); /* further condition; NULL: none */
    uint8_t sizes;                /* further condition: allowed ones; 0: no matter */
    bool immh;                    /* sizes are those of immh, which is not 0 */
};

#define ROW(bits, fixed, text, class, ...)                                                                   \
    {                                                                                                        \
        .mask = (bits), .value = (fixed), .name = (text), .op_class = OP_##class, __VA_ARGS__                \
    }
#define ROW_FORBIDDEN(bits, fixed, text)                                                                     \
    {                                                                                                        \
        .mask = (bits), .value = (fixed), .name = (text), .verdict = DECODE_FORBIDDEN                        \
    }
#define ROW_UNKNOWN(bits, fixed, text)                                                                       \
    {                                                                                                        \
        .mask = (bits), .value = (fixed), .name = (text), .verdict = DECODE_UNKNOWN                          \
    }
#define OPERANDS(...) .operands = {__VA_ARGS__}

struct decode_table {
    const struct decode_row *rows;
    size_t count;
};

extern const struct decode_table decode_integer, decode_memory, decode_scalar, decode_vector,
    decode_extensions, decode_system;

/* All of them, in the order in which they are tried. */
enum { DECODE_TABLES = 6 };
extern const struct decode_table *const decode_tables[DECODE_TABLES];

/* The row of an instruction, or NULL. */
const struct decode_row *decode_find(uint32_t word);

/* What encodings that no row has belong to: for messages. */
const char *decode_group(uint32_t word);

/* FPCR changes what any floating-point instruction does, and any may set bits of FPSR: not followed one by
 * one, so writing the first and reading the second are in order with everything. */
enum { SERIAL_NEITHER, SERIAL_READ, SERIAL_WRITE };

/* What a program may do with a system register. */
struct decode_system_register {
    uint16_t code; /* as struct decoded: system */
    bool read, write, counter;
    uint8_t follows; /* register number (decode.h) that it is for the model, or 0: it never changes */
    uint8_t serial;
    const char *mrs, *msr; /* "mrs pmccntr_el0" */
};

/* NULL: not in the list. */
const struct decode_system_register *decode_system_register(uint16_t code);

/* Bits high..low of the instruction. */
static inline uint32_t decode_field(uint32_t word, unsigned high, unsigned low)
{
    return (uint32_t)((word >> low) & ((UINT64_C(1) << (high - low + 1)) - 1));
}

#endif
