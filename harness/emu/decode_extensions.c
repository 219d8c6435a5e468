/* Extensions of Advanced SIMD: ciphers and hashes, half precision into single, complex numbers; and those
 * that are known by name alone. */
#include "harness/emu/decode_table.h"

#define U_BIT(u) ((uint32_t)(u) << 29)
#define A_BIT(a) ((uint32_t)(a) << 23)

#define AES_ROUND(fixed, text)                                                                               \
    ROW(0xfffffc00, 0x4e280000 | (fixed), text, AES, OPERANDS(VD, VN, VD_OLD), .wide = WIDE_YES,             \
        .feature = FEATURE_CRYPTO)
#define AES_COLUMNS(fixed, text)                                                                             \
    ROW(0xfffffc00, 0x4e280000 | (fixed), text, AES_MIX, OPERANDS(VD, VN), .wide = WIDE_YES,                 \
        .feature = FEATURE_CRYPTO)
#define HASH(fixed, text, class, needs)                                                                      \
    ROW(0xffe0fc00, fixed, text, class, OPERANDS(VD, VN, VM, VD_OLD), .wide = WIDE_YES, .feature = (needs))
#define HASH_ONE(fixed, text, class, needs)                                                                  \
    ROW(0xfffffc00, fixed, text, class, OPERANDS(VD, VN, VD_OLD), .wide = WIDE_YES, .feature = (needs))

/* By a vector, by a lane */
#define HALF_LONG(u, a, vector, lanes, text)                                                                 \
    ROW(0xbfe0fc00, 0x0e200000 | U_BIT(u) | A_BIT(a) | (vector), text, V_FP_FMA_LONG,                        \
        OPERANDS(VD, VN, VM, VD_SUM), .wide = WIDE_BY_Q, .feature = FEATURE_FHM),                            \
        ROW(0xbfc0f400, 0x0f800000 | U_BIT(u) | (lanes), text, V_FP_FMA_LONG,                                \
            OPERANDS(VD, VN, VM_LOW, VD_SUM), .wide = WIDE_BY_Q, .feature = FEATURE_FHM)
#define COMPLEX(bits, fixed, text, class, ...)                                                               \
    ROW(0xbfe00000 | (bits), 0x2e400000 | (fixed), text, class, OPERANDS(VD, VN, VM, __VA_ARGS__),           \
        .wide = WIDE_BY_Q, .feature = FEATURE_FCMA | FEATURE_FP16),                                          \
        ROW(0xbf200000 | (bits), 0x2e000000 | (fixed), text, class, OPERANDS(VD, VN, VM, __VA_ARGS__),       \
            .wide = WIDE_BY_Q, .sizes = SIZES_SD & SIZES_VECTOR, .feature = FEATURE_FCMA)

/* 64 bits have two complex numbers of half precision. */
static bool complex_lane(uint32_t word)
{
    return decode_field(word, 30, 30) || !decode_field(word, 11, 11);
}

static const struct decode_row rows[] = {
    /* Ciphers and hashes */
    AES_ROUND(0x4800, "aese"),
    AES_ROUND(0x5800, "aesd"),
    AES_COLUMNS(0x6800, "aesmc"),
    AES_COLUMNS(0x7800, "aesimc"),
    ROW(0xbfe0fc00, 0x0ee0e000, "pmull", PMULL, OPERANDS(VD, VN, VM), .wide = WIDE_YES,
        .feature = FEATURE_CRYPTO),
    HASH(0x5e000000, "sha1c", SHA1, FEATURE_CRYPTO),
    HASH(0x5e001000, "sha1p", SHA1, FEATURE_CRYPTO),
    HASH(0x5e002000, "sha1m", SHA1, FEATURE_CRYPTO),
    HASH(0x5e003000, "sha1su0", SHA1_SCHEDULE, FEATURE_CRYPTO),
    HASH(0x5e004000, "sha256h", SHA256, FEATURE_CRYPTO),
    HASH(0x5e005000, "sha256h2", SHA256, FEATURE_CRYPTO),
    HASH(0x5e006000, "sha256su1", SHA256_SCHEDULE_LAST, FEATURE_CRYPTO),
    ROW(0xfffffc00, 0x5e280800, "sha1h", SHA1_FAST, OPERANDS(VD, VN), .feature = FEATURE_CRYPTO),
    HASH_ONE(0x5e281800, "sha1su1", SHA1_FAST, FEATURE_CRYPTO),
    HASH_ONE(0x5e282800, "sha256su0", SHA256_SCHEDULE, FEATURE_CRYPTO),
    HASH(0xce608000, "sha512h", SHA512, FEATURE_SHA3),
    HASH(0xce608400, "sha512h2", SHA512, FEATURE_SHA3),
    HASH(0xce608800, "sha512su1", SHA512, FEATURE_SHA3),
    HASH_ONE(0xcec08000, "sha512su0", SHA512, FEATURE_SHA3),
    ROW(0xffe0fc00, 0xce608c00, "rax1", SHA3, OPERANDS(VD, VN, VM), .wide = WIDE_YES,
        .feature = FEATURE_SHA3),
    ROW(0xffe08000, 0xce000000, "eor3", SHA3, OPERANDS(VD, VN, VM, VA_IN), .wide = WIDE_YES,
        .feature = FEATURE_SHA3),
    ROW(0xffe08000, 0xce200000, "bcax", SHA3, OPERANDS(VD, VN, VM, VA_IN), .wide = WIDE_YES,
        .feature = FEATURE_SHA3),
    ROW(0xffe00000, 0xce800000, "xar", SHA3, OPERANDS(VD, VN, VM), .wide = WIDE_YES, .feature = FEATURE_SHA3),

    /* Half precision into single; complex numbers, of half precision and of more */
    HALF_LONG(0, 0, 0xec00, 0x0000, "fmlal"),
    HALF_LONG(0, 1, 0xec00, 0x4000, "fmlsl"),
    HALF_LONG(1, 0, 0xcc00, 0x8000, "fmlal2"),
    HALF_LONG(1, 1, 0xcc00, 0xc000, "fmlsl2"),
    COMPLEX(0xe400, 0xc400, "fcmla", V_FP_FMA, VD_SUM),
    COMPLEX(0xec00, 0xe400, "fcadd", V_FP_ADD),
    ROW(0xbfc09400, 0x2f401000, "fcmla", V_FP_FMA, OPERANDS(VD, VN, VM, VD_SUM), .wide = WIDE_BY_Q,
        .feature = FEATURE_FCMA | FEATURE_FP16, .valid = complex_lane),
    ROW(0xffe09400, 0x6f801000, "fcmla", V_FP_FMA, OPERANDS(VD, VN, VM, VD_SUM), .wide = WIDE_YES,
        .feature = FEATURE_FCMA),

    /* Extensions that are known by name */
    ROW_UNKNOWN(0xff000000, 0xce000000, "sm3 or sm4"),
    ROW_UNKNOWN(0xbfe0fc00, 0x0e809c00, "usdot"),
    ROW_UNKNOWN(0xbfc0f400, 0x0f80f000, "usdot"),
    ROW_UNKNOWN(0xbfc0f400, 0x0f00f000, "sudot"),
    ROW_UNKNOWN(0xdfe0fc00, 0x4e80a400, "smmla"), /* and ummla */
    ROW_UNKNOWN(0xffe0fc00, 0x4e80ac00, "usmmla"),
    ROW_UNKNOWN(0xbfe0fc00, 0x2e40fc00, "bfdot"),
    ROW_UNKNOWN(0xbfc0f400, 0x0f40f000, "bfdot"),
    ROW_UNKNOWN(0xffe0fc00, 0x6e40ec00, "bfmmla"),
    ROW_UNKNOWN(0xbfe0fc00, 0x2ec0fc00, "bfmlal"),
    ROW_UNKNOWN(0xbfc0f400, 0x0fc0f000, "bfmlal"),
    ROW_UNKNOWN(0xbffffc00, 0x0ea16800, "bfcvtn"),
};

const struct decode_table decode_extensions = {rows, sizeof rows / sizeof *rows};
