/* Exercise 11: inputs and oracle. The curve is the word of the student's process, held against the suite's
 * own in the same process; on a model core each reading has to be one that a read of the counter delivered.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "exercise.h"
#include "glue.h"

/* ---- find_end ---- */

/* Natively the timed texts end so many bytes before n, at the most. */
enum { ENDS = 512 };

/* More bytes than 16 bits count. */
enum { MANY = 70001 };

static bool allocate_text(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n + 1, 1, PLAN_READ) && call_shadow(call, sizeof(size_t));
}

/* What is timed natively ends at a place that is drawn, since n is the same each time, and so the answer
 * would be. Anything may follow. (On a model core each byte has to be loaded.) */
static void fill_text(struct lab *lab, struct call *call)
{
    struct find_args *args = call->args;
    uint8_t *text = call->buffer[0];
    const size_t ends = call->n < ENDS ? call->n + 1 : ENDS;
    const size_t end = call->n - (lab->timed && !lab->modelled ? draw_below(&lab->draw, ends) : 0);
    *args = (struct find_args){.text = text};
    for (size_t i = 0; i <= call->n; i++)
        text[i] = (uint8_t)(i < end ? 1 + draw_below(&lab->draw, UINT8_MAX) : draw_next(&lab->draw));
    text[end] = 0;
    *(size_t *)call->shadow = end;
}

/* The same, and another 0 before it or there, anywhere: whoever looks only where a timed text ends is wrong.
 */
static void fill_two_zeros(struct lab *lab, struct call *call)
{
    size_t *end = call->shadow;
    fill_text(lab, call);
    *end = draw_below(&lab->draw, *end + 1);
    ((uint8_t *)call->buffer[0])[*end] = 0;
}

static bool verify_find(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t found = *(const uint64_t *)call->result;
    const size_t end = *(const size_t *)call->shadow;
    const uint8_t *text = call->buffer[0]; /* read-only for the machine */
    (void)lab;
    return found == end ||
           finding(why, "find_end of a text of %zu bytes and a 0: expected %zu, found %" PRIu64 "%s", end,
                   end, found,
                   found > end && found <= call->n && text[found] == 0
                       ? ". There is a 0 as well, but it is not the first"
                   : found > end && found <= call->n
                       ? ". There the text is over, and what follows is anything"
                       : "");
}

/* ---- arithmetic ---- */

static bool allocate_nothing(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

/* Where two wrong answers are the same number, the first of its kind would be told of the other: such inputs
 * come late, when either has been told of its own. */
enum { LATE = 32 };

static uint64_t blocks_of(uint64_t address, uint64_t bytes, uint64_t block)
{
    return bytes == 0 ? 0 : (address % block + bytes + block - 1) / block;
}

/* Loops of one to 40 instructions, or as short as a block at the most, where placing matters most. Half of
 * them have instructions of STEP bytes, half of 1 to 15 each. Blocks of 4 to 128 bytes, or of up to 4096. */
static void fill_place(struct lab *lab, struct call *call)
{
    struct place_args *args = call->args;
    const uint64_t block = UINT64_C(4) << draw_below(&lab->draw, call->n % 4 == 3 ? 11 : 6);
    const uint64_t most = draw_below(&lab->draw, 2) == 0 ? block / STEP : 40;
    const uint64_t instructions = 1 + draw_below(&lab->draw, most);
    const bool alike = call->n % 2 == 1;
    *args = (struct place_args){.address = (draw_next(&lab->draw) >> 20) / STEP * STEP,
                                .bytes = alike ? instructions * STEP
                                               : instructions + draw_below(&lab->draw, 14 * instructions + 1),
                                .instructions = instructions,
                                .front = {.block = block, .width = 1 + draw_below(&lab->draw, 8)}};
}

/* From there to the beginning of a block. */
static uint64_t to_block(const struct place_args *args)
{
    return (args->front.block - args->address % args->front.block) % args->front.block;
}

/* Half of them reach the end of a block, or up to three bytes farther. Where the last block has no more than
 * three bytes, an answer in whole steps looks like one that always begins with a block. */
static void fill_padding(struct lab *lab, struct call *call)
{
    struct place_args *args = call->args;
    fill_place(lab, call);
    if (call->n % 4 == 1 || call->n % 4 == 2) {
        const uint64_t blocks = draw_below(&lab->draw, 3) + (to_block(args) == 0);
        args->bytes = to_block(args) + blocks * args->front.block + draw_below(&lab->draw, STEP);
    }
    const uint64_t rest = args->bytes % args->front.block;
    if (call->n < LATE && to_block(args) > 0 && rest > 0 && rest < STEP)
        args->bytes += STEP;
}

/* With four bytes an instruction, does it look like a sum, or like whole cycles? */
static bool is_like_another(const struct place_args *a)
{
    const double fetch = (double)blocks_of(a->address, a->bytes, a->front.block),
                 of_steps = (double)blocks_of(a->address, STEP * a->instructions, a->front.block),
                 width = (double)a->instructions / (double)a->front.width, expected = fmax(fetch, width),
                 found = fmax(of_steps, width);
    return found != expected &&
           (found == fetch + width || found == floor(expected) || found == fmax(fetch, ceil(width)));
}

/* At any address, and with lengths of any kind. */
static void fill_least(struct lab *lab, struct call *call)
{
    struct place_args *args = call->args;
    fill_place(lab, call);
    args->address += draw_below(&lab->draw, STEP);
    if (call->n < LATE && is_like_another(args))
        args->bytes = STEP * args->instructions;
}

/* Lengths of any kind, none among them: some end with a block or one byte farther, and some are of more than
 * 16 bits. Some blocks have more than 8 bits, and some more than 16. */
static void fill_blocks(struct lab *lab, struct call *call)
{
    struct place_args *args = call->args;
    uint64_t *block = &args->front.block;
    fill_place(lab, call);
    args->address += draw_below(&lab->draw, STEP);
    if (call->n % 8 == 7)
        *block = call->n % 16 == 15 ? UINT64_C(1) << 17 : UINT64_C(256) << draw_below(&lab->draw, 5);
    args->bytes = call->n % 8 == 5 ? MANY + draw_below(&lab->draw, 3 * MANY)
                  : call->n % 4 == 2
                      ? to_block(args) + (1 + draw_below(&lab->draw, 3)) * *block + draw_below(&lab->draw, 2)
                  : call->n == 0 ? 0
                                 : 1 + draw_below(&lab->draw, 3 * *block);
}

static bool verify_blocks(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct place_args *a = call->args;
    const uint64_t found = ((const union place_result *)call->result)->count, block = a->front.block;
    const uint64_t expected = blocks_of(a->address, a->bytes, block);
    (void)lab;
    if (found == expected)
        return true;
    return finding(why,
                   "blocks_touched of %" PRIu64 " bytes, the first of them byte %" PRIu64
                   " of a block of %" PRIu64 ": expected %" PRIu64 ", found %" PRIu64 "%s",
                   a->bytes, a->address % block, block, expected, found,
                   found == 0 ? "; not done yet?"
                   : found == (a->bytes + block - 1) / block
                       ? "; so many it would be from the beginning of a block on"
                   : found == blocks_of(a->address, a->bytes + 1, block)
                       ? "; the byte behind the last one does not count"
                   : block > UINT8_MAX || a->bytes > UINT16_MAX ? "; does each number keep its 64 bits?"
                                                                : "");
}

static bool verify_least(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct place_args *a = call->args;
    const double found = ((const union place_result *)call->result)->cycles;
    const double fetch = (double)blocks_of(a->address, a->bytes, a->front.block);
    const double width = (double)a->instructions / (double)a->front.width, expected = fmax(fetch, width);
    const double of_steps = (double)blocks_of(a->address, STEP * a->instructions, a->front.block);
    (void)lab;
    if (fabs(found - expected) < 1e-9)
        return true;
    return finding(why,
                   "least_cycles of %" PRIu64 " instruction%s of %" PRIu64
                   " bytes together, in %.0f block%s, where %" PRIu64
                   " can begin in a cycle: expected %.6g, found %.6g%s",
                   a->instructions, a->instructions == 1 ? "" : "s", a->bytes, fetch, fetch == 1 ? "" : "s",
                   a->front.width, expected, found,
                   found == 0                          ? "; not done yet?"
                   : found == fetch + width            ? "; the two run side by side"
                   : found == floor(expected)          ? "; it need not be a whole number"
                   : found == fmax(fetch, ceil(width)) ? "; it need not be a whole number"
                   : a->bytes != STEP * a->instructions && found == fmax(of_steps, width)
                       ? "; so it would be with four bytes an instruction: `bytes` says how many they have"
                   : found == fetch ? "; here the width binds"
                   : found == width ? "; here fetching binds"
                                    : "");
}

static bool verify_padding(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct place_args *a = call->args;
    const uint64_t found = ((const union place_result *)call->result)->count, block = a->front.block;
    const uint64_t fewest = blocks_of(0, a->bytes, block), whole = a->bytes / STEP * STEP;
    const bool fits = blocks_of(a->address, a->bytes, block) == fewest;
    const uint64_t expected = fits ? 0 : to_block(a); /* anywhere before the next block it fits even less */
    (void)lab;
    if (found == expected)
        return true;
    return finding(why,
                   "padding in front of %" PRIu64 " bytes that begin at byte %" PRIu64
                   " of a block of %" PRIu64 ": expected %" PRIu64 ", found %" PRIu64 "%s",
                   a->bytes, a->address % block, block, expected, found,
                   found == to_block(a) && fits  ? "; it touches as few blocks where it is"
                   : found == block && fits      ? "; it begins with a block already"
                   : found == a->address % block ? "; that is how far it is behind the beginning of its block"
                   : blocks_of(a->address + found, a->bytes, block) > fewest
                       ? blocks_of(a->address + found, whole, block) <= fewest
                             ? "; all lie in as few blocks as they can there but the last of them, since "
                               "`bytes` need not be a multiple of STEP"
                             : "; there they lie in more blocks than they have to"
                       : "");
}

/* ---- the curve ---- */

static bool allocate_curve(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, sizeof(struct curve), sizeof(uint64_t), PLAN_READ | PLAN_GLUE);
}

/* Measurements of a curve where it is timed. Whoever takes one offset after the other is through with each in
 * some microseconds, and a neighbour may have half of the core for as long. (AArch64 runs are longer.) */
#ifdef __aarch64__
enum { TIMES = 1 };
#else
enum { TIMES = 5 };
#endif

static uint64_t length(const struct reading *reading)
{
    return reading->end - reading->begin;
}

/* What measure_curve finds in `shortest`, by turns: nothing, a run shorter than any, or one that is longer.
 */
static struct reading draw_before(struct lab *lab, uint64_t turn)
{
    const uint64_t begin = draw_next(&lab->draw) >> 16, most = UINT64_C(1) << 40;
    switch (turn % 3) {
    case 0:
        return (struct reading){0, 0};
    case 1:
        return (struct reading){begin, begin + 1 + draw_below(&lab->draw, 9)};
    default:
        return (struct reading){begin, begin + most + draw_below(&lab->draw, most)};
    }
}

/* The kind, the order of the offsets and the length of a run are drawn: what a run takes is not known before.
 */
static void fill_curve(struct lab *lab, struct call *call)
{
    struct curve *curve = call->buffer[0];
    *(struct curve_args *)call->args = (struct curve_args){.curve = curve};
    *curve = (struct curve){.kind = draw_below(&lab->draw, KINDS),
                            .turns = 400 + draw_below(&lab->draw, 400),
                            .times = lab->timed && !lab->modelled ? TIMES : 1,
                            .uneven = !lab->timed && !lab->modelled};
    for (unsigned i = 0; i < OFFSETS; i++) {
        const unsigned at = (unsigned)draw_below(&lab->draw, i + 1);
        curve->order[i] = curve->order[at];
        curve->order[at] = (uint8_t)i;
    }
    for (uint64_t i = 0, first = draw_below(&lab->draw, 3); i < OFFSETS; i++)
        curve->before[i] = draw_before(lab, first + i);
}

/* Where turns are counted: has each loop made as many as two measurements need, the student's and the suite's
 * own? Else the student's readings are of something else. */
static bool verify_turns(const struct call *call, struct finding *why)
{
    const struct curve *curve = call->buffer[0];
    const uint64_t turns = ((const struct curve_result *)call->result)->turns;
    uint64_t most = 0;
    for (unsigned i = 0; call->arrivals && i < KINDS * OFFSETS; i++)
        most = call->arrivals[i] > most ? call->arrivals[i] : most;
    for (unsigned i = 0; call->arrivals && i < OFFSETS; i++) {
        const uint64_t found = call->arrivals[curve->kind * OFFSETS + curve->order[i]];
        if (found < 2 * turns)
            return finding(why,
                           "measure_curve: the loop at byte %u of a cache line went round %" PRIu64
                           " times: expected %" PRIu64 ", in RUNS runs of `turns` turns%s",
                           curve->order[i] * STEP, found > turns ? found - turns : 0, turns,
                           most > OFFSETS * turns ? "; one loop went round for all, so all 16 are alike"
                                                  : "");
    }
    return true;
}

/* Of which loops is what stood in `shortest` before the call still there? */
enum left { NONE, SOME, ALL, SHORTER /* those of which it is shorter than a run, or these but for 0 */ };

static enum left what_is_left(const struct curve *curve, const struct curve_result *r)
{
    unsigned left = 0;
    bool shorter = true, above_0 = true;
    for (unsigned i = 0; i < OFFSETS; i++) {
        const uint64_t before = length(&curve->before[i]), offset = curve->order[i];
        const bool is_left = r->found[offset] == before, is_less = before < r->glue[offset];
        left += is_left;
        shorter = shorter && is_left == is_less;
        above_0 = above_0 && is_left == (is_less && before > 0);
    }
    return left == 0 ? NONE : left == OFFSETS ? ALL : shorter || above_0 ? SHORTER : SOME;
}

/* Is it so for this offset? */
static bool is_left(const struct curve *curve, const struct curve_result *r, unsigned offset)
{
    unsigned i = 0;
    while (curve->order[i] != offset)
        i++;
    return r->found[offset] == length(&curve->before[i]);
}

/* Coarsely: the bound asks more. Elsewhere than on a model core the clock may change in between, and a
 * neighbour may take half of the core. Of any uneven loop there is one that differs five times or more. */
static bool verify_curve(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct curve_result r = *(const struct curve_result *)call->result;
    const struct curve *curve = call->buffer[0];
    const double most = lab->modelled ? 1.15 : 3.5;
    /* so many times the shortest are all runs: of uneven ones, 4.5 times as many on average */
    const double all = (curve->uneven ? 2 : 0.7) * (double)r.runs;
    const enum left left = what_is_left(curve, &r);
    double shortest = INFINITY, longest = 0;
    bool alike = true;
    for (unsigned i = 0; i < OFFSETS; i++) {
        shortest = fmin(shortest, (double)r.glue[i]);
        longest = fmax(longest, (double)r.glue[i]);
        alike = alike && fabs((double)r.found[i] - (double)r.found[0]) < 0.05 * (double)r.found[0];
    }
    for (unsigned i = 0; i < OFFSETS; i++) {
        const double found = (double)r.found[i], glue = (double)r.glue[i];
        if (glue > 0 && found >= glue / most && found <= glue * most)
            continue;
        if (!(glue > 0))
            return finding(why, "the counter stands still after measure_curve: leave it as it is");
        return finding(
            why,
            "measure_curve: the shortest run of the loop at byte %u of a cache line takes about %" PRIu64
            " ticks, found %" PRId64 "%s",
            i * STEP, r.glue[i], (int64_t)r.found[i],
            is_left(curve, &r, i)               ? left == ALL       ? "; not done yet?"
                                                  : left == SHORTER ? ": what stood there before the call, as "
                                                                      "everywhere where it looked like a shorter run"
                                                                    : ": no reading of this loop was kept"
            : (int64_t)r.found[i] < 0           ? "; is the earlier reading subtracted from the later one?"
            : found > all * glue                ? ", which is all runs together"
            : alike && longest > 1.2 * shortest ? ", which is what another offset takes: all 16 are alike"
            : found > glue                      ? "; it is not the shortest of the runs"
                                                : "; did it go round `turns` times?");
    }
    return verify_turns(call, why);
}

/* The student's curve against the suite's: 1 is alike. Exact on a model core: 1 and how far the worst offset
 * is off. Natively any single run may be disturbed, so it is all offsets together; that no loop ran for
 * another is seen where they are uneven. */
static double distance(const struct lab *lab, const struct call *call)
{
    const struct curve_result *r = call->result;
    double worst = 0, found = 0, glue = 0;
    for (unsigned i = 0; i < OFFSETS; i++) {
        const double off = r->glue[i] > 0 ? fabs((double)r->found[i] / (double)r->glue[i] - 1) : INFINITY;
        worst = fmax(worst, off);
        found += (double)r->found[i];
        glue += (double)r->glue[i];
    }
    return lab->modelled ? 1 + worst : found / glue;
}

#define PLACE(NAME, ENTRY, FILL, VERIFY)                                                                     \
    {                                                                                                        \
        .name = (NAME), .entry = (ENTRY), .args_size = sizeof(struct place_args),                            \
        .result_size = sizeof(union place_result), .allocate = allocate_nothing, .fill = (FILL),             \
        .verify = (VERIFY)                                                                                   \
    }

#define FIND(NAME, FILL)                                                                                     \
    .name = (NAME), .entry = ENTRY_FIND, .args_size = sizeof(struct find_args),                              \
    .result_size = sizeof(uint64_t), .unsized = true, .allocate = allocate_text, .fill = (FILL),             \
    .verify = verify_find, .buffers = {"text"}

static const struct case_def defs[] = {
    {FIND("find", fill_text), .reads_whole = 1, .loads_each = 1},
    {FIND("two-zeros", fill_two_zeros)},
    {FIND("long-text", fill_text), .once = true, .elements = MANY},
    PLACE("blocks", ENTRY_BLOCKS, fill_blocks, verify_blocks),
    PLACE("least", ENTRY_LEAST, fill_least, verify_least),
    PLACE("padding", ENTRY_PADDING, fill_padding, verify_padding),
    {.name = "curve",
     .entry = ENTRY_CURVE,
     .args_size = sizeof(struct curve_args),
     .result_size = sizeof(struct curve_result),
     .once = true,
     .reads_clock = true,
     .readings = 2 * OFFSETS,
     .readings_at = offsetof(struct curve_result, readings),
     .allocate = allocate_curve,
     .fill = fill_curve,
     .verify = verify_curve,
     .value = distance},
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
