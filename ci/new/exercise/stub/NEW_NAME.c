/* Exercise NEW_NUMBER: the file to edit. It is correct as it stands, and slow. FILL-IN: why, in a clause. */
#include "exercise.h"

uint32_t NEW_NAME(const uint32_t *values, size_t n)
{
    uint32_t checksum = 0;
    for (size_t i = 0; i < n; i++)
        checksum = checksum * FACTOR + values[i];
    return checksum;
}
