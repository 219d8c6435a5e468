/* Exercise 1: inputs and oracle. What a result holds is the word of the student's process: here it is only
 * asked whether it fits together. How long things take is decided by the bounds, against the reference's
 * process. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"

static bool allocate_nothing(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

static void fill_nothing(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
}

/* ---- counter: begin and end lie between readings of the glue's own ---- */

static bool verify_counter(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct counter_result r = *(const struct counter_result *)call->result;
    (void)lab;
    bool silent = true, still = true;
    for (unsigned i = 0; i < READINGS; i++) {
        silent = silent && r.reading[i].begin == 0 && r.reading[i].end == 0;
        still = still && r.reading[i].before == r.reading[i].after;
    }
    if (still)
        return finding(why,
                       "the counter stands still: it is %" PRIu64
                       " before and after 40,000 dependent adds. Turn "
                       "it on in counter_enable: PMCR_EL0 with bits 0, 2 and 6, and bit 31 of PMCNTENSET_EL0",
                       r.reading[0].before);
    if (silent)
        return finding(why,
                       "cycles_begin and cycles_end return 0: not done yet. Read the counter in cycles.c "
                       "first; everything else builds on it");
    for (unsigned i = 0; i < READINGS; i++) {
        uint64_t before = r.reading[i].before, begin = r.reading[i].begin, end = r.reading[i].end,
                 after = r.reading[i].after;
        bool halved = (begin | end) <= UINT32_MAX && before > UINT32_MAX;
        if (begin < before || begin > after)
            return finding(why,
                           "cycles_begin returned %" PRIu64 ", while the counter went from %" PRIu64
                           " to %" PRIu64 ": expected a value between these%s",
                           begin, before, after, halved ? "; are the upper 32 bits lost?" : "");
        if (end < before || end > after)
            return finding(why,
                           "cycles_end returned %" PRIu64 ", while the counter went from %" PRIu64
                           " to %" PRIu64 ": expected a value between these%s",
                           end, before, after, halved ? "; are the upper 32 bits lost?" : "");
        if (end <= begin)
            return finding(why,
                           "40,000 dependent adds between cycles_begin (%" PRIu64 ") and cycles_end (%" PRIu64
                           "): expected the later reading to be the larger one",
                           begin, end);
    }
    return true;
}

/* ---- least: plain arithmetic ---- */

enum { USUAL = 100 /* at least */, COUNTED = 1 << 16, MANY = 70001 };

static bool allocate_least(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ) &&
           call_shadow(call, call->n * sizeof(uint64_t) + 1);
}

/* Some hundred ticks each, now and then a very long one, as an interruption makes it; in some calls nothing
 * but such, in some nothing that fits into 32 bits. The overhead is in most calls smaller than all of them,
 * in some larger, or exactly the least. */
static void fill_least(struct lab *lab, struct call *call)
{
    struct least_args *args = call->args;
    uint64_t *ticks = call->buffer[0];
    uint64_t kind = draw_below(&lab->draw, 8), least = UINT64_MAX;
    uint64_t usual = USUAL + draw_below(&lab->draw, 1000) + (kind == 6 ? UINT64_C(1) << 33 : 0);
    for (size_t i = 0; i < call->n; i++) {
        bool interrupted = kind == 7 || i == 0 || draw_below(&lab->draw, 8) == 0;
        ticks[i] = usual + draw_below(&lab->draw, 50);
        if (interrupted)
            ticks[i] += draw_next(&lab->draw) >> draw_below(&lab->draw, 61);
        least = ticks[i] < least ? ticks[i] : least;
    }
    uint64_t overhead = draw_below(&lab->draw, 100);
    if (call->n > 0 && kind == 0)
        overhead = least + 1 + draw_below(&lab->draw, 1000);
    if (call->n > 0 && kind == 1)
        overhead = least;
    *args = (struct least_args){.ticks = ticks, .n = call->n, .overhead = overhead};
    if (call->n > 0)
        memcpy(call->shadow, ticks, call->n * sizeof *ticks);
}

/* The least, smaller than any of the usual ones, is behind more measurements than 16 bits count. */
static void fill_many(struct lab *lab, struct call *call)
{
    struct least_args *args = call->args;
    uint64_t *ticks = call->buffer[0], least = 1 + draw_below(&lab->draw, USUAL - 1);
    fill_least(lab, call);
    ticks[COUNTED + draw_below(&lab->draw, call->n - COUNTED)] = least;
    args->overhead = draw_below(&lab->draw, least);
    memcpy(call->shadow, ticks, call->n * sizeof *ticks);
}

static bool verify_least(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct least_args *args = call->args; /* read-only for the machine */
    const uint64_t *ticks = call->shadow;
    uint64_t found = ((const struct least_result *)call->result)->least;
    (void)lab;
    if (call->n == 0)
        return found == 0 ||
               finding(why, "least_ticks of no measurements: expected 0, found %" PRIu64, found);
    uint64_t least = ticks[0];
    for (size_t i = 1; i < call->n; i++)
        least = ticks[i] < least ? ticks[i] : least;
    uint64_t want = least > args->overhead ? least - args->overhead : 0;
    if (found == want)
        return true;
    if (found == least - args->overhead)
        return finding(why,
                       "least_ticks: the smallest of %zu measurements is %" PRIu64
                       " and the overhead %" PRIu64 ": expected 0, found %" PRIu64
                       "; unsigned numbers do not go below 0, they wrap around",
                       call->n, least, args->overhead, found);
    return finding(why,
                   "least_ticks: the smallest of %zu measurements is %" PRIu64 " and the overhead %" PRIu64
                   ": expected %" PRIu64 ", found %" PRIu64,
                   call->n, least, args->overhead, want, found);
}

/* ---- overhead ---- */

static bool verify_overhead(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct overhead_result r = *(const struct overhead_result *)call->result;
    (void)lab;
    if (r.student == 0 && r.glue > 4)
        return finding(why, "measure_overhead returned 0, while an empty region takes %" PRIu64 " ticks",
                       r.glue);
    if (r.student > 2 * r.glue + 4 || r.student + 4 < r.glue / 2)
        return finding(
            why, "measure_overhead: an empty region takes %" PRIu64 " ticks at least, found %" PRIu64 "; %s",
            r.glue, r.student,
            r.student > UINT64_MAX / 2 ? "is the earlier reading subtracted from the later one?"
                                       : "take the smallest of RUNS measurements");
    return true;
}

/* ---- recipes ---- */

static bool allocate_recipe(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, sizeof(struct recipe), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE | PLAN_GLUE) &&
           call_shadow(call, sizeof(struct recipe));
}

static struct recipe *recipe_of(const struct call *call)
{
    struct recipe *recipe = call->buffer[0];
    *(struct recipe_args *)call->args = (struct recipe_args){.recipe = recipe};
    return recipe;
}

/* ---- minimum ---- */

static void fill_minimum(struct lab *lab, struct call *call)
{
    struct recipe *recipe = recipe_of(call);
    *recipe = (struct recipe){0};
    for (unsigned k = 0; k < STAGINGS * STAGES; k++) {
        uint8_t *order = recipe->order[k / STAGES];
        const unsigned i = k % STAGES, at = (unsigned)draw_below(&lab->draw, i + 1);
        order[i] = order[at];
        order[at] = (uint8_t)i;
    }
    for (unsigned stage = STAGE_INTERRUPTED; stage <= STAGE_INTERRUPTED_AGAIN; stage++)
        for (unsigned left = UNDISTURBED; left > 0;) {
            uint8_t *undisturbed = &recipe->staged.undisturbed[draw_below(&lab->draw, STAGED_RUNS)];
            if (*undisturbed)
                continue;
            *undisturbed = (uint8_t)stage;
            left--;
        }
}

#define SMALLEST "; take the smallest, it is the undisturbed one"

static bool verify_staging(const uint64_t runs[STAGES], const uint64_t ticks[STAGES], uint64_t block,
                           struct finding *why)
{
    for (unsigned i = 0; i < STAGES; i++)
        if (runs[i] != RUNS)
            return finding(why, "measure_minimum ran the block %" PRIu64 " times: expected %d%s", runs[i],
                           RUNS, runs[i] == 0 ? "; not done yet" : "");
    if (ticks[STAGE_LONG] < block / 3 || ticks[STAGE_LONG] / 3 > block)
        return finding(why,
                       "measure_minimum of a block that takes about %" PRIu64
                       " ticks, overhead 0: found %" PRIu64 "%s",
                       block, ticks[STAGE_LONG], ticks[STAGE_LONG] > block ? SMALLEST : "");
    if (ticks[STAGE_SHORT] > block / 4)
        return finding(why,
                       "measure_minimum of a block that takes about %" PRIu64
                       " ticks, overhead 0: found %" PRIu64 SMALLEST,
                       block / 200, ticks[STAGE_SHORT]);
    for (unsigned i = STAGE_INTERRUPTED; i <= STAGE_INTERRUPTED_AGAIN; i++)
        if (ticks[i] > block / 4)
            return finding(why,
                           "measure_minimum of a block that is interrupted in all but five of its runs: it "
                           "takes %" PRIu64 " ticks without, about %" PRIu64
                           " with an interruption; found %" PRIu64 "%s",
                           ticks[STAGE_SHORT], block, ticks[i], SMALLEST);
    if (ticks[STAGE_SMALLER] != 0)
        return finding(why,
                       "measure_minimum of a block that takes about %" PRIu64 " ticks, overhead %" PRIu64
                       ": expected 0, found %" PRIu64 "; %s",
                       block, 8 * block, ticks[STAGE_SMALLER],
                       ticks[STAGE_SMALLER] > INT64_MAX
                           ? "unsigned numbers do not go below 0, they wrap around"
                           : "the overhead is to be subtracted");
    return true;
}

static bool verify_minimum(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct minimum_result *r = call->result;
    (void)lab;
    for (unsigned i = 0; i < STAGINGS; i++)
        if (!verify_staging(r->runs[i], r->ticks[i], r->block, why))
            return false;
    return true;
}

/* ---- values ---- */

/* On a model core the length is drawn: a fifth more or less, short blocks up to three hundred more. Elsewhere
 * the ends of loops differ by some cycles from length to length, and these bounds have to be sharp. */
static struct value_args draw_value(struct lab *lab, const struct call *call)
{
    const uint64_t hundreds = call->n < 100 ? 1 : call->n / 100;
    uint64_t drawn = hundreds;
    if (lab->modelled)
        drawn += hundreds < 10 ? draw_below(&lab->draw, 4)
                               : draw_below(&lab->draw, hundreds * 2 / 5 + 1) - hundreds / 5;
    return (struct value_args){.n = 100 * drawn, .usual = 100 * hundreds};
}

static void fill_value(struct lab *lab, struct call *call)
{
    *(struct value_args *)call->args = draw_value(lab, call);
}

static void fill_net(struct lab *lab, struct call *call)
{
    *recipe_of(call) = (struct recipe){.value = draw_value(lab, call)};
}

static double value(const struct lab *lab, const struct call *call)
{
    (void)lab;
    return ((const struct value_result *)call->result)->value;
}

static bool is_measurement(double found, struct finding *why)
{
    return (isfinite(found) && found > 0) || finding(why, "expected a measurement above 0, found %g", found);
}

static bool verify_value(struct lab *lab, const struct call *call, struct finding *why)
{
    return is_measurement(value(lab, call), why);
}

/* ---- ratio: drawn anew, far from each other, so that no number that was known beforehand fits ---- */

/* On a model core exactly so. Elsewhere the clock may change in between, and under qemu a tick is long. */
static bool is_ratio(const struct lab *lab, double found, double want)
{
    const double most = lab->modelled ? 1.1 : 1.5;
    return found >= want / most && found <= want * most;
}

static void fill_ratio(struct lab *lab, struct call *call)
{
    static const double least[RATIOS] = {0.1, 0.3, 0.8}, span[RATIOS] = {0.05, 0.1, 0.15};
    struct recipe *kept = call->shadow;
    const unsigned first = (unsigned)draw_below(&lab->draw, RATIOS);
    for (unsigned i = 0; i < RATIOS; i++) {
        const unsigned draw = (first + i) % RATIOS;
        const uint64_t whole = (160 + draw_below(&lab->draw, 80)) * (lab->modelled ? 1 : 8);
        const double share = least[draw] + span[draw] * draw_unit(&lab->draw);
        kept->pair[i] = (struct pair){.part = (uint64_t)(share * (double)whole), .whole = whole};
    }
    *recipe_of(call) = *kept;
}

static bool verify_ratio(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct recipe *kept = call->shadow;
    const struct ratio_result *result = call->result;
    for (unsigned i = 0; i < RATIOS; i++) {
        const double want = (double)kept->pair[i].part / (double)kept->pair[i].whole,
                     found = result->value[i];
        if (found == 0)
            return finding(
                why,
                "cycles_per_nop returned 0: not done yet? Or is it a quotient of two integers, which is an "
                "integer?");
        if (!is_ratio(lab, found, want))
            return finding(why,
                           "cycles_per_nop, tried with a block in the place of the NOPs that takes %.2f of "
                           "the time of the "
                           "adds: expected about %.2f, found %g%s",
                           want, want, found,
                           is_ratio(lab, found, 1 / want) ? "; is the quotient upside down?"
                           : isfinite(found)              ? ""
                                             : "; where no time is seen to pass in adds it is 0");
    }
    return true;
}

/* ---- nops: on a model core with lengths that are drawn, all of them others, so that no number that was
 * known beforehand fits ---- */

static void shuffle(struct lab *lab, uint64_t *values, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)draw_below(&lab->draw, i);
        const uint64_t swapped = values[j];
        values[j] = values[i - 1];
        values[i - 1] = swapped;
    }
}

static void fill_nops(struct lab *lab, struct call *call)
{
    uint64_t thousands[] = {1, 2, 3, 4};
    struct recipe *recipe = recipe_of(call), *kept = call->shadow;
    shuffle(lab, thousands + 1, 3); /* two of these */
    shuffle(lab, thousands, MIXES);
    *kept = (struct recipe){.mix = {{1, 10}}, .mixes = lab->modelled ? MIXES : 1};
    for (uint64_t i = 0; i < kept->mixes && lab->modelled; i++)
        kept->mix[i] = (struct mix){.nops = thousands[i], .adds = 10 + draw_below(&lab->draw, 5)};
    *recipe = *kept;
}

static double value_of_nops(const struct lab *lab, const struct call *call)
{
    (void)lab;
    return ((const struct nops_result *)call->result)->value;
}

static bool verify_nops(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct recipe *kept = call->shadow;
    const struct nops_result r = *(const struct nops_result *)call->result;
    for (uint64_t i = 0; i < kept->mixes; i++) {
        const struct mix *mix = &kept->mix[i];
        if (!is_measurement(r.mixed[i], why))
            return false;
        if (!is_ratio(lab, r.mixed[i], r.mixed[0]))
            return finding(
                why,
                "cycles_per_nop, tried with %" PRIu64 ",000 NOPs beside %" PRIu64
                "00 adds: a NOP takes %.3g cycles by what it returned, and %.3g by what it returned for "
                "%" PRIu64 ",000 beside %" PRIu64 "00; return the ticks of the NOPs over those of the adds",
                mix->nops, mix->adds, r.mixed[i], r.mixed[0], kept->mix[0].nops, kept->mix[0].adds);
    }
    return true;
}

#define VALUE(NAME, ENTRY, ARGS, ALLOCATE, FILL)                                                             \
    .name = (NAME), .entry = (ENTRY), .args_size = sizeof(ARGS), .result_size = sizeof(struct value_result), \
    .once = true, .reads_clock = true, .allocate = (ALLOCATE), .fill = (FILL), .verify = verify_value,       \
    .value = value
#define OF_THE_GLUE(NAME, ENTRY) VALUE(NAME, ENTRY, struct value_args, allocate_nothing, fill_value)

#define VALUE_READINGS                                                                                       \
    .readings = 2 * VALUE_RUNS, .readings_at = offsetof(struct value_result, readings), .readings_apart = true

#define LEAST(NAME, FILL)                                                                                    \
    .name = (NAME), .entry = ENTRY_LEAST, .args_size = sizeof(struct least_args),                            \
    .result_size = sizeof(struct least_result), .allocate = allocate_least, .fill = (FILL),                  \
    .verify = verify_least, .buffers = {"ticks"}

static const struct case_def defs[] = {
    {.name = "counter",
     .entry = ENTRY_COUNTER,
     .args_size = sizeof(struct value_args),
     .result_size = sizeof(struct counter_result),
     .once = true,
     .reads_clock = true,
     .allocate = allocate_nothing,
     .fill = fill_nothing,
     .verify = verify_counter,
     .readings = sizeof(struct counter_result) / sizeof(uint64_t),
     .readings_apart = true},
    {LEAST("least-ticks", fill_least)},
    {LEAST("many-ticks", fill_many), .once = true, .elements = MANY},
    {.name = "overhead",
     .entry = ENTRY_OVERHEAD,
     .args_size = sizeof(struct value_args),
     .result_size = sizeof(struct overhead_result),
     .once = true,
     .reads_clock = true,
     .allocate = allocate_nothing,
     .fill = fill_nothing,
     .verify = verify_overhead},
    {.name = "minimum",
     .entry = ENTRY_MINIMUM,
     .args_size = sizeof(struct recipe_args),
     .result_size = sizeof(struct minimum_result),
     .once = true,
     .reads_clock = true,
     .allocate = allocate_recipe,
     .fill = fill_minimum,
     .verify = verify_minimum},
    {.name = "ratio",
     .entry = ENTRY_RATIO,
     .args_size = sizeof(struct recipe_args),
     .result_size = sizeof(struct ratio_result),
     .once = true,
     .reads_clock = true,
     .allocate = allocate_recipe,
     .fill = fill_ratio,
     .verify = verify_ratio},
    {OF_THE_GLUE("adds", ENTRY_TIME_ADDS), VALUE_READINGS},
    {OF_THE_GLUE("roots-inside", ENTRY_TIME_TAIL), VALUE_READINGS},
    {OF_THE_GLUE("roots-before", ENTRY_TIME_LEAD), VALUE_READINGS},
    {VALUE("net", ENTRY_NET, struct recipe_args, allocate_recipe, fill_net)},
    {.name = "nops",
     .entry = ENTRY_NOPS,
     .args_size = sizeof(struct recipe_args),
     .result_size = sizeof(struct nops_result),
     .once = true,
     .reads_clock = true,
     .allocate = allocate_recipe,
     .fill = fill_nops,
     .verify = verify_nops,
     .value = value_of_nops},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
