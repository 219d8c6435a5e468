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
    turns->handover = calloc(rounds, sizeof *turns->handover);
    if (!turns->rounds || !turns->handover)
        return false;
    for (size_t i = 0; i < rounds; i++) {
        turns->handover[i] = INFINITY;
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
    free(turns->rounds);
    free(turns->handover);
    *turns = (struct turns){0};
}

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

void turns_add_empty(struct turns *turns, size_t turn, double ticks)
{
    const size_t round = turns_round(turns, turn);
    assert(round < rounds_most(turns));
    turns->handover[round] = fmin(turns->handover[round], ticks);
}

bool turns_add(struct turns *turns, size_t turn, enum role role, const struct slice *slice)
{
    assert(turns_round(turns, turn) < rounds_most(turns));
    struct kept *kept = &turns->rounds[turns_round(turns, turn)][role];
    if (slice->ticks < kept->least.ticks)
        kept->least = *slice;
    return !turns->quartile || insert(kept, slice->ticks);
}

double turns_ticks(const struct turns *turns, size_t round, enum role role)
{
    const struct kept *kept = &turns->rounds[round][role];
    double ticks =
        (kept->count > 0 ? kept->ticks[kept->count / 4] : kept->least.ticks) - turns->handover[round];
    return ticks > 0 && isfinite(ticks) ? ticks : NAN;
}

double turns_handover(const struct turns *turns, size_t rounds)
{
    double ticks[ROUNDS_MAX];
    memcpy(ticks, turns->handover, rounds * sizeof *ticks);
    return stats_median(ticks, rounds);
}

const struct slice *turns_slice(const struct turns *turns, size_t round, enum role role)
{
    return &turns->rounds[round][role].least;
}
