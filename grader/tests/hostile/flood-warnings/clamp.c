/* A warning in each of 200 nested inclusions of itself, and then an error. */
#warning "flood"
#if __INCLUDE_LEVEL__ < 190
#include "clamp.c"
#include "clamp.c"
#endif
#error end
