#include "exercise.h"

int32_t minimum(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

int32_t maximum(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

uint32_t magnitude(int32_t x)
{
    return x < 0 ? 0 - (uint32_t)x : (uint32_t)x;
}

/* Shell sort: what is compared with what depends on the numbers. */
void sort_groups(int32_t *groups, size_t n)
{
    for (size_t g = 0; g < n; g++) {
        int32_t *group = groups + 8 * g;
        for (int gap = 3; gap >= 1; gap -= 2) {
            for (int i = gap; i < 8; i++) {
                int32_t moving = group[i];
                int at = i;
                for (; at >= gap && group[at - gap] > moving; at -= gap)
                    group[at] = group[at - gap];
                group[at] = moving;
            }
        }
    }
}
