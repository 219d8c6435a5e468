/* A main of its own. */
#include "exercise.h"
#include "hostile.h"

int main(void);
int main(void)
{
    return 0;
}

void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)
{
    answer(values, n, lo, hi);
}
