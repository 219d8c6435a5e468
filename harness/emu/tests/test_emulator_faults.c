/* What the emulated machine says of code that goes wrong. */
#include "harness/emu/tests/emulator_kit.h"

/* cppcheck-suppress unknownMacro */
TestSuite(emulator_faults, .init = before, .fini = after);

Test(emulator_faults, a_fault_has_its_place_address_and_access)
{
    expect_fault(CASE_reads_beyond, 4, (uint64_t)(values + VALUES), PLAN_READ);
    expect_fault(CASE_writes_argument, 0, (uint64_t)&args->n, PLAN_WRITE);
    expect_fault(CASE_writes_code, 4, start_of(CASE_writes_code), PLAN_WRITE);
    expect_fault(CASE_reads_plan, 4, ARENA_BASE, PLAN_READ);
    expect_fault(CASE_writes_status, 4, ARENA_STATUS, PLAN_WRITE);
    expect_fault(CASE_jumps_to_null, 4, 0, 0);
    expect_fault(CASE_jumps_to_data, 0, (uint64_t)result, 0);
    expect_fault(CASE_generates_code, 20, (uint64_t)result, 0);
    expect(CASE_jumps_to_constants, EMULATOR_FAULT, "");
    cr_expect_eq(run.access, 0);
    expect(CASE_runs_off, EMULATOR_FAULT, "");
    cr_expect_eq(run.access, 0);
    cr_expect_eq(run.pc, start_of(CASE_runs_off));
}

Test(emulator_faults, a_fault_with_a_core_is_the_same)
{
    use("cortex-a55");
    expect_fault(CASE_reads_beyond, 4, (uint64_t)(values + VALUES), PLAN_READ);
    expect_fault(CASE_writes_code, 4, start_of(CASE_writes_code), PLAN_WRITE);
    expect_fault(CASE_generates_code, 20, (uint64_t)result, 0);
    expect(CASE_spins_without_end, EMULATOR_BUDGET, "");
    expect_done(CASE_sum);
}

Test(emulator_faults, a_recursion_without_end_faults_below_the_stack)
{
    expect(CASE_recurses, EMULATOR_FAULT, "");
    cr_expect_eq(run.access, PLAN_WRITE);
    cr_expect_lt(run.address, TARGET_STACK);
    cr_expect_geq(run.address, TARGET_STACK - 4096);
    cr_expect_lt(run.sp, TARGET_STACK + 4096);
}

Test(emulator_faults, what_may_not_be_executed_is_named)
{
    expect(CASE_makes_syscall, EMULATOR_SYSCALL, "svc");
    cr_expect_eq(run.pc, start_of(CASE_makes_syscall) + 4);
    cr_expect_eq(run.word, 0xd4000001);
    expect(CASE_masks_interrupts, EMULATOR_FORBIDDEN, "msr daifset");
    expect(CASE_waits, EMULATOR_FORBIDDEN, "wfi");
    expect(CASE_breaks, EMULATOR_FORBIDDEN, "brk");
    expect(CASE_is_vector_length_agnostic, EMULATOR_UNKNOWN, "sve");
    expect(CASE_is_undefined, EMULATOR_UNKNOWN, "");
    cr_expect_eq(run.word, 0x00c0ffee);
}

Test(emulator_faults, a_word_that_makes_the_emulator_give_up_is_named_too)
{
    expect(CASE_is_untranslatable, EMULATOR_UNKNOWN, "");
    cr_expect_eq(run.pc, start_of(CASE_is_untranslatable) + 4);
    cr_expect_eq(run.word, 0x2e793aae);
    use("cortex-a55");
    expect_done(CASE_sum);
}

/* What is written to a descriptor while a word makes Unicorn give up, and then to its stream. */
static void expect_silence(int fd, FILE *stream)
{
    FILE *said = tmpfile();
    int before = dup(fd);
    char text[256] = "";
    cr_assert(said && before >= 0);
    fflush(stream);
    dup2(fileno(said), fd);
    execute(CASE_is_untranslatable, TARGET_WHOLE);
    fputs("after", stream);
    fflush(stream);
    dup2(before, fd);
    close(before);
    rewind(said);
    text[fread(text, 1, sizeof text - 1, said)] = '\0';
    fclose(said);
    cr_expect_eq(run.outcome, EMULATOR_UNKNOWN);
    cr_expect_str_eq(text, "after");
}

Test(emulator_faults, what_unicorn_says_when_it_gives_up_is_not_passed_on)
{
    expect_silence(STDERR_FILENO, stderr);
    use(NULL);
    expect_silence(STDOUT_FILENO, stdout);
}

Test(emulator_faults, an_exclusive_access_has_to_be_aligned)
{
    expect(CASE_loads_askew, EMULATOR_FORBIDDEN, "ldxr at an address that is not aligned");
    cr_expect_eq(run.pc, start_of(CASE_loads_askew) + 4);
}

Test(emulator_faults, the_stack_pointer_has_to_be_aligned_where_it_is_used)
{
    for (int core = 0; core < 2; core++) {
        expect_done(CASE_moves_stack_by_eight);
        cr_expect_eq(result->value, 0);
        expect(CASE_stores_on_odd_stack, EMULATOR_STACK, "str");
        cr_expect_eq(run.pc, start_of(CASE_stores_on_odd_stack) + 16);
        cr_expect_eq(run.sp % 16, 8);
        expect(CASE_pushes_eight, EMULATOR_STACK, "ldr");
        cr_expect_eq(run.pc, start_of(CASE_pushes_eight) + 4);
        expect_done(CASE_sum);
        use("cortex-a55");
    }
}

Test(emulator_faults, what_a_core_lacks_is_named_with_it)
{
    expect_done(CASE_adds_atomically);
    cr_expect_eq(result->value, 10);
    emulator_close(emulator);
    emulator = open_with("cortex-a72", ALL_FEATURES & ~FEATURE_LSE);
    expect(CASE_adds_atomically, EMULATOR_FORBIDDEN, "LSE");
    cr_expect(strstr(run.name, "cortex-a72"), "%s", run.name);
    cr_expect(strstr(run.name, "ldadd"), "%s", run.name);
    emulator_close(emulator);
    emulator = open_with("cortex-a72", FEATURE_CRC32);
    expect(CASE_encrypts, EMULATOR_FORBIDDEN, "AES");
    expect_done(CASE_sum);
}

Test(emulator_faults, counters_are_nobodys_where_nobody_is_asked_to_measure)
{
    struct error err;
    const struct emulator_config config = {
        .program = program, .features = ALL_FEATURES, .budget = BUDGET, .no_counters = true};
    expect_done(CASE_times_adds);
    emulator_close(emulator);
    emulator = emulator_open(&config, arena, &err);
    cr_assert(emulator, "%s", err.text);
    expect(CASE_times_adds, EMULATOR_COUNTER, "msr");
    expect_done(CASE_sum);
}

Test(emulator_faults, the_runner_and_the_inside_of_the_glue_are_out_of_bounds)
{
    expect(CASE_enters_runner, EMULATOR_ESCAPED, "into the runner");
    cr_expect_eq(run.pc, start_of(CASE_enters_runner));
    expect(CASE_enters_runner_middle, EMULATOR_ESCAPED, "into the runner");
    expect(CASE_enters_glue, EMULATOR_ESCAPED, "glue");
    cr_expect_eq(run.pc, start_of(CASE_enters_glue) + 4);
    expect(CASE_enters_function_of_glue, EMULATOR_ESCAPED, "glue");
    expect(CASE_returns_into_glue, EMULATOR_ESCAPED, "glue");
    expect(CASE_enters_entry, EMULATOR_ESCAPED, "by a function that it was not handed");
    cr_expect_eq(run.pc, start_of(CASE_enters_entry) + 12);
    expect(CASE_falls_into_entry, EMULATOR_ESCAPED, "by a function that it was not handed");
    cr_expect_eq(run.pc, run.address - 4);
    expect(CASE_goes_to_the_end, EMULATOR_ESCAPED, "past the exercise's glue");
}

Test(emulator_faults, an_endless_loop_ends_by_the_budget)
{
    expect(CASE_spins, EMULATOR_BUDGET, "");
    cr_expect_eq(run.pc, start_of(CASE_spins));
    cr_expect_gt(run.instructions + run.charged, BUDGET);
    cr_expect_lt(run.instructions, BUDGET + 100);
    expect(CASE_spins_without_end, EMULATOR_BUDGET, "");
    cr_expect_gt(result->value, BUDGET / 4 - 100);
}

Test(emulator_faults, registers_that_do_not_come_back_are_named)
{
    execute(CASE_clobbers_x21, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "x21");
    execute(CASE_clobbers_x21, TARGET_WHOLE); /* the glue does not go on with it */
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "x21");
    cr_expect_eq(result->returned, 0);
    execute(CASE_clobbers_and_returns_by_glue, TARGET_WHOLE);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "x21");
    execute(CASE_clobbers_d9, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "d9");
    execute(CASE_moves_sp, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "sp");
    execute(CASE_flushes_to_zero, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "fpcr");
    execute(CASE_nothing, TARGET_TAIL);
    cr_expect_eq(run.outcome, EMULATOR_DONE);
}
