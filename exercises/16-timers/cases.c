/* Exercise 16: inputs and oracle. Conversions, and methods with a clock that is played, are exact, on every
 * bench. With the system's clocks only that is asked which holds on every machine, however busy: what lies
 * between two readings, what a sleep lasts at least. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "grader/exercise/cases.h"
#include "glue.h"

typedef unsigned __int128 wide;

enum { BUFFER_IN, BUFFER_OUT };

static uint64_t between(struct lab *lab, uint64_t least, uint64_t most)
{
    return least + draw_below(&lab->draw, most - least + 1);
}

/* Of 1 to `bits` bits, all lengths being equally likely. */
static uint64_t of_bits(struct lab *lab, uint64_t bits)
{
    const uint64_t length = between(lab, 1, bits);
    return draw_next(&lab->draw) >> (64 - length) | UINT64_C(1) << (length - 1);
}

/* ---- conversions ---- */

static uint64_t draw_frequency(struct lab *lab)
{
    static const uint64_t usual[] = {1000000,    3579545,    19200000,   24000000,
                                     1000000000, 2100000000, 2995200000, 5000000000};
    const uint64_t kind = draw_below(&lab->draw, 16);
    return kind < sizeof usual / sizeof *usual ? usual[kind] : between(lab, 1000000, 5000000000);
}

/* The inputs one array behind the other: in regions of their own they would lie in the same sets of a cache.
 */
enum { INPUTS = 3 };

static uint64_t *inputs_of(const struct call *call, size_t which)
{
    return (uint64_t *)call->buffer[BUFFER_IN] + which * call->n;
}

static bool allocate_words(struct lab *lab, struct call *call)
{
    const size_t bytes = call->n * sizeof(uint64_t);
    return call_buffer(lab, call, BUFFER_IN, INPUTS * bytes, sizeof(uint64_t), PLAN_READ) &&
           call_buffer(lab, call, BUFFER_OUT, bytes, sizeof(uint64_t), PLAN_READ | PLAN_WRITE);
}

static void fill_args(struct call *call)
{
    struct number_args *args = call->args;
    *args = (struct number_args){.a = inputs_of(call, 0),
                                 .b = inputs_of(call, 1),
                                 .c = inputs_of(call, 2),
                                 .words = call->buffer[BUFFER_OUT],
                                 .numbers = call->buffer[BUFFER_OUT],
                                 .n = call->n};
}

/* What value * multiply / divide gives fits into 64 bits; of every four the first gives more than a double
 * can hold, and the third, where a value does, 2^63 or more. */
static uint64_t draw_value(struct lab *lab, size_t i, wide multiply, wide divide)
{
    const uint64_t result = i % 4 == 0   ? of_bits(lab, 6) << 57 >> 1 | draw_next(&lab->draw) >> 8
                            : i % 4 == 2 ? UINT64_MAX - (draw_next(&lab->draw) >> between(lab, 1, 63))
                                         : of_bits(lab, 63);
    const wide value = (wide)result * divide / multiply;
    return value <= UINT64_MAX ? (uint64_t)value : UINT64_MAX - result;
}

static void fill_to_ns(struct lab *lab, struct call *call)
{
    uint64_t *ticks = inputs_of(call, 0), *frequency = inputs_of(call, 1);
    fill_args(call);
    for (size_t i = 0; i < call->n; i++) {
        frequency[i] = draw_frequency(lab);
        ticks[i] = draw_value(lab, i, SECOND, frequency[i]);
    }
}

static void fill_to_ticks(struct lab *lab, struct call *call)
{
    uint64_t *ns = inputs_of(call, 0), *frequency = inputs_of(call, 1);
    fill_args(call);
    for (size_t i = 0; i < call->n; i++) {
        frequency[i] = draw_frequency(lab);
        ns[i] = i % 8 == 5 ? between(lab, 1, 9) * SECOND : draw_value(lab, i, frequency[i], SECOND);
    }
}

/* All answers of 64 bits: 0 where they are all 0, which a stub gives. */
static bool is_done(const struct call *call)
{
    const uint64_t *found = call->buffer[BUFFER_OUT];
    for (size_t i = 0; i < call->n; i++)
        if (found[i] != 0)
            return true;
    return false;
}

/* Within 50 of its bits, and with more of them than a double has? */
static bool lost_low_bits(uint64_t found, uint64_t expected)
{
    const uint64_t off = found > expected ? found - expected : expected - found;
    return expected >> 50 != 0 && off <= expected >> 50;
}

static bool verify_to_ns(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t *ticks = inputs_of(call, 0), *frequency = inputs_of(call, 1),
                   *found = call->buffer[BUFFER_OUT];
    (void)lab;
    if (!is_done(call))
        return finding(
            why, "ticks_to_ns returns 0: not done yet. Begin with ticks * SECOND / frequency, and look for "
                 "what is wrong with it");
    for (size_t i = 0; i < call->n; i++) {
        const uint64_t t = ticks[i], f = frequency[i], expected = (uint64_t)((wide)t * SECOND / f);
        if (found[i] == expected)
            continue;
        return finding(
            why,
            "ticks_to_ns of %" PRIu64 " ticks at %" PRIu64 " a second: expected %" PRIu64
            " ns, found %" PRIu64 "%s",
            t, f, expected, found[i],
            found[i] == t * SECOND / f          ? "; the product with SECOND needs more than 64 bits"
            : found[i] == t / f * SECOND        ? "; the division came first, and took the part of a second "
                                                  "with it"
            : found[i] == t * (SECOND / f)      ? "; SECOND / frequency came first, and is no whole number"
            : lost_low_bits(found[i], expected) ? "; the low bits are lost: a double has 53 bits"
            : found[i] == expected + 1          ? "; expected rounded down"
                                                : "");
    }
    return true;
}

static bool verify_to_ticks(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t *ns = inputs_of(call, 0), *frequency = inputs_of(call, 1),
                   *found = call->buffer[BUFFER_OUT];
    (void)lab;
    if (!is_done(call))
        return finding(why, "ns_to_ticks returns 0: not done yet");
    for (size_t i = 0; i < call->n; i++) {
        const wide product = (wide)ns[i] * frequency[i];
        const uint64_t expected = (uint64_t)((product + SECOND - 1) / SECOND), rest = ns[i] % SECOND;
        if (found[i] == expected)
            continue;
        return finding(why,
                       "ns_to_ticks of %" PRIu64 " ns at %" PRIu64 " ticks a second: expected %" PRIu64
                       ", found %" PRIu64 "%s",
                       ns[i], frequency[i], expected, found[i],
                       found[i] + 1 == expected ? "; rounded down, so that the wait ends too early"
                       : found[i] == expected + 1 && rest == 0
                           ? "; a tick too many where the division leaves nothing over"
                       : found[i] == (ns[i] * frequency[i] + SECOND - 1) / SECOND ||
                               found[i] == ns[i] * frequency[i] / SECOND
                           ? "; the product with the frequency needs more than 64 bits"
                       : lost_low_bits(found[i], expected) ? "; the low bits are lost: a double has 53 bits"
                                                           : "");
    }
    return true;
}

static void fill_scale(struct lab *lab, struct call *call)
{
    uint64_t *frequency = inputs_of(call, 0);
    fill_args(call);
    for (size_t i = 0; i < call->n; i++)
        frequency[i] = draw_frequency(lab);
}

static uint64_t exact_scale(uint64_t frequency)
{
    return (uint64_t)((((wide)SECOND << SCALE_BITS) + frequency / 2) / frequency);
}

static bool verify_scale(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t *frequency = inputs_of(call, 0), *found = call->buffer[BUFFER_OUT];
    (void)lab;
    if (!is_done(call))
        return finding(why, "scale_of returns 0: not done yet");
    for (size_t i = 0; i < call->n; i++) {
        const uint64_t expected = exact_scale(frequency[i]);
        if (found[i] == expected)
            continue;
        return finding(why, "scale_of %" PRIu64 " ticks a second: expected %" PRIu64 ", found %" PRIu64 "%s",
                       frequency[i], expected, found[i],
                       found[i] + 1 == expected
                           ? "; rounded down: add half of the divisor before the division"
                       : found[i] == expected + 1 ? "; rounded up: below one half it is rounded down"
                       : found[i] == SECOND / frequency[i] << SCALE_BITS
                           ? "; the division came first: shift SECOND before it"
                           : "");
    }
    return true;
}

static void fill_scaled(struct lab *lab, struct call *call)
{
    uint64_t *ticks = inputs_of(call, 0), *scale = inputs_of(call, 1);
    fill_args(call);
    for (size_t i = 0; i < call->n; i++) {
        scale[i] = exact_scale(draw_frequency(lab));
        ticks[i] = draw_value(lab, i, scale[i], (wide)1 << SCALE_BITS);
    }
}

static bool verify_scaled(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t *ticks = inputs_of(call, 0), *scale = inputs_of(call, 1),
                   *found = call->buffer[BUFFER_OUT];
    (void)lab;
    if (!is_done(call))
        return finding(why, "scaled_ns returns 0: not done yet");
    for (size_t i = 0; i < call->n; i++) {
        const uint64_t expected = (uint64_t)((wide)ticks[i] * scale[i] >> SCALE_BITS);
        if (found[i] == expected)
            continue;
        return finding(why,
                       "scaled_ns of %" PRIu64 " ticks with the scale %" PRIu64 ": expected %" PRIu64
                       ", found %" PRIu64 "%s",
                       ticks[i], scale[i], expected, found[i],
                       found[i] == ticks[i] * scale[i] >> SCALE_BITS
                           ? "; the upper half of the product is lost: make one factor an unsigned __int128"
                       : found[i] == expected + 1 ? "; expected rounded down"
                                                  : "");
    }
    return true;
}

/* A short interval, of a counter that has been running for long: its readings have up to 63 bits. And, one in
 * eight, any that 64 bits hold. */
static void fill_seconds(struct lab *lab, struct call *call)
{
    uint64_t *begin = inputs_of(call, 0), *end = inputs_of(call, 1), *frequency = inputs_of(call, 2);
    fill_args(call);
    for (size_t i = 0; i < call->n; i++) {
        frequency[i] = draw_frequency(lab);
        begin[i] = i % 2 ? of_bits(lab, 40) : of_bits(lab, 8) << 54 | draw_next(&lab->draw) >> 10;
        end[i] = begin[i] + 1 + (draw_next(&lab->draw) >> between(lab, 24, 60));
        if (i % 8 == 7)
            end[i] = UINT64_MAX - (draw_next(&lab->draw) >> between(lab, 1, 60));
    }
}

static bool verify_seconds(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t *begin = inputs_of(call, 0), *end = inputs_of(call, 1), *frequency = inputs_of(call, 2);
    const double *found = call->buffer[BUFFER_OUT];
    bool done = false;
    (void)lab;
    for (size_t i = 0; i < call->n; i++)
        done = done || found[i] != 0;
    if (!done)
        return finding(why, "seconds_between returns 0: not done yet");
    for (size_t i = 0; i < call->n; i++) {
        const uint64_t whole = (end[i] - begin[i]) / frequency[i];
        const double f = (double)frequency[i], expected = (double)(end[i] - begin[i]) / f,
                     apart = (double)end[i] / f - (double)begin[i] / f,
                     rounded = (double)end[i] - (double)begin[i];
        if (fabs(found[i] - expected) <= 1e-12 * expected)
            continue;
        return finding(
            why,
            "seconds_between %" PRIu64 " and %" PRIu64 " at %" PRIu64 " ticks a second: expected %.12g, "
            "found %.12g%s",
            begin[i], end[i], frequency[i], expected, found[i],
            found[i] == apart || found[i] == rounded / f
                ? "; each reading was converted by itself, and lost its low bits: a double has 53 bits"
            : found[i] == (double)whole ? "; a quotient of integers has no fraction"
            : found[i] < 0              ? "; the later one is larger by 2^63 or more, so signed it is below 0"
                                        : "");
    }
    return true;
}

/* ---- five ---- */

static bool allocate_five(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_IN, call->n * RUNS * sizeof(uint64_t), sizeof(uint64_t),
                       PLAN_READ) &&
           call_buffer(lab, call, BUFFER_OUT, call->n * sizeof(struct summary), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE);
}

/* As measurements are: close together, and one or two far above. Some of all kinds, some of 64 bits, and some
 * all equal. */
static void fill_five(struct lab *lab, struct call *call)
{
    uint64_t(*values)[RUNS] = call->buffer[BUFFER_IN];
    struct five_args *args = call->args;
    *args = (struct five_args){
        .values = call->buffer[BUFFER_IN], .summaries = call->buffer[BUFFER_OUT], .n = call->n};
    for (size_t i = 0; i < call->n; i++) {
        const uint64_t usual = of_bits(lab, 40), width = i % 8 == 7 ? 1 : of_bits(lab, i % 8 == 6 ? 62 : 10);
        for (size_t k = 0; k < RUNS; k++) {
            values[i][k] = i % 8 == 5 ? draw_next(&lab->draw) : usual + draw_below(&lab->draw, width);
            if (i % 8 < 5 && draw_below(&lab->draw, 4) == 0)
                values[i][k] += of_bits(lab, 24);
        }
    }
}

static void sort_five(uint64_t sorted[RUNS], const uint64_t values[RUNS])
{
    memcpy(sorted, values, RUNS * sizeof *sorted);
    for (size_t i = 1; i < RUNS; i++)
        for (size_t at = i; at > 0 && sorted[at - 1] > sorted[at]; at--) {
            const uint64_t swapped = sorted[at];
            sorted[at] = sorted[at - 1];
            sorted[at - 1] = swapped;
        }
}

/* As if they were signed, from 2^63 on below 0. */
static struct summary signed_summary(const uint64_t values[RUNS])
{
    const uint64_t sign = UINT64_C(1) << 63;
    uint64_t moved[RUNS], sorted[RUNS];
    for (size_t k = 0; k < RUNS; k++)
        moved[k] = values[k] ^ sign;
    sort_five(sorted, moved);
    return (struct summary){sorted[RUNS / 2] ^ sign, sorted[RUNS - 1] - sorted[0]};
}

static bool verify_five(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t(*values)[RUNS] = call->buffer[BUFFER_IN];
    const struct summary *found = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const uint64_t *v = values[i], median = found[i].median, spread = found[i].spread;
        const struct summary as_signed = signed_summary(v);
        uint64_t s[RUNS], sum = 0;
        sort_five(s, v);
        for (size_t k = 0; k < RUNS; k++)
            sum += v[k];
        if (median == s[RUNS / 2] && spread == s[RUNS - 1] - s[0])
            continue;
        return finding(why,
                       "summarize of %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 " and %" PRIu64
                       ": expected a median of %" PRIu64 " and a spread of %" PRIu64 ", found %" PRIu64
                       " and %" PRIu64 "%s",
                       v[0], v[1], v[2], v[3], v[4], s[RUNS / 2], s[RUNS - 1] - s[0], median, spread,
                       median == 0 && spread == 0 ? "; not done yet?"
                       : median == as_signed.median && spread == as_signed.spread
                           ? "; so it would be with signed numbers, where 2^63 and more are below 0"
                       : median == s[RUNS / 2]
                           ? spread == s[RUNS / 2] - s[0]
                                 ? "; from the smallest to the median the large ones do not count"
                                 : ""
                       : median == sum / RUNS ? "; that is the average, which one interruption moves"
                       : median == s[0]       ? "; that is the smallest, and not the third in order"
                       : median == v[RUNS / 2] && median != s[1] && median != s[RUNS - 2]
                           ? "; that is the third as they came, and not in order"
                       : median == s[1] || median == s[RUNS - 2]
                           ? "; that is a neighbour of the third in order (or the third as they came)"
                           : "");
    }
    return true;
}

/* ---- a clock that is played ---- */

static bool allocate_play(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_IN, call->n * sizeof(struct script), sizeof(uint64_t),
                       PLAN_READ | PLAN_GLUE) &&
           call_buffer(lab, call, BUFFER_OUT, call->n * sizeof(struct outcome), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE | PLAN_GLUE);
}

static struct script *play_args(struct call *call)
{
    struct play_args *args = call->args;
    *args = (struct play_args){
        .scripts = call->buffer[BUFFER_IN], .outcomes = call->buffer[BUFFER_OUT], .n = call->n};
    return call->buffer[BUFFER_IN];
}

/* A clock of a nanosecond, or of what a hundred and some take; no sleep is interrupted. Clock and counter may
 * have run for longer than a double can tell. */
static struct script draw_script(struct lab *lab)
{
    struct script script = {.start = of_bits(lab, 62) + (UINT64_C(1) << 44),
                            .cost = between(lab, 20, 400),
                            .step = 1,
                            .count = of_bits(lab, 63),
                            .frequency = draw_frequency(lab),
                            .late_most = between(lab, 20000, 90000)};
    for (size_t i = 0; i < SLEEPS; i++) {
        script.late[i] = between(lab, script.late_most / 2, script.late_most);
        script.share[i] = WHOLE;
    }
    return script;
}

/* Of the first four turns one, two or three, one after the other, mostly from the first on, and of every
 * second script's all three; of the others too, or none. Each of the fours ends with a whole sleep. And long
 * before the end: then everybody who goes on with a sleep needs as many of them. */
static void interrupt_sleeps(struct lab *lab, struct script *script, size_t which)
{
    const uint64_t first = which % 2 ? 1 : 3;
    for (size_t four = 0; four < SLEEPS; four += 4) {
        const uint64_t often = between(lab, four == 0 ? first : 0, 3), from = between(lab, 0, 3 - often);
        for (uint64_t i = from; i < from + often; i++)
            script->share[four + i] = between(lab, 100, 500);
    }
}

/* Who read the clock less often than anybody has to has not measured. A stub reads none. */
static bool was_read(const char *function, const struct outcome *found, uint64_t least, struct finding *why)
{
    if (found->played.readings == 0)
        return finding(why, "%s did not read the clock: not done yet?", function);
    return found->played.readings >= least ||
           finding(why,
                   "%s read the clock %" PRIu64
                   " times; what is asked for cannot be seen with fewer than %" PRIu64 " readings",
                   function, found->played.readings, least);
}

static struct played begin_play(const struct script *script)
{
    return (struct played){.time = script->start};
}

/* Half of them move at each reading, the others after some of them. The first moves are longer, and one is an
 * interruption's. Half of each kind go back once behind these, by so little that who waits until the clock
 * is where it was comes back, too. */
static void fill_step(struct lab *lab, struct call *call)
{
    struct script *scripts = play_args(call);
    for (size_t i = 0; i < call->n; i++) {
        struct script *s = &scripts[i];
        *s = draw_script(lab);
        s->step = i % 2 ? between(lab, 1, 30) : s->cost * between(lab, 4, 30);
        const uint64_t each = s->step > s->cost ? s->step / s->cost : 1;
        s->jump[0].reading = 1;
        s->jump[0].by = (int64_t)(s->step * between(lab, 3, 9) + 10 * s->cost);
        s->jump[1].reading = 2 + between(lab, 1, 2) * each;
        s->jump[1].by = (int64_t)(s->step * between(lab, 20, 900) + 10 * s->cost);
        if (i % 4 >= 2) {
            s->jump[2].reading = s->jump[1].reading + between(lab, 1, 2) * each;
            s->jump[2].by = -(int64_t)between(lab, 2 * (s->cost + s->step), 9 * (s->cost + s->step));
        }
    }
}

/* How moves are looked for: forward, from one reading to the next, as it is asked for. Or steps back are
 * counted as well, or moves go from the highest reading so far. */
enum way { FORWARD, EITHER_WAY, FROM_THE_HIGHEST };

/* The smallest move; the first, their mean, and how many readings show them. */
struct moves {
    uint64_t least, first, mean, readings;
};

static struct moves moves_of(const struct script *script, enum way way)
{
    struct played played = begin_play(script);
    struct moves moves = {.least = UINT64_MAX};
    uint64_t last = script_now(script, &played), sum = 0;
    for (unsigned steps = 0; steps < STEPS;) {
        const uint64_t now = script_now(script, &played);
        if (now > last || (way == EITHER_WAY && now < last)) {
            moves.first = steps == 0 ? now - last : moves.first;
            moves.least = now - last < moves.least ? now - last : moves.least;
            sum += now - last;
            steps++;
        }
        last = way == FROM_THE_HIGHEST && now < last ? last : now;
    }
    moves.mean = sum / STEPS;
    moves.readings = played.readings;
    return moves;
}

static bool verify_step(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct script *scripts = call->buffer[BUFFER_IN];
    const struct outcome *found = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const struct script *s = &scripts[i];
        const struct moves forward = moves_of(s, FORWARD), either = moves_of(s, EITHER_WAY);
        const uint64_t word = found[i].word, readings = found[i].played.readings;
        const bool goes_back = s->jump[2].by < 0;
        if (goes_back && word == either.least && readings == either.readings)
            return finding(why,
                           "clock_step of a clock that goes back once: the clock was read %" PRIu64
                           " times, and in these it moved forward %d times; a step back is no move forward",
                           readings, STEPS - 1);
        if (!was_read("clock_step", &found[i], word == forward.least ? forward.readings : 1, why))
            return false;
        if (word == forward.least)
            continue;
        return finding(why,
                       "clock_step of a clock with steps of %" PRIu64 " ns, of which a reading takes %" PRIu64
                       " ns%s: expected a smallest move of %" PRIu64 " ns, found %" PRIu64 "%s",
                       s->step, s->cost, goes_back ? ", and that goes back once" : "", forward.least, word,
                       word == 0               ? "; two readings that are equal are no move"
                       : word == forward.first ? "; that is the first move, and an interruption may be in it"
                       : word == forward.mean  ? "; that is the average of the moves"
                       : goes_back && word == moves_of(s, FROM_THE_HIGHEST).least
                           ? "; a move goes from one reading to the next, and not from the highest one so far"
                       : goes_back && word >> 63 ? "; a step back is no move forward"
                                                 : "");
    }
    return true;
}

/* Some steps back, and some readings that are equal. */
static void fill_backward(struct lab *lab, struct call *call)
{
    struct script *scripts = play_args(call);
    for (size_t i = 0; i < call->n; i++) {
        struct script *s = &scripts[i];
        const uint64_t jumps = draw_below(&lab->draw, JUMPS - 1);
        uint64_t reading = 0;
        *s = draw_script(lab);
        s->step = i % 2 ? 1 : s->cost * between(lab, 2, 9);
        for (uint64_t k = 0; k < jumps; k++) {
            reading += between(lab, 2, (READINGS - 4) / JUMPS);
            s->jump[k].reading = reading;
            s->jump[k].by = draw_below(&lab->draw, 4) == 0
                                ? (int64_t)(1000 + of_bits(lab, 40))
                                : -(int64_t)(2 * (s->cost + s->step) + of_bits(lab, 40));
        }
    }
}

static bool verify_backward(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct script *scripts = call->buffer[BUFFER_IN];
    const struct outcome *found = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        struct played played = begin_play(&scripts[i]);
        uint64_t expected = 0, equal = 0, last = script_now(&scripts[i], &played), below = 0;
        const uint64_t first = last;
        for (unsigned k = 1; k < READINGS; k++) {
            const uint64_t now = script_now(&scripts[i], &played);
            expected += now < last;
            equal += now == last;
            below += now < first;
            last = now;
        }
        if (!was_read("backward_steps", &found[i], found[i].word == expected ? READINGS : 1, why))
            return false;
        if (found[i].word == expected)
            continue;
        return finding(why,
                       "backward_steps of a clock that was set back %" PRIu64
                       " times in %d readings: found %" PRIu64 "%s",
                       expected, READINGS, found[i].word,
                       found[i].word == expected + equal && equal > 0
                           ? "; a reading that is equal to the one before is not below it"
                       : found[i].word == 1 ? "; it goes on after the first one"
                       : found[i].word == below
                           ? "; these are below the first reading: compare with the one before"
                           : "");
    }
    return true;
}

/* One or two of the five measurements are interrupted, in their middle. */
static void fill_cost(struct lab *lab, struct call *call)
{
    struct script *scripts = play_args(call);
    for (size_t i = 0; i < call->n; i++) {
        struct script *s = &scripts[i];
        const uint64_t one = draw_below(&lab->draw, RUNS - 1), other = between(lab, one + 1, RUNS - 1);
        *s = draw_script(lab);
        s->step = between(lab, 1, 100);
        s->jump[0].reading = one * (READINGS + 1) + READINGS / 2;
        s->jump[0].by = (int64_t)(s->cost * READINGS * between(lab, 2, 30));
        if (draw_below(&lab->draw, 2)) {
            s->jump[1].reading = other * (READINGS + 1) + READINGS / 2;
            s->jump[1].by = (int64_t)(s->cost * READINGS * between(lab, 2, 30));
        }
    }
}

static bool is_within(uint64_t found, uint64_t expected, uint64_t off)
{
    return found + off >= expected && found <= expected + off;
}

static bool verify_cost(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct script *scripts = call->buffer[BUFFER_IN];
    const struct outcome *found = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const struct script *s = &scripts[i];
        const struct summary sum = found[i].summary;
        const uint64_t expected = READINGS * s->cost, off = s->step; /* both ends show multiples of it */
        const uint64_t more = (uint64_t)(s->jump[1].by > s->jump[0].by ? s->jump[1].by : s->jump[0].by),
                       all = (uint64_t)(s->jump[0].by + s->jump[1].by);
        if (!was_read("clock_cost", &found[i], is_within(sum.median, expected, off) ? RUNS * READINGS : 1,
                      why))
            return false;
        if (is_within(sum.median, expected, off) && is_within(sum.spread, more, 2 * off))
            continue;
        return finding(
            why,
            "clock_cost of a clock whose reading takes %" PRIu64 " ns, with %s of the %d measurements "
            "interrupted: expected a median of %" PRIu64 " ns for %d readings and a spread of %" PRIu64
            ", found %" PRIu64 " and %" PRIu64 "%s",
            s->cost, s->jump[1].by ? "two" : "one", RUNS, expected, READINGS, more, sum.median, sum.spread,
            is_within(sum.median, s->cost, s->step) ? "; that is of one reading"
            : is_within(sum.median, expected + all / RUNS, 2 * off)
                ? "; that is the average, which one interruption moves"
            : is_within(sum.median, expected, off)           ? "; the spread is the largest less the smallest"
            : is_within(sum.median, expected - s->cost, off) ? "; that is of one reading less"
            : is_within(sum.median, expected + s->cost, off) ? "; that is of one reading more"
                                                             : "");
    }
    return true;
}

/* Of every eight one is longer than 32 bits of nanoseconds, 4.3 s: the clock is played, so nobody waits. */
enum { LONG_LATENESS = 4, LONG_WAIT = 6 };

/* Did one of the sleeps come back before its time? */
static bool interrupted(const struct script *script, const struct played *played)
{
    for (uint64_t k = 0; k < played->sleeps && k < SLEEPS; k++)
        if (script->share[k] < WHOLE)
            return true;
    return false;
}

static void fill_frequency(struct lab *lab, struct call *call)
{
    struct script *scripts = play_args(call);
    for (size_t i = 0; i < call->n; i++) {
        struct script *s = &scripts[i];
        *s = draw_script(lab);
        for (size_t k = 0; k < SLEEPS; k++)
            s->late[k] = between(lab, CALIBRATION / 20, CALIBRATION / 2);
        if (i % 2)
            interrupt_sleeps(lab, s, i / 2);
        s->cost = between(lab, 200, 400); /* some wait by reading alone: within what a model core executes */
        while (s->frequency < 20000000)
            s->frequency *= 7;
        if (i % 4 == 2) { /* few ticks behind many */
            s->frequency = between(lab, 20000000, 60000000);
            s->count |= UINT64_C(1) << 62;
        }
    }
}

static bool verify_frequency(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct script *scripts = call->buffer[BUFFER_IN];
    const struct outcome *found = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const struct script *s = &scripts[i];
        const double expected = (double)s->frequency, ratio = found[i].number / expected,
                     passed = (double)(found[i].played.time - s->start) / CALIBRATION;
        if (!was_read("counter_frequency", &found[i], 2, why))
            return false;
        if (fabs(ratio - 1) <= 0.001 && passed >= 1)
            continue;
        return finding(
            why, "counter_frequency of a counter with %.0f ticks a second: found %.6g%s", expected,
            found[i].number,
            fabs(ratio / passed - 1) <= 0.01
                ? "; that is per time that the sleep was asked to take, and it took longer"
            : passed < 0.999
                ? !interrupted(s, &found[i].played) ? "; it measured over less than CALIBRATION"
                  : found[i].played.sleeps > 1
                      ? "; it measured over less than CALIBRATION, for a sleep that was gone on with "
                        "was interrupted again"
                      : "; it measured over less than CALIBRATION, for a sleep that was "
                        "interrupted was not gone on with"
            : fabs(ratio * SECOND - 1) <= 0.001 ? ", which is ticks a nanosecond"
            : s->count >> 62 && fabs(ratio - 1) <= 0.1
                ? "; its readings have more bits than a double: subtract them as integers"
                : "");
    }
    return true;
}

static void fill_lateness(struct lab *lab, struct call *call)
{
    struct script *scripts = play_args(call);
    for (size_t i = 0; i < call->n; i++) {
        scripts[i] = draw_script(lab);
        scripts[i].argument = 2000 + of_bits(lab, 24);
        if (i % 2) {
            interrupt_sleeps(lab, &scripts[i], i / 2);
            scripts[i].argument += 100000;
        }
        if (i % 4 == 2) {
            scripts[i].start |= UINT64_C(1) << 62;
            scripts[i].cost = between(lab, 20, 40);
        }
        if (i % 8 == LONG_LATENESS)
            scripts[i].argument = between(lab, UINT64_C(1) << 32, UINT64_C(1) << 40);
    }
}

/* As somebody does it who reads the clock once before and once after each sleep. */
static struct summary expected_lateness(const struct script *script)
{
    struct played played = begin_play(script);
    uint64_t late[RUNS], sorted[RUNS];
    for (size_t run = 0; run < RUNS; run++) {
        const uint64_t when = script_now(script, &played) + script->argument;
        uint64_t now;
        do
            script_sleep_until(script, &played, when);
        while ((now = script_now(script, &played)) < when);
        late[run] = now - when;
    }
    sort_five(sorted, late);
    return (struct summary){sorted[RUNS / 2], sorted[RUNS - 1] - sorted[0]};
}

static bool verify_lateness(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct script *scripts = call->buffer[BUFFER_IN];
    const struct outcome *found = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const struct script *s = &scripts[i];
        const struct summary sum = found[i].summary, expected = expected_lateness(s);
        const uint64_t off = 6 * s->cost;
        if (found[i].played.sleeps == 0)
            return finding(why, "sleep_lateness did not sleep: not done yet?");
        if (!was_read("sleep_lateness", &found[i], RUNS + 1, why))
            return false;
        const bool right =
            is_within(sum.median, expected.median, off) && is_within(sum.spread, expected.spread, off);
        if (right && found[i].played.time - s->start < RUNS * s->argument)
            return finding(why,
                           "sleep_lateness of %d sleeps of %" PRIu64
                           " ns each: by the clock all of it took %" PRIu64 " ns%s",
                           RUNS, s->argument, found[i].played.time - s->start,
                           s->argument >> 31 ? "; such a length needs more than 32 bits" : "");
        if (right)
            continue;
        return finding(
            why,
            "sleep_lateness of sleeps of %" PRIu64 " ns%s: expected a median of %" PRIu64
            " ns and a spread of %" PRIu64 ", found %" PRIu64 " and %" PRIu64 "%s",
            s->argument, i % 2 ? ", some of them interrupted" : "", expected.median, expected.spread,
            sum.median, sum.spread,
            (sum.median >> 63 || sum.spread >> 60) && found[i].played.sleeps > RUNS
                ? "; a sleep that was gone on with came back early again, and unsigned numbers wrap around"
            : sum.median >> 63 || sum.spread >> 60
                ? "; a sleep that came back early was not gone on with, and unsigned numbers wrap around"
            : is_within(sum.median, expected.median + s->argument, off)
                ? "; that is what the sleep took, and not how late it was"
            : sum.median <= off ? "; sleeps were taken as exact"
            : s->start >> 62 && is_within(sum.median, expected.median, 1 << 12)
                ? "; readings of the clock have more bits than a double: subtract them as integers"
                : "");
    }
    return true;
}

/* From less than what a sleep may be late to much more than it; and some that a number of 31 bits or of 32
 * has for less than that. Of these a reading takes longer, so that who reads all the time comes to an end. */
static void fill_wait(struct lab *lab, struct call *call)
{
    struct script *scripts = play_args(call);
    for (size_t i = 0; i < call->n; i++) {
        struct script *s = &scripts[i];
        *s = draw_script(lab);
        s->cost = between(lab, 100, 400);
        s->argument = i % 8 == 0   ? between(lab, 0, s->cost / 2) /* over when the clock was read once */
                      : i % 4 == 0 ? between(lab, 0, 3 * s->cost)
                      : i % 4 == 1 ? between(lab, s->late_most / 4, s->late_most)
                                   : between(lab, 4 * s->late_most, 20 * s->late_most);
        if (i % 4 == 3)
            interrupt_sleeps(lab, s, i / 4);
        if (i % 8 == LONG_WAIT) {
            s->cost = between(lab, 20000, 40000);
            s->argument = i / 8 % 2 ? (UINT64_C(1) << 32) + draw_below(&lab->draw, s->late_most)
                                    : between(lab, UINT64_C(1) << 31, UINT64_C(1) << 32);
        }
    }
}

static bool verify_wait(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct script *scripts = call->buffer[BUFFER_IN];
    const struct outcome *found = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const struct script *s = &scripts[i];
        const struct played *played = &found[i].played;
        const uint64_t when = s->start + s->argument, most = 4 * s->cost + when,
                       readings = (s->late_most + s->late_most) / s->cost + 4 * SLEEPS;
        char head[160];
        snprintf(head, sizeof head,
                 "wait_until a time %" PRIu64 " ns ahead, with sleeps up to %" PRIu64 " ns late", s->argument,
                 s->late_most);
        if (played->readings == 0)
            return finding(why, "wait_until did not read the clock: not done yet?");
        if (played->time < when)
            return finding(why, "%s: came back %" PRIu64 " ns too early%s", head, when - played->time,
                           played->sleeps > 0 ? "; a sleep may be interrupted: read the clock after it" : "");
        if (played->time > most && s->argument > 0)
            return finding(why, "%s: came back %" PRIu64 " ns too late%s", head, played->time - when,
                           played->sleeps > 0 ? "; it slept to the end, and a sleep comes back late" : "");
        if (played->readings > readings)
            return finding(why,
                           "%s: read the clock %" PRIu64 " times; %s while more than %" PRIu64
                           " ns are left, so that others have the processor%s",
                           head, played->readings,
                           played->sleeps == 0      ? "sleep"
                           : interrupted(s, played) ? "a sleep was interrupted, maybe not once: sleep again"
                                                    : "go on sleeping",
                           s->late_most, s->argument >> 31 ? "; so long a wait needs more than 31 bits" : "");
        if (found[i].word < when || found[i].word > played->time)
            return finding(why, "%s: expected the reading that showed the time, %" PRIu64 ", found %" PRIu64,
                           head, played->time, found[i].word);
    }
    return true;
}

/* ---- the system's clocks ---- */

static bool allocate_now(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_OUT, call->n * sizeof(struct now_outcome), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE);
}

static void fill_now(struct lab *lab, struct call *call)
{
    struct now_args *args = call->args;
    (void)lab;
    *args = (struct now_args){.outcomes = call->buffer[BUFFER_OUT], .n = call->n};
}

static bool verify_now(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct now_outcome *out = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        const struct now_outcome *o = &out[i];
        const uint64_t found = o->found;
        if (o->before > o->after || (found >= o->before && found <= o->after))
            continue; /* or the machine's own clock went back */
        return finding(
            why, "now_ns gave %" PRIu64 ", while CLOCK_MONOTONIC went from %" PRIu64 " to %" PRIu64 "%s",
            found, o->before, o->after,
            found == 0 ? ": not done yet?"
            : found >= o->wall_before && found <= o->wall_after
                ? "; that is CLOCK_REALTIME, which is set now and then, backwards too"
            : found < SECOND || found == o->before % SECOND ? "; are the seconds missing?"
            : found < o->before && o->before - found < SECOND / 50
                ? "; is it a coarse clock, which shows the last tick?"
                : "");
    }
    return true;
}

static bool allocate_resolution(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_IN, call->n * sizeof(int), sizeof(int), PLAN_READ) &&
           call_buffer(lab, call, BUFFER_OUT, call->n * sizeof(struct resolution_outcome), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE);
}

static void fill_resolution(struct lab *lab, struct call *call)
{
    static const int known[] = {0, 1, 4, 5, 6, 7}; /* calls.h */
    struct resolution_args *args = call->args;
    int *clocks = call->buffer[BUFFER_IN];
    *args = (struct resolution_args){.clocks = clocks, .outcomes = call->buffer[BUFFER_OUT], .n = call->n};
    for (size_t i = 0; i < call->n; i++)
        clocks[i] = known[draw_below(&lab->draw, sizeof known / sizeof *known)];
}

static bool verify_resolution(struct lab *lab, const struct call *call, struct finding *why)
{
    const int *clocks = call->buffer[BUFFER_IN];
    const struct resolution_outcome *out = call->buffer[BUFFER_OUT];
    (void)lab;
    for (size_t i = 0; i < call->n; i++)
        if (out[i].found != out[i].expected)
            return finding(why,
                           "resolution_ns of clock %d: the kernel says %" PRIu64 " ns, found %" PRIu64 "%s",
                           clocks[i], out[i].expected, out[i].found,
                           out[i].found == 0   ? ": not done yet?"
                           : out[i].found == 1 ? ": is it this clock that was asked?"
                                               : "");
    return true;
}

enum {
    LONG_SLEEP = 2000000, /* of every four the second, for which the processor is watched */
    LONG_EVERY = 4,
    BUSY = 8 /* no more than this part of a sleep; going to sleep and waking up takes some hundredths */
};

static bool allocate_sleep(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, BUFFER_IN, call->n * sizeof(uint64_t), sizeof(uint64_t), PLAN_READ) &&
           call_buffer(lab, call, BUFFER_OUT, call->n * sizeof(struct sleep_outcome), sizeof(uint64_t),
                       PLAN_READ | PLAN_WRITE);
}

static void fill_sleep(struct lab *lab, struct call *call)
{
    struct sleep_args *args = call->args;
    uint64_t *lengths = call->buffer[BUFFER_IN];
    *args = (struct sleep_args){.lengths = lengths, .outcomes = call->buffer[BUFFER_OUT], .n = call->n};
    for (size_t i = 0; i < call->n; i++)
        lengths[i] = i % LONG_EVERY == 1   ? LONG_SLEEP + of_bits(lab, 20)
                     : i % LONG_EVERY == 2 ? 0
                                           : of_bits(lab, 18);
}

static bool verify_sleep(struct lab *lab, const struct call *call, struct finding *why)
{
    const uint64_t *lengths = call->buffer[BUFFER_IN];
    const struct sleep_outcome *out = call->buffer[BUFFER_OUT];
    unsigned sleeps = 0, busy = 0;
    uint64_t cpu = 0, length = 1;
    (void)lab;
    for (size_t i = 0; i < call->n; i++) {
        if (out[i].after < out[i].before)
            continue; /* the machine's own clock went back */
        if (lengths[i] > 0 && out[i].after < out[i].when)
            return finding(why,
                           "sleep_until_ns came back %" PRIu64 " ns before its time, after %" PRIu64
                           " of %" PRIu64 " ns%s",
                           out[i].when - out[i].after, out[i].after - out[i].before, lengths[i],
                           out[i].after - out[i].before < lengths[i] / 10
                               ? ": not done yet, or is it no time of CLOCK_MONOTONIC that the kernel got?"
                               : "");
        if (lengths[i] < LONG_SLEEP)
            continue;
        sleeps++;
        if (out[i].cpu_after - out[i].cpu_before > lengths[i] / BUSY) {
            busy++;
            cpu = out[i].cpu_after - out[i].cpu_before;
            length = lengths[i];
        }
    }
    /* One alone may be the machine's doing: a processor that was taken away looks busy. */
    if (busy > sleeps / 2)
        return finding(why,
                       "sleep_until_ns kept the processor busy for %" PRIu64 " ns of a sleep of %" PRIu64
                       " ns: sleep, and let others have it",
                       cpu, length);
    return true;
}

static bool allocate_nothing(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
    return true;
}

static void fill_real(struct lab *lab, struct call *call)
{
    struct real_args *args = call->args;
    args->ns = between(lab, 1, 500000);
}

enum { FACTOR = 4 };

static bool is_near(uint64_t found, uint64_t glue)
{
    return found > 0 && found <= FACTOR * glue && glue <= FACTOR * found;
}

static bool verify_real(struct lab *lab, const struct call *call, struct finding *why)
{
    const struct real_result r = *(const struct real_result *)call->result;
    (void)lab;
    if (!r.usable)
        return finding(why, "now_ns is not right yet: see the check of now");
    if (!is_near(r.step.found, r.step.glue))
        return finding(why,
                       "clock_step of now_ns: found %" PRIu64 " ns; the suite sees steps of %" PRIu64 " ns",
                       r.step.found, r.step.glue);
    if (!is_near(r.coarse_step.found, r.coarse_step.glue))
        return finding(why,
                       "clock_step of CLOCK_MONOTONIC_COARSE: found %" PRIu64
                       " ns; the suite sees steps of %" PRIu64 " ns",
                       r.coarse_step.found, r.coarse_step.glue);
    if (r.backward.found > 0 && r.backward.glue == 0)
        return finding(why, "backward_steps of now_ns: found %" PRIu64 ", and the suite none",
                       r.backward.found);
    if (r.lateness.median > r.lateness_took / 3 || r.lateness.spread > r.lateness_took)
        return finding(why,
                       "sleep_lateness of %d sleeps: a median of %" PRIu64 " ns and a spread of %" PRIu64
                       " ns do not fit into the %" PRIu64 " ns that all of it took",
                       RUNS, r.lateness.median, r.lateness.spread, r.lateness_took);
    if (r.cost.median > r.cost_took / 3 || r.cost.spread > r.cost_took)
        return finding(why,
                       "clock_cost of now_ns: a median of %" PRIu64 " ns and a spread of %" PRIu64
                       " ns do not fit into the %" PRIu64 " ns that all of it took",
                       r.cost.median, r.cost.spread, r.cost_took);
    if (r.returned < r.when || r.after < r.when || r.returned > r.after)
        return finding(
            why, "wait_until %" PRIu64 ", by now_ns: it returned %" PRIu64 " when the clock was at %" PRIu64,
            r.when, r.returned, r.after);
    return true;
}

static bool verify_ratio(struct lab *lab, const struct call *call, struct finding *why)
{
    const double ratio = ((const struct ratio_result *)call->result)->ratio;
    (void)lab;
    return (isfinite(ratio) && ratio > 0) || finding(why, "it gives %g times the suite's own value", ratio);
}

static double ratio_of(const struct lab *lab, const struct call *call)
{
    (void)lab;
    return ((const struct ratio_result *)call->result)->ratio;
}

/* ---- the cases ---- */

#define CASE(NAME, ENTRY, ARGS, ALLOCATE, FILL, VERIFY, ...)                                                 \
    {                                                                                                        \
        .name = (NAME), .entry = (ENTRY), .args_size = sizeof(ARGS), .once = true, .allocate = (ALLOCATE),   \
        .fill = (FILL), .verify = (VERIFY), .buffers = {"the inputs", "the results"}, __VA_ARGS__            \
    }
#define NUMBERS(NAME, ENTRY, KIND)                                                                           \
    CASE(NAME, ENTRY, struct number_args, allocate_words, fill_##KIND, verify_##KIND, .result_size = 0)
#define PLAYED(NAME, ENTRY, KIND)                                                                            \
    CASE(NAME, ENTRY, struct play_args, allocate_play, fill_##KIND, verify_##KIND, .result_size = 0)
#define SYSTEM(NAME, ENTRY, KIND)                                                                            \
    CASE(NAME, ENTRY, struct KIND##_args, allocate_##KIND, fill_##KIND, verify_##KIND, .reads_clock = true)

static const struct case_def defs[] = {
    NUMBERS("to-ns", ENTRY_TO_NS, to_ns),
    NUMBERS("to-ticks", ENTRY_TO_TICKS, to_ticks),
    NUMBERS("scale", ENTRY_SCALE, scale),
    NUMBERS("scaled", ENTRY_SCALED, scaled),
    NUMBERS("seconds", ENTRY_SECONDS, seconds),
    CASE("five", ENTRY_FIVE, struct five_args, allocate_five, fill_five, verify_five, .result_size = 0),
    PLAYED("step", ENTRY_STEP, step),
    PLAYED("backward", ENTRY_BACKWARD, backward),
    PLAYED("cost", ENTRY_COST, cost),
    PLAYED("frequency", ENTRY_FREQUENCY, frequency),
    PLAYED("lateness", ENTRY_LATENESS, lateness),
    PLAYED("wait", ENTRY_WAIT, wait),
    SYSTEM("now", ENTRY_NOW, now),
    SYSTEM("resolution", ENTRY_RESOLUTION, resolution),
    SYSTEM("sleep", ENTRY_SLEEP, sleep),
    CASE("real", ENTRY_REAL, struct real_args, allocate_nothing, fill_real, verify_real,
         .result_size = sizeof(struct real_result), .reads_clock = true),
    CASE("real-cost", ENTRY_REAL_COST, struct real_args, allocate_nothing, fill_real, verify_ratio,
         .result_size = sizeof(struct ratio_result), .reads_clock = true, .value = ratio_of),
    CASE("real-frequency", ENTRY_REAL_FREQUENCY, struct real_args, allocate_nothing, fill_real, verify_ratio,
         .result_size = sizeof(struct ratio_result), .reads_clock = true, .value = ratio_of),
};

const struct case_table cyclelab_cases = {defs, sizeof defs / sizeof *defs};
