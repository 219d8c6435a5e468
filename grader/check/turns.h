/* The slices of all turns, and what a round keeps of them. Arithmetic: no clock, no process. */
#ifndef CYCLELAB_TURNS_H
#define CYCLELAB_TURNS_H

#include "grader/check/bounds.h"
#include "harness/base/draw.h"
#include "harness/pmu/pmu.h"

/* What one slice gives. */
struct slice {
    double ticks;   /* hand-over and all */
    double value;   /* what its calls report: their median */
    double overlap; /* of calls with parts: for what share of the time both were on a CPU; else NAN */
    double own;     /* seconds in which its process had a CPU, or slept of its own will (of calls with parts:
                       in which both had one at the same time, at least); NAN: the kernel does not tell */
    double grader;  /* seconds of a CPU that the grader needed for it */
    bool disturbed;
    struct pmu_count counters; /* what there is of them */
};

/* Of one role in one round, or of empty plans. */
struct kept {
    struct slice least;
    struct pmu_count counters; /* each of the last slice that had it: few counters take turns */
    double *ticks;             /* of every slice, in order */
    size_t count, room;
};

struct turns {
    bool single;        /* each turn is a round; else they are dealt to STATS_FIRST_LOOK rounds, one after the
                         * other, so that each round has some of every stretch of time */
    bool quartile;      /* a round of many turns keeps the lower quartile of its slices, not the least */
    struct kept *empty; /* of each two rounds, the same for all roles: of empty plans, their ticks alone */
    struct kept (*rounds)[ROLES];
};

/* Noise only ever adds, so a round keeps the least slice, which has least of it. Where slices wait for memory
 * the least is the luckiest: there it is the lower quartile. The same of empty plans is the hand-over. False:
 * out of memory. */
bool turns_open(struct turns *turns, bool single, bool quartile);
void turns_close(struct turns *turns);

/* The steps of a turn: a slice of each role and perhaps an empty plan, in an order that nobody can foretell.
 * In TURNS_AFTER of STATS_FIRST_LOOK turns, which are drawn, a twin (the control, or whose second process
 * that is) comes right after the student: as many as it takes to tell at the first look whether it suffers.
 */
enum { TURN_EMPTY = ROLES, TURN_STEPS, TURNS_AFTER = STATS_LEAST_ROUNDS + 1 };

struct turn_order {
    struct draw draw;
    enum role twin;
    bool is_after[STATS_FIRST_LOOK];
};

void turn_order_begin(struct turn_order *order, uint64_t seed, enum role twin);

/* Turns are asked for one after the other, from 0. */
void turn_order_draw(struct turn_order *order, size_t turn, unsigned steps[TURN_STEPS]);

/* What comes right after the student; ROLES: an empty plan, or nothing. */
enum role turn_follows(const unsigned steps[TURN_STEPS]);

/* The epoch that a turn belongs to. Between two looks all epochs come, one after the other. */
unsigned turns_epoch(size_t turn);

/* The round that a turn goes to; all turns of a round are of one epoch. */
size_t turns_round(const struct turns *turns, size_t turn);

/* Does an empty plan belong to this turn? Every other one has none, whose round shares that of the one
 * before. */
bool turns_has_empty(size_t turn);

/* A turn's empty plan, in ticks. The turn is below ROUNDS_MAX if each is a round. False: out of memory. */
bool turns_add_empty(struct turns *turns, size_t turn, double ticks);

/* A role's slice of one turn. False: out of memory. */
bool turns_add(struct turns *turns, size_t turn, enum role role, const struct slice *slice);

/* Ticks of a role's slice in this round, the hand-over subtracted. NAN where it is too short to be told from
 * a hand-over. */
double turns_ticks(const struct turns *turns, size_t round, enum role role);

/* How even the slices of each epoch are, to `rounds->uneven`: the mean of all of them over what its rounds
 * keep, in the median, none taken for more than ROUNDS_FAR times that; the whole mean in ticks to
 * `rounds->mean`; and how many there are, and how many are slow, or far slower. NAN where there is none.
 * `rounds` has the turns' number of rounds, their epochs and times.
 */
void turns_compare(const struct turns *turns, struct rounds *rounds);

/* What an empty plan takes, in ticks: the median of the first so many rounds, 1 at least. */
double turns_handover(const struct turns *turns, size_t rounds);

/* The round's least slice. */
const struct slice *turns_slice(const struct turns *turns, size_t round, enum role role);

/* The round's counters, each of one slice. */
const struct pmu_count *turns_counters(const struct turns *turns, size_t round, enum role role);

#endif
