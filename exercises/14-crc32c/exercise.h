/* Exercise 14: the contract. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include "tables.h"

/* CRC-32C (Castagnoli), the checksum of iSCSI, ext4 and many databases: take the n bytes of data, in order,
 * into the register `crc`, and return the register. n may be 0. Nothing is inverted before or after. data has
 * any alignment, and nothing beyond data[n-1] may be read. The definition, for one byte:
 *
 *     crc = crc ^ byte;
 *     eight times: crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
 *
 * which is crc32c_table[0][(crc ^ byte) & 255] ^ crc >> 8. */
uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n);

/* Eight bytes, the first in the lowest bits, as one instruction: CRC32 (SSE4.2) or CRC32CX (Armv8.0 with the
 * CRC extension). And one byte. */
static inline uint32_t crc32c_word(uint32_t crc, uint64_t word)
{
#ifdef __x86_64__
    uint64_t wide = crc;
    __asm__("crc32q %1, %0" : "+r"(wide) : "r"(word));
    return (uint32_t)wide;
#else
    __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %1" : "+r"(crc) : "r"(word));
    return crc;
#endif
}

static inline uint32_t crc32c_byte(uint32_t crc, uint8_t byte)
{
#ifdef __x86_64__
    __asm__("crc32b %1, %0" : "+r"(crc) : "q"(byte));
#else
    __asm__(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"((uint32_t)byte));
#endif
    return crc;
}

/* Eight bytes from any address, the first in the lowest bits. */
static inline uint64_t load_word(const uint8_t *data)
{
    uint64_t word;
    __builtin_memcpy(&word, data, sizeof word);
    return word;
}

/* The register after CRC32C_BLOCK bytes of zeros. A CRC is linear: that of a block behind another is
 * crc32c_after_block(crc of the first) ^ crc of the second, begun with 0. */
static inline uint32_t crc32c_after_block(uint32_t crc)
{
    return crc32c_skip[0][crc & 255] ^ crc32c_skip[1][crc >> 8 & 255] ^ crc32c_skip[2][crc >> 16 & 255] ^
           crc32c_skip[3][crc >> 24];
}

#endif
