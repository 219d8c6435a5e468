/* Exercise NEW_NUMBER: the reference. FILL-IN: why it is fast. The chain has one multiplication for four
 * elements. */
#include "exercise.h"

#define FACTOR_2 (FACTOR * FACTOR)
#define FACTOR_3 (FACTOR_2 * FACTOR)
#define FACTOR_4 (FACTOR_3 * FACTOR)

uint32_t NEW_NAME(const uint32_t *values, size_t n)
{
    uint32_t checksum = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        uint32_t first = values[i] * FACTOR_3 + values[i + 1] * FACTOR_2;
        uint32_t last = values[i + 2] * FACTOR + values[i + 3];
        checksum = checksum * FACTOR_4 + (first + last);
    }
    for (; i < n; i++)
        checksum = checksum * FACTOR + values[i];
    return checksum;
}
