/* Itself, without end, twice each time. */
#include "clamp.c"
#include "clamp.c"
