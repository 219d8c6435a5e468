/* Four blocks side by side. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    for (; n >= 4 * CRC32C_BLOCK; n -= 4 * CRC32C_BLOCK, data += 4 * CRC32C_BLOCK) {
        uint32_t r[4] = {crc, 0, 0, 0};
        for (size_t i = 0; i < CRC32C_BLOCK; i += 8) {
            r[0] = crc32c_word(r[0], load_word(data + i));
            r[1] = crc32c_word(r[1], load_word(data + CRC32C_BLOCK + i));
            r[2] = crc32c_word(r[2], load_word(data + 2 * CRC32C_BLOCK + i));
            r[3] = crc32c_word(r[3], load_word(data + 3 * CRC32C_BLOCK + i));
        }
        crc = crc32c_after_block(crc32c_after_block(crc32c_after_block(r[0]) ^ r[1]) ^ r[2]) ^ r[3];
    }
    for (; n >= 8; n -= 8, data += 8)
        crc = crc32c_word(crc, load_word(data));
    for (; n > 0; n--, data++)
        crc = crc32c_byte(crc, *data);
    return crc;
}
