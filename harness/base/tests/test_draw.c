#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/draw.h"

/* ChaCha8 with a key of 256 zero bits and a nonce of zero: Strombergson, Test vectors for the stream cipher
 * ChaCha (draft-strombergson-chacha-test-vectors-01), TC1. */
Test(draw, is_chacha8)
{
    static const unsigned char published[] = {
        0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1,
        0x2c, 0x84, 0x0e, 0xc3, 0xce, 0x9a, 0x7f, 0x3b, 0x18, 0x1b, 0xe1, 0x88, 0xef, 0x71, 0x1a, 0x1e,
        0x98, 0x4c, 0xe1, 0x72, 0xb9, 0x21, 0x6f, 0x41, 0x9f, 0x44, 0x53, 0x67, 0x45, 0x6d, 0x56, 0x19,
        0x31, 0x4a, 0x42, 0xa3, 0xda, 0x86, 0xb0, 0x01, 0x38, 0x7b, 0xfd, 0xb8, 0x0e, 0x0c, 0xfe, 0x42};
    struct draw draw;
    draw_begin(&draw, 0);
    for (size_t i = 0; i < sizeof published; i += sizeof(uint64_t)) {
        const uint64_t number = draw_next(&draw);
        cr_expect_arr_eq(&number, published + i, sizeof number, "bytes from %zu on", i);
    }
}

Test(draw, a_seed_repeats_its_stream_and_no_other_seeds)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct draw one, same, other;
        draw_begin(&one, seed);
        draw_begin(&same, seed);
        draw_begin(&other, seed + (UINT64_C(1) << 40));
        for (unsigned i = 0; i < 3 * DRAW_NUMBERS; i++) {
            const uint64_t number = draw_next(&one);
            cr_expect_eq(number, draw_next(&same));
            cr_expect_neq(number, draw_next(&other));
        }
    }
}

static int in_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

Test(draw, no_number_comes_again)
{
    enum { MANY = 1000 * DRAW_NUMBERS };
    static uint64_t numbers[MANY];
    struct draw draw;
    draw_begin(&draw, 7);
    for (unsigned i = 0; i < MANY; i++)
        numbers[i] = draw_next(&draw);
    qsort(numbers, MANY, sizeof *numbers, in_order);
    for (unsigned i = 1; i < MANY; i++)
        cr_assert_neq(numbers[i - 1], numbers[i]);
}

Test(draw, below_and_unit_are_uniform)
{
    enum { MANY = 100000, BOUND = 10 };
    unsigned counts[BOUND] = {0};
    double sum = 0;
    struct draw draw;
    draw_begin(&draw, 11);
    for (unsigned i = 0; i < MANY; i++) {
        counts[draw_below(&draw, BOUND)]++;
        const double unit = draw_unit(&draw);
        cr_assert(unit >= 0 && unit < 1);
        sum += unit;
    }
    for (unsigned i = 0; i < BOUND; i++) /* five standard deviations of 95 */
        cr_expect(abs((int)counts[i] - MANY / BOUND) < 475, "%u: %u times", i, counts[i]);
    cr_expect(fabs(sum / MANY - 0.5) < 5 * sqrt(1.0 / 12 / MANY), "mean of %g", sum / MANY);
}
