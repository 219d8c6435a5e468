/* Weak names and renamed ones by pragma. */
#include "exercise.h"
#include "hostile.h"

#pragma weak runner_prepare
#pragma redefine_extname helper target_call
void helper(void);
void helper(void)
{
}
void runner_prepare(void);
void runner_prepare(void)
{
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
