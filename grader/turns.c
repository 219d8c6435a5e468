#include "grader/turns.h"

#include <math.h>
#include <stdlib.h>

static size_t rounds_most(const struct turns *turns)
{
    return turns->single ? ROUNDS_MAX : STATS_FIRST_LOOK;
}

bool turns_open(struct turns *turns, bool single, bool quartile)
{
    *turns = (struct turns){.single = single, .quartile = quartile && !single};
    const size_t rounds = rounds_most(turns);
    turns->rounds = calloc(rounds, sizeof *turns->rounds);
    for (size_t i = 0; turns->rounds && i < rounds; i++)
        for (enum role role = 0; role < ROLES; role++)
            turns->rounds[i][role] = (struct kept){.handover = INFINITY, .least = {.ticks = INFINITY}};
    return turns->rounds != NULL;
}

void turns_close(struct turns *turns)
{
    for (size_t i = 0; turns->rounds && i < rounds_most(turns); i++)
        for (enum role role = 0; role < ROLES; role++)
            free(turns->rounds[i][role].ticks);
    free(turns->rounds);
    *turns = (struct turns){0};
}

size_t turns_round(const struct turns *turns, size_t turn)
{
    return turns->single ? turn : turn % STATS_FIRST_LOOK;
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

bool turns_add(struct turns *turns, size_t turn, enum role role, double empty, const struct slice *slice)
{
    struct kept *kept = &turns->rounds[turns_round(turns, turn)][role];
    kept->handover = fmin(kept->handover, empty);
    if (slice->ticks < kept->least.ticks)
        kept->least = *slice;
    return !turns->quartile || !isfinite(slice->ticks) || insert(kept, slice->ticks);
}

double turns_ticks(const struct turns *turns, size_t round, enum role role)
{
    const struct kept *kept = &turns->rounds[round][role];
    double handover = kept->handover;
    /* The student's process must not make its own hand-over seem dear: it is no dearer than the reference's,
     * where there is one. */
    if (role == ROLE_STUDENT)
        handover = fmin(handover, turns->rounds[round][ROLE_REFERENCE].handover);
    double ticks = (kept->count > 0 ? kept->ticks[kept->count / 4] : kept->least.ticks) - handover;
    return ticks > 0 && isfinite(ticks) ? ticks : NAN;
}

const struct slice *turns_slice(const struct turns *turns, size_t round, enum role role)
{
    return &turns->rounds[round][role].least;
}
