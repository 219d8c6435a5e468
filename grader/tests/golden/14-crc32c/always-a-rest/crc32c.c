/* The reference, but for what is behind whole rounds of three blocks: a byte at least. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    if (n == 0)
        return crc;
    for (; n >= 3 * CRC32C_BLOCK; n -= 3 * CRC32C_BLOCK, data += 3 * CRC32C_BLOCK) {
        uint32_t second = 0, third = 0;
        for (size_t i = 0; i < CRC32C_BLOCK; i += 8) {
            crc = crc32c_word(crc, load_word(data + i));
            second = crc32c_word(second, load_word(data + CRC32C_BLOCK + i));
            third = crc32c_word(third, load_word(data + 2 * CRC32C_BLOCK + i));
        }
        crc = crc32c_after_block(crc32c_after_block(crc) ^ second) ^ third;
    }
    for (; n > 8; n -= 8, data += 8)
        crc = crc32c_word(crc, load_word(data));
    do
        crc = crc32c_byte(crc, *data++);
    while (--n > 0);
    return crc;
}
