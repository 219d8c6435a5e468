/* Blocks of twice the length: fewer combinations, more looks at the table in each. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    const size_t length = 2 * CRC32C_BLOCK;
    for (; n >= 3 * length; n -= 3 * length, data += 3 * length) {
        uint32_t second = 0, third = 0;
        for (const uint8_t *at = data; at < data + length; at += 8) {
            crc = crc32c_word(crc, load_word(at));
            second = crc32c_word(second, load_word(at + length));
            third = crc32c_word(third, load_word(at + 2 * length));
        }
        crc = crc32c_after_block(crc32c_after_block(crc)) ^ second;
        crc = crc32c_after_block(crc32c_after_block(crc)) ^ third;
    }
    for (; n >= 8; n -= 8, data += 8)
        crc = crc32c_word(crc, load_word(data));
    for (; n > 0; n--, data++)
        crc = crc32c_byte(crc, *data);
    return crc;
}
