/* The names of what script.inc and levels.inc result in, in their order. */
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

#define TOLD(name)                                                                                           \
    name ": the syndrome", name ": the place", name ": the saved state", name ": the vector and the masks",
#define AT0(name, user, ...)       TOLD(name)
#define AT1(name, ...)             TOLD(name)
#define CLASS0(name, user, ...)    TOLD(name)
#define COUNTED(name, filter, ...) name ": instructions",
static const char *const level_names[] = {
#include "ci/vpmu/levels.inc"
};
#undef TOLD
#undef AT0
#undef AT1
#undef CLASS0
#undef COUNTED

enum { NAMES = sizeof names / sizeof *names, LEVEL_NAMES = sizeof level_names / sizeof *level_names };

#endif
