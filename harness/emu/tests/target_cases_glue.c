/* The glue of test_emulator.c's program. */
#include "harness/emu/tests/target_cases.h"
#include "harness/runner/glue.h"

static uint64_t __attribute__((noinline)) add_one(uint64_t value)
{
    return value + 1;
}

static void call_whole(const void *args, void *result)
{
    const struct target_args *a = args;
    struct target_result *r = result;
    target_cases[a->which](a, r, add_one);
    r->returned = 1;
}

/* The student's function returns to the machine itself. In front of it is padding. */
__attribute__((aligned(4096))) static void call_tail(const void *args, void *result)
{
    const struct target_args *a = args;
    target_cases[a->which](a, result, add_one);
}

const struct plan_handed plan_handed[] = {PLAN_HANDED_VALUE(add_one)};
const unsigned plan_handed_count = 1;

extern const char target_sum_loop[]; /* in target_cases_student.S */
const void *const plan_counted[] = {add_one, target_sum_loop, &plan_handed_count};
const unsigned plan_counted_count = TARGET_COUNTED;

const plan_entry plan_entries[] = {[TARGET_WHOLE] = call_whole, [TARGET_TAIL] = call_tail};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
