/* One instruction as the core model sees it: what it needs, what it gives, which unit does it. No ISA is
 * known here: a decoder (harness/emu/decode.h) fills this in. */
#ifndef CYCLELAB_MODEL_OP_H
#define CYCLELAB_MODEL_OP_H

#include <stdbool.h>
#include <stdint.h>

/* What kind of work: a core file gives each of these its latency and its ports. `.q` in a core file is the
 * same on 128 bits. */
#define OP_CLASSES(X)                                                                                        \
    X(NOP, "nop")                                                                                            \
    X(ALU, "alu")                         /* add, subtract, logic, move of registers and constants */        \
    X(ALU_FLAGS, "alu-flags")             /* the same, setting flags; with carry; conditional compare */     \
    X(ALU_SHIFT, "alu-shift")             /* add, subtract, second operand shifted left by 1 to 4 */         \
    X(ALU_SHIFT_FLAGS, "alu-shift-flags") /* the same, setting flags */                                      \
    X(ALU_SHIFT_FAR, "alu-shift-far")     /* shifted otherwise, or extended; logic with flags */             \
    X(LOGIC_SHIFT, "logic-shift")         /* logic, second operand shifted, without flags */                 \
    X(SHIFT, "shift")                     /* shift by constant or register, bit fields, rotation */          \
    X(EXTRACT, "extract")                 /* from two registers side by side */                              \
    X(BIT_OPS, "bit-ops")                 /* reverse, count leading zeros */                                 \
    X(SELECT, "select")                   /* conditional select and its relatives */                         \
    X(MUL, "mul")                         /* 32 x 32 -> 32 */                                                \
    X(MUL_WIDE, "mul-wide")               /* 64 x 64 -> 64 */                                                \
    X(MUL_LONG, "mul-long")               /* 32 x 32 -> 64 */                                                \
    X(MUL_ADD, "mul-add")                 /* the same three with an addition or subtraction */               \
    X(MUL_ADD_WIDE, "mul-add-wide")                                                                          \
    X(MUL_ADD_LONG, "mul-add-long")                                                                          \
    X(MUL_HIGH, "mul-high") /* 64 x 64 -> upper 64 */                                                        \
    X(DIV, "div")           /* 32 bits, unsigned */                                                          \
    X(DIV_WIDE, "div-wide") /* 64 bits */                                                                    \
    X(DIV_SIGNED, "div-signed")                                                                              \
    X(DIV_SIGNED_WIDE, "div-signed-wide")                                                                    \
    X(CRC, "crc")                                                                                            \
    X(BRANCH, "branch") /* direct, conditional or not */                                                     \
    X(BRANCH_LINK, "branch-link")                                                                            \
    X(BRANCH_REGISTER, "branch-register")                                                                    \
    X(LOAD, "load")                 /* base and constant */                                                  \
    X(LOAD_INDEXED, "load-indexed") /* base and register */                                                  \
    X(LOAD_SIGNED, "load-signed")   /* sign-extending */                                                     \
    X(LOAD_PAIR, "load-pair")       /* two registers of 64 bits, or sign-extending */                        \
    X(LOAD_PAIR_32, "load-pair-32")                                                                          \
    X(LOAD_FP, "load-fp")                                                                                    \
    X(LOAD_FP_INDEXED, "load-fp-indexed")                                                                    \
    X(LOAD_FP_PAIR, "load-fp-pair")                                                                          \
    X(LOAD_VECTOR, "load-vector")     /* one to four whole registers */                                      \
    X(LOAD_LANE, "load-lane")         /* single lanes, or replicated into all */                             \
    X(LOAD_LANE_64, "load-lane-64")   /* single lanes of 64 bits */                                          \
    X(LOAD_STRUCT_2, "load-struct-2") /* interleaved: two registers, three, four */                          \
    X(LOAD_STRUCT_3, "load-struct-3")                                                                        \
    X(LOAD_STRUCT_4, "load-struct-4")                                                                        \
    X(STORE, "store")                                                                                        \
    X(STORE_INDEXED, "store-indexed")                                                                        \
    X(STORE_PAIR, "store-pair")                                                                              \
    X(STORE_FP, "store-fp")                                                                                  \
    X(STORE_FP_INDEXED, "store-fp-indexed")                                                                  \
    X(STORE_FP_PAIR, "store-fp-pair")                                                                        \
    X(STORE_VECTOR, "store-vector")                                                                          \
    X(STORE_LANE, "store-lane")                                                                              \
    X(STORE_STRUCT, "store-struct") /* interleaved */                                                        \
    X(PREFETCH, "prefetch")                                                                                  \
    X(ATOMIC, "atomic")       /* read, change, write at once */                                              \
    X(EXCLUSIVE, "exclusive") /* load or store exclusive */                                                  \
    X(FP_MOVE, "fp-move")     /* registers, constants, absolute value, negation */                           \
    X(FP_TO_INT, "fp-to-int") /* into a general register, as it is */                                        \
    X(INT_TO_FP, "int-to-fp")                                                                                \
    X(INT_TO_LANE, "int-to-lane")                                                                            \
    X(FP_CONVERT_TO_INT, "fp-convert-to-int") /* into a general register */                                  \
    X(INT_CONVERT_TO_FP, "int-convert-to-fp")                                                                \
    X(FP_CONVERT, "fp-convert") /* precision, rounding */                                                    \
    X(FP_COMPARE, "fp-compare")                                                                              \
    X(FP_SELECT, "fp-select")                                                                                \
    X(FP_ADD, "fp-add") /* and subtract, minimum, maximum; scalar */                                         \
    X(FP_MUL, "fp-mul")                                                                                      \
    X(FP_FMA, "fp-fma")                                                                                      \
    X(FP_DIV, "fp-div")           /* single precision */                                                     \
    X(FP_DIV_WIDE, "fp-div-wide") /* double precision */                                                     \
    X(FP_SQRT, "fp-sqrt")                                                                                    \
    X(FP_SQRT_WIDE, "fp-sqrt-wide")                                                                          \
    X(V_ALU, "v-alu")           /* integer add, compare, minimum, maximum */                                 \
    X(V_ALU_SLOW, "v-alu-slow") /* differences and their like: absolute, long in pairs, counts, selection */ \
    X(V_LOGIC, "v-logic")                                                                                    \
    X(V_MOVE, "v-move")               /* registers, constants, inserts */                                    \
    X(V_SHIFT, "v-shift")             /* by a constant; long; narrowing */                                   \
    X(V_SHIFT_TWO, "v-shift-two")     /* by a register; inserting */                                         \
    X(V_SHIFT_ROUND, "v-shift-round") /* rounding or saturating; saturating narrowing */                     \
    X(V_SHIFT_ADD, "v-shift-add")     /* and added */                                                        \
    X(V_ACCUMULATE, "v-accumulate")   /* absolute differences, and pairs, added */                           \
    X(V_MUL, "v-mul")                                                                                        \
    X(V_MLA, "v-mla")                                                                                        \
    X(V_MUL_LONG, "v-mul-long")                                                                              \
    X(V_MLA_LONG, "v-mla-long")                                                                              \
    X(V_MLA_HIGH, "v-mla-high") /* rounded upper halves, added with saturation */                            \
    X(V_MLA_LONG_SATURATING, "v-mla-long-saturating")                                                        \
    X(V_DOT, "v-dot")         /* dot products of four bytes, added */                                        \
    X(V_PERMUTE, "v-permute") /* zip, transpose, extract */                                                  \
    X(V_TABLE, "v-table")     /* look-up in one register, two, three, four */                                \
    X(V_TABLE_2, "v-table-2")                                                                                \
    X(V_TABLE_3, "v-table-3")                                                                                \
    X(V_TABLE_4, "v-table-4")                                                                                \
    X(V_TABLE_EXTEND_2, "v-table-extend-2") /* the same, keeping what no index finds */                      \
    X(V_TABLE_EXTEND_3, "v-table-extend-3")                                                                  \
    X(V_TABLE_EXTEND_4, "v-table-extend-4")                                                                  \
    X(V_REDUCE, "v-reduce") /* across four lanes, eight (four of floating point), 16 */                      \
    X(V_REDUCE_8, "v-reduce-8")                                                                              \
    X(V_REDUCE_16, "v-reduce-16")                                                                            \
    X(V_FP_REDUCE_8, "v-fp-reduce-8") /* eight of floating point */                                          \
    X(V_FP_ADD, "v-fp-add")                                                                                  \
    X(V_FP_COMPARE, "v-fp-compare") /* and minimum, maximum */                                               \
    X(V_FP_PAIR, "v-fp-pair")       /* of neighbours */                                                      \
    X(V_FP_MUL, "v-fp-mul")                                                                                  \
    X(V_FP_FMA, "v-fp-fma")                                                                                  \
    X(V_FP_FMA_LONG, "v-fp-fma-long") /* of half precision, added to single */                               \
    X(V_FP_DIV, "v-fp-div")           /* single precision */                                                 \
    X(V_FP_DIV_WIDE, "v-fp-div-wide") /* double precision */                                                 \
    X(V_FP_SQRT, "v-fp-sqrt")                                                                                \
    X(V_FP_SQRT_WIDE, "v-fp-sqrt-wide")                                                                      \
    X(V_FP_MISC, "v-fp-misc") /* convert, round, estimate: up to two lanes, four, eight */                   \
    X(V_FP_MISC_4, "v-fp-misc-4")                                                                            \
    X(V_FP_MISC_8, "v-fp-misc-8")                                                                            \
    X(AES, "aes")               /* a round, but for the mixing of columns */                                 \
    X(AES_PAIRED, "aes-paired") /* the same, with the mixing of its result behind it */                      \
    X(AES_MIX, "aes-mix")       /* of columns */                                                             \
    X(PMULL, "pmull")           /* 64 x 64 -> 128, polynomials */                                            \
    X(SHA1, "sha1")             /* four rounds */                                                            \
    X(SHA1_FAST, "sha1-fast")   /* rotation; second half of the schedule */                                  \
    X(SHA1_SCHEDULE, "sha1-schedule")                                                                        \
    X(SHA256, "sha256")                                                                                      \
    X(SHA256_SCHEDULE, "sha256-schedule")                                                                    \
    X(SHA256_SCHEDULE_LAST, "sha256-schedule-last") /* its second half */                                    \
    X(SHA512, "sha512")                                                                                      \
    X(SHA3, "sha3")                 /* of three vectors, or with a rotation: EOR3, BCAX, RAX1, XAR */        \
    X(COUNTER_READ, "counter-read") /* of the cycle counter, an event counter, the virtual timer */          \
    X(SYSTEM_READ, "system-read")                                                                            \
    X(SYSTEM_WRITE, "system-write")                                                                          \
    X(BARRIER, "barrier")

enum op_class {
#define OP_CLASS_ENUM(name, text) OP_##name,
    OP_CLASSES(OP_CLASS_ENUM)
#undef OP_CLASS_ENUM
        OP_CLASS_COUNT
};

const char *op_class_name(enum op_class op_class);

/* Registers are numbers: whoever decodes chooses them, those of vectors from OP_VECTORS on. One that is
 * always zero is none. */
enum { OP_REGISTERS = 96, OP_VECTORS = 32, OP_READS = 8, OP_WRITES = 5, OP_NONE = 255 };

enum op_memory { OP_NO_MEMORY, OP_MEMORY_LOAD, OP_MEMORY_STORE, OP_MEMORY_UPDATE, OP_MEMORY_PREFETCH };

enum op_branch {
    OP_NO_BRANCH,
    OP_JUMP,          /* direct, always taken */
    OP_CONDITIONAL,   /* direct */
    OP_CALL,          /* direct, always taken */
    OP_CALL_INDIRECT, /* always taken, as the next two */
    OP_JUMP_INDIRECT,
    OP_RETURN,
};

enum op_order {
    OP_UNORDERED,
    OP_ORDER_MEMORY,  /* DMB: later accesses wait for earlier ones */
    OP_ORDER_ALL,     /* DSB: everything later waits until earlier accesses are complete */
    OP_ORDER_CONTEXT, /* ISB: everything later is fetched anew when all earlier ones are complete */
    OP_ORDER_SERIAL,  /* it begins when all earlier ones are complete, and everything later waits for it */
};

struct op {
    uint64_t address;
    uint8_t op_class; /* enum op_class */
    bool wide;        /* works on 128 bits */
    uint8_t read_count, write_count;
    uint8_t reads[OP_READS];
    uint8_t writes[OP_WRITES];
    uint8_t address_reads; /* bit i: reads[i] goes into the address; with a store the others are its data */
    bool half;             /* works on 128 bits, and its result has 64 */
    uint8_t kept_half;   /* bit i: of reads[i] the result keeps one half of 128 bits, and writes the other */
    uint8_t accumulator; /* reads[accumulator] is added to a product, and may come late; or OP_NONE */
    uint8_t base_write;  /* writes[base_write] is the base register, moved on by an addition; or OP_NONE */
    uint8_t step;        /* reads[step - 1] is added to it; or 0: a constant is */
    uint8_t memory;      /* enum op_memory */
    uint8_t registers;   /* that a load or store moves, 1 to 4 */
    uint16_t bytes;      /* that it moves, from its first address on */
    uint8_t branch;      /* enum op_branch */
    uint8_t order;       /* enum op_order */
    uint8_t quotient;    /* of an integer division: bits of the longest quotient; 0: this is none, or the
                            model is not told how long quotients are, and takes none as long */
};

/* The address is one register, with a constant at most. */
static inline bool op_is_by_base(const struct op *op)
{
    return op->address_reads != 0 && (op->address_reads & (op->address_reads - 1)) == 0;
}

static inline bool op_is_vector(unsigned number)
{
    return number / OP_VECTORS == 1;
}

/* The model is told something of each execution: the address of an access, or the bits of a quotient. */
static inline bool op_is_told(const struct op *op)
{
    return op->memory != OP_NO_MEMORY || op->quotient > 0;
}

#endif
