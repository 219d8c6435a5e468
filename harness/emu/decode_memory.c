/* Loads and stores: Arm ARM C4, "Loads and Stores". */
#include "harness/emu/decode_table.h"

/* Option 2, 3, 6 or 7: an index is 32 or 64 bits. */
static bool index_extends(uint32_t word)
{
    return decode_field(word, 14, 14);
}

/* CASP names even registers. */
static bool even_pairs(uint32_t word)
{
    return !decode_field(word, 16, 16) && !decode_field(word, 0, 0);
}

/* Interleaving is not for vectors of one lane of 64 bits. */
static bool several_lanes(uint32_t word)
{
    return decode_field(word, 30, 30) || decode_field(word, 11, 10) != 3;
}

/* One register, in five ways of addressing: constant offset, scaled and not; base moved on after the access
 * and before it; register offset. `at`: size and opc fields. `part`: of the class's name. */
#define SINGLE(at, text, class, indexed_class, moves, reg, size, ...)                                        \
    ROW(0xffc00000, 0x39000000 | (at), text, class, OPERANDS(reg, BASE), .memory = OP_MEMORY_##moves,        \
        .bytes = (size), .registers = 1, .constant = OFFSET_IMM12, __VA_ARGS__),                             \
        ROW(0xffe00c00, 0x38000000 | (at), text, class, OPERANDS(reg, BASE), .memory = OP_MEMORY_##moves,    \
            .bytes = (size), .registers = 1, .constant = OFFSET_IMM9, __VA_ARGS__),                          \
        ROW(0xffe00c00, 0x38000400 | (at), text, class, OPERANDS(reg, BASE, BASE_OUT),                       \
            .memory = OP_MEMORY_##moves, .bytes = (size), .registers = 1, __VA_ARGS__),                      \
        ROW(0xffe00c00, 0x38000c00 | (at), text, class, OPERANDS(reg, BASE, BASE_OUT),                       \
            .memory = OP_MEMORY_##moves, .bytes = (size), .registers = 1, .constant = OFFSET_IMM9,           \
            __VA_ARGS__),                                                                                    \
        ROW(0xffe00c00, 0x38200800 | (at), text, indexed_class, OPERANDS(reg, BASE, INDEX),                  \
            .memory = OP_MEMORY_##moves, .bytes = (size), .registers = 1, .constant = OFFSET_INDEX,          \
            .valid = index_extends, __VA_ARGS__)

/* The same as an unprivileged program would access it. */
#define UNPRIVILEGED(at, text, class, moves, reg, size)                                                      \
    ROW(0xffe00c00, 0x38000800 | (at), text, class, OPERANDS(reg, BASE), .memory = OP_MEMORY_##moves,        \
        .bytes = (size), .registers = 1, .constant = OFFSET_IMM9)

/* Two registers: base moved on after the access, constant offset, base moved on before. */
#define PAIR(at, text, class, moves, reg, reg2, size, ...)                                                   \
    ROW(0xffc00000, 0x28800000 | (at), text, class, OPERANDS(reg, reg2, BASE, BASE_OUT),                     \
        .memory = OP_MEMORY_##moves, .bytes = (size), .registers = 2, __VA_ARGS__),                          \
        ROW(0xffc00000, 0x29000000 | (at), text, class, OPERANDS(reg, reg2, BASE),                           \
            .memory = OP_MEMORY_##moves, .bytes = (size), .registers = 2, .constant = OFFSET_IMM7,           \
            __VA_ARGS__),                                                                                    \
        ROW(0xffc00000, 0x29800000 | (at), text, class, OPERANDS(reg, reg2, BASE, BASE_OUT),                 \
            .memory = OP_MEMORY_##moves, .bytes = (size), .registers = 2, .constant = OFFSET_IMM7,           \
            __VA_ARGS__)

/* The same without a trace in the caches, if possible. */
#define PAIR_STREAMING(at, text, class, moves, reg, reg2, size, ...)                                         \
    ROW(0xffc00000, 0x28000000 | (at), text, class, OPERANDS(reg, reg2, BASE), .memory = OP_MEMORY_##moves,  \
        .bytes = (size), .registers = 2, .constant = OFFSET_IMM7, __VA_ARGS__)

#define LITERAL(fixed, text, class, reg, size, ...)                                                          \
    ROW(0xff000000, fixed, text, class, OPERANDS(reg), .memory = OP_MEMORY_LOAD, .bytes = (size),            \
        .registers = 1, .constant = TARGET_19, __VA_ARGS__)

/* Exclusive, ordered: nothing but a base. */
#define AT_BASE(bits, fixed, text, class, moves, size, count, ...)                                           \
    ROW(bits, fixed, text, class, OPERANDS(__VA_ARGS__, BASE), .memory = OP_MEMORY_##moves, .bytes = (size), \
        .registers = (count))

/* In all four sizes. */
#define FOUR_SIZES(row, fixed, text)                                                                         \
    row((fixed), text "b", 1), row((fixed) | 0x40000000, text "h", 2), row((fixed) | 0x80000000, text, 4),   \
        row((fixed) | 0xc0000000, text, 8)
#define LOAD_EXCLUSIVE(fixed, text, size)                                                                    \
    AT_BASE(0xffe08000, fixed, text, EXCLUSIVE, LOAD, size, 1, RT_OUT, MONITOR_IN, MONITOR_OUT)
#define STORE_EXCLUSIVE(fixed, text, size)                                                                   \
    AT_BASE(0xffe08000, fixed, text, EXCLUSIVE, STORE, size, 1, RS_OUT, RT_IN, MONITOR_IN, MONITOR_OUT)
#define LOAD_ORDERED(fixed, text, size)  AT_BASE(0xffe08000, fixed, text, LOAD, LOAD, size, 1, RT_OUT)
#define STORE_ORDERED(fixed, text, size) AT_BASE(0xffe08000, fixed, text, STORE, STORE, size, 1, RT_IN)
#define LOAD_RCPC(fixed, text, size)                                                                         \
    ROW(0xfffffc00, fixed, text, LOAD, OPERANDS(RT_OUT, BASE), .memory = OP_MEMORY_LOAD, .bytes = (size),    \
        .registers = 1, .feature = FEATURE_RCPC)

/* The same with an offset, and STLR. */
#define UNSCALED(fixed, text, class, moves, size, reg)                                                       \
    ROW(0xffe00c00, fixed, text, class, OPERANDS(reg, BASE), .memory = OP_MEMORY_##moves, .bytes = (size),   \
        .registers = 1, .constant = OFFSET_IMM9, .feature = FEATURE_RCPC2)
#define LOAD_UNSCALED(fixed, text, size)  UNSCALED(fixed, text, LOAD, LOAD, size, RT_OUT)
#define STORE_UNSCALED(fixed, text, size) UNSCALED(fixed, text, STORE, STORE, size, RT_IN)

/* Atomics, for each of: relaxed, release, acquire, both. */
#define ATOMIC_ROW(bits, fixed, text, size, count, ...)                                                      \
    ROW(bits, fixed, text, ATOMIC, OPERANDS(__VA_ARGS__, BASE), .memory = OP_MEMORY_UPDATE, .bytes = (size), \
        .registers = (count), .feature = FEATURE_LSE)
#define COMPARE_AND_SWAP(fixed, text, size)                                                                  \
    ATOMIC_ROW(0xffa07c00, (fixed) | 0x7c00, text, size, 1, RS_OUT, RS_IN, RT_IN)
#define COMPARE_AND_SWAP_PAIR(fixed, size)                                                                   \
    ROW(0xffa07c00, fixed, "casp", ATOMIC, OPERANDS(RS_PAIR_OUT, RS_PAIR_IN, RT_PAIR_IN, BASE),              \
        .memory = OP_MEMORY_UPDATE, .bytes = (size), .registers = 2, .feature = FEATURE_LSE,                 \
        .valid = even_pairs)
#define READ_AND_CHANGE(fixed, text, size) ATOMIC_ROW(0xff20fc00, fixed, text, size, 1, RT_OUT, RS_IN)

/* LD1-LD4, ST1-ST4 of whole registers: `n` of them. */
#define WHOLE(fixed, text, class, moves, list, n, check)                                                     \
    ROW(0xbffff000, fixed, text, class, OPERANDS(list, BASE), .wide = WIDE_BY_Q,                             \
        .memory = OP_MEMORY_##moves, .registers = (n), .valid = (check)),                                    \
        ROW(0xbffff000, (fixed) | 0x009f0000, text, class, OPERANDS(list, BASE, BASE_OUT),                   \
            .wide = WIDE_BY_Q, .memory = OP_MEMORY_##moves, .registers = (n), .valid = (check)),             \
        ROW(0xbfe0f000, (fixed) | 0x00800000, text, class, OPERANDS(list, BASE, STEP, BASE_OUT),             \
            .wide = WIDE_BY_Q, .memory = OP_MEMORY_##moves, .registers = (n), .valid = (check))

/* One lane, or one element for all lanes. `bits`: opcode, S and size where they matter. */
#define ELEMENT(bits, fixed, text, class, moves, n, size, replicated, ...)                                   \
    ROW(0xbfff0000 | (bits), fixed, text, class, OPERANDS(__VA_ARGS__, BASE), .wide = (replicated),          \
        .memory = OP_MEMORY_##moves, .bytes = (size), .registers = (n)),                                     \
        ROW(0xbfff0000 | (bits), (fixed) | 0x009f0000, text, class, OPERANDS(__VA_ARGS__, BASE, BASE_OUT),   \
            .wide = (replicated), .memory = OP_MEMORY_##moves, .bytes = (size), .registers = (n)),           \
        ROW(0xbfe00000 | (bits), (fixed) | 0x00800000, text, class,                                          \
            OPERANDS(__VA_ARGS__, BASE, STEP, BASE_OUT), .wide = (replicated), .memory = OP_MEMORY_##moves,  \
            .bytes = (size), .registers = (n))

/* `more`: 0x2000 for three and four registers, 0x200000 for two and four. */
#define LANES_IN(n, more, text)                                                                              \
    ELEMENT(0xe000, 0x0d000000 | (more), text, STORE_LANE, STORE, n, 1, WIDE_NO, VT_LIST_IN),                \
        ELEMENT(0xe400, 0x0d004000 | (more), text, STORE_LANE, STORE, n, 2, WIDE_NO, VT_LIST_IN),            \
        ELEMENT(0xec00, 0x0d008000 | (more), text, STORE_LANE, STORE, n, 4, WIDE_NO, VT_LIST_IN),            \
        ELEMENT(0xfc00, 0x0d008400 | (more), text, STORE_LANE, STORE, n, 8, WIDE_NO, VT_LIST_IN)
#define LANES_OUT(n, more, text)                                                                             \
    ELEMENT(0xe000, 0x0d400000 | (more), text, LOAD_LANE, LOAD, n, 1, WIDE_NO, VT_LIST_OUT, VT_LIST_IN),     \
        ELEMENT(0xe400, 0x0d404000 | (more), text, LOAD_LANE, LOAD, n, 2, WIDE_NO, VT_LIST_OUT, VT_LIST_IN), \
        ELEMENT(0xec00, 0x0d408000 | (more), text, LOAD_LANE, LOAD, n, 4, WIDE_NO, VT_LIST_OUT, VT_LIST_IN), \
        ELEMENT(0xfc00, 0x0d408400 | (more), text, LOAD_LANE_64, LOAD, n, 8, WIDE_NO, VT_LIST_OUT,           \
                VT_LIST_HALF)
#define REPLICATED(n, more, text)                                                                            \
    ELEMENT(0xfc00, 0x0d40c000 | (more), text, LOAD_LANE, LOAD, n, 1, WIDE_BY_Q, VT_LIST_OUT),               \
        ELEMENT(0xfc00, 0x0d40c400 | (more), text, LOAD_LANE, LOAD, n, 2, WIDE_BY_Q, VT_LIST_OUT),           \
        ELEMENT(0xfc00, 0x0d40c800 | (more), text, LOAD_LANE, LOAD, n, 4, WIDE_BY_Q, VT_LIST_OUT),           \
        ELEMENT(0xfc00, 0x0d40cc00 | (more), text, LOAD_LANE, LOAD, n, 8, WIDE_BY_Q, VT_LIST_OUT)

enum { SIZE_8 = 0, SIZE_16 = 0x40000000 };
#define SIZE_32 0x80000000
#define SIZE_64 0xc0000000
enum { OPC_0 = 0, OPC_1 = 0x400000, OPC_2 = 0x800000, OPC_3 = 0xc00000, VECTOR = 0x4000000 };
enum { TWO = 0x200000, THREE = 0x2000, FOUR = 0x202000 }; /* registers of a lane access */

static const struct decode_row rows[] = {
    /* Prefetches. One of instructions, or reserved (bit 3 is 1) is no more than a hint. */
    ROW(0xffc00008, 0xf9800008, "prfm", NOP),
    ROW(0xffe00c08, 0xf8800008, "prfum", NOP),
    ROW(0xffe00c08, 0xf8a00808, "prfm", NOP, .valid = index_extends),
    ROW(0xff000008, 0xd8000008, "prfm", NOP),
    ROW(0xffc00000, 0xf9800000, "prfm", PREFETCH, OPERANDS(BASE), .memory = OP_MEMORY_PREFETCH, .bytes = 1,
        .registers = 1, .constant = OFFSET_IMM12, .scale = 3),
    ROW(0xffe00c00, 0xf8800000, "prfum", PREFETCH, OPERANDS(BASE), .memory = OP_MEMORY_PREFETCH, .bytes = 1,
        .registers = 1, .constant = OFFSET_IMM9),
    ROW(0xffe00c00, 0xf8a00800, "prfm", PREFETCH, OPERANDS(BASE, INDEX), .memory = OP_MEMORY_PREFETCH,
        .bytes = 1, .registers = 1, .constant = OFFSET_INDEX, .scale = 3, .valid = index_extends),
    ROW(0xff000000, 0xd8000000, "prfm", PREFETCH, .memory = OP_MEMORY_PREFETCH, .bytes = 1, .registers = 1,
        .constant = TARGET_19),

    /* One general register */
    SINGLE(SIZE_8 | OPC_0, "strb", STORE, STORE_INDEXED, STORE, RT_IN, 1),
    SINGLE(SIZE_8 | OPC_1, "ldrb", LOAD, LOAD_INDEXED, LOAD, RT_OUT, 1),
    SINGLE(SIZE_8 | OPC_2, "ldrsb", LOAD_SIGNED, LOAD_SIGNED, LOAD, RT_OUT, 1),
    SINGLE(SIZE_8 | OPC_3, "ldrsb", LOAD_SIGNED, LOAD_SIGNED, LOAD, RT_OUT, 1),
    SINGLE(SIZE_16 | OPC_0, "strh", STORE, STORE_INDEXED, STORE, RT_IN, 2),
    SINGLE(SIZE_16 | OPC_1, "ldrh", LOAD, LOAD_INDEXED, LOAD, RT_OUT, 2),
    SINGLE(SIZE_16 | OPC_2, "ldrsh", LOAD_SIGNED, LOAD_SIGNED, LOAD, RT_OUT, 2),
    SINGLE(SIZE_16 | OPC_3, "ldrsh", LOAD_SIGNED, LOAD_SIGNED, LOAD, RT_OUT, 2),
    SINGLE(SIZE_32 | OPC_0, "str", STORE, STORE_INDEXED, STORE, RT_IN, 4),
    SINGLE(SIZE_32 | OPC_1, "ldr", LOAD, LOAD_INDEXED, LOAD, RT_OUT, 4),
    SINGLE(SIZE_32 | OPC_2, "ldrsw", LOAD_SIGNED, LOAD_SIGNED, LOAD, RT_OUT, 4),
    SINGLE(SIZE_64 | OPC_0, "str", STORE, STORE_INDEXED, STORE, RT_IN, 8),
    SINGLE(SIZE_64 | OPC_1, "ldr", LOAD, LOAD_INDEXED, LOAD, RT_OUT, 8),
    UNPRIVILEGED(SIZE_8 | OPC_0, "sttrb", STORE, STORE, RT_IN, 1),
    UNPRIVILEGED(SIZE_8 | OPC_1, "ldtrb", LOAD, LOAD, RT_OUT, 1),
    UNPRIVILEGED(SIZE_8 | OPC_2, "ldtrsb", LOAD_SIGNED, LOAD, RT_OUT, 1),
    UNPRIVILEGED(SIZE_8 | OPC_3, "ldtrsb", LOAD_SIGNED, LOAD, RT_OUT, 1),
    UNPRIVILEGED(SIZE_16 | OPC_0, "sttrh", STORE, STORE, RT_IN, 2),
    UNPRIVILEGED(SIZE_16 | OPC_1, "ldtrh", LOAD, LOAD, RT_OUT, 2),
    UNPRIVILEGED(SIZE_16 | OPC_2, "ldtrsh", LOAD_SIGNED, LOAD, RT_OUT, 2),
    UNPRIVILEGED(SIZE_16 | OPC_3, "ldtrsh", LOAD_SIGNED, LOAD, RT_OUT, 2),
    UNPRIVILEGED(SIZE_32 | OPC_0, "sttr", STORE, STORE, RT_IN, 4),
    UNPRIVILEGED(SIZE_32 | OPC_1, "ldtr", LOAD, LOAD, RT_OUT, 4),
    UNPRIVILEGED(SIZE_32 | OPC_2, "ldtrsw", LOAD_SIGNED, LOAD, RT_OUT, 4),
    UNPRIVILEGED(SIZE_64 | OPC_0, "sttr", STORE, STORE, RT_IN, 8),
    UNPRIVILEGED(SIZE_64 | OPC_1, "ldtr", LOAD, LOAD, RT_OUT, 8),

    /* One vector register */
    SINGLE(SIZE_8 | VECTOR | OPC_0, "str b", STORE_FP, STORE_FP_INDEXED, STORE, VT_IN, 1),
    SINGLE(SIZE_8 | VECTOR | OPC_1, "ldr b", LOAD_FP, LOAD_FP_INDEXED, LOAD, VT_OUT, 1),
    SINGLE(SIZE_8 | VECTOR | OPC_2, "str q", STORE_FP, STORE_FP_INDEXED, STORE, VT_IN, 16, .wide = WIDE_YES),
    SINGLE(SIZE_8 | VECTOR | OPC_3, "ldr q", LOAD_FP, LOAD_FP_INDEXED, LOAD, VT_OUT, 16, .wide = WIDE_YES),
    SINGLE(SIZE_16 | VECTOR | OPC_0, "str h", STORE_FP, STORE_FP_INDEXED, STORE, VT_IN, 2),
    SINGLE(SIZE_16 | VECTOR | OPC_1, "ldr h", LOAD_FP, LOAD_FP_INDEXED, LOAD, VT_OUT, 2),
    SINGLE(SIZE_32 | VECTOR | OPC_0, "str s", STORE_FP, STORE_FP_INDEXED, STORE, VT_IN, 4),
    SINGLE(SIZE_32 | VECTOR | OPC_1, "ldr s", LOAD_FP, LOAD_FP_INDEXED, LOAD, VT_OUT, 4),
    SINGLE(SIZE_64 | VECTOR | OPC_0, "str d", STORE_FP, STORE_FP_INDEXED, STORE, VT_IN, 8),
    SINGLE(SIZE_64 | VECTOR | OPC_1, "ldr d", LOAD_FP, LOAD_FP_INDEXED, LOAD, VT_OUT, 8),

    /* Beside the code */
    LITERAL(0x18000000, "ldr", LOAD, RT_OUT, 4),
    LITERAL(0x58000000, "ldr", LOAD, RT_OUT, 8),
    LITERAL(0x98000000, "ldrsw", LOAD_SIGNED, RT_OUT, 4),
    LITERAL(0x1c000000, "ldr s", LOAD_FP, VT_OUT, 4),
    LITERAL(0x5c000000, "ldr d", LOAD_FP, VT_OUT, 8),
    LITERAL(0x9c000000, "ldr q", LOAD_FP, VT_OUT, 16, .wide = WIDE_YES),

    /* Pairs */
    PAIR(SIZE_8, "stp", STORE, STORE, RT_IN, RT2_IN, 4),
    PAIR(SIZE_8 | OPC_1, "ldp", LOAD_PAIR_32, LOAD, RT_OUT, RT2_OUT, 4),
    PAIR(SIZE_16 | OPC_1, "ldpsw", LOAD_PAIR, LOAD, RT_OUT, RT2_OUT, 4),
    PAIR(SIZE_32, "stp", STORE_PAIR, STORE, RT_IN, RT2_IN, 8),
    PAIR(SIZE_32 | OPC_1, "ldp", LOAD_PAIR, LOAD, RT_OUT, RT2_OUT, 8),
    PAIR(SIZE_8 | VECTOR, "stp s", STORE_FP, STORE, VT_IN, VT2_IN, 4),
    PAIR(SIZE_8 | VECTOR | OPC_1, "ldp s", LOAD_FP_PAIR, LOAD, VT_OUT, VT2_OUT, 4),
    PAIR(SIZE_16 | VECTOR, "stp d", STORE_FP_PAIR, STORE, VT_IN, VT2_IN, 8),
    PAIR(SIZE_16 | VECTOR | OPC_1, "ldp d", LOAD_FP_PAIR, LOAD, VT_OUT, VT2_OUT, 8),
    PAIR(SIZE_32 | VECTOR, "stp q", STORE_FP_PAIR, STORE, VT_IN, VT2_IN, 16, .wide = WIDE_YES),
    PAIR(SIZE_32 | VECTOR | OPC_1, "ldp q", LOAD_FP_PAIR, LOAD, VT_OUT, VT2_OUT, 16, .wide = WIDE_YES),
    PAIR_STREAMING(SIZE_8, "stnp", STORE, STORE, RT_IN, RT2_IN, 4),
    PAIR_STREAMING(SIZE_8 | OPC_1, "ldnp", LOAD_PAIR_32, LOAD, RT_OUT, RT2_OUT, 4),
    PAIR_STREAMING(SIZE_32, "stnp", STORE_PAIR, STORE, RT_IN, RT2_IN, 8),
    PAIR_STREAMING(SIZE_32 | OPC_1, "ldnp", LOAD_PAIR, LOAD, RT_OUT, RT2_OUT, 8),
    PAIR_STREAMING(SIZE_8 | VECTOR, "stnp s", STORE_FP, STORE, VT_IN, VT2_IN, 4),
    PAIR_STREAMING(SIZE_8 | VECTOR | OPC_1, "ldnp s", LOAD_FP_PAIR, LOAD, VT_OUT, VT2_OUT, 4),
    PAIR_STREAMING(SIZE_16 | VECTOR, "stnp d", STORE_FP_PAIR, STORE, VT_IN, VT2_IN, 8),
    PAIR_STREAMING(SIZE_16 | VECTOR | OPC_1, "ldnp d", LOAD_FP_PAIR, LOAD, VT_OUT, VT2_OUT, 8),
    PAIR_STREAMING(SIZE_32 | VECTOR, "stnp q", STORE_FP_PAIR, STORE, VT_IN, VT2_IN, 16, .wide = WIDE_YES),
    PAIR_STREAMING(SIZE_32 | VECTOR | OPC_1, "ldnp q", LOAD_FP_PAIR, LOAD, VT_OUT, VT2_OUT, 16,
                   .wide = WIDE_YES),

    /* Exclusive, acquire, release */
    FOUR_SIZES(STORE_EXCLUSIVE, 0x08000000, "stxr"),
    FOUR_SIZES(STORE_EXCLUSIVE, 0x08008000, "stlxr"),
    FOUR_SIZES(LOAD_EXCLUSIVE, 0x08400000, "ldxr"),
    FOUR_SIZES(LOAD_EXCLUSIVE, 0x08408000, "ldaxr"),
    AT_BASE(0xffe08000, 0x88200000, "stxp", EXCLUSIVE, STORE, 4, 2, RS_OUT, RT_IN, RT2_IN, MONITOR_IN,
            MONITOR_OUT),
    AT_BASE(0xffe08000, 0x88208000, "stlxp", EXCLUSIVE, STORE, 4, 2, RS_OUT, RT_IN, RT2_IN, MONITOR_IN,
            MONITOR_OUT),
    AT_BASE(0xffe08000, 0xc8200000, "stxp", EXCLUSIVE, STORE, 8, 2, RS_OUT, RT_IN, RT2_IN, MONITOR_IN,
            MONITOR_OUT),
    AT_BASE(0xffe08000, 0xc8208000, "stlxp", EXCLUSIVE, STORE, 8, 2, RS_OUT, RT_IN, RT2_IN, MONITOR_IN,
            MONITOR_OUT),
    AT_BASE(0xffe08000, 0x88600000, "ldxp", EXCLUSIVE, LOAD, 4, 2, RT_OUT, RT2_OUT, MONITOR_IN, MONITOR_OUT),
    AT_BASE(0xffe08000, 0x88608000, "ldaxp", EXCLUSIVE, LOAD, 4, 2, RT_OUT, RT2_OUT, MONITOR_IN, MONITOR_OUT),
    AT_BASE(0xffe08000, 0xc8600000, "ldxp", EXCLUSIVE, LOAD, 8, 2, RT_OUT, RT2_OUT, MONITOR_IN, MONITOR_OUT),
    AT_BASE(0xffe08000, 0xc8608000, "ldaxp", EXCLUSIVE, LOAD, 8, 2, RT_OUT, RT2_OUT, MONITOR_IN, MONITOR_OUT),
    FOUR_SIZES(STORE_ORDERED, 0x08808000, "stlr"),
    FOUR_SIZES(LOAD_ORDERED, 0x08c08000, "ldar"),
    FOUR_SIZES(LOAD_RCPC, 0x38bfc000, "ldapr"),
    FOUR_SIZES(STORE_UNSCALED, 0x19000000, "stlur"),
    FOUR_SIZES(LOAD_UNSCALED, 0x19400000, "ldapur"),
    UNSCALED(0x19800000, "ldapursb", LOAD_SIGNED, LOAD, 1, RT_OUT),
    UNSCALED(0x19c00000, "ldapursb", LOAD_SIGNED, LOAD, 1, RT_OUT),
    UNSCALED(0x59800000, "ldapursh", LOAD_SIGNED, LOAD, 2, RT_OUT),
    UNSCALED(0x59c00000, "ldapursh", LOAD_SIGNED, LOAD, 2, RT_OUT),
    UNSCALED(0x99800000, "ldapursw", LOAD_SIGNED, LOAD, 4, RT_OUT),

    /* Atomics */
    COMPARE_AND_SWAP_PAIR(0x08207c00, 4),
    COMPARE_AND_SWAP_PAIR(0x48207c00, 8),
    FOUR_SIZES(COMPARE_AND_SWAP, 0x08a00000, "cas"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38200000, "ldadd"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38201000, "ldclr"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38202000, "ldeor"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38203000, "ldset"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38204000, "ldsmax"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38205000, "ldsmin"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38206000, "ldumax"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38207000, "ldumin"),
    FOUR_SIZES(READ_AND_CHANGE, 0x38208000, "swp"),

    /* Vectors and structures of them */
    WHOLE(0x0c000000, "st4", STORE_STRUCT, STORE, VT_LIST_IN, 4, several_lanes),
    WHOLE(0x0c002000, "st1", STORE_VECTOR, STORE, VT_LIST_IN, 4, NULL),
    WHOLE(0x0c004000, "st3", STORE_STRUCT, STORE, VT_LIST_IN, 3, several_lanes),
    WHOLE(0x0c006000, "st1", STORE_VECTOR, STORE, VT_LIST_IN, 3, NULL),
    WHOLE(0x0c007000, "st1", STORE_VECTOR, STORE, VT_LIST_IN, 1, NULL),
    WHOLE(0x0c008000, "st2", STORE_STRUCT, STORE, VT_LIST_IN, 2, several_lanes),
    WHOLE(0x0c00a000, "st1", STORE_VECTOR, STORE, VT_LIST_IN, 2, NULL),
    WHOLE(0x0c400000, "ld4", LOAD_STRUCT_4, LOAD, VT_LIST_OUT, 4, several_lanes),
    WHOLE(0x0c402000, "ld1", LOAD_VECTOR, LOAD, VT_LIST_OUT, 4, NULL),
    WHOLE(0x0c404000, "ld3", LOAD_STRUCT_3, LOAD, VT_LIST_OUT, 3, several_lanes),
    WHOLE(0x0c406000, "ld1", LOAD_VECTOR, LOAD, VT_LIST_OUT, 3, NULL),
    WHOLE(0x0c407000, "ld1", LOAD_VECTOR, LOAD, VT_LIST_OUT, 1, NULL),
    WHOLE(0x0c408000, "ld2", LOAD_STRUCT_2, LOAD, VT_LIST_OUT, 2, several_lanes),
    WHOLE(0x0c40a000, "ld1", LOAD_VECTOR, LOAD, VT_LIST_OUT, 2, NULL),
    LANES_IN(1, 0, "st1 lane"),
    LANES_IN(2, TWO, "st2 lane"),
    LANES_IN(3, THREE, "st3 lane"),
    LANES_IN(4, FOUR, "st4 lane"),
    LANES_OUT(1, 0, "ld1 lane"),
    LANES_OUT(2, TWO, "ld2 lane"),
    LANES_OUT(3, THREE, "ld3 lane"),
    LANES_OUT(4, FOUR, "ld4 lane"),
    REPLICATED(1, 0, "ld1r"),
    REPLICATED(2, TWO, "ld2r"),
    REPLICATED(3, THREE, "ld3r"),
    REPLICATED(4, FOUR, "ld4r"),

    /* Extensions that are known by name */
    ROW_UNKNOWN(0x3fe08000, 0x08800000, "stllr"), /* limited ordering regions */
    ROW_UNKNOWN(0x3fe08000, 0x08c00000, "ldlar"),
    ROW_UNKNOWN(0xff200000, 0xd9200000, "memory tagging"),
    ROW_UNKNOWN(0xffc00000, 0x68800000, "stgp"),
    ROW_UNKNOWN(0xffc00000, 0x69000000, "stgp"),
    ROW_UNKNOWN(0xffc00000, 0x69800000, "stgp"),
    ROW_UNKNOWN(0xff200400, 0xf8200400, "ldraa"), /* and ldrab */
    ROW_UNKNOWN(0xfffffc00, 0xf83fd000, "ld64b"),
    ROW_UNKNOWN(0xfffffc00, 0xf83f9000, "st64b"),
};

const struct decode_table decode_memory = {rows, sizeof rows / sizeof *rows};
