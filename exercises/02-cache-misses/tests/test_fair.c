/* The judge of permutations against simulated ones: does it hold its promise, and does it catch what it is
 * for? */
#include <criterion/criterion.h>
#include <stdlib.h>
#include "exercises/02-cache-misses/fair.h"
#include "harness/base/rng.h"

enum { THOUSAND = 1000, LARGE = 70000, ROWS = 63, LARGE_ROWS = 7, DRAWN_NUMBERS = 32768 };

static struct rng rng;
static uint32_t row[LARGE];
static bool seen[LARGE];
static struct fair fair;

static void identity(size_t n)
{
    for (size_t i = 0; i < n; i++)
        row[i] = (uint32_t)i;
}

static void swap(size_t i, size_t j)
{
    uint32_t number = row[i];
    row[i] = row[j];
    row[j] = number;
}

static void draw_fairly(size_t n)
{
    identity(n);
    for (size_t left = n; left > 1; left--)
        swap(left - 1, rng_below(&rng, left));
}

static void draw_sattolo(size_t n)
{
    identity(n);
    for (size_t left = n; left > 1; left--)
        swap(left - 1, rng_below(&rng, left - 1));
}

/* Any place for each number. */
static void draw_all_places(size_t n)
{
    identity(n);
    for (size_t i = 0; i < n; i++)
        swap(i, rng_below(&rng, n));
}

static void draw_remainder(size_t n)
{
    identity(n);
    for (size_t left = n; left > 1; left--)
        swap(left - 1, rng_below(&rng, LARGE) % left);
}

/* Odd, and no multiple of 5: prime to both sizes. */
static size_t prime_step(size_t n)
{
    size_t step = rng_below(&rng, n) | 1;
    return step % 5 ? step : step + 2;
}

static void draw_progression(size_t n)
{
    size_t step = prime_step(n), at = rng_below(&rng, n);
    for (size_t i = 0; i < n; i++, at = (at + step) % n)
        row[i] = (uint32_t)at;
}

/* A linear congruential sequence, whose neighbours lie on a lattice. */
static void draw_congruential(size_t n)
{
    size_t at = rng_below(&rng, n), plus = 2 * rng_below(&rng, n) + 1;
    for (size_t i = 0; i < n; i++, at = (at * 20021 + plus) % n)
        row[i] = (uint32_t)at;
}

/* Fair within each of 64 blocks only. */
static void draw_blocks(size_t n)
{
    identity(n);
    for (size_t i = 0; i < n; i++)
        swap(i, i - rng_below(&rng, i % (n / 64) + 1));
}

/* Sorted by a key of 8 bits: what has the same key stays in order. */
static void draw_short_keys(size_t n)
{
    size_t next = 0;
    uint8_t *key = malloc(n);
    for (size_t i = 0; i < n; i++)
        key[i] = (uint8_t)rng_next(&rng);
    for (unsigned k = 0; k < 256; k++)
        for (size_t i = 0; i < n; i++)
            if (key[i] == k)
                row[next++] = (uint32_t)i;
    free(key);
}

static void sample(void (*draw)(size_t n), size_t n, size_t rows)
{
    fair = (struct fair){.n = n};
    for (size_t i = 0; i < rows; i++) {
        draw(n);
        fair_add(&fair, row, seen);
    }
}

/* As many as make the numbers of a drawn length. */
static size_t rows_of(size_t n)
{
    return n == THOUSAND ? ROWS : n == LARGE ? LARGE_ROWS : DRAWN_NUMBERS / n + 1;
}

/* Of 800 deviates 40 should be beyond 1.645 on each side, as of a normal distribution, and 8 beyond 2.326:
 * the limits here are five standard deviations from that. Of few numbers too, with blocks of one and two. */
Test(fair, fair_permutations_have_normal_deviates)
{
    enum { SETS = 400 };
    static const size_t sizes[] = {THOUSAND, 6, 7, 16, 17, 40, 300};
    rng.state = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned twentieth[2] = {0}, hundredth[2] = {0};
        for (unsigned set = 0; set < SETS; set++) {
            struct fair_finding cell;
            sample(draw_fairly, sizes[i], rows_of(sizes[i]));
            cr_assert_eq(fair_judge(&fair).doubt, FAIR, "n = %zu, set %u", sizes[i], set);
            for (unsigned table = 0; table < 2; table++) {
                double deviate = fair_deviate(&fair, table == 1, &cell);
                cr_assert_lt(fabs(deviate), 5, "n = %zu, set %u: %g", sizes[i], set, deviate);
                twentieth[deviate > 0] += fabs(deviate) > 1.645;
                hundredth[deviate > 0] += fabs(deviate) > 2.326;
            }
        }
        for (unsigned side = 0; side < 2; side++) {
            cr_expect(twentieth[side] >= 10 && twentieth[side] <= 71, "n = %zu: %u beyond 1.645", sizes[i],
                      twentieth[side]);
            cr_expect_leq(hundredth[side], 22, "n = %zu: %u beyond 2.326", sizes[i], hundredth[side]);
        }
    }
}

Test(fair, large_fair_permutations_pass)
{
    rng.state = 2;
    for (unsigned set = 0; set < 8; set++) {
        sample(draw_fairly, LARGE, LARGE_ROWS);
        cr_expect_eq(fair_judge(&fair).doubt, FAIR, "set %u", set);
    }
}

/* The bound is one for sums of independent draws: it holds for the simulated ones, too. */
Test(fair, cycles_are_as_surprising_as_promised)
{
    enum { SETS = 2000 };
    unsigned beyond = 0;
    double mean;
    rng.state = 3;
    for (unsigned set = 0; set < SETS; set++) {
        sample(draw_fairly, 256, 4);
        beyond += fair_cycles_surprise(&fair, &mean) > 3; /* e^-3 on each side: 199 at most */
    }
    cr_expect_leq(beyond, 2 * SETS / 20);
    cr_expect_float_eq(mean, 4 * (log(256) + 0.5772 + 1 / 512.0), 0.001);
}

static void expect_caught(void (*draw)(size_t n), size_t n, enum fair_doubt doubt, const char *name)
{
    for (uint64_t seed = 10; seed < 15; seed++) {
        rng.state = seed;
        sample(draw, n, rows_of(n));
        enum fair_doubt found = fair_judge(&fair).doubt;
        cr_expect_neq(found, FAIR, "%s with n = %zu, seed %u", name, n, (unsigned)seed);
        cr_expect(doubt == FAIR || found == doubt, "%s with n = %zu, seed %u: %d", name, n, (unsigned)seed,
                  found);
    }
}

Test(fair, unfair_ways_are_caught)
{
    static const struct {
        const char *name;
        void (*draw)(size_t n);
        size_t n;
        enum fair_doubt doubt; /* FAIR: any */
    } ways[] = {
        {"identity", identity, THOUSAND, FAIR},
        {"Sattolo", draw_sattolo, 6, FAIR},
        {"Sattolo", draw_sattolo, 300, FAIR_CYCLES},
        {"Sattolo", draw_sattolo, THOUSAND, FAIR_CYCLES},
        {"Sattolo", draw_sattolo, LARGE, FAIR_CYCLES},
        {"all places", draw_all_places, 24, FAIR_PLACES},
        {"all places", draw_all_places, 300, FAIR_PLACES},
        {"all places", draw_all_places, THOUSAND, FAIR_PLACES},
        {"all places", draw_all_places, LARGE, FAIR_PLACES},
        {"remainder", draw_remainder, LARGE, FAIR_PLACES},
        {"progression", draw_progression, 18, FAIR},
        {"progression", draw_progression, 301, FAIR},
        {"progression", draw_progression, THOUSAND, FAIR},
        {"progression", draw_progression, LARGE, FAIR},
        {"congruential", draw_congruential, LARGE, FAIR},
        {"blocks", draw_blocks, THOUSAND, FAIR_PLACES},
        {"blocks", draw_blocks, LARGE, FAIR_PLACES},
        {"short keys", draw_short_keys, LARGE, FAIR_NEIGHBOURS},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        expect_caught(ways[i].draw, ways[i].n, ways[i].doubt, ways[i].name);
}
