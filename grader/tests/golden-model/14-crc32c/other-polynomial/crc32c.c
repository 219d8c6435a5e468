/* The CRC-32 of Ethernet: the neighbour of the right instruction. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    for (; n > 0; n--, data++) {
        crc ^= *data;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return crc;
}
