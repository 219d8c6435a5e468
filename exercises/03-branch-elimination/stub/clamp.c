/* Exercise 3: the file to edit. It is right as it stands, and slow where the data is random: each `if` guards
 * a store, so each becomes a branch, and the processor cannot predict it. */
#include "exercise.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (size_t i = 0; i < n; i++) {
        if (values[i] > hi)
            values[i] = hi;
        else if (values[i] < lo)
            values[i] = lo;
    }
}
