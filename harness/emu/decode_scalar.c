/* Scalar floating point: Arm ARM C4, "Data Processing -- Scalar Floating-Point and Advanced SIMD". */
#include "harness/emu/decode_table.h"

/* A general register of 32 bits converts to and from fixed point with 32 fraction bits at most. */
static bool fixed_point(uint32_t word)
{
    return decode_field(word, 31, 31) || decode_field(word, 15, 15);
}

/* The type field: single and double precision (bit 23 is 0), or half. Two rows each. */
#define SINGLE_DOUBLE 0x00800000
#define HALF_MASK     0x00c00000
#define HALF          0x00c00000

#define PRECISIONS(bits, fixed, text, class, ...)                                                            \
    ROW((bits) | SINGLE_DOUBLE, fixed, text, class, __VA_ARGS__),                                            \
        ROW((bits) | HALF_MASK, (fixed) | HALF, text, class, __VA_ARGS__, .feature = FEATURE_FP16)

/* Where double precision takes longer. */
#define PRECISIONS_APART(bits, fixed, text, class, class_double, ...)                                        \
    ROW((bits) | HALF_MASK, fixed, text, class, __VA_ARGS__),                                                \
        ROW((bits) | HALF_MASK, (fixed) | 0x00400000, text, class_double, __VA_ARGS__),                      \
        ROW((bits) | HALF_MASK, (fixed) | HALF, text, class, __VA_ARGS__, .feature = FEATURE_FP16)

#define ONE_SOURCE(opcode, text, class)                                                                      \
    PRECISIONS(0xff3ffc00, 0x1e204000 | (opcode) << 15, text, class, OPERANDS(VD, VN))
/* That a general register of 32 or 64 bits holds; no half precision. */
#define TO_INTEGRAL(opcode, text)                                                                            \
    ROW(0xffbffc00, 0x1e284000 | (opcode) << 15, text, FP_CONVERT, OPERANDS(VD, VN),                         \
        .feature = FEATURE_FRINTTS)
#define TWO_SOURCES(opcode, text, class)                                                                     \
    PRECISIONS(0xff20fc00, 0x1e200800 | (opcode) << 12, text, class, OPERANDS(VD, VN, VM))
#define MULTIPLY_ADD(fixed, text) PRECISIONS(0xff208000, fixed, text, FP_FMA, OPERANDS(VD, VN, VM, VA))
#define COMPARE(opcode, text, ...)                                                                           \
    PRECISIONS(0xff20fc1f, 0x1e202000 | (opcode), text, FP_COMPARE, OPERANDS(__VA_ARGS__, FLAGS_OUT))
#define COMPARE_CONDITIONAL(fixed, text)                                                                     \
    PRECISIONS(0xff200c10, fixed, text, FP_COMPARE, OPERANDS(VN, VM, FLAGS_IN, FLAGS_OUT))

/* One precision into another: types of source and result. */
#define CONVERT(from, to, text)                                                                              \
    ROW(0xfffffc00, 0x1e224000 | (from) << 22 | (to) << 15, text, FP_CONVERT, OPERANDS(VD, VN))

/* Into and out of general registers: rounding and opcode fields together, a digit each. */
#define TO_INTEGER(fields, text)                                                                             \
    PRECISIONS(0x7f3ffc00, 0x1e200000 | (fields) << 16, text, FP_CONVERT_TO_INT, OPERANDS(RD, VN))
#define FROM_INTEGER(fields, text)                                                                           \
    PRECISIONS(0x7f3ffc00, 0x1e200000 | (fields) << 16, text, INT_CONVERT_TO_FP, OPERANDS(VD, RN))
#define TO_FIXED_POINT(fields, text)                                                                         \
    PRECISIONS(0x7f3f0000, 0x1e000000 | (fields) << 16, text, FP_CONVERT_TO_INT, OPERANDS(RD, VN),           \
               .valid = fixed_point)
#define FROM_FIXED_POINT(fields, text)                                                                       \
    PRECISIONS(0x7f3f0000, 0x1e000000 | (fields) << 16, text, INT_CONVERT_TO_FP, OPERANDS(VD, RN),           \
               .valid = fixed_point)

static const struct decode_row rows[] = {
    ONE_SOURCE(0, "fmov", FP_MOVE),
    ONE_SOURCE(1, "fabs", FP_MOVE),
    ONE_SOURCE(2, "fneg", FP_MOVE),
    PRECISIONS_APART(0xff3ffc00, 0x1e21c000, "fsqrt", FP_SQRT, FP_SQRT_WIDE, OPERANDS(VD, VN)),
    CONVERT(0, 1, "fcvt"),
    CONVERT(0, 3, "fcvt"),
    CONVERT(1, 0, "fcvt"),
    CONVERT(1, 3, "fcvt"),
    CONVERT(3, 0, "fcvt"),
    CONVERT(3, 1, "fcvt"),
    ONE_SOURCE(8, "frintn", FP_CONVERT),
    ONE_SOURCE(9, "frintp", FP_CONVERT),
    ONE_SOURCE(10, "frintm", FP_CONVERT),
    ONE_SOURCE(11, "frintz", FP_CONVERT),
    ONE_SOURCE(12, "frinta", FP_CONVERT),
    ONE_SOURCE(14, "frintx", FP_CONVERT),
    ONE_SOURCE(15, "frinti", FP_CONVERT),

    TO_INTEGRAL(0, "frint32z"),
    TO_INTEGRAL(1, "frint32x"),
    TO_INTEGRAL(2, "frint64z"),
    TO_INTEGRAL(3, "frint64x"),

    TWO_SOURCES(0, "fmul", FP_MUL),
    PRECISIONS_APART(0xff20fc00, 0x1e201800, "fdiv", FP_DIV, FP_DIV_WIDE, OPERANDS(VD, VN, VM)),
    TWO_SOURCES(2, "fadd", FP_ADD),
    TWO_SOURCES(3, "fsub", FP_ADD),
    TWO_SOURCES(4, "fmax", V_FP_COMPARE),
    TWO_SOURCES(5, "fmin", V_FP_COMPARE),
    TWO_SOURCES(6, "fmaxnm", V_FP_COMPARE),
    TWO_SOURCES(7, "fminnm", V_FP_COMPARE),
    TWO_SOURCES(8, "fnmul", FP_MUL),

    MULTIPLY_ADD(0x1f000000, "fmadd"),
    MULTIPLY_ADD(0x1f008000, "fmsub"),
    MULTIPLY_ADD(0x1f200000, "fnmadd"),
    MULTIPLY_ADD(0x1f208000, "fnmsub"),

    COMPARE(0x00, "fcmp", VN, VM),
    COMPARE(0x08, "fcmp", VN),
    COMPARE(0x10, "fcmpe", VN, VM),
    COMPARE(0x18, "fcmpe", VN),
    COMPARE_CONDITIONAL(0x1e200400, "fccmp"),
    COMPARE_CONDITIONAL(0x1e200410, "fccmpe"),
    PRECISIONS(0xff200c00, 0x1e200c00, "fcsel", FP_SELECT, OPERANDS(VD, VN, VM, FLAGS_IN)),
    PRECISIONS(0xff201fe0, 0x1e201000, "fmov", FP_MOVE, OPERANDS(VD)),

    TO_INTEGER(000, "fcvtns"),
    TO_INTEGER(001, "fcvtnu"),
    FROM_INTEGER(002, "scvtf"),
    FROM_INTEGER(003, "ucvtf"),
    TO_INTEGER(004, "fcvtas"),
    TO_INTEGER(005, "fcvtau"),
    TO_INTEGER(010, "fcvtps"),
    TO_INTEGER(011, "fcvtpu"),
    TO_INTEGER(020, "fcvtms"),
    TO_INTEGER(021, "fcvtmu"),
    TO_INTEGER(030, "fcvtzs"),
    TO_INTEGER(031, "fcvtzu"),
    ROW(0xfffffc00, 0x1e7e0000, "fjcvtzs", FP_CONVERT_TO_INT, OPERANDS(RD, VN, FLAGS_OUT),
        .feature = FEATURE_JSCVT),
    ROW(0xfffffc00, 0x1e260000, "fmov", FP_TO_INT, OPERANDS(RD, VN)),
    ROW(0xfffffc00, 0x9e660000, "fmov", FP_TO_INT, OPERANDS(RD, VN)),
    ROW(0x7ffffc00, 0x1ee60000, "fmov", FP_TO_INT, OPERANDS(RD, VN), .feature = FEATURE_FP16),
    ROW(0xfffffc00, 0x9eae0000, "fmov", FP_TO_INT, OPERANDS(RD, VN)), /* the upper half */
    ROW(0xfffffc00, 0x1e270000, "fmov", INT_TO_FP, OPERANDS(VD, RN)),
    ROW(0xfffffc00, 0x9e670000, "fmov", INT_TO_FP, OPERANDS(VD, RN)),
    ROW(0x7ffffc00, 0x1ee70000, "fmov", INT_TO_FP, OPERANDS(VD, RN), .feature = FEATURE_FP16),
    ROW(0xfffffc00, 0x9eaf0000, "fmov", INT_TO_FP, OPERANDS(VD, VD_HALF, RN)),
    FROM_FIXED_POINT(002, "scvtf"),
    FROM_FIXED_POINT(003, "ucvtf"),
    TO_FIXED_POINT(030, "fcvtzs"),
    TO_FIXED_POINT(031, "fcvtzu"),

    /* Extensions that are known by name */
    ROW_UNKNOWN(0xfffffc00, 0x1e634000, "bfcvt"),
};

const struct decode_table decode_scalar = {rows, sizeof rows / sizeof *rows};
