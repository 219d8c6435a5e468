/* Comes back to another place than where it was called. */
#include "exercise.h"

float sum(const float *values, size_t n)
{
    (void)values;
    (void)n;
    __asm__ volatile("add x30, x30, #4\n\tret");
    return 0;
}
