/* Rounds that take no time, and the most cycles that the others take. */
#include <math.h>

#include "grader/check/bounds.h"

/* What takes less than this part of the reference's time, and none in some rounds, takes none. */
#define NO_TIME 0.25

/* A round that cannot be told from a hand-over counts as 0. */
static double time_at(const struct rounds *rounds, enum role role, size_t i)
{
    return rounds->time[role][i] > 0 ? rounds->time[role][i] : 0;
}

static struct estimate time_of(const struct rounds *rounds, enum role role)
{
    double times[ROUNDS_MAX];
    for (size_t i = 0; i < rounds->count; i++)
        times[i] = time_at(rounds, role, i);
    return stats_estimate(times, rounds->count, STATS_LOOK_ALPHA);
}

/* It may be 0, and the reference's is not. */
static bool may_take_no_time(const struct rounds *rounds)
{
    return !rounds->has_values && time_of(rounds, ROLE_STUDENT).low == 0 &&
           time_of(rounds, ROLE_REFERENCE).low > 0;
}

static size_t without_time(const struct rounds *rounds, enum role role)
{
    size_t count = 0;
    for (size_t i = 0; i < rounds->count; i++)
        count += time_at(rounds, role, i) == 0;
    return count;
}

bool bounds_take_no_time(const struct rounds *rounds)
{
    return may_take_no_time(rounds) &&
           time_of(rounds, ROLE_STUDENT).high < NO_TIME * time_of(rounds, ROLE_REFERENCE).low;
}

bool bounds_hide_time(const struct rounds *rounds)
{
    return bounds_take_no_time(rounds) ||
           (may_take_no_time(rounds) &&
            stats_chance(without_time(rounds, ROLE_STUDENT), rounds->count,
                         without_time(rounds, ROLE_REFERENCE), rounds->count) <= ROUNDS_CHANCE);
}

double bounds_most_cycles(const struct rounds *rounds)
{
    double cycles[ROUNDS_MAX];
    for (size_t i = 0; i < rounds->count; i++) {
        const double chain = rounds->chain[i]; /* it may be interrupted */
        cycles[i] = chain > 0 ? time_at(rounds, ROLE_STUDENT, i) / chain : INFINITY;
    }
    return stats_estimate(cycles, rounds->count, STATS_LOOK_ALPHA).high;
}
