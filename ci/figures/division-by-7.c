/* Division by 7 as chapter 33 has it: the high half of a product, shifted by 2, or not at all; and with the
 * addition that 7 needs. Each candidate rises with x, so it is right everywhere if it is right at both ends
 * of each stretch of seven. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t high_half(uint32_t x, uint32_t factor)
{
    return (uint32_t)(((uint64_t)x * factor) >> 32);
}

static uint32_t shift_2(uint32_t x)
{
    return high_half(x, 0x24924925) >> 2;
}

static uint32_t no_shift(uint32_t x)
{
    return high_half(x, 0x24924925);
}

static uint32_t with_add(uint32_t x)
{
    const uint32_t high = high_half(x, 0x24924925);
    return (high + ((x - high) >> 1)) >> 2;
}

/* The first x above 0 for which it is wrong; 0 if there is none. */
static uint32_t first_wrong(uint32_t (*divide)(uint32_t))
{
    for (uint64_t x = 7; x <= UINT32_MAX; x += 7) {
        if (divide((uint32_t)x - 1) != (x - 1) / 7)
            return (uint32_t)x - 1;
        if (divide((uint32_t)x) != x / 7)
            return (uint32_t)x;
    }
    return divide(UINT32_MAX) == UINT32_MAX / 7 ? 0 : UINT32_MAX;
}

int main(void)
{
    printf("first-wrong-shift-2 %" PRIu32 "\n", first_wrong(shift_2));
    printf("first-wrong-no-shift %" PRIu32 "\n", first_wrong(no_shift));
    printf("wrong-with-add %" PRIu32 "\n", first_wrong(with_add));
    return 0;
}
