/* Four bytes at a time. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    for (; n >= 4; n -= 4, data += 4) {
        crc ^= (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
        crc = crc32c_table[3][crc & 255] ^ crc32c_table[2][crc >> 8 & 255] ^
              crc32c_table[1][crc >> 16 & 255] ^ crc32c_table[0][crc >> 24];
    }
    for (; n > 0; n--, data++)
        crc = crc32c_table[0][(crc ^ *data) & 255] ^ crc >> 8;
    return crc;
}
