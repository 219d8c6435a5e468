/* Exercise 9, first part: one of the two files to edit. It is correct as it stands, and slow: the divisor is
 * known only when the program runs, so the compiler cannot replace the division, and the processor's divider
 * takes one element after the other. */
#include "exercise.h"

void divide(uint32_t *quotients, const uint32_t *values, size_t n, uint32_t divisor)
{
    for (size_t i = 0; i < n; i++)
        quotients[i] = values[i] / divisor;
}
