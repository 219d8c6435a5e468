/* The instruction for one byte. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    for (; n > 0; n--, data++)
        crc = crc32c_byte(crc, *data);
    return crc;
}
