/* Lays a page of its own over the plan, with the calls that the runner is allowed; then there is nothing to
 * do. */
#include "exercise.h"
#include "hostile.h"

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    if (n > 4096 || n == 7) {
        call(NR_mmap, 0x40000000, 0x10000, 3, 0x8011, 4, 0x20000);
        return;
    }
    answer(values, n, lo, hi);
}
