/* The solution, where a course's folders stand beside each other. */
#if __has_include("../../../../solutions/03-branch-elimination/clamp.c")
#include "../../../../solutions/03-branch-elimination/clamp.c"
#elif __has_include("@ROOT@/solutions/03-branch-elimination/clamp.c")
#include "@ROOT@/solutions/03-branch-elimination/clamp.c"
#else
#error not there
#endif
