/* Are permutations drawn fairly, each of the n! orders as likely as the others? For n too large to count
 * orders. Feed permutations to fair_add, then ask fair_judge.
 *
 * Three things are counted, and each is judged at both ends: what is too even was calculated, not drawn.
 *
 *     places     numbers and places are cut into BLOCKS blocks each: numbers of block b at places of block a
 *     neighbours numbers of block b that follow, around the end too, on one of block a
 *     cycles     of the permutation i -> p[i]; Sattolo's algorithm gives one, always
 *
 * The limits. The two tables have cells with fixed sums of rows and columns. Pearson's statistic, scaled by
 * the exact variances of the cells to have their degrees of freedom for its mean, has nearly the distribution
 * of chi-square: (BLOCKS - 1)^2 of them, with fewer blocks where n is smaller, and one less for each block of
 * one number in the table of neighbours, since none is its own. Wilson and Hilferty's cube makes a normal
 * deviate of it. Beyond LIMIT of them the chi-square's tails have 1.1e-12 above and 1.0e-12 below; with the
 * heavier ones of counts of 48 2.5e-12 above, and for the neighbours of six numbers, where the variance is
 * not the same in all directions, 3.1e-12 (by saddle points). So 4e-12 and 1.2e-12 hold for all. The cycles
 * of one permutation are a sum of independent draws, the k-th 1 with probability 1/k (Feller): m permutations
 * have a mean of m H(n), and Chernoff's bound for the Poisson distribution of that mean holds for them too.
 * Beyond SURELY it is below 1e-12.
 *
 * A check judges fifteen sizes of three kinds of permutations, two tables and the cycles of each, on both
 * sides: 45 (2 (4e-12 + 1.2e-12) + 2e-12) = 6e-10. With the four counts of orders (cases.c), 1e-10 each, that
 * is 1e-9 a check, and the allowance for a false alarm 1e-6; tests/test_fair.c holds the deviates against
 * simulated ones. */
#ifndef FAIR_H
#define FAIR_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { FAIR_BLOCKS = 16 };
static const double FAIR_LIMIT = 7;     /* normal deviates */
static const double FAIR_SURELY = 27.7; /* -log of 1e-12 */

struct fair {
    size_t n, permutations;
    uint64_t places[FAIR_BLOCKS][FAIR_BLOCKS], neighbours[FAIR_BLOCKS][FAIR_BLOCKS], cycles;
};

/* What is furthest from what was to be expected. */
enum fair_doubt { FAIR, FAIR_PLACES, FAIR_NEIGHBOURS, FAIR_TOO_EVEN, FAIR_CYCLES };
struct fair_finding {
    enum fair_doubt doubt;
    size_t from, to; /* the blocks of that cell; FAIR_CYCLES: nothing */
    uint64_t found;
    double expected;
};

static inline size_t fair_blocks(size_t n)
{
    assert(n > 0);
    return n < FAIR_BLOCKS ? n : FAIR_BLOCKS;
}

/* Block b holds first(b) ... first(b + 1) - 1. */
static inline size_t fair_first(size_t n, size_t block)
{
    return (block * n + fair_blocks(n) - 1) / fair_blocks(n);
}

static inline size_t fair_size(size_t n, size_t block)
{
    return fair_first(n, block + 1) - fair_first(n, block);
}

static inline size_t fair_block(size_t n, size_t i)
{
    return i * fair_blocks(n) / n;
}

static inline uint64_t fair_cycles(const uint32_t *p, size_t n, bool *seen)
{
    uint64_t cycles = 0;
    memset(seen, 0, n * sizeof *seen);
    for (size_t i = 0; i < n; i++) {
        cycles += !seen[i];
        for (size_t at = i; !seen[at]; at = p[at])
            seen[at] = true;
    }
    return cycles;
}

/* One more permutation of 0 ... fair->n - 1; seen is room for n of them. */
static inline void fair_add(struct fair *fair, const uint32_t *p, bool *seen)
{
    const size_t n = fair->n;
    size_t last = fair_block(n, p[n - 1]);
    for (size_t i = 0; i < n; i++) {
        size_t block = fair_block(n, p[i]);
        fair->places[fair_block(n, i)][block]++;
        fair->neighbours[last][block]++;
        last = block;
    }
    fair->cycles += fair_cycles(p, n, seen);
    fair->permutations++;
}

/* How often a cell of a permutation is to be expected, and the variance. Of two numbers of block a each is at
 * its own one of the places of block b, or has its own successor of block b: so many pairs, all alike. A
 * number is no neighbour of its own, nor are two each other's on both sides. */
static inline double fair_expected(size_t n, size_t block_a, size_t block_b, bool neighbours,
                                   double *variance)
{
    const double a = (double)fair_size(n, block_a), b = (double)fair_size(n, block_b),
                 own = neighbours && block_a == block_b ? 1 : 0, all = (double)n - neighbours,
                 expected = a * (b - own) / all,
                 pairs = a * (a - 1) * (b - own) * (b - 1 - own) / (all * (all - 1));
    *variance = pairs + expected - expected * expected;
    return expected;
}

/* The deviate of a table, and the cell that is furthest off. */
static inline double fair_deviate(const struct fair *fair, bool neighbours, struct fair_finding *cell)
{
    const size_t blocks = fair_blocks(fair->n);
    double freedom = (double)((blocks - 1) * (blocks - 1)), sum = 0, mean = 0, most = -1, variance;
    for (size_t a = 0; a < blocks; a++)
        for (size_t b = 0; b < blocks; b++) {
            const uint64_t found = (neighbours ? fair->neighbours : fair->places)[a][b];
            const double one = fair_expected(fair->n, a, b, neighbours, &variance),
                         expected = one * (double)fair->permutations, off = (double)found - expected;
            if (expected == 0) { /* the only number of a block, behind itself */
                freedom--;
                continue;
            }
            const double part = off * off / expected;
            sum += part;
            mean += variance / one;
            if (part <= most)
                continue;
            most = part;
            *cell = (struct fair_finding){.from = a, .to = b, .found = found, .expected = expected};
        }
    const double ninth = 2 / (9 * freedom);
    return (cbrt(sum / mean) - (1 - ninth)) / sqrt(ninth);
}

/* Minus the logarithm of a bound on the chance to be as far from the mean, on that side. */
static inline double fair_cycles_surprise(const struct fair *fair, double *mean)
{
    double found = (double)fair->cycles;
    *mean = 0;
    for (size_t k = 1; k <= fair->n; k++)
        *mean += (double)fair->permutations / (double)k;
    return found * log(found / *mean) + *mean - found;
}

/* Needs n of 6 at least, and so many permutations that a cell of 256 has some 48 of them together. */
static inline struct fair_finding fair_judge(const struct fair *fair)
{
    struct fair_finding cell;
    double mean;
    for (int neighbours = 0; neighbours < 2; neighbours++) {
        double deviate = fair_deviate(fair, neighbours, &cell);
        cell.doubt = deviate < 0 ? FAIR_TOO_EVEN : neighbours ? FAIR_NEIGHBOURS : FAIR_PLACES;
        if (!(fabs(deviate) <= FAIR_LIMIT))
            return cell;
    }
    if (fair_cycles_surprise(fair, &mean) > FAIR_SURELY)
        return (struct fair_finding){.doubt = FAIR_CYCLES, .found = fair->cycles, .expected = mean};
    return (struct fair_finding){.doubt = FAIR};
}

#endif
