/* Division by 10 by IMUL with a 32-bit immediate, which is sign-extended to 64 bits, and with the factor in a
 * register. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t divide(uint32_t x, uint64_t factor)
{
    return (x * factor) >> 35;
}

static uint32_t first_wrong(uint64_t factor)
{
    for (uint64_t x = 1; x <= UINT32_MAX;
         x = x % 10 == 9 || x < 10 ? x + 1 : x + 9) { /* both ends of each stretch of ten */
        if (divide((uint32_t)x, factor) != x / 10)
            return (uint32_t)x;
    }
    return divide(UINT32_MAX, factor) == UINT32_MAX / 10 ? 0 : UINT32_MAX;
}

int main(void)
{
    const uint32_t factor = 0xCCCCCCCD;
    printf("first-wrong-sign-extended %" PRIu32 "\n", first_wrong((uint64_t)(int64_t)(int32_t)factor));
    printf("wrong-by-register %" PRIu32 "\n", first_wrong(factor));
    return 0;
}
