/* The exercise's inputs and oracle. */
#include "@ROOT@/exercises/03-branch-elimination/cases.c"
