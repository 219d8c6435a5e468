#include "grader/check/turns.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t rounds_most(const struct turns *turns)
{
    return turns->single ? ROUNDS_MAX : STATS_FIRST_LOOK;
}

bool turns_open(struct turns *turns, bool single, bool quartile)
{
    *turns = (struct turns){.single = single, .quartile = quartile && !single};
    const size_t rounds = rounds_most(turns);
    turns->rounds = calloc(rounds, sizeof *turns->rounds);
    turns->empty = calloc(rounds / 2, sizeof *turns->empty);
    if (!turns->rounds || !turns->empty)
        return false;
    for (size_t i = 0; i < rounds; i++) {
        turns->empty[i / 2] = (struct kept){.least = {.ticks = INFINITY}};
        for (enum role role = 0; role < ROLES; role++)
            turns->rounds[i][role] = (struct kept){.least = {.ticks = INFINITY}};
    }
    return true;
}

void turns_close(struct turns *turns)
{
    for (size_t i = 0; turns->rounds && i < rounds_most(turns); i++)
        for (enum role role = 0; role < ROLES; role++)
            free(turns->rounds[i][role].ticks);
    for (size_t i = 0; turns->empty && i < rounds_most(turns) / 2; i++)
        free(turns->empty[i].ticks);
    free(turns->rounds);
    free(turns->empty);
    *turns = (struct turns){0};
}

/* ---- their order ---- */

void turn_order_begin(struct turn_order *order, uint64_t seed, enum role twin)
{
    *order = (struct turn_order){.twin = twin};
    draw_begin(&order->draw, seed);
}

static void shuffle(struct draw *draw, unsigned steps[TURN_STEPS])
{
    for (unsigned i = 0; i < TURN_STEPS; i++)
        steps[i] = i;
    for (unsigned i = TURN_STEPS; i > 1; i--) {
        const unsigned at = (unsigned)draw_below(draw, i), last = steps[i - 1];
        steps[i - 1] = steps[at];
        steps[at] = last;
    }
}

enum role turn_follows(const unsigned steps[TURN_STEPS])
{
    unsigned at = 0;
    while (steps[at] != ROLE_STUDENT)
        at++;
    return at + 1 < TURN_STEPS ? (enum role)steps[at + 1] : ROLES;
}

static void choose_turns_after(struct turn_order *order)
{
    uint64_t left = TURNS_AFTER;
    for (unsigned i = 0; i < STATS_FIRST_LOOK; i++) {
        order->is_after[i] = draw_below(&order->draw, STATS_FIRST_LOOK - i) < left;
        left -= order->is_after[i];
    }
}

void turn_order_draw(struct turn_order *order, size_t turn, unsigned steps[TURN_STEPS])
{
    const size_t at = turn % STATS_FIRST_LOOK;
    bool is_after;
    if (at == 0)
        choose_turns_after(order);
    do {
        shuffle(&order->draw, steps);
        const enum role next = turn_follows(steps);
        is_after = next == order->twin || next == ROLE_CONTROL;
    } while (is_after != order->is_after[at]);
}

/* ---- their rounds ---- */

/* A pass is what lies between two looks: the first 32 turns, the next 32, the next 64, ... */
unsigned turns_epoch(size_t turn)
{
    size_t start = 0, length = STATS_FIRST_LOOK;
    while (turn >= start + length) {
        start += length;
        length = start;
    }
    return (unsigned)((turn - start) * EPOCHS / length);
}

size_t turns_round(const struct turns *turns, size_t turn)
{
    const size_t of_epoch = STATS_FIRST_LOOK / EPOCHS;
    return turns->single ? turn : turns_epoch(turn) * of_epoch + turn % of_epoch;
}

/* In order at once: the round is looked at after every turn. */
static bool insert(struct kept *kept, double ticks)
{
    if (kept->count == kept->room) {
        size_t room = kept->room ? 2 * kept->room : 64;
        double *more = realloc(kept->ticks, room * sizeof *more);
        if (!more)
            return false;
        kept->ticks = more;
        kept->room = room;
    }
    size_t at = kept->count++;
    for (; at > 0 && kept->ticks[at - 1] > ticks; at--)
        kept->ticks[at] = kept->ticks[at - 1];
    kept->ticks[at] = ticks;
    return true;
}

bool turns_has_empty(size_t turn)
{
    return turn % 2 == 0;
}

bool turns_add_empty(struct turns *turns, size_t turn, double ticks)
{
    const size_t round = turns_round(turns, turn);
    assert(round < rounds_most(turns));
    struct kept *empty = &turns->empty[round / 2];
    empty->least.ticks = fmin(empty->least.ticks, ticks);
    return insert(empty, ticks);
}

bool turns_add(struct turns *turns, size_t turn, enum role role, const struct slice *slice)
{
    assert(turns_round(turns, turn) < rounds_most(turns));
    struct kept *kept = &turns->rounds[turns_round(turns, turn)][role];
    if (slice->ticks < kept->least.ticks)
        kept->least = *slice;
    pmu_merge(&kept->counters, &slice->counters);
    return insert(kept, slice->ticks);
}

/* Of slices or empty plans alike, so that what is subtracted is as lucky as what it is subtracted from. */
static double kept_ticks(const struct turns *turns, const struct kept *kept)
{
    return turns->quartile && kept->count > 0 ? kept->ticks[kept->count / 4] : kept->least.ticks;
}

static double without_handover(const struct turns *turns, size_t round, double ticks)
{
    ticks -= kept_ticks(turns, &turns->empty[round / 2]);
    return ticks > 0 && isfinite(ticks) ? ticks : NAN;
}

double turns_ticks(const struct turns *turns, size_t round, enum role role)
{
    return without_handover(turns, round, kept_ticks(turns, &turns->rounds[round][role]));
}

/* What the rounds of an epoch keep of a role: the median of them. `room` is for as many numbers. */
static double kept_of(const struct rounds *rounds, unsigned epoch, enum role role, double *room)
{
    size_t count = 0;
    for (size_t i = 0; i < rounds->count; i++)
        if (rounds->epoch[i] == epoch && isfinite(rounds->time[role][i]))
            room[count++] = rounds->time[role][i];
    return count > 0 ? stats_median(room, count) : NAN;
}

/* All of a role's slices of an epoch, whose rounds keep so much. */
struct slices {
    size_t count, slow, far;
    double sum, capped; /* none being taken for more than ROUNDS_FAR times what is kept */
};

static struct slices slices_of(const struct turns *turns, const struct rounds *rounds, unsigned epoch,
                               enum role role, double of_rounds, double slow)
{
    struct slices slices = {0};
    for (size_t i = 0; i < rounds->count; i++) {
        const struct kept *kept = &turns->rounds[i][role];
        for (size_t k = 0; rounds->epoch[i] == epoch && k < kept->count; k++) {
            const double ticks = without_handover(turns, i, kept->ticks[k]);
            if (!isfinite(ticks))
                continue;
            slices.count++;
            slices.slow += ticks > slow * of_rounds;
            slices.far += ticks > ROUNDS_FAR * of_rounds;
            slices.sum += ticks;
            slices.capped += fmin(ticks, ROUNDS_FAR * of_rounds);
        }
    }
    return slices;
}

/* From so many times what is kept on a slice is slow: where the reference gains little, the baseline's way
 * would hardly be. */
static double slow_from(const struct rounds *rounds, unsigned epoch, double *room)
{
    const double gain =
        kept_of(rounds, epoch, ROLE_BASELINE, room) / kept_of(rounds, epoch, ROLE_REFERENCE, room);
    return gain > 1 ? fmin(sqrt(gain), ROUNDS_SLOW) : ROUNDS_SLOW;
}

void turns_compare(const struct turns *turns, struct rounds *rounds)
{
    double room[ROUNDS_MAX], slow[EPOCHS], mean[EPOCHS];
    for (unsigned epoch = 0; epoch < EPOCHS; epoch++)
        slow[epoch] = slow_from(rounds, epoch, room);
    for (enum role role = 0; role < ROLES; role++) {
        rounds->slices[role] = rounds->slow[role] = rounds->far[role] = 0;
        for (unsigned epoch = 0; epoch < EPOCHS; epoch++) {
            const double kept = kept_of(rounds, epoch, role, room);
            const struct slices slices = slices_of(turns, rounds, epoch, role, kept, slow[epoch]);
            mean[epoch] = slices.sum / (double)slices.count;
            rounds->uneven[role][epoch] = slices.capped / (double)slices.count / kept;
            rounds->slices[role] += slices.count;
            rounds->slow[role] += slices.slow;
            rounds->far[role] += slices.far;
        }
        for (size_t i = 0; i < rounds->count; i++)
            rounds->mean[role][i] = mean[rounds->epoch[i]];
    }
}

double turns_handover(const struct turns *turns, size_t rounds)
{
    double ticks[ROUNDS_MAX];
    const size_t pairs = (rounds + 1) / 2;
    for (size_t i = 0; i < pairs; i++)
        ticks[i] = kept_ticks(turns, &turns->empty[i]);
    return stats_median(ticks, pairs);
}

const struct slice *turns_slice(const struct turns *turns, size_t round, enum role role)
{
    return &turns->rounds[round][role].least;
}

const struct pmu_count *turns_counters(const struct turns *turns, size_t round, enum role role)
{
    return &turns->rounds[round][role].counters;
}
