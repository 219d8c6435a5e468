/* What is drawn for each student: how often their workload asks for which of the server's parts. */
#ifndef PLANTED_H
#define PLANTED_H

#include <stdint.h>
#include "harness/base/seed.h"
#include "exercise.h"

enum { PARTS = 4, THOUSAND = 1000 };

/* The slow parts, and of a thousand requests how many ask for each: where it is the worst, where it is one of
 * the other two, and where hardly anybody asks for it. So the worst has some 85 % of the time that the server
 * takes as it comes (the check on small cores less), and the other two some 7 % each. */
static const struct part {
    const char *name;
    enum kind kind;
    enum place place;
    enum class class;
    unsigned worst, other, rare;
} parts[PARTS] = {
    {"find", GET, IN_FIND, LOADS_IN_A_CHAIN, 780, 40, 1},
    {"scan", SCAN, IN_SCAN, BYTES_MOVED, 330, 18, 0},
    {"count", COUNT, IN_COUNT, MISPREDICTIONS, 650, 26, 1},
    {"check", CHECK, IN_CHECK, SLOW_OPERATION, 890, 55, 2},
};

struct planted {
    unsigned worst, rare; /* of parts[] */
};

static struct planted planted_for(uint32_t student)
{
    const unsigned which = (unsigned)(seed_derive(student, 18) % (PARTS * (PARTS - 1)));
    const unsigned worst = which % PARTS;
    return (struct planted){.worst = worst, .rare = (worst + 1 + which / PARTS) % PARTS};
}

static unsigned weight(struct planted planted, unsigned part)
{
    return part == planted.worst  ? parts[part].worst
           : part == planted.rare ? parts[part].rare
                                  : parts[part].other;
}

#endif
