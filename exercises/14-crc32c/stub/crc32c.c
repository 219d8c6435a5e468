/* Exercise 14: the file to edit. It is right as it stands, and slow: each byte waits for a look at the table,
 * and the next byte for that. */
#include "exercise.h"

uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        crc = crc32c_table[0][(crc ^ data[i]) & 255] ^ crc >> 8;
    return crc;
}
