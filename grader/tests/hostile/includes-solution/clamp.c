/* The solution, by its place in the tree. */
#include "@ROOT@/solutions/03-branch-elimination/clamp.c"
