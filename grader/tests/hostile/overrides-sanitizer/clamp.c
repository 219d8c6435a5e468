/* Options that switch sanitizers off. */
#include "exercise.h"
#include "hostile.h"

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:exitcode=0";
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
