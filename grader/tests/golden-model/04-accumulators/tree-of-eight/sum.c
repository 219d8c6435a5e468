/* Eight elements are added as a tree, and only its root joins the two chains. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    float even = 0, odd = 0;
    for (; n >= 16; values += 16, n -= 16) {
        even += ((values[0] + values[1]) + (values[2] + values[3])) +
                ((values[4] + values[5]) + (values[6] + values[7]));
        odd += ((values[8] + values[9]) + (values[10] + values[11])) +
               ((values[12] + values[13]) + (values[14] + values[15]));
    }
    for (; n > 0; values++, n--)
        even += *values;
    return even + odd;
}
