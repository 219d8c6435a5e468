/* The squares of 1, 2 and 3, added to a register that nobody cleared: the second call goes on where the first
 * one ended. x86_64. */
#include <stdio.h>

/* A register between two calls of a function that takes it as it finds it. */
static float left_over;

static float squares(const float *values, int n)
{
    float sum = left_over;
    for (int i = 0; i < n; i++)
        __asm__("movss %1, %%xmm0\n\tmulss %%xmm0, %%xmm0\n\taddss %%xmm0, %0"
                : "+x"(sum)
                : "m"(values[i])
                : "xmm0");
    left_over = sum;
    return sum;
}

int main(void)
{
    static const float values[] = {1, 2, 3};
    const float first = squares(values, 3), second = squares(values, 3);
    left_over = 0;
    printf("first %g\nsecond %g\ncleared %g\n", (double)first, (double)second, (double)squares(values, 3));
    return 0;
}
