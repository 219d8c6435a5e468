/* What an exercise's glue.c brings: a table of entries, each turning an argument block into the call with its
 * natural C signature.
 *
 *     static void call_clamp(const void *args, void *result)
 *     {
 *         const struct clamp_args *a = args;
 *         (void)result;
 *         clamp(a->values, a->n, a->lo, a->hi);
 *     }
 *     const plan_entry plan_entries[] = {call_clamp};
 *     const unsigned plan_entry_count = 1;
 *
 * Glue is built without a C library and without writable data, for each ISA. */
#ifndef CYCLELAB_GLUE_H
#define CYCLELAB_GLUE_H

#include <stdint.h>

/* A 32-bit argument as calling conventions allow it: what its register has above it is anything, and here
 * hardly ever what a zero or sign extension would leave. Goes to a second declaration of the student's
 * function:
 *
 *     void clamp_as_called(int32_t *values, size_t n, uint64_t lo, uint64_t hi) __asm__("clamp"); */
static inline uint64_t as_called(uint32_t argument)
{
    return (uint64_t)(0x5ac3967e ^ argument) << 32 | argument;
}

/* args: the argument block, read-only. result: the result block, which starts as the grader filled it. */
typedef void (*plan_entry)(const void *args, void *result);

extern const plan_entry plan_entries[];
extern const unsigned plan_entry_count;

/* The glue's functions that student code is handed, in any order; glue that hands out none leaves both away.
 * In the emulated machine it can enter the glue nowhere else. Where memory is the glue's alone (PLAN_GLUE),
 * its registers are, too: from a function that is handed out nothing comes back in them but an integer, where
 * it gives a value; to a function of the student's go x0 to x7 and v0 to v7 alone, used or not. (So that one
 * returns no struct in memory, to which x8 would point.) */
struct plan_handed {
    void (*function)(void);
    uint64_t gives_value;
};
extern const struct plan_handed plan_handed[];
extern const unsigned plan_handed_count;
#define PLAN_HANDED(FUNCTION)                                                                                \
    {                                                                                                        \
        (void (*)(void))(FUNCTION), 0                                                                        \
    }
#define PLAN_HANDED_VALUE(FUNCTION)                                                                          \
    {                                                                                                        \
        (void (*)(void))(FUNCTION), 1                                                                        \
    }

/* Places of the program: the emulated machine counts how often it comes to each by a jump, for the grader
 * (call->arrivals in grader/exercise/cases.h). Glue that wants nothing counted leaves both away. */
extern const void *const plan_counted[];
extern const unsigned plan_counted_count;

#endif
