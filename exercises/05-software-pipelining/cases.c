/* Exercise 5: inputs and oracles. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"

/* ---- dot ---- */

#define ROUNDING 0x1p-24

/* A tolerance of 0 asks for the exact result. */
struct dot_expected {
    double product, tolerance;
};

static bool dot_allocate(struct lab *lab, struct call *call)
{
    size_t bytes = call->n * sizeof(float);
    return call_buffer(lab, call, 0, bytes, sizeof(float), PLAN_READ) &&
           call_buffer(lab, call, 1, bytes, sizeof(float), PLAN_READ) &&
           call_shadow(call, sizeof(struct dot_expected));
}

/* More elements than 16 bits count. */
enum { MANY = 70000, MANY_SLOTS = 1024 };

static void dot_expect(struct call *call, double product, double tolerance)
{
    struct dot_args *args = call->args;
    struct dot_expected *expected = call->shadow;
    *args = (struct dot_args){.a = call->buffer[0], .b = call->buffer[1], .n = call->n};
    *expected = (struct dot_expected){product, tolerance};
}

enum {
    WHOLE_MOST = 8,         /* sums of MANY products have room for halves, those of 2^16 for quarters, */
    OUTLIER_MOST = 1 << 17, /* and for a product with one of these */
};

/* Whole numbers so small that neither a product nor any sum of them is rounded (up to MANY elements). Returns
 * the sum of products. */
static uint64_t draw_whole(struct lab *lab, struct call *call)
{
    float *a = call->buffer[0], *b = call->buffer[1];
    uint64_t bits = 0, total = 0;
    for (size_t i = 0; i < call->n; i++) {
        bits = i % 8 == 0 ? draw_next(&lab->draw) : bits >> 8;
        uint64_t x = 1 + bits % WHOLE_MOST, y = 1 + (bits >> 4) % WHOLE_MOST;
        a[i] = (float)x;
        b[i] = (float)y;
        total += x * y;
    }
    return total;
}

/* The timed case: each call has numbers of its own, so that no result can be had from one before. */
static void fill_whole(struct lab *lab, struct call *call)
{
    dot_expect(call, (double)draw_whole(lab, call), 0);
}

/* The products are exact in double precision; their sum is compensated (Neumaier). */
static void expect_close(struct call *call)
{
    const float *a = call->buffer[0], *b = call->buffer[1];
    double total = 0, lost = 0, magnitudes = 0;
    for (size_t i = 0; i < call->n; i++) {
        double x = (double)a[i] * (double)b[i], next = total + x;
        lost += fabs(total) >= fabs(x) ? (total - next) + x : (x - next) + total;
        total = next;
        magnitudes += fabs(x);
    }
    /* a product so small that it is subnormal loses up to half of the least float */
    dot_expect(call, total + lost,
               (double)(call->n + 2) * ROUNDING * magnitudes + (double)call->n * (double)FLT_TRUE_MIN);
}

/* The timed case, but for one number anywhere: who takes the first ones for all, or looks at some of them, is
 * wrong. In turns it has quarters, or is large, or all others are fine: the result is exact all the same; or
 * it is beyond all integers. */
static void fill_outliers(struct lab *lab, struct call *call)
{
    enum { QUARTERS, LARGE, HUGE_ONE, FINE, KINDS };
    const unsigned kind = (unsigned)(lab->count++ % KINDS), side = (unsigned)draw_below(&lab->draw, 2);
    const float *a = call->buffer[0], *b = call->buffer[1], unit = kind == FINE ? 0x1p-16F : 1;
    float *values = call->buffer[side];
    double total = (double)draw_whole(lab, call) * (double)unit;
    for (size_t i = 0; kind == FINE && i < call->n; i++)
        values[i] *= unit;
    if (call->n > 0) {
        const size_t at = draw_below(&lab->draw, call->n);
        const unsigned r = (unsigned)draw_below(&lab->draw, OUTLIER_MOST / 2);
        const float sign = r % 2 ? 1 : -1;
        total -= (double)a[at] * (double)b[at];
        values[at] = kind == QUARTERS ? (float)(4 * (r % WHOLE_MOST) + 1 + r % 3) / 4
                     : kind == LARGE  ? (float)(OUTLIER_MOST - r) * sign
                     : kind == FINE   ? (float)(1 + r % WHOLE_MOST)
                                      : 1e30F * sign;
        total += (double)a[at] * (double)b[at];
    }
    if (kind == HUGE_ONE)
        expect_close(call);
    else
        dot_expect(call, total, 0);
}

/* From some length on all are positive: the tolerance grows faster than a sum of both signs does. */
enum { SIGNS_MOST = 2000 };

static void fill_signs(struct lab *lab, struct call *call)
{
    float *a = call->buffer[0], *b = call->buffer[1];
    const double least = call->n > SIGNS_MOST ? 0 : -1;
    for (size_t i = 0; i < call->n; i++) {
        a[i] = (float)(least + (1 - least) * draw_unit(&lab->draw));
        b[i] = (float)(least + (1 - least) * draw_unit(&lab->draw));
    }
    expect_close(call);
}

/* From the smallest numbers to such that n products do not overflow. */
static void fill_extreme(struct lab *lab, struct call *call)
{
    static const float extremes[] = {FLT_TRUE_MIN, FLT_MIN, 1e-20F, 0.0F, 1.0F, 1e8F, 1e17F};
    float *values[] = {call->buffer[0], call->buffer[1]};
    for (size_t i = 0; i < 2 * call->n; i++) {
        uint64_t r = draw_next(&lab->draw);
        float x = extremes[(r >> 1) % (sizeof extremes / sizeof *extremes)];
        values[i % 2][i / 2] = r & 1 ? x : -x;
    }
    expect_close(call);
}

static bool dot_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct dot_expected *expected = call->shadow;
    const struct dot_result *result = call->result;
    double found = (double)result->product, error = fabs(found - expected->product);
    (void)lab;
    if (error <= expected->tolerance) /* false for NaN */
        return true;
    if (expected->tolerance == 0)
        return finding(why, "dot of %zu elements each is exactly %.9g: found %.9g", call->n,
                       expected->product, found);
    return finding(why,
                   "dot of %zu elements each is %.9g: found %.9g, off by %.3g where rounding explains "
                   "%.3g at most",
                   call->n, expected->product, found, error, expected->tolerance);
}

/* ---- probe ---- */

/* Natively it leaves the caches before each call, whatever their size: so it need not be larger than they
 * are. In a larger one each search would wait for the page tables too; how long, depends on where pages
 * happen to be. */
#define TABLE ((size_t)4 << 20)
/* On a model core it is larger than its caches, which are as small as it says. */
#define TABLE_MODELLED ((size_t)1 << 20)

/* What first_slot() multiplies a key by, and what takes it back. */
#define FACTOR  UINT64_C(0x9e3779b97f4a7c15)
#define INVERSE UINT64_C(0xf1de83e19937733d)
_Static_assert(FACTOR *INVERSE == 1, "modulo 2^64");

enum { ROUNDS = 4, SLOT_SHIFT = 32 };
/* Keys of searches that go round, and the same but for a bit or the lower half. */
enum { ROUND_KEYS = 40, ODD_KEYS = 3 * ROUND_KEYS };

struct probe_expected {
    uint64_t sum;
    uint64_t hits;
    uint64_t slots; /* of a small table */
};

/* A bijection of the 64-bit numbers, so that different numbers are different keys. Its constants are drawn
 * anew for each run and stay with the grader: who knew them could turn a key back into its number, and so
 * tell without the table whether the key is in it. */
struct scrambler {
    uint64_t toggle[ROUNDS], multiply[ROUNDS]; /* multiply: odd */
};

static struct scrambler draw_scrambler(struct lab *lab)
{
    struct scrambler scrambler;
    for (int i = 0; i < ROUNDS; i++) {
        scrambler.toggle[i] = draw_next(&lab->draw);
        scrambler.multiply[i] = draw_next(&lab->draw) | 1;
    }
    return scrambler;
}

static uint64_t scramble(const struct scrambler *scrambler, uint64_t x)
{
    for (int i = 0; i < ROUNDS; i++) {
        x = (x ^ scrambler->toggle[i]) * scrambler->multiply[i];
        x ^= x >> 32;
    }
    return x;
}

/* The slot where `key` is, or the empty one where it would go. */
static uint64_t find(const uint64_t *table, uint64_t mask, uint64_t key)
{
    uint64_t slot = first_slot(key, mask);
    while (table[slot] != 0 && table[slot] != key)
        slot = (slot + 1) & mask;
    return slot;
}

static void probe_set_args(struct call *call, const uint64_t *table, uint64_t mask)
{
    struct probe_args *args = call->args;
    *args = (struct probe_args){.table = table, .mask = mask, .keys = call->buffer[1], .n = call->n};
}

static uint64_t small_slots(const struct call *call)
{
    return ((const struct probe_expected *)call->shadow)->slots;
}

static bool probe_allocate_of(struct lab *lab, struct call *call, uint64_t slots)
{
    if (!call_buffer(lab, call, 0, slots * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ) ||
        !call_buffer(lab, call, 1, call->n * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ) ||
        !call_shadow(call, sizeof(struct probe_expected)))
        return false;
    ((struct probe_expected *)call->shadow)->slots = slots;
    return true;
}

/* A table of 1 to 1,024 slots. */
static bool probe_allocate(struct lab *lab, struct call *call)
{
    return probe_allocate_of(lab, call, UINT64_C(1) << draw_below(&lab->draw, 11));
}

static bool many_probe_allocate(struct lab *lab, struct call *call)
{
    return probe_allocate_of(lab, call, MANY_SLOTS);
}

/* A key of which the search begins at `slot`: the product is chosen, and divided by the factor. */
static uint64_t key_at(struct lab *lab, uint64_t slot, uint64_t mask)
{
    uint64_t product = draw_next(&lab->draw) & ~(mask << SLOT_SHIFT);
    return (product | slot << SLOT_SHIFT | 1) * INVERSE;
}

/* One of the table's keys, of which there is one at least. */
static uint64_t present(struct lab *lab, const uint64_t *table, uint64_t mask)
{
    uint64_t key;
    while ((key = table[draw_below(&lab->draw, mask + 1)]) == 0)
        ;
    return key;
}

/* A key of the table but for one bit: where a search comes by that key, it has to look at all bits. Never 0.
 */
static uint64_t nearly(struct lab *lab, const uint64_t *table, uint64_t mask)
{
    const uint64_t key = present(lab, table, mask), changed = key ^ UINT64_C(1) << draw_below(&lab->draw, 64);
    return changed > 0 ? changed : key;
}

/* Fill the table to `used` slots with keys from `draw`, then look for keys of it and for others, some of
 * which differ from one of it in one bit. A key by itself is in its first slot: who misses it has not looked.
 */
static void fill_small(struct lab *lab, struct call *call, uint64_t used, unsigned hits_of_8,
                       uint64_t (*draw)(struct lab *lab, uint64_t mask))
{
    uint64_t *table = call->buffer[0], *keys = call->buffer[1];
    uint64_t mask = small_slots(call) - 1;
    struct probe_expected *expected = call->shadow;

    memset(table, 0, (mask + 1) * sizeof *table);
    for (uint64_t i = 0; i < used;) {
        uint64_t key = draw(lab, mask), *slot = &table[find(table, mask, key)];
        i += *slot == 0;
        *slot = key;
    }
    expected->sum = expected->hits = 0;
    for (size_t i = 0; i < call->n; i++) {
        uint64_t key = draw(lab, mask);
        if (used > 0 && draw_below(&lab->draw, 8) < hits_of_8)
            do
                key = present(lab, table, mask);
            while (call->n == 1 && table[first_slot(key, mask)] != key);
        else if (used > 0 && i % 2 > 0)
            key = nearly(lab, table, mask);
        keys[i] = key;
        if (table[find(table, mask, key)] == key) {
            expected->sum += key;
            expected->hits++;
        }
    }
    probe_set_args(call, table, mask);
}

static uint64_t draw_random(struct lab *lab, uint64_t mask)
{
    (void)mask;
    return draw_next(&lab->draw) | 1;
}

static uint64_t draw_small(struct lab *lab, uint64_t mask)
{
    return 1 + draw_below(&lab->draw, 2 * mask + 2);
}

/* In the last slots, so that the search goes round to slot 0. */
static uint64_t draw_clustered(struct lab *lab, uint64_t mask)
{
    return key_at(lab, (mask - draw_below(&lab->draw, 2)) & mask, mask);
}

static void fill_half(struct lab *lab, struct call *call)
{
    fill_small(lab, call, small_slots(call) / 2, 4, draw_random);
}

static void fill_present(struct lab *lab, struct call *call)
{
    fill_small(lab, call, small_slots(call) / 4, 8, draw_random);
}

static void fill_absent(struct lab *lab, struct call *call)
{
    fill_small(lab, call, small_slots(call) / 4, 0, draw_random);
}

static void fill_empty(struct lab *lab, struct call *call)
{
    fill_small(lab, call, 0, 0, draw_random);
}

static void fill_small_keys(struct lab *lab, struct call *call)
{
    fill_small(lab, call, small_slots(call) / 2, 4, draw_small);
}

static void fill_round(struct lab *lab, struct call *call)
{
    const uint64_t most = small_slots(call) - 1;
    fill_small(lab, call, most < 20 ? most : 20, 4, draw_clustered);
}

/* All slots but one are in use. */
static void fill_full(struct lab *lab, struct call *call)
{
    fill_small(lab, call, small_slots(call) - 1, 4, draw_random);
}

/* The large table: lab->count keys, the numbers below it scrambled. */
struct large {
    uint64_t mask;
    struct scrambler scrambler;
};

/* Key `number`: the product is chosen, and divided by the factor. 0 is no key: the one number that would have
 * it gets the key of a number never used. */
static uint64_t key_of(const struct large *large, uint64_t number)
{
    const uint64_t product = scramble(&large->scrambler, number);
    return (product != 0 ? product : scramble(&large->scrambler, UINT64_MAX)) * INVERSE;
}

/* Filled once, never changed. Half of the slots are in use: so many wrong guesses cost baseline and reference
 * something that does not wait for memory, and their ratio hardly depends on how slow the memory is. */
static bool large_setup(struct lab *lab)
{
    size_t bytes = lab->modelled ? TABLE_MODELLED : TABLE;
    while (lab->modelled && bytes < lab->cache_bytes + lab->cache_bytes / 4 * 3)
        bytes *= 2;
    uint64_t *table = lab_shared(lab, 0, bytes, PLAN_READ);
    struct large *large = lab_memory(lab, 0, sizeof *large);
    if (!table || !large)
        return false;
    const uint64_t slots = bytes / sizeof *table;
    large->mask = slots - 1;
    large->scrambler = draw_scrambler(lab);
    lab->count = slots / 2;
    for (uint64_t i = 0; i < lab->count; i++) {
        const uint64_t key = key_of(large, i);
        table[find(table, large->mask, key)] = key;
    }
    return true;
}

/* Does the search for a key that is not in the table come by this slot? */
static bool comes_by(const uint64_t *table, uint64_t mask, uint64_t key, uint64_t slot)
{
    for (uint64_t at = first_slot(key, mask); at != slot; at = (at + 1) & mask)
        if (((slot - at) & mask) > ROUND_KEYS || table[at] == 0)
            return false;
    return true;
}

/* An absent key with the upper half of one of the table's, by which its search comes. */
static uint64_t other_lower_half(struct lab *lab, const uint64_t *table, uint64_t mask, uint64_t key)
{
    const uint64_t slot = find(table, mask, key), upper = key >> 32 << 32;
    for (;;) {
        const uint64_t r = draw_next(&lab->draw), keys[] = {upper | r >> 32, upper | (r & UINT32_MAX)};
        for (unsigned i = 0; i < 2; i++)
            if (keys[i] != 0 && keys[i] != key && comes_by(table, mask, keys[i], slot) &&
                table[find(table, mask, keys[i])] == 0)
                return keys[i];
    }
}

/* Besides, keys of which the searches begin in the last two slots: they stand, and are found, behind the
 * table's end. Twice as many more are absent. Each is but for one of its upper bits like one that is there,
 * and begins at the same slot; or has the upper half of one. */
static bool large_round_setup(struct lab *lab)
{
    uint64_t *keys;
    if (!large_setup(lab) || !(keys = lab_memory(lab, 1, ODD_KEYS * sizeof *keys)))
        return false;
    const struct large *large = lab->memory[0];
    uint64_t *table = lab->shared[0], *nearly = keys + ROUND_KEYS, *half = nearly + ROUND_KEYS;
    for (unsigned i = 0; i < ROUND_KEYS; i++) {
        keys[i] = draw_clustered(lab, large->mask);
        nearly[i] = keys[i] ^ UINT64_C(1) << (63 - draw_below(&lab->draw, 8));
        table[find(table, large->mask, keys[i])] = keys[i];
    }
    for (unsigned i = 0; i < ROUND_KEYS; i++)
        half[i] = other_lower_half(lab, table, large->mask, keys[i]);
    return true;
}

static bool large_allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 1, call->n * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ) &&
           call_shadow(call, sizeof(struct probe_expected));
}

/* Half of the keys, at random, are in the table. No branch depends on that here, for speed. */
static void fill_large(struct lab *lab, struct call *call)
{
    uint64_t *keys = call->buffer[1];
    const struct large *large = lab->memory[0];
    struct probe_expected expected = {0};
    for (size_t i = 0; i < call->n; i++) {
        uint64_t r = draw_next(&lab->draw), hit = r & 1;
        uint64_t number = (r >> 32) * lab->count >> 32;
        uint64_t key = key_of(large, number + (hit ^ 1) * lab->count);
        keys[i] = key;
        expected.sum += key & (0 - hit);
        expected.hits += hit;
    }
    *(struct probe_expected *)call->shadow = expected;
    probe_set_args(call, lab->shared[0], large->mask);
}

/* The timed case, but for one key anywhere, of which the search goes round. */
static void fill_large_round(struct lab *lab, struct call *call)
{
    uint64_t *keys = call->buffer[1];
    const uint64_t *round = lab->memory[1], *table = lab->shared[0];
    const struct large *large = lab->memory[0];
    struct probe_expected *expected = call->shadow;
    fill_large(lab, call);
    if (call->n > 0)
        keys[draw_below(&lab->draw, call->n)] = round[draw_below(&lab->draw, ODD_KEYS)];
    *expected = (struct probe_expected){0};
    for (size_t i = 0; i < call->n; i++)
        if (table[find(table, large->mask, keys[i])] == keys[i]) {
            expected->sum += keys[i];
            expected->hits++;
        }
}

/* What else comes to that sum: all but the last keys (one of them, at least, is where one looks first), or
 * one key more. */
static void probe_guess(const struct lab *lab, const struct call *call, uint64_t found, char text[128])
{
    enum { AHEAD_MOST = 256 };
    const struct probe_expected *expected = call->shadow;
    const uint64_t *keys = call->buffer[1], *table = call->buffer[0] ? call->buffer[0] : lab->shared[0],
                   mask = ((const struct probe_args *)call->args)->mask;
    uint64_t without = expected->sum;
    bool in_first = false;
    text[0] = '\0';
    for (size_t last = 1; last <= call->n && last <= AHEAD_MOST; last++) {
        const uint64_t key = keys[call->n - last], slot = find(table, mask, key);
        without -= table[slot];
        in_first = in_first || (table[slot] == key && slot == first_slot(key, mask));
        if (in_first && without == found && (found != 0 || last == call->n)) {
            snprintf(text, 128, ". That is the sum without the last %zu key%s", last, last > 1 ? "s" : "");
            return;
        }
    }
    for (size_t i = 0; i < call->n; i++)
        if (found - expected->sum == keys[i] && table[find(table, mask, keys[i])] == 0) {
            snprintf(text, 128, ". That counts keys[%zu], %#" PRIx64 ", which is not in the table", i,
                     keys[i]);
            return;
        }
}

static bool probe_verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct probe_expected *expected = call->shadow;
    const struct probe_result *result = call->result;
    char text[128];
    if (result->sum == expected->sum)
        return true;
    probe_guess(lab, call, result->sum, text);
    return finding(why,
                   "%" PRIu64 " of the %zu keys are in the table, and their sum is %#" PRIx64
                   ": found %#" PRIx64 "%s",
                   expected->hits, call->n, expected->sum, result->sum, text);
}

#define DOT(NAME, FILL)                                                                                      \
    .name = (NAME), .entry = ENTRY_DOT, .args_size = sizeof(struct dot_args),                                \
    .result_size = sizeof(struct dot_result), .allocate = dot_allocate, .fill = (FILL),                      \
    .verify = dot_verify, .buffers = {"a", "b"}, .reads_whole = 1 | 1 << 1

#define PROBE(NAME, SETUP, ALLOCATE, FILL)                                                                   \
    .name = (NAME), .entry = ENTRY_PROBE, .args_size = sizeof(struct probe_args),                            \
    .result_size = sizeof(struct probe_result), .setup = (SETUP), .allocate = (ALLOCATE), .fill = (FILL),    \
    .verify = probe_verify, .buffers = {"table", "keys"}, .reads_whole = 1 << 1

static const struct case_def defs[] = {
    {DOT("dot-whole-numbers", fill_whole)},
    {DOT("dot-signs", fill_signs)},
    {DOT("dot-extreme", fill_extreme)},
    {DOT("dot-outliers", fill_outliers)},
    {DOT("dot-many", fill_whole), .once = true, .elements = MANY},
    {PROBE("half-present", NULL, probe_allocate, fill_half)},
    {PROBE("all-present", NULL, probe_allocate, fill_present)},
    {PROBE("all-absent", NULL, probe_allocate, fill_absent)},
    {PROBE("empty-table", NULL, probe_allocate, fill_empty)},
    {PROBE("small-keys", NULL, probe_allocate, fill_small_keys)},
    {PROBE("going-round", NULL, probe_allocate, fill_round)},
    {PROBE("full-table", NULL, probe_allocate, fill_full)},
    {PROBE("probe-many", NULL, many_probe_allocate, fill_half), .once = true, .elements = MANY},
    {PROBE("large-table", large_round_setup, large_allocate, fill_large_round)},
    {PROBE("beyond-cache", large_setup, large_allocate, fill_large), .flushed_shared = 1,
     .waits_for_memory = true},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
