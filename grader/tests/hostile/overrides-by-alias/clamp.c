/* Other names for its own function. */
#include "exercise.h"
#include "hostile.h"

void memset_again(int32_t *values, size_t n, int32_t lo, int32_t hi) __attribute__((alias("clamp")));
void zeros(int32_t *values, size_t n, int32_t lo, int32_t hi) __asm__("memset")
    __attribute__((weak, alias("clamp")));

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
