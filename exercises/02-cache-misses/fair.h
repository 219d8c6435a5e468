/* Are permutations drawn fairly, each of the n! orders as likely as the others? For n too large to count
 * orders. Feed permutations to fair_add, then ask fair_judge.
 *
 * Three things are counted, and each is judged at both ends: what is too even was calculated, not drawn.
 *
 *     places     numbers and places are cut into BLOCKS blocks each: numbers of block b at places of block a
 *     neighbours numbers of block b that follow, around the end too, on one of block a
 *     cycles     of the permutation i -> p[i]; Sattolo's algorithm gives one, always
 *
 * The limits. The two tables have BLOCKS^2 cells with fixed sums of rows and columns; with the exact variance
 * of a cell, (n - 1)/n times Pearson's statistic has the mean (BLOCKS - 1)^2 = 225, and nearly the
 * distribution of chi-square with so many degrees of freedom. Wilson and Hilferty's cube makes a normal
 * deviate of it; LIMIT of them is exceeded once in 8e11 times on each side. The cycles of one permutation are
 * a sum of independent draws, the k-th 1 with probability 1/k (Feller): m permutations have a mean of m H(n),
 * and Chernoff's bound for the Poisson distribution of that mean holds for them too. Beyond SURELY it is
 * below 1e-12.
 *
 * A check judges two sizes of three kinds of permutations: 36 limits, 4e-11 in all. The allowance for a false
 * alarm is 1e-6, so the tails may be 20,000 times as heavy as the chi-square's; tests/test_fair.c holds them
 * against simulated ones. */
#ifndef FAIR_H
#define FAIR_H

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

/* Block b holds first(b) ... first(b + 1) - 1. */
static inline size_t fair_first(size_t n, size_t block)
{
    return (block * n + FAIR_BLOCKS - 1) / FAIR_BLOCKS;
}

static inline size_t fair_block(size_t n, size_t i)
{
    return i * FAIR_BLOCKS / n;
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

/* How often a cell is to be expected. A number is no neighbour of its own. */
static inline double fair_expected(const struct fair *fair, size_t a, size_t b, bool neighbours)
{
    const double n = (double)fair->n, size_a = (double)(fair_first(fair->n, a + 1) - fair_first(fair->n, a)),
                 size_b = (double)(fair_first(fair->n, b + 1) - fair_first(fair->n, b));
    return (double)fair->permutations * size_a * (neighbours ? (size_b - (a == b)) / (n - 1) : size_b / n);
}

/* The deviate of a table, and the cell that is furthest off. */
static inline double fair_deviate(const struct fair *fair, bool neighbours, struct fair_finding *cell)
{
    const double freedom = (FAIR_BLOCKS - 1) * (FAIR_BLOCKS - 1), ninth = 2 / (9 * freedom);
    double sum = 0, most = -1;
    for (size_t a = 0; a < FAIR_BLOCKS; a++)
        for (size_t b = 0; b < FAIR_BLOCKS; b++) {
            uint64_t found = (neighbours ? fair->neighbours : fair->places)[a][b];
            double expected = fair_expected(fair, a, b, neighbours), off = (double)found - expected;
            double part = off * off / expected;
            sum += part;
            if (part <= most)
                continue;
            most = part;
            *cell = (struct fair_finding){.from = a, .to = b, .found = found, .expected = expected};
        }
    sum *= (double)(fair->n - 1) / (double)fair->n;
    return (cbrt(sum / freedom) - (1 - ninth)) / sqrt(ninth);
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

/* Needs n of 256 at least, and so many permutations that a cell has some 16 of each of them together. */
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
