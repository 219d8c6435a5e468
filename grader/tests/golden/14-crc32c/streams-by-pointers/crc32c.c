/* Three pointers, counted down, and four words of each a turn. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    while (n >= 3 * CRC32C_BLOCK) {
        const uint8_t *a = data, *b = a + CRC32C_BLOCK, *c = b + CRC32C_BLOCK;
        const uint8_t *const end = b;
        uint32_t second = 0, third = 0;
        while (a != end) {
            for (int k = 0; k < 4; k++, a += 8, b += 8, c += 8) {
                crc = crc32c_word(crc, load_word(a));
                second = crc32c_word(second, load_word(b));
                third = crc32c_word(third, load_word(c));
            }
        }
        second ^= crc32c_after_block(crc);
        crc = third ^ crc32c_after_block(second);
        data += 3 * CRC32C_BLOCK;
        n -= 3 * CRC32C_BLOCK;
    }
    for (; n >= 8; n -= 8, data += 8)
        crc = crc32c_word(crc, load_word(data));
    for (; n > 0; n--, data++)
        crc = crc32c_byte(crc, *data);
    return crc;
}
