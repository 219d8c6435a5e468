/* The names of script.inc's results, in their order. */
#ifndef CYCLELAB_VPMU_NAMES_H
#define CYCLELAB_VPMU_NAMES_H

#define PUT(register, value)
#define TAKE(name, register, mask) name,
#define WORK(n)
static const char *const names[] = {
#include "ci/vpmu/script.inc"
};
#undef PUT
#undef TAKE
#undef WORK

enum { NAMES = sizeof names / sizeof *names };

#endif
