/* Exercise 10: the file to edit. All of it is correct as it stands. The selections are written with branches:
 * look at what the compiler makes of them. The sort is slow: how far each number moves depends on the data,
 * and the processor guesses wrongly seven times in each group. */
#include "exercise.h"

int32_t minimum(int32_t a, int32_t b)
{
    if (a < b)
        return a;
    return b;
}

int32_t maximum(int32_t a, int32_t b)
{
    if (a > b)
        return a;
    return b;
}

uint32_t magnitude(int32_t x)
{
    if (x < 0)
        return 0 - (uint32_t)x;
    return (uint32_t)x;
}

void sort_groups(int32_t *groups, size_t n)
{
    for (size_t g = 0; g < n; g++) {
        int32_t *group = groups + 8 * g;
        for (int i = 1; i < 8; i++) {
            int32_t moving = group[i];
            int at = i;
            while (at > 0 && group[at - 1] > moving) {
                group[at] = group[at - 1];
                at--;
            }
            group[at] = moving;
        }
    }
}
