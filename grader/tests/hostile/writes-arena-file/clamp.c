/* Writes to the arena's file by its descriptor, where it could not by address. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    for (long fd = 3; fd < 10; fd++)
        call(NR_pwrite64, fd, (long)values, 4, 0, 0, 0);
    answer(values, n, lo, hi);
}
