/* Exercise 4: the file to edit. It is right as it stands, and slow: each addition waits for the one before.
 */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    float total = 0;
    for (size_t i = 0; i < n; i++)
        total += values[i];
    return total;
}
