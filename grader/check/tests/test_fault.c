/* What a fault is called. There is no program behind it, so no function is known. */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "grader/check/fault.h"
#include "grader/exercise/layout.h"

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(int32_t), sizeof(int32_t), PLAN_READ | PLAN_WRITE);
}

static void fill(struct lab *lab, struct call *call)
{
    (void)lab;
    *(int32_t **)call->args = call->buffer[0];
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    (void)lab;
    (void)call;
    (void)why;
    return true;
}

static const struct case_def def = {.name = "double",
                                    .args_size = sizeof(int32_t *),
                                    .result_size = 8,
                                    .allocate = allocate,
                                    .fill = fill,
                                    .verify = verify,
                                    .buffers = {"values"}};

static const struct layout_call calls[] = {{0, ARENA_AT_END}, {3, ARENA_AT_END}};

/* Of a plan that makes one call alone where `only` says which. */
static struct fault_text describe_in(const struct case_def *in, int only, struct machine_run run,
                                     enum isa isa)
{
    struct fault_text text;
    struct error err;
    const struct layout_request request = {.def = in, .calls = calls, .count = 2, .seed = 42};
    struct arena *arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    struct layout *layout = layout_open(arena, &request, &err);
    cr_assert(layout, "%s", err.text);
    layout_fill(layout, 2);
    if (only >= 0)
        layout_only(layout, (size_t)only);
    fault_describe(&run, layout, "/nowhere/program", isa, 2000, &text);
    layout_close(layout);
    arena_destroy(arena);
    return text;
}

static struct fault_text describe(struct machine_run run, enum isa isa)
{
    run.status.call = 1;
    return describe_in(&def, -1, run, isa);
}

/* Outside of any program's code, near the fault or not: the call is told the same way. */
Test(fault, tells_the_n_of_the_call_that_the_plan_makes)
{
    const struct machine_run run = {.outcome = MACHINE_CLOBBERED, .status = {.clobbered = 1}};
    static const char *const words[] = {" in the call with n = 0", " in the call with n = 3"};
    for (int only = -1; only < 2; only++)
        cr_expect(strstr(describe_in(&def, only, run, ISA_X86_64).message, words[only > 0]), "%d", only);
}

Test(fault, tells_no_n_where_the_student_is_given_none)
{
    struct case_def once = def, unsized = def;
    const struct machine_run run = {.outcome = MACHINE_CLOBBERED, .status = {.clobbered = 1}},
                             none = {.outcome = MACHINE_CLOBBERED, .status = {.clobbered = 1, .call = 2}};
    once.once = unsized.unsized = true;
    cr_expect_str_eq(describe_in(&once, -1, run, ISA_X86_64).message,
                     "the function came back with rbx changed");
    cr_expect_str_eq(describe_in(&unsized, -1, run, ISA_X86_64).message,
                     "the function came back with rbx changed");
    cr_expect_str_eq(describe_in(&def, -1, none, ISA_X86_64).message,
                     "the function came back with rbx changed", "there is no such call");
}

Test(fault, names_the_registers_that_were_clobbered)
{
    struct machine_run run = {.outcome = MACHINE_CLOBBERED, .status.clobbered = 1 | 1 << 2};
    struct fault_text text = describe(run, ISA_X86_64);
    cr_expect_str_eq(text.message, "the function came back with rbx, r12 changed in the call with n = 3");
    cr_expect(strstr(text.next, "rbx, rbp, r12-r15"));
    cr_expect(strstr(describe(run, ISA_AARCH64).message, "x19, x21"));
}

Test(fault, tells_an_endless_loop_an_exit_and_a_jump_into_nowhere)
{
    struct machine_run endless = {.outcome = MACHINE_TIMEOUT},
                       left = {.outcome = MACHINE_EXITED, .exit_status = 3},
                       killed = {.outcome = MACHINE_EXITED, .signal = SIGKILL},
                       stopped = {.outcome = MACHINE_EXITED, .signal = SIGSTOP},
                       jumped = {.outcome = MACHINE_CRASHED, .signal = SIGSEGV, .status.pc = 0x1234};
    cr_expect(strstr(describe(endless, ISA_X86_64).message,
                     "did not come back within 2000 ms in the call with n = 3"));
    cr_expect(strstr(describe(endless, ISA_X86_64).next, "loop"));
    cr_expect(strstr(describe(left, ISA_X86_64).message, "exit status 3"));
    cr_expect(strstr(describe(killed, ISA_X86_64).message, "signal 9"));
    cr_expect(strstr(describe(stopped, ISA_X86_64).message, "stopped its own process"));
    cr_expect(strstr(describe(jumped, ISA_X86_64).message, "jumped to 0x1234"));
    cr_expect(strstr(describe(jumped, ISA_AARCH64).next, "x30"));
}

Test(fault, tells_who_waits_for_a_thread_that_stands_still)
{
    struct machine_run waits = {.outcome = MACHINE_WAITS, .part = 1};
    const struct fault_text text = describe(waits, ISA_X86_64);
    cr_expect_str_eq(text.message,
                     "thread 1 does not come to an end while thread 0 stands still, as a thread "
                     "without a CPU does in the call with n = 3");
    cr_expect(strstr(text.next, "Wait for nobody"));
    cr_expect(text.endless);
}

Test(fault, no_function_ends_where_there_is_no_program)
{
    struct fault_text text = {0};
    cr_expect_not(fault_past_end("/nowhere/program", 0x401000, "", &text));
    cr_expect_str_eq(text.message, "");
}
