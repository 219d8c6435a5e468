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

/* The same, and each register that it need not bring back is another number then. */
static uint64_t __attribute__((noinline)) add_one_in_secret(uint64_t value)
{
    __asm__ volatile(".irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18\n"
                     "mov x\\n, #77\n"
                     ".endr\n"
                     ".irp n, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
                     "dup v\\n\\().2d, x1\n"
                     ".endr\n"
                     ".irp n, 8,9,10,11,12,13,14,15\n"
                     "mov v\\n\\().d[1], x1\n"
                     ".endr\n"
                     : "+r"(value)
                     :
                     : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
                       "x14", "x15", "x16", "x17", "x18", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7",
                       "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
                       "v28", "v29", "v30", "v31");
    return value + 1;
}

/* At its call of the student each register but those of the arguments has that number; and those that come
 * back have it again. */
static void call_secrets(const void *args, void *result)
{
    register const struct target_args *x0 __asm__("x0") = args;
    register struct target_result *x1 __asm__("x1") = result;
    register target_callback x2 __asm__("x2") = add_one_in_secret;
    register target_case x3 __asm__("x3") = target_cases[x0->which];
    __asm__ volatile(".irp n, 8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28\n"
                     "mov x\\n, #77\n"
                     ".endr\n"
                     ".irp n, 8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
                     "dup v\\n\\().2d, x8\n"
                     ".endr\n"
                     "str x1, [sp, #-16]!\n"
                     "blr x3\n"
                     "ldr x1, [sp], #16\n"
                     "mov x0, #77 * 18\n"
                     ".irp n, 19,20,21,22,23,24,25,26,27,28\n"
                     "sub x0, x0, x\\n\n"
                     ".endr\n"
                     ".irp n, 8,9,10,11,12,13,14,15\n"
                     "fmov x2, d\\n\n"
                     "sub x0, x0, x2\n"
                     ".endr\n"
                     : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
                     :
                     : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16",
                       "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
                       "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12",
                       "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24",
                       "v25", "v26", "v27", "v28", "v29", "v30", "v31", "cc", "memory");
    x1->returned = (uint64_t)x0 == 0;
}

/* It calls the student last. */
static void call_secrets_last(const void *args, void *result)
{
    const struct target_args *a = args;
    register const void *x0 __asm__("x0") = args;
    register void *x1 __asm__("x1") = result;
    register target_callback x2 __asm__("x2") = add_one_in_secret;
    register target_case x3 __asm__("x3") = target_cases[a->which];
    __asm__ volatile(".irp n, 8,9,10,11,12,13,14,15,16,17,18\n"
                     "mov x\\n, #77\n"
                     ".endr\n"
                     "dup v16.2d, x8\n"
                     "mov v8.d[1], x8\n"
                     "br x3\n"
                     :
                     : "r"(x0), "r"(x1), "r"(x2), "r"(x3));
    __builtin_unreachable();
}

const struct plan_handed plan_handed[] = {PLAN_HANDED_VALUE(add_one), PLAN_HANDED_VALUE(add_one_in_secret)};
const unsigned plan_handed_count = 2;

extern const char target_sum_loop[]; /* in target_cases_student.S */
const void *const plan_counted[] = {add_one, target_sum_loop, &plan_handed_count};
const unsigned plan_counted_count = TARGET_COUNTED;

const plan_entry plan_entries[] = {[TARGET_WHOLE] = call_whole,
                                   [TARGET_TAIL] = call_tail,
                                   [TARGET_SECRETS] = call_secrets,
                                   [TARGET_SECRETS_LAST] = call_secrets_last};
const unsigned plan_entry_count = sizeof plan_entries / sizeof *plan_entries;
