/* The second rung: one stream of the instruction. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    for (; n >= 8; n -= 8, data += 8)
        crc = crc32c_word(crc, load_word(data));
    for (; n > 0; n--, data++)
        crc = crc32c_byte(crc, *data);
    return crc;
}
