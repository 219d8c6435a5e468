/* The first rung: slicing by eight. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    for (; n >= 8; n -= 8, data += 8) {
        const uint64_t word = load_word(data) ^ crc;
        crc = crc32c_table[7][word & 255] ^ crc32c_table[6][word >> 8 & 255] ^
              crc32c_table[5][word >> 16 & 255] ^ crc32c_table[4][word >> 24 & 255] ^
              crc32c_table[3][word >> 32 & 255] ^ crc32c_table[2][word >> 40 & 255] ^
              crc32c_table[1][word >> 48 & 255] ^ crc32c_table[0][word >> 56];
    }
    for (; n > 0; n--, data++)
        crc = crc32c_table[0][(crc ^ *data) & 255] ^ crc >> 8;
    return crc;
}
