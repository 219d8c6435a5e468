/* Advanced SIMD: Arm ARM C4, "Data Processing -- Scalar Floating-Point and Advanced SIMD". Long because: it
 * is one table of the manual's, a row here for each there. */
#include "harness/emu/decode_table.h"

/* U is bit 29, Q bit 30; a scalar has bits 30 and 28 instead. `a` is bit 23, which with floating point is
 * part of the opcode. */
#define U_BIT(u)            ((uint32_t)(u) << 29)
#define A_BIT(a)            ((uint32_t)(a) << 23)
#define OP_BITS(opcode, at) ((uint32_t)(opcode) << (at))
#define Q_BIT               0x40000000

/* Three registers of one shape */
#define SAME(u, opcode, text, class, shapes, ...)                                                            \
    ROW(0xbf20fc00, 0x0e200400 | U_BIT(u) | OP_BITS(opcode, 11), text, class,                                \
        OPERANDS(VD, VN, VM, __VA_ARGS__), .wide = WIDE_BY_Q, .sizes = (shapes))
#define SAME_SCALAR(u, opcode, text, class, shapes)                                                          \
    ROW(0xff20fc00, 0x5e200400 | U_BIT(u) | OP_BITS(opcode, 11), text, class, OPERANDS(VD, VN, VM),          \
        .sizes = (shapes))
#define BITWISE(u, size, text, class, ...)                                                                   \
    ROW(0xbfe0fc00, 0x0e201c00 | U_BIT(u) | OP_BITS(size, 22), text, class,                                  \
        OPERANDS(VD, VN, VM, __VA_ARGS__), .wide = WIDE_BY_Q)

/* The same of floating-point numbers: single and double, then half precision. */
#define FP_SAME(u, a, opcode, text, class, ...)                                                              \
    ROW(0xbfa0fc00, 0x0e20c400 | U_BIT(u) | A_BIT(a) | OP_BITS(opcode, 11), text, class,                     \
        OPERANDS(VD, VN, VM, __VA_ARGS__), .wide = WIDE_BY_Q, .sizes = SIZES_FP),                            \
        ROW(0xbfe0fc00, 0x0e400400 | U_BIT(u) | A_BIT(a) | OP_BITS(opcode, 11), text, class,                 \
            OPERANDS(VD, VN, VM, __VA_ARGS__), .wide = WIDE_BY_Q, .feature = FEATURE_FP16)
#define FP_SAME_SCALAR(u, a, opcode, text, class)                                                            \
    ROW(0xffa0fc00, 0x5e20c400 | U_BIT(u) | A_BIT(a) | OP_BITS(opcode, 11), text, class,                     \
        OPERANDS(VD, VN, VM)),                                                                               \
        ROW(0xffe0fc00, 0x5e400400 | U_BIT(u) | A_BIT(a) | OP_BITS(opcode, 11), text, class,                 \
            OPERANDS(VD, VN, VM), .feature = FEATURE_FP16)
/* Where double precision takes longer: the opcodes of single and double, and of half, which is as single. */
#define FP_APART(bits, fixed, fixed_half, text, class, class_double, ...)                                    \
    ROW(bits, fixed, text, class, OPERANDS(__VA_ARGS__), .wide = WIDE_BY_Q),                                 \
        ROW((bits) | Q_BIT, (fixed) | Q_BIT | 0x00400000, text, class_double, OPERANDS(__VA_ARGS__),         \
            .wide = WIDE_YES),                                                                               \
        ROW(bits, fixed_half, text, class, OPERANDS(__VA_ARGS__), .wide = WIDE_BY_Q,                         \
            .feature = FEATURE_FP16)

/* Dot products, and multiplication with rounded accumulation */
#define EXTRA(u, opcode, text, class, shapes, needs)                                                         \
    ROW(0xbf20fc00, 0x0e008400 | U_BIT(u) | OP_BITS(opcode, 11), text, class, OPERANDS(VD, VN, VM, VD_SUM),  \
        .wide = WIDE_BY_Q, .sizes = (shapes), .feature = (needs))
#define EXTRA_SCALAR(opcode, text)                                                                           \
    ROW(0xff20fc00, 0x7e008400 | OP_BITS(opcode, 11), text, V_MLA_HIGH, OPERANDS(VD, VN, VM, VD_SUM),        \
        .sizes = SIZES_HS, .feature = FEATURE_RDM)

/* One source */
#define MISC(u, opcode, text, class, shapes, ...)                                                            \
    ROW(0xbf3ffc00, 0x0e200800 | U_BIT(u) | OP_BITS(opcode, 12), text, class, OPERANDS(VD, VN, __VA_ARGS__), \
        .wide = WIDE_BY_Q, .sizes = (shapes))
#define MISC_SCALAR(u, opcode, text, class, shapes, ...)                                                     \
    ROW(0xff3ffc00, 0x5e200800 | U_BIT(u) | OP_BITS(opcode, 12), text, class, OPERANDS(VD, VN, __VA_ARGS__), \
        .sizes = (shapes))
#define FP_MISC(u, a, opcode, text, class, how)                                                              \
    ROW(0xbfbffc00, 0x0e200800 | U_BIT(u) | A_BIT(a) | OP_BITS(opcode, 12), text, class, OPERANDS(VD, VN),   \
        .wide = WIDE_BY_Q, .sizes = SIZES_FP, .variant = (how)),                                             \
        ROW(0xbffffc00, 0x0e780800 | U_BIT(u) | A_BIT(a) | OP_BITS(opcode, 12), text, class,                 \
            OPERANDS(VD, VN), .wide = WIDE_BY_Q, .feature = FEATURE_FP16, .variant = (how))
#define FP_CONVERT(u, a, opcode, text) FP_MISC(u, a, opcode, text, V_FP_MISC, BY_FP_LANES)
#define FP_MISC_SCALAR(u, a, opcode, text, class)                                                            \
    ROW(0xffbffc00, 0x5e200800 | U_BIT(u) | A_BIT(a) | OP_BITS(opcode, 12), text, class, OPERANDS(VD, VN)),  \
        ROW(0xfffffc00, 0x5e780800 | U_BIT(u) | A_BIT(a) | OP_BITS(opcode, 12), text, class,                 \
            OPERANDS(VD, VN), .feature = FEATURE_FP16)

#define TO_INTEGRAL(u, opcode, text)                                                                         \
    ROW(0xbfbffc00, 0x0e200800 | U_BIT(u) | OP_BITS(opcode, 12) | 0x10000, text, V_FP_MISC,                  \
        OPERANDS(VD, VN), .wide = WIDE_BY_Q, .sizes = SIZES_FP, .feature = FEATURE_FRINTTS,                  \
        .variant = BY_FP_LANES)

/* Half as wide results; into the upper half of the register, whose lower half stays. */
#define NARROW(bits, fixed, text, class, shapes, ...)                                                        \
    ROW((bits) | Q_BIT, fixed, text, class, OPERANDS(VD, __VA_ARGS__), .wide = WIDE_YES, .half = true,       \
        .sizes = (shapes)),                                                                                  \
        ROW((bits) | Q_BIT, (fixed) | Q_BIT, text "2", class, OPERANDS(VD, VD_HALF, __VA_ARGS__),            \
            .wide = WIDE_YES, .half = true, .sizes = (shapes))
#define MISC_NARROW(u, opcode, text, class, shapes)                                                          \
    NARROW(0xbf3ffc00, 0x0e200800 | U_BIT(u) | OP_BITS(opcode, 12), text, class, shapes, VN)

/* Across the lanes; two lanes into a scalar */
#define ACROSS(u, opcode, text, shapes)                                                                      \
    ROW(0xbf3ffc00, 0x0e300800 | U_BIT(u) | OP_BITS(opcode, 12), text, V_REDUCE, OPERANDS(VD, VN),           \
        .wide = WIDE_BY_Q, .half = true, .sizes = (shapes), .variant = BY_LANES)
#define FP_ACROSS(a, opcode, text)                                                                           \
    ROW(0xfffffc00, 0x6e300800 | A_BIT(a) | OP_BITS(opcode, 12), text, V_REDUCE_8, OPERANDS(VD, VN),         \
        .wide = WIDE_YES, .half = true),                                                                     \
        ROW(0xfffffc00, 0x0e300800 | A_BIT(a) | OP_BITS(opcode, 12), text, V_REDUCE_8, OPERANDS(VD, VN),     \
            .feature = FEATURE_FP16),                                                                        \
        ROW(0xfffffc00, 0x4e300800 | A_BIT(a) | OP_BITS(opcode, 12), text, V_FP_REDUCE_8, OPERANDS(VD, VN),  \
            .wide = WIDE_YES, .half = true, .feature = FEATURE_FP16)
#define PAIRWISE(a, opcode, text)                                                                            \
    ROW(0xffbffc00, 0x7e300800 | A_BIT(a) | OP_BITS(opcode, 12), text, V_FP_PAIR, OPERANDS(VD, VN)),         \
        ROW(0xfffffc00, 0x5e300800 | A_BIT(a) | OP_BITS(opcode, 12), text, V_FP_PAIR, OPERANDS(VD, VN),      \
            .feature = FEATURE_FP16)

/* Three registers of several shapes: twice as wide results; half as wide ones */
#define LONG(u, opcode, text, class, shapes, ...)                                                            \
    ROW(0xbf20fc00, 0x0e200000 | U_BIT(u) | OP_BITS(opcode, 12), text, class,                                \
        OPERANDS(VD, VN, VM, __VA_ARGS__), .wide = WIDE_YES, .sizes = (shapes))
#define LONG_SCALAR(opcode, text, class, ...)                                                                \
    ROW(0xff20fc00, 0x5e200000 | OP_BITS(opcode, 12), text, class, OPERANDS(VD, VN, VM, __VA_ARGS__),        \
        .sizes = SIZES_HS)
#define HIGH_NARROW(u, opcode, text)                                                                         \
    NARROW(0xbf20fc00, 0x0e200000 | U_BIT(u) | OP_BITS(opcode, 12), text, V_ALU, SIZES_BHS, VN, VM)

/* By a lane */
#define LANE(u, opcode, text, class, shapes, how_wide, needs, ...)                                           \
    ROW(0xbf00f400, 0x0f000000 | U_BIT(u) | OP_BITS(opcode, 12), text, class,                                \
        OPERANDS(VD, VN, VM_LANE, __VA_ARGS__), .wide = (how_wide), .sizes = (shapes), .feature = (needs))
#define LANE_SCALAR(u, opcode, text, class, needs, ...)                                                      \
    ROW(0xff00f400, 0x5f000000 | U_BIT(u) | OP_BITS(opcode, 12), text, class,                                \
        OPERANDS(VD, VN, VM_LANE, __VA_ARGS__), .sizes = SIZES_HS, .feature = (needs))
/* Single, double, half; vector, scalar. Of double lanes there is no third (bit 21). */
#define FP_LANE(u, opcode, text, class, scalar_class, ...)                                                   \
    ROW(0xbfc0f400, 0x0f800000 | U_BIT(u) | OP_BITS(opcode, 12), text, class,                                \
        OPERANDS(VD, VN, VM_LANE, __VA_ARGS__), .wide = WIDE_BY_Q),                                          \
        ROW(0xffe0f400, 0x4fc00000 | U_BIT(u) | OP_BITS(opcode, 12), text, class,                            \
            OPERANDS(VD, VN, VM_LANE, __VA_ARGS__), .wide = WIDE_YES),                                       \
        ROW(0xbfc0f400, 0x0f000000 | U_BIT(u) | OP_BITS(opcode, 12), text, class,                            \
            OPERANDS(VD, VN, VM_LANE, __VA_ARGS__), .wide = WIDE_BY_Q, .feature = FEATURE_FP16),             \
        ROW(0xffc0f400, 0x5f800000 | U_BIT(u) | OP_BITS(opcode, 12), text, scalar_class,                     \
            OPERANDS(VD, VN, VM_LANE, __VA_ARGS__)),                                                         \
        ROW(0xffe0f400, 0x5fc00000 | U_BIT(u) | OP_BITS(opcode, 12), text, scalar_class,                     \
            OPERANDS(VD, VN, VM_LANE, __VA_ARGS__)),                                                         \
        ROW(0xffc0f400, 0x5f000000 | U_BIT(u) | OP_BITS(opcode, 12), text, scalar_class,                     \
            OPERANDS(VD, VN, VM_LANE, __VA_ARGS__), .feature = FEATURE_FP16)

/* By a constant; that immh is not 0 is what tells these from the constants below. */
#define SHIFT(u, opcode, text, class, ...)                                                                   \
    ROW(0xbf80fc00, 0x0f000400 | U_BIT(u) | OP_BITS(opcode, 11), text, class, OPERANDS(VD, VN, __VA_ARGS__), \
        .wide = WIDE_BY_Q, .sizes = SIZES_VECTOR, .immh = true)
#define SHIFT_SCALAR(u, opcode, text, class, shapes, ...)                                                    \
    ROW(0xff80fc00, 0x5f000400 | U_BIT(u) | OP_BITS(opcode, 11), text, class, OPERANDS(VD, VN, __VA_ARGS__), \
        .sizes = (shapes), .immh = true)
#define SHIFT_NARROW(u, opcode, text, class)                                                                 \
    ROW(0xff80fc00, 0x0f000400 | U_BIT(u) | OP_BITS(opcode, 11), text, class, OPERANDS(VD, VN),              \
        .wide = WIDE_YES, .half = true, .sizes = SIZES_BHS, .immh = true),                                   \
        ROW(0xff80fc00, 0x4f000400 | U_BIT(u) | OP_BITS(opcode, 11), text "2", class,                        \
            OPERANDS(VD, VD_HALF, VN), .wide = WIDE_YES, .half = true, .sizes = SIZES_BHS, .immh = true)
#define SHIFT_LONG(u, opcode, text)                                                                          \
    ROW(0xbf80fc00, 0x0f000400 | U_BIT(u) | OP_BITS(opcode, 11), text, V_SHIFT, OPERANDS(VD, VN),            \
        .wide = WIDE_YES, .sizes = SIZES_BHS, .immh = true)
#define FIXED_POINT(u, opcode, text)                                                                         \
    ROW(0xbf80fc00, 0x0f000400 | U_BIT(u) | OP_BITS(opcode, 11), text, V_FP_MISC, OPERANDS(VD, VN),          \
        .wide = WIDE_BY_Q, .sizes = SIZES_SD & SIZES_VECTOR, .immh = true, .variant = BY_FP_LANES),          \
        ROW(0xbff0fc00, 0x0f100400 | U_BIT(u) | OP_BITS(opcode, 11), text, V_FP_MISC, OPERANDS(VD, VN),      \
            .wide = WIDE_BY_Q, .feature = FEATURE_FP16, .variant = BY_FP_LANES),                             \
        ROW(0xff80fc00, 0x5f000400 | U_BIT(u) | OP_BITS(opcode, 11), text, FP_CONVERT, OPERANDS(VD, VN),     \
            .sizes = SIZES_SD, .immh = true),                                                                \
        ROW(0xfff0fc00, 0x5f100400 | U_BIT(u) | OP_BITS(opcode, 11), text, FP_CONVERT, OPERANDS(VD, VN),     \
            .feature = FEATURE_FP16)

/* A constant: op is bit 29, cmode bits 15:12; `bits` says which of them matter. */
#define CONSTANT(bits, op, cmode, text, class, ...)                                                          \
    ROW(0xbff80c00 | OP_BITS(bits, 12), 0x0f000400 | U_BIT(op) | OP_BITS(cmode, 12), text, class,            \
        OPERANDS(VD, __VA_ARGS__), .wide = WIDE_BY_Q)

#define PERMUTE(opcode, text)                                                                                \
    ROW(0xbf20fc00, 0x0e000800 | OP_BITS(opcode, 12), text, V_PERMUTE, OPERANDS(VD, VN, VM),                 \
        .wide = WIDE_BY_Q, .sizes = SIZES_VECTOR)
#define TABLE(n, op, text, class, ...)                                                                       \
    ROW(0xbfe0fc00, 0x0e000000 | OP_BITS((n)-1, 13) | OP_BITS(op, 12), text, class,                          \
        OPERANDS(VD, VN_LIST, VM, __VA_ARGS__), .wide = WIDE_BY_Q, .registers = (n))

/* The lowest set bit of imm5 tells a lane's size: 1 to 8 bytes; a vector of one lane of 8 does not exist. */
static bool lane(uint32_t word)
{
    return decode_field(word, 19, 16) != 0;
}

static bool lane_for_vector(uint32_t word)
{
    unsigned imm5 = decode_field(word, 20, 16);
    return imm5 & 7 || (imm5 & 8 && decode_field(word, 30, 30));
}

/* Into a general register: sign-extended, so smaller than it; or filling it. */
static bool lane_signed(uint32_t word)
{
    unsigned imm5 = decode_field(word, 20, 16);
    return imm5 & 3 || (imm5 & 4 && decode_field(word, 30, 30));
}

static bool lane_unsigned(uint32_t word)
{
    unsigned imm5 = decode_field(word, 20, 16);
    return decode_field(word, 30, 30) ? (imm5 & 15) == 8 : (imm5 & 7) != 0;
}

/* 64 bits have eight bytes to begin at. */
static bool extract_fits(uint32_t word)
{
    return decode_field(word, 30, 30) || !decode_field(word, 14, 14);
}

/* The same instruction of vectors and of one scalar */
#define SAME_BOTH(u, opcode, text, class, scalar_shapes)                                                     \
    SAME(u, opcode, text, class, SIZES_VECTOR), SAME_SCALAR(u, opcode, text, class, scalar_shapes)
#define MISC_BOTH(u, opcode, text, class, scalar_shapes, ...)                                                \
    MISC(u, opcode, text, class, SIZES_VECTOR, __VA_ARGS__),                                                 \
        MISC_SCALAR(u, opcode, text, class, scalar_shapes, __VA_ARGS__)
#define SHIFT_BOTH(u, opcode, text, class, scalar_shapes, ...)                                               \
    SHIFT(u, opcode, text, class, __VA_ARGS__),                                                              \
        SHIFT_SCALAR(u, opcode, text, class, scalar_shapes, __VA_ARGS__)
#define FP_SAME_BOTH(u, a, opcode, text, class, scalar_class)                                                \
    FP_SAME(u, a, opcode, text, class), FP_SAME_SCALAR(u, a, opcode, text, scalar_class)
#define FP_COMPARE_BOTH(u, a, opcode, text)                                                                  \
    FP_MISC(u, a, opcode, text, V_FP_COMPARE, AS_IS), FP_MISC_SCALAR(u, a, opcode, text, V_FP_COMPARE)
#define FP_CONVERT_BOTH(u, a, opcode, text, scalar_class)                                                    \
    FP_CONVERT(u, a, opcode, text), FP_MISC_SCALAR(u, a, opcode, text, scalar_class)

/* Of signed numbers, and of unsigned ones: "s" and "u" stand before the text. */
#define SIGNS(ROWS, opcode, text, ...)                                                                       \
    ROWS(0, opcode, "s" text, __VA_ARGS__), ROWS(1, opcode, "u" text, __VA_ARGS__)

static const struct decode_row rows[] = {
    /* Integers */
    SIGNS(SAME, 0x00, "hadd", V_ALU, SIZES_BHS),
    SIGNS(SAME_BOTH, 0x01, "qadd", V_ALU, SIZES_ALL),
    SIGNS(SAME, 0x02, "rhadd", V_ALU, SIZES_BHS),
    SIGNS(SAME, 0x04, "hsub", V_ALU, SIZES_BHS),
    SIGNS(SAME_BOTH, 0x05, "qsub", V_ALU, SIZES_ALL),
    SAME_BOTH(0, 0x06, "cmgt", V_ALU, SIZES_D),
    SAME_BOTH(1, 0x06, "cmhi", V_ALU, SIZES_D),
    SAME_BOTH(0, 0x07, "cmge", V_ALU, SIZES_D),
    SAME_BOTH(1, 0x07, "cmhs", V_ALU, SIZES_D),
    SIGNS(SAME_BOTH, 0x08, "shl", V_SHIFT_TWO, SIZES_D),
    SIGNS(SAME_BOTH, 0x09, "qshl", V_SHIFT_ROUND, SIZES_ALL),
    SIGNS(SAME_BOTH, 0x0a, "rshl", V_SHIFT_ROUND, SIZES_D),
    SIGNS(SAME_BOTH, 0x0b, "qrshl", V_SHIFT_ROUND, SIZES_ALL),
    SIGNS(SAME, 0x0c, "max", V_ALU, SIZES_BHS),
    SIGNS(SAME, 0x0d, "min", V_ALU, SIZES_BHS),
    SIGNS(SAME, 0x0e, "abd", V_ALU_SLOW, SIZES_BHS),
    SIGNS(SAME, 0x0f, "aba", V_ACCUMULATE, SIZES_BHS, VD_SUM),
    SAME_BOTH(0, 0x10, "add", V_ALU, SIZES_D),
    SAME_BOTH(1, 0x10, "sub", V_ALU, SIZES_D),
    SAME_BOTH(0, 0x11, "cmtst", V_ALU, SIZES_D),
    SAME_BOTH(1, 0x11, "cmeq", V_ALU, SIZES_D),
    SAME(0, 0x12, "mla", V_MLA, SIZES_BHS, VD_SUM),
    SAME(1, 0x12, "mls", V_MLA, SIZES_BHS, VD_SUM),
    SAME(0, 0x13, "mul", V_MUL, SIZES_BHS),
    SAME(1, 0x13, "pmul", V_MUL, SIZES_B),
    SIGNS(SAME, 0x14, "maxp", V_ALU, SIZES_BHS),
    SIGNS(SAME, 0x15, "minp", V_ALU, SIZES_BHS),
    SAME(0, 0x16, "sqdmulh", V_MUL, SIZES_HS),
    SAME(1, 0x16, "sqrdmulh", V_MUL, SIZES_HS),
    SAME(0, 0x17, "addp", V_ALU, SIZES_VECTOR),
    SAME_SCALAR(0, 0x16, "sqdmulh", V_MUL, SIZES_HS),
    SAME_SCALAR(1, 0x16, "sqrdmulh", V_MUL, SIZES_HS),
    BITWISE(0, 0, "and", V_LOGIC),
    BITWISE(0, 1, "bic", V_LOGIC),
    ROW(0xbfe0fc00, 0x0ea01c00, "orr", V_LOGIC, OPERANDS(VD, VN, VM), .wide = WIDE_BY_Q,
        .variant = MOVE_IF_SAME),
    BITWISE(0, 3, "orn", V_LOGIC),
    BITWISE(1, 0, "eor", V_LOGIC),
    BITWISE(1, 1, "bsl", V_ALU_SLOW, VD_OLD),
    BITWISE(1, 2, "bit", V_ALU_SLOW, VD_OLD),
    BITWISE(1, 3, "bif", V_ALU_SLOW, VD_OLD),
    EXTRA(1, 0, "sqrdmlah", V_MLA_HIGH, SIZES_HS, FEATURE_RDM),
    EXTRA(1, 1, "sqrdmlsh", V_MLA_HIGH, SIZES_HS, FEATURE_RDM),
    SIGNS(EXTRA, 2, "dot", V_DOT, SIZES_S, FEATURE_DOTPROD),
    EXTRA_SCALAR(0, "sqrdmlah"),
    EXTRA_SCALAR(1, "sqrdmlsh"),

    /* Floating point */
    FP_SAME(0, 0, 0, "fmaxnm", V_FP_COMPARE),
    FP_SAME(0, 1, 0, "fminnm", V_FP_COMPARE),
    FP_SAME(1, 0, 0, "fmaxnmp", V_FP_PAIR),
    FP_SAME(1, 1, 0, "fminnmp", V_FP_PAIR),
    FP_SAME(0, 0, 1, "fmla", V_FP_FMA, VD_SUM),
    FP_SAME(0, 1, 1, "fmls", V_FP_FMA, VD_SUM),
    FP_SAME(0, 0, 2, "fadd", V_FP_ADD),
    FP_SAME(0, 1, 2, "fsub", V_FP_ADD),
    FP_SAME(1, 0, 2, "faddp", V_FP_PAIR),
    FP_SAME_BOTH(1, 1, 2, "fabd", V_FP_ADD, FP_ADD),
    FP_SAME_BOTH(0, 0, 3, "fmulx", V_FP_MUL, FP_MUL),
    FP_SAME(1, 0, 3, "fmul", V_FP_MUL),
    FP_SAME_BOTH(0, 0, 4, "fcmeq", V_FP_COMPARE, V_FP_COMPARE),
    FP_SAME_BOTH(1, 0, 4, "fcmge", V_FP_COMPARE, V_FP_COMPARE),
    FP_SAME_BOTH(1, 1, 4, "fcmgt", V_FP_COMPARE, V_FP_COMPARE),
    FP_SAME_BOTH(1, 0, 5, "facge", V_FP_COMPARE, V_FP_COMPARE),
    FP_SAME_BOTH(1, 1, 5, "facgt", V_FP_COMPARE, V_FP_COMPARE),
    FP_SAME(0, 0, 6, "fmax", V_FP_COMPARE),
    FP_SAME(0, 1, 6, "fmin", V_FP_COMPARE),
    FP_SAME(1, 0, 6, "fmaxp", V_FP_PAIR),
    FP_SAME(1, 1, 6, "fminp", V_FP_PAIR),
    FP_SAME_BOTH(0, 0, 7, "frecps", V_FP_FMA, FP_FMA),
    FP_SAME_BOTH(0, 1, 7, "frsqrts", V_FP_FMA, FP_FMA),
    FP_APART(0xbfe0fc00, 0x2e20fc00, 0x2e403c00, "fdiv", V_FP_DIV, V_FP_DIV_WIDE, VD, VN, VM),

    /* One source */
    MISC(0, 0x00, "rev64", V_PERMUTE, SIZES_BHS),
    MISC(1, 0x00, "rev32", V_PERMUTE, SIZES_BH),
    MISC(0, 0x01, "rev16", V_PERMUTE, SIZES_B),
    SIGNS(MISC, 0x02, "addlp", V_ALU_SLOW, SIZES_BHS),
    MISC_BOTH(0, 0x03, "suqadd", V_ALU, SIZES_ALL, VD_OLD),
    MISC_BOTH(1, 0x03, "usqadd", V_ALU, SIZES_ALL, VD_OLD),
    MISC(0, 0x04, "cls", V_ALU_SLOW, SIZES_BHS),
    MISC(1, 0x04, "clz", V_ALU_SLOW, SIZES_BHS),
    MISC(0, 0x05, "cnt", V_ALU_SLOW, SIZES_B),
    MISC(1, 0x05, "not", V_ALU, SIZES_B),
    MISC(1, 0x05, "rbit", V_ALU, SIZES_H),
    SIGNS(MISC, 0x06, "adalp", V_ACCUMULATE, SIZES_BHS, VD_SUM),
    MISC_BOTH(0, 0x07, "sqabs", V_ALU, SIZES_ALL),
    MISC_BOTH(1, 0x07, "sqneg", V_ALU, SIZES_ALL),
    MISC_BOTH(0, 0x08, "cmgt", V_ALU, SIZES_D),
    MISC_BOTH(1, 0x08, "cmge", V_ALU, SIZES_D),
    MISC_BOTH(0, 0x09, "cmeq", V_ALU, SIZES_D),
    MISC_BOTH(1, 0x09, "cmle", V_ALU, SIZES_D),
    MISC_BOTH(0, 0x0a, "cmlt", V_ALU, SIZES_D),
    MISC_BOTH(0, 0x0b, "abs", V_ALU_SLOW, SIZES_D),
    MISC_BOTH(1, 0x0b, "neg", V_ALU, SIZES_D),
    MISC_NARROW(0, 0x12, "xtn", V_PERMUTE, SIZES_BHS),
    MISC_NARROW(1, 0x12, "sqxtun", V_SHIFT_ROUND, SIZES_BHS),
    SIGNS(MISC_NARROW, 0x14, "qxtn", V_SHIFT_ROUND, SIZES_BHS),
    MISC_SCALAR(1, 0x12, "sqxtun", V_SHIFT_ROUND, SIZES_BHS),
    SIGNS(MISC_SCALAR, 0x14, "qxtn", V_SHIFT_ROUND, SIZES_BHS),
    ROW(0xbf3ffc00, 0x2e213800, "shll", V_SHIFT, OPERANDS(VD, VN), .wide = WIDE_YES, .sizes = SIZES_BHS),
    MISC_NARROW(0, 0x16, "fcvtn", V_FP_MISC_4, SIZES_B),
    MISC_NARROW(0, 0x16, "fcvtn", V_FP_MISC, SIZES_H),
    MISC_NARROW(1, 0x16, "fcvtxn", V_FP_MISC, SIZES_H),
    MISC_SCALAR(1, 0x16, "fcvtxn", FP_CONVERT, SIZES_H),
    ROW(0xbfbffc00, 0x0e217800, "fcvtl", V_FP_MISC, OPERANDS(VD, VN), .wide = WIDE_YES,
        .variant = BY_FP_LANES),
    FP_COMPARE_BOTH(0, 1, 0x0c, "fcmgt"),
    FP_COMPARE_BOTH(1, 1, 0x0c, "fcmge"),
    FP_COMPARE_BOTH(0, 1, 0x0d, "fcmeq"),
    FP_COMPARE_BOTH(1, 1, 0x0d, "fcmle"),
    FP_COMPARE_BOTH(0, 1, 0x0e, "fcmlt"),
    FP_MISC(0, 1, 0x0f, "fabs", V_ALU, AS_IS),
    FP_MISC(1, 1, 0x0f, "fneg", V_ALU, AS_IS),
    FP_CONVERT(0, 0, 0x18, "frintn"),
    FP_CONVERT(1, 0, 0x18, "frinta"),
    FP_CONVERT(0, 1, 0x18, "frintp"),
    FP_CONVERT(0, 0, 0x19, "frintm"),
    FP_CONVERT(1, 0, 0x19, "frintx"),
    FP_CONVERT(0, 1, 0x19, "frintz"),
    FP_CONVERT(1, 1, 0x19, "frinti"),
    TO_INTEGRAL(0, 0x1e, "frint32z"),
    TO_INTEGRAL(1, 0x1e, "frint32x"),
    TO_INTEGRAL(0, 0x1f, "frint64z"),
    TO_INTEGRAL(1, 0x1f, "frint64x"),
    FP_CONVERT_BOTH(0, 0, 0x1a, "fcvtns", FP_CONVERT),
    FP_CONVERT_BOTH(1, 0, 0x1a, "fcvtnu", FP_CONVERT),
    FP_CONVERT_BOTH(0, 1, 0x1a, "fcvtps", FP_CONVERT),
    FP_CONVERT_BOTH(1, 1, 0x1a, "fcvtpu", FP_CONVERT),
    FP_CONVERT_BOTH(0, 0, 0x1b, "fcvtms", FP_CONVERT),
    FP_CONVERT_BOTH(1, 0, 0x1b, "fcvtmu", FP_CONVERT),
    FP_CONVERT_BOTH(0, 1, 0x1b, "fcvtzs", FP_CONVERT),
    FP_CONVERT_BOTH(1, 1, 0x1b, "fcvtzu", FP_CONVERT),
    FP_CONVERT_BOTH(0, 0, 0x1c, "fcvtas", FP_CONVERT),
    FP_CONVERT_BOTH(1, 0, 0x1c, "fcvtau", FP_CONVERT),
    FP_CONVERT_BOTH(0, 0, 0x1d, "scvtf", FP_CONVERT),
    FP_CONVERT_BOTH(1, 0, 0x1d, "ucvtf", FP_CONVERT),
    FP_CONVERT_BOTH(0, 1, 0x1d, "frecpe", V_FP_MISC),
    FP_CONVERT_BOTH(1, 1, 0x1d, "frsqrte", V_FP_MISC),
    FP_APART(0xbffffc00, 0x2ea1f800, 0x2ef9f800, "fsqrt", V_FP_SQRT, V_FP_SQRT_WIDE, VD, VN),
    ROW(0xbffffc00, 0x0ea1c800, "urecpe", V_FP_MISC, OPERANDS(VD, VN), .wide = WIDE_BY_Q,
        .variant = BY_FP_LANES),
    ROW(0xbffffc00, 0x2ea1c800, "ursqrte", V_FP_MISC, OPERANDS(VD, VN), .wide = WIDE_BY_Q,
        .variant = BY_FP_LANES),
    FP_MISC_SCALAR(0, 1, 0x1f, "frecpx", V_FP_MISC),

    /* Across the lanes */
    SIGNS(ACROSS, 0x03, "addlv", SIZES_REDUCE),
    SIGNS(ACROSS, 0x0a, "maxv", SIZES_REDUCE),
    SIGNS(ACROSS, 0x1a, "minv", SIZES_REDUCE),
    ACROSS(0, 0x1b, "addv", SIZES_REDUCE),
    FP_ACROSS(0, 0x0c, "fmaxnmv"),
    FP_ACROSS(1, 0x0c, "fminnmv"),
    FP_ACROSS(0, 0x0f, "fmaxv"),
    FP_ACROSS(1, 0x0f, "fminv"),
    ROW(0xfffffc00, 0x5ef1b800, "addp", V_ALU, OPERANDS(VD, VN)),
    PAIRWISE(0, 0x0c, "fmaxnmp"),
    PAIRWISE(1, 0x0c, "fminnmp"),
    PAIRWISE(0, 0x0d, "faddp"),
    PAIRWISE(0, 0x0f, "fmaxp"),
    PAIRWISE(1, 0x0f, "fminp"),

    /* Wider and narrower results */
    SIGNS(LONG, 0x0, "addl", V_ALU, SIZES_BHS),
    SIGNS(LONG, 0x1, "addw", V_ALU, SIZES_BHS),
    SIGNS(LONG, 0x2, "subl", V_ALU, SIZES_BHS),
    SIGNS(LONG, 0x3, "subw", V_ALU, SIZES_BHS),
    HIGH_NARROW(0, 0x4, "addhn"),
    HIGH_NARROW(1, 0x4, "raddhn"),
    SIGNS(LONG, 0x5, "abal", V_ACCUMULATE, SIZES_BHS, VD_SUM),
    HIGH_NARROW(0, 0x6, "subhn"),
    HIGH_NARROW(1, 0x6, "rsubhn"),
    SIGNS(LONG, 0x7, "abdl", V_ALU_SLOW, SIZES_BHS),
    SIGNS(LONG, 0x8, "mlal", V_MLA_LONG, SIZES_BHS, VD_SUM),
    LONG(0, 0x9, "sqdmlal", V_MLA_LONG_SATURATING, SIZES_HS, VD_SUM),
    SIGNS(LONG, 0xa, "mlsl", V_MLA_LONG, SIZES_BHS, VD_SUM),
    LONG(0, 0xb, "sqdmlsl", V_MLA_LONG_SATURATING, SIZES_HS, VD_SUM),
    SIGNS(LONG, 0xc, "mull", V_MUL_LONG, SIZES_BHS),
    LONG(0, 0xd, "sqdmull", V_MUL_LONG, SIZES_HS),
    LONG(0, 0xe, "pmull", V_MUL_LONG, SIZES_B),
    LONG_SCALAR(0x9, "sqdmlal", V_MLA_LONG_SATURATING, VD_SUM),
    LONG_SCALAR(0xb, "sqdmlsl", V_MLA_LONG_SATURATING, VD_SUM),
    LONG_SCALAR(0xd, "sqdmull", V_MUL_LONG),

    /* By a lane */
    FP_LANE(0, 0x1, "fmla", V_FP_FMA, FP_FMA, VD_SUM),
    FP_LANE(0, 0x5, "fmls", V_FP_FMA, FP_FMA, VD_SUM),
    FP_LANE(0, 0x9, "fmul", V_FP_MUL, FP_MUL),
    FP_LANE(1, 0x9, "fmulx", V_FP_MUL, FP_MUL),
    LANE(1, 0x0, "mla", V_MLA, SIZES_HS, WIDE_BY_Q, 0, VD_SUM),
    LANE(1, 0x4, "mls", V_MLA, SIZES_HS, WIDE_BY_Q, 0, VD_SUM),
    LANE(0, 0x8, "mul", V_MUL, SIZES_HS, WIDE_BY_Q, 0),
    SIGNS(LANE, 0x2, "mlal", V_MLA_LONG, SIZES_HS, WIDE_YES, 0, VD_SUM),
    LANE(0, 0x3, "sqdmlal", V_MLA_LONG_SATURATING, SIZES_HS, WIDE_YES, 0, VD_SUM),
    SIGNS(LANE, 0x6, "mlsl", V_MLA_LONG, SIZES_HS, WIDE_YES, 0, VD_SUM),
    LANE(0, 0x7, "sqdmlsl", V_MLA_LONG_SATURATING, SIZES_HS, WIDE_YES, 0, VD_SUM),
    SIGNS(LANE, 0xa, "mull", V_MUL_LONG, SIZES_HS, WIDE_YES, 0),
    LANE(0, 0xb, "sqdmull", V_MUL_LONG, SIZES_HS, WIDE_YES, 0),
    LANE(0, 0xc, "sqdmulh", V_MUL, SIZES_HS, WIDE_BY_Q, 0),
    LANE(0, 0xd, "sqrdmulh", V_MUL, SIZES_HS, WIDE_BY_Q, 0),
    LANE(1, 0xd, "sqrdmlah", V_MLA_HIGH, SIZES_HS, WIDE_BY_Q, FEATURE_RDM, VD_SUM),
    LANE(1, 0xf, "sqrdmlsh", V_MLA_HIGH, SIZES_HS, WIDE_BY_Q, FEATURE_RDM, VD_SUM),
    SIGNS(LANE, 0xe, "dot", V_DOT, SIZES_S, WIDE_BY_Q, FEATURE_DOTPROD, VD_SUM),
    LANE_SCALAR(0, 0x3, "sqdmlal", V_MLA_LONG_SATURATING, 0, VD_SUM),
    LANE_SCALAR(0, 0x7, "sqdmlsl", V_MLA_LONG_SATURATING, 0, VD_SUM),
    LANE_SCALAR(0, 0xb, "sqdmull", V_MUL_LONG, 0),
    LANE_SCALAR(0, 0xc, "sqdmulh", V_MUL, 0),
    LANE_SCALAR(0, 0xd, "sqrdmulh", V_MUL, 0),
    LANE_SCALAR(1, 0xd, "sqrdmlah", V_MLA_HIGH, FEATURE_RDM, VD_SUM),
    LANE_SCALAR(1, 0xf, "sqrdmlsh", V_MLA_HIGH, FEATURE_RDM, VD_SUM),

    /* Constants, before the shifts whose immh is 0 in them */
    CONSTANT(0x9, 0, 0x0, "movi", V_MOVE),
    CONSTANT(0x9, 0, 0x1, "orr", V_ALU, VD_OLD),
    CONSTANT(0xd, 0, 0x8, "movi", V_MOVE),
    CONSTANT(0xd, 0, 0x9, "orr", V_ALU, VD_OLD),
    CONSTANT(0xe, 0, 0xc, "movi", V_MOVE),
    CONSTANT(0xf, 0, 0xe, "movi", V_MOVE),
    CONSTANT(0xf, 0, 0xf, "fmov", V_MOVE),
    CONSTANT(0x9, 1, 0x0, "mvni", V_MOVE),
    CONSTANT(0x9, 1, 0x1, "bic", V_ALU, VD_OLD),
    CONSTANT(0xd, 1, 0x8, "mvni", V_MOVE),
    CONSTANT(0xd, 1, 0x9, "bic", V_ALU, VD_OLD),
    CONSTANT(0xe, 1, 0xc, "mvni", V_MOVE),
    CONSTANT(0xf, 1, 0xe, "movi", V_MOVE),
    ROW(0xfff8fc00, 0x6f00f400, "fmov", V_MOVE, OPERANDS(VD), .wide = WIDE_YES),
    ROW(0xbff8fc00, 0x0f00fc00, "fmov", V_MOVE, OPERANDS(VD), .wide = WIDE_BY_Q, .feature = FEATURE_FP16),

    /* Shifts by a constant */
    SIGNS(SHIFT_BOTH, 0x00, "shr", V_SHIFT, SIZES_D),
    SIGNS(SHIFT_BOTH, 0x02, "sra", V_SHIFT_ADD, SIZES_D, VD_SUM),
    SIGNS(SHIFT_BOTH, 0x04, "rshr", V_SHIFT_ROUND, SIZES_D),
    SIGNS(SHIFT_BOTH, 0x06, "rsra", V_SHIFT_ADD, SIZES_D, VD_SUM),
    SHIFT_BOTH(1, 0x08, "sri", V_SHIFT_TWO, SIZES_D, VD_OLD),
    SHIFT_BOTH(0, 0x0a, "shl", V_SHIFT, SIZES_D),
    SHIFT_BOTH(1, 0x0a, "sli", V_SHIFT_TWO, SIZES_D, VD_OLD),
    SHIFT_BOTH(1, 0x0c, "sqshlu", V_SHIFT_ROUND, SIZES_ALL),
    SIGNS(SHIFT_BOTH, 0x0e, "qshl", V_SHIFT_ROUND, SIZES_ALL),
    SHIFT_NARROW(0, 0x10, "shrn", V_SHIFT),
    SHIFT_NARROW(1, 0x10, "sqshrun", V_SHIFT_ROUND),
    SHIFT_NARROW(0, 0x11, "rshrn", V_SHIFT_ROUND),
    SHIFT_NARROW(1, 0x11, "sqrshrun", V_SHIFT_ROUND),
    SIGNS(SHIFT_NARROW, 0x12, "qshrn", V_SHIFT_ROUND),
    SIGNS(SHIFT_NARROW, 0x13, "qrshrn", V_SHIFT_ROUND),
    SHIFT_SCALAR(1, 0x10, "sqshrun", V_SHIFT_ROUND, SIZES_BHS),
    SHIFT_SCALAR(1, 0x11, "sqrshrun", V_SHIFT_ROUND, SIZES_BHS),
    SIGNS(SHIFT_SCALAR, 0x12, "qshrn", V_SHIFT_ROUND, SIZES_BHS),
    SIGNS(SHIFT_SCALAR, 0x13, "qrshrn", V_SHIFT_ROUND, SIZES_BHS),
    SHIFT_LONG(0, 0x14, "sshll"),
    SHIFT_LONG(1, 0x14, "ushll"),
    FIXED_POINT(0, 0x1c, "scvtf"),
    FIXED_POINT(1, 0x1c, "ucvtf"),
    FIXED_POINT(0, 0x1f, "fcvtzs"),
    FIXED_POINT(1, 0x1f, "fcvtzu"),

    /* Lanes: from a lane to all or to a scalar, from and to general registers, from lane to lane */
    ROW(0xbfe0fc00, 0x0e000400, "dup", V_PERMUTE, OPERANDS(VD, VN), .wide = WIDE_BY_Q,
        .valid = lane_for_vector),
    ROW(0xffe0fc00, 0x5e000400, "dup", V_MOVE, OPERANDS(VD, VN), .valid = lane),
    ROW(0xbfe0fc00, 0x0e000c00, "dup", INT_TO_FP, OPERANDS(VD, RN), .wide = WIDE_BY_Q,
        .valid = lane_for_vector),
    ROW(0xbfe0fc00, 0x0e002c00, "smov", FP_TO_INT, OPERANDS(RD, VN), .valid = lane_signed),
    ROW(0xbfe0fc00, 0x0e003c00, "umov", FP_TO_INT, OPERANDS(RD, VN), .valid = lane_unsigned),
    ROW(0xffeffc00, 0x4e081c00, "ins", INT_TO_LANE, OPERANDS(VD, VD_HALF, RN)),
    ROW(0xffe0fc00, 0x4e001c00, "ins", INT_TO_LANE, OPERANDS(VD, VD_OLD, RN), .valid = lane),
    ROW(0xffef8400, 0x6e080400, "ins", V_MOVE, OPERANDS(VD, VD_HALF, VN)),
    ROW(0xffe08400, 0x6e000400, "ins", V_MOVE, OPERANDS(VD, VD_OLD, VN), .valid = lane),

    /* Permutations */
    TABLE(1, 0, "tbl", V_TABLE),
    TABLE(2, 0, "tbl", V_TABLE_2),
    TABLE(3, 0, "tbl", V_TABLE_3),
    TABLE(4, 0, "tbl", V_TABLE_4),
    TABLE(1, 1, "tbx", V_TABLE, VD_OLD),
    TABLE(2, 1, "tbx", V_TABLE_EXTEND_2, VD_OLD),
    TABLE(3, 1, "tbx", V_TABLE_EXTEND_3, VD_OLD),
    TABLE(4, 1, "tbx", V_TABLE_EXTEND_4, VD_OLD),
    PERMUTE(1, "uzp1"),
    PERMUTE(2, "trn1"),
    PERMUTE(3, "zip1"),
    PERMUTE(5, "uzp2"),
    PERMUTE(6, "trn2"),
    PERMUTE(7, "zip2"),
    ROW(0xbfe08400, 0x2e000000, "ext", V_PERMUTE, OPERANDS(VD, VN, VM), .wide = WIDE_BY_Q,
        .valid = extract_fits),
};

const struct decode_table decode_vector = {rows, sizeof rows / sizeof *rows};
