/* Integer data processing and branches: Arm ARM C4, "Data Processing -- Immediate", "-- Register",
 * "Branches".
 */
#include "harness/emu/decode_table.h"

/* 32-bit forms have no constants of 32 and more. */
static bool shift_fits(uint32_t word)
{
    return decode_field(word, 31, 31) || !decode_field(word, 15, 15);
}

static bool shift_fits_and_no_ror(uint32_t word)
{
    return shift_fits(word) && decode_field(word, 23, 22) != 3;
}

static bool extend_fits(uint32_t word)
{
    return decode_field(word, 12, 10) <= 4;
}

/* N:imms describe a run of ones within an element of 2 to 64 bits, which it must not fill. */
static bool logical_constant(uint32_t word)
{
    unsigned n = decode_field(word, 22, 22);
    unsigned imms = decode_field(word, 15, 10);
    if (n)
        return decode_field(word, 31, 31) && imms != 63;
    for (unsigned size = 32; size >= 2; size /= 2)
        if ((imms & size) == 0)
            return (imms & (size - 1)) != size - 1;
    return false;
}

/* N is as sf, and the constants are below 32 where that is 0. */
static bool bit_field(uint32_t word)
{
    unsigned n = decode_field(word, 22, 22);
    return n == decode_field(word, 31, 31) &&
           (n || !(decode_field(word, 21, 21) | decode_field(word, 15, 15)));
}

static bool extract(uint32_t word)
{
    return decode_field(word, 22, 22) == decode_field(word, 31, 31) && shift_fits(word);
}

static bool move_wide(uint32_t word)
{
    return decode_field(word, 31, 31) || !decode_field(word, 22, 22);
}

#define ADD_CONSTANT(fixed, text, class, ...) ROW(0x7f800000, fixed, text, class, OPERANDS(__VA_ARGS__))
#define LOGICAL_CONSTANT(fixed, text, class, ...)                                                            \
    ROW(0x7f800000, fixed, text, class, OPERANDS(__VA_ARGS__), .valid = logical_constant)
#define ADD_SHIFTED(fixed, text, class, ...)                                                                 \
    ROW(0x7f200000, fixed, text, class, OPERANDS(__VA_ARGS__), .variant = BY_SHIFT,                          \
        .valid = shift_fits_and_no_ror)
#define ADD_EXTENDED(fixed, text, class, ...)                                                                \
    ROW(0x7fe00000, fixed, text, class, OPERANDS(__VA_ARGS__), .variant = BY_EXTEND, .valid = extend_fits)
#define LOGICAL_SHIFTED(fixed, text, class, ...)                                                             \
    ROW(0x7f200000, fixed, text, class, OPERANDS(__VA_ARGS__), .variant = BY_SHIFT, .valid = shift_fits)
#define COMPARE_CONDITIONAL(fixed, text, ...)                                                                \
    ROW(0x7fe00c10, fixed, text, ALU_FLAGS, OPERANDS(FLAGS_IN, FLAGS_OUT, __VA_ARGS__))
/* With no register to add to (Ra is 31), and with one. */
#define MULTIPLY(fixed, text, class, class_with_sum)                                                         \
    ROW(0xffe0fc00, (fixed) | 0x7c00, text, class, OPERANDS(RD, RN, RM)),                                    \
        ROW(0xffe08000, fixed, text, class_with_sum, OPERANDS(RD, RN, RM, RA))
#define SELECT(fixed, text, class) ROW(0x7fe00c00, fixed, text, class, OPERANDS(FLAGS_IN, RD, RN, RM))

static const struct decode_row rows[] = {
    /* Addresses, constants */
    ROW(0x9f000000, 0x10000000, "adr", ALU, OPERANDS(RD)),
    ROW(0x9f000000, 0x90000000, "adrp", ALU, OPERANDS(RD)),
    ADD_CONSTANT(0x11000000, "add", ALU, RD_SP, RN_SP),
    ADD_CONSTANT(0x31000000, "adds", ALU_FLAGS, RD, RN_SP, FLAGS_OUT),
    ADD_CONSTANT(0x51000000, "sub", ALU, RD_SP, RN_SP),
    ADD_CONSTANT(0x71000000, "subs", ALU_FLAGS, RD, RN_SP, FLAGS_OUT),
    LOGICAL_CONSTANT(0x12000000, "and", ALU, RD_SP, RN), LOGICAL_CONSTANT(0x32000000, "orr", ALU, RD_SP, RN),
    LOGICAL_CONSTANT(0x52000000, "eor", ALU, RD_SP, RN),
    LOGICAL_CONSTANT(0x72000000, "ands", ALU_FLAGS, RD, RN, FLAGS_OUT),
    ROW(0x7f800000, 0x12800000, "movn", ALU, OPERANDS(RD), .valid = move_wide),
    ROW(0x7f800000, 0x52800000, "movz", ALU, OPERANDS(RD), .valid = move_wide),
    ROW(0x7f800000, 0x72800000, "movk", ALU, OPERANDS(RD, RD_OLD), .valid = move_wide),
    ROW(0x7f800000, 0x13000000, "sbfm", SHIFT, OPERANDS(RD, RN), .valid = bit_field),
    ROW(0x7f800000, 0x33000000, "bfm", ALU_SHIFT_FAR, OPERANDS(RD, RD_OLD, RN), .valid = bit_field),
    ROW(0x7f800000, 0x53000000, "ubfm", SHIFT, OPERANDS(RD, RN), .valid = bit_field),
    ROW(0x7fa00000, 0x13800000, "extr", EXTRACT, OPERANDS(RD, RN, RM), .valid = extract,
        .variant = SHIFT_IF_SAME),

    /* Two registers */
    ADD_SHIFTED(0x0b000000, "add", ALU, RD, RN, RM),
    ADD_SHIFTED(0x2b000000, "adds", ALU_FLAGS, RD, RN, RM, FLAGS_OUT),
    ADD_SHIFTED(0x4b000000, "sub", ALU, RD, RN, RM),
    ADD_SHIFTED(0x6b000000, "subs", ALU_FLAGS, RD, RN, RM, FLAGS_OUT),
    ADD_EXTENDED(0x0b200000, "add", ALU, RD_SP, RN_SP, RM),
    ADD_EXTENDED(0x2b200000, "adds", ALU_FLAGS, RD, RN_SP, RM, FLAGS_OUT),
    ADD_EXTENDED(0x4b200000, "sub", ALU, RD_SP, RN_SP, RM),
    ADD_EXTENDED(0x6b200000, "subs", ALU_FLAGS, RD, RN_SP, RM, FLAGS_OUT),
    LOGICAL_SHIFTED(0x0a000000, "and", ALU, RD, RN, RM), LOGICAL_SHIFTED(0x0a200000, "bic", ALU, RD, RN, RM),
    LOGICAL_SHIFTED(0x2a000000, "orr", ALU, RD, RN, RM), LOGICAL_SHIFTED(0x2a200000, "orn", ALU, RD, RN, RM),
    LOGICAL_SHIFTED(0x4a000000, "eor", ALU, RD, RN, RM), LOGICAL_SHIFTED(0x4a200000, "eon", ALU, RD, RN, RM),
    LOGICAL_SHIFTED(0x6a000000, "ands", ALU_FLAGS, RD, RN, RM, FLAGS_OUT),
    LOGICAL_SHIFTED(0x6a200000, "bics", ALU_FLAGS, RD, RN, RM, FLAGS_OUT),
    ROW(0x7fe0fc00, 0x1a000000, "adc", ALU, OPERANDS(RD, RN, RM, FLAGS_IN)),
    ROW(0x7fe0fc00, 0x3a000000, "adcs", ALU_FLAGS, OPERANDS(RD, RN, RM, FLAGS_IN, FLAGS_OUT)),
    ROW(0x7fe0fc00, 0x5a000000, "sbc", ALU, OPERANDS(RD, RN, RM, FLAGS_IN)),
    ROW(0x7fe0fc00, 0x7a000000, "sbcs", ALU_FLAGS, OPERANDS(RD, RN, RM, FLAGS_IN, FLAGS_OUT)),
    ROW(0xffe07c10, 0xba000400, "rmif", ALU_FLAGS, OPERANDS(RN, FLAGS_IN, FLAGS_OUT),
        .feature = FEATURE_FLAGM),
    ROW(0xfffffc1f, 0x3a00080d, "setf8", ALU_FLAGS, OPERANDS(RN, FLAGS_IN, FLAGS_OUT),
        .feature = FEATURE_FLAGM),
    ROW(0xfffffc1f, 0x3a00480d, "setf16", ALU_FLAGS, OPERANDS(RN, FLAGS_IN, FLAGS_OUT),
        .feature = FEATURE_FLAGM),
    COMPARE_CONDITIONAL(0x3a400000, "ccmn", RN, RM), COMPARE_CONDITIONAL(0x3a400800, "ccmn", RN),
    COMPARE_CONDITIONAL(0x7a400000, "ccmp", RN, RM), COMPARE_CONDITIONAL(0x7a400800, "ccmp", RN),
    SELECT(0x1a800000, "csel", SELECT), SELECT(0x1a800400, "csinc", SELECT),
    SELECT(0x5a800000, "csinv", BIT_OPS), SELECT(0x5a800400, "csneg", SELECT),

    /* Multiply, divide */
    MULTIPLY(0x1b000000, "madd", MUL, MUL_ADD), MULTIPLY(0x1b008000, "msub", MUL, MUL_ADD),
    MULTIPLY(0x9b000000, "madd", MUL_WIDE, MUL_ADD_WIDE),
    MULTIPLY(0x9b008000, "msub", MUL_WIDE, MUL_ADD_WIDE),
    MULTIPLY(0x9b200000, "smaddl", MUL_LONG, MUL_ADD_LONG),
    MULTIPLY(0x9b208000, "smsubl", MUL_LONG, MUL_ADD_LONG),
    MULTIPLY(0x9ba00000, "umaddl", MUL_LONG, MUL_ADD_LONG),
    MULTIPLY(0x9ba08000, "umsubl", MUL_LONG, MUL_ADD_LONG),
    ROW(0xffe08000, 0x9b400000, "smulh", MUL_HIGH, OPERANDS(RD, RN, RM)),
    ROW(0xffe08000, 0x9bc00000, "umulh", MUL_HIGH, OPERANDS(RD, RN, RM)),
    ROW(0xffe0fc00, 0x1ac00800, "udiv", DIV, OPERANDS(RD, RN, RM)),
    ROW(0xffe0fc00, 0x1ac00c00, "sdiv", DIV_SIGNED, OPERANDS(RD, RN, RM)),
    ROW(0xffe0fc00, 0x9ac00800, "udiv", DIV_WIDE, OPERANDS(RD, RN, RM)),
    ROW(0xffe0fc00, 0x9ac00c00, "sdiv", DIV_SIGNED_WIDE, OPERANDS(RD, RN, RM)),
    ROW(0x7fe0fc00, 0x1ac02000, "lslv", SHIFT, OPERANDS(RD, RN, RM)),
    ROW(0x7fe0fc00, 0x1ac02400, "lsrv", SHIFT, OPERANDS(RD, RN, RM)),
    ROW(0x7fe0fc00, 0x1ac02800, "asrv", SHIFT, OPERANDS(RD, RN, RM)),
    ROW(0x7fe0fc00, 0x1ac02c00, "rorv", SHIFT, OPERANDS(RD, RN, RM)),
    ROW(0xffe0fc00, 0x1ac04000, "crc32b", CRC, OPERANDS(RD, RN, RM), .feature = FEATURE_CRC32),
    ROW(0xffe0fc00, 0x1ac04400, "crc32h", CRC, OPERANDS(RD, RN, RM), .feature = FEATURE_CRC32),
    ROW(0xffe0fc00, 0x1ac04800, "crc32w", CRC, OPERANDS(RD, RN, RM), .feature = FEATURE_CRC32),
    ROW(0xffe0fc00, 0x9ac04c00, "crc32x", CRC, OPERANDS(RD, RN, RM), .feature = FEATURE_CRC32),
    ROW(0xffe0fc00, 0x1ac05000, "crc32cb", CRC, OPERANDS(RD, RN, RM), .feature = FEATURE_CRC32),
    ROW(0xffe0fc00, 0x1ac05400, "crc32ch", CRC, OPERANDS(RD, RN, RM), .feature = FEATURE_CRC32),
    ROW(0xffe0fc00, 0x1ac05800, "crc32cw", CRC, OPERANDS(RD, RN, RM), .feature = FEATURE_CRC32),
    ROW(0xffe0fc00, 0x9ac05c00, "crc32cx", CRC, OPERANDS(RD, RN, RM), .feature = FEATURE_CRC32),

    /* Bits */
    ROW(0x7ffffc00, 0x5ac00000, "rbit", BIT_OPS, OPERANDS(RD, RN)),
    ROW(0x7ffffc00, 0x5ac00400, "rev16", BIT_OPS, OPERANDS(RD, RN)),
    ROW(0x7ffffc00, 0x5ac00800, "rev", BIT_OPS, OPERANDS(RD, RN)), /* rev32 of a 64-bit register */
    ROW(0xfffffc00, 0xdac00c00, "rev", BIT_OPS, OPERANDS(RD, RN)),
    ROW(0x7ffffc00, 0x5ac01000, "clz", BIT_OPS, OPERANDS(RD, RN)),
    ROW(0x7ffffc00, 0x5ac01400, "cls", BIT_OPS, OPERANDS(RD, RN)),

    /* Branches. "Always" and its twin (conditions 14 and 15) read no flags. */
    ROW(0xfc000000, 0x14000000, "b", BRANCH, .branch = OP_JUMP, .constant = TARGET_26),
    ROW(0xff00001e, 0x5400000e, "b.al", BRANCH, .branch = OP_JUMP, .constant = TARGET_19),
    ROW(0xff000010, 0x54000000, "b.cond", BRANCH, OPERANDS(FLAGS_IN), .branch = OP_CONDITIONAL,
        .constant = TARGET_19),
    ROW(0x7f000000, 0x34000000, "cbz", BRANCH, OPERANDS(RT_IN), .branch = OP_CONDITIONAL,
        .constant = TARGET_19),
    ROW(0x7f000000, 0x35000000, "cbnz", BRANCH, OPERANDS(RT_IN), .branch = OP_CONDITIONAL,
        .constant = TARGET_19),
    ROW(0x7f000000, 0x36000000, "tbz", BRANCH, OPERANDS(RT_IN), .branch = OP_CONDITIONAL,
        .constant = TARGET_14),
    ROW(0x7f000000, 0x37000000, "tbnz", BRANCH, OPERANDS(RT_IN), .branch = OP_CONDITIONAL,
        .constant = TARGET_14),
    ROW(0xfc000000, 0x94000000, "bl", BRANCH_LINK, OPERANDS(LR_OUT), .branch = OP_CALL,
        .constant = TARGET_26),
    ROW(0xfffffc1f, 0xd61f0000, "br", BRANCH_REGISTER, OPERANDS(RN), .branch = OP_JUMP_INDIRECT),
    ROW(0xfffffc1f, 0xd63f0000, "blr", BRANCH_LINK, OPERANDS(RN, LR_OUT), .branch = OP_CALL_INDIRECT),
    ROW(0xfffffc1f, 0xd65f0000, "ret", BRANCH_REGISTER, OPERANDS(RN), .branch = OP_RETURN),
    ROW_FORBIDDEN(0xffffffff, 0xd69f03e0, "eret"), ROW_FORBIDDEN(0xffffffff, 0xd6bf03e0, "drps"),
    ROW_UNKNOWN(0xfe9ff800, 0xd61f0800, "a branch with pointer authentication"), /* braa, retaa, ... */
    ROW_UNKNOWN(0xfffff800, 0xd69f0800, "eretaa"),

    /* Extensions that are known by name */
    ROW_UNKNOWN(0xffff0000, 0xdac10000, "pointer authentication"),
    ROW_UNKNOWN(0xffe0fc00, 0x9ac03000, "pacga"),
    ROW_UNKNOWN(0xbf800000, 0x91800000, "addg"), /* memory tagging, with subg */
};

const struct decode_table decode_integer = {rows, sizeof rows / sizeof *rows};
