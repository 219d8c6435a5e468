/* What student code finds in registers where the glue has something for itself. */
#include "harness/emu/tests/emulator_kit.h"

/* cppcheck-suppress unknownMacro */
TestSuite(emulator_secrets, .init = before, .fini = after);

static void use_guards(bool guards)
{
    struct error err;
    const struct emulator_config config = {
        .program = program, .features = ALL_FEATURES, .budget = BUDGET, .guards = guards};
    emulator_close(emulator);
    emulator = emulator_open(&config, arena, &err);
    cr_assert(emulator, "%s", err.text);
}

static void look(unsigned entry)
{
    execute(CASE_looks_for_secrets, entry);
    cr_assert_eq(run.outcome, EMULATOR_DONE, "outcome %d at 0x%" PRIx64 ": %s", (int)run.outcome, run.pc,
                 run.name);
    cr_expect_eq(result->room[0], 1, "the value that the glue gives");
}

Test(emulator_secrets, registers_of_a_glue_that_has_none_are_as_they_are)
{
    use_guards(false);
    look(TARGET_SECRETS);
    cr_expect_eq(result->returned, 1);
    cr_expect_eq(result->value, 77);
    cr_expect_eq(result->more, 77);
    cr_expect_eq(result->room[1], 77);
}

Test(emulator_secrets, nothing_but_arguments_and_a_value_leaves_the_glue)
{
    use_guards(true);
    look(TARGET_SECRETS);
    cr_expect_eq(result->returned, 1, "the glue has its registers back");
    cr_expect_eq(result->value, 0, "%" PRIx64, result->value);
    cr_expect_eq(result->more, 0x5b1f, "start values in what has to be brought back, found %" PRIx64,
                 result->more);
    cr_expect_eq(result->room[1], 0, "%" PRIx64, result->room[1]);
}

Test(emulator_secrets, what_the_glue_calls_last_finds_no_more)
{
    use_guards(true);
    look(TARGET_SECRETS_LAST);
    cr_expect_eq(result->value, 0, "%" PRIx64, result->value);
    cr_expect_eq(result->room[1], 0, "%" PRIx64, result->room[1]);
}

Test(emulator_secrets, what_comes_back_changed_is_told)
{
    use_guards(true);
    execute(CASE_clobbers_x21, TARGET_SECRETS);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "x21");
    execute(CASE_clobbers_d9, TARGET_SECRETS);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "d9");
    execute(CASE_clears_x21, TARGET_SECRETS);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED, "0 is not what was there");
    cr_expect_str_eq(run.name, "x21");
    execute(CASE_clears_d9, TARGET_SECRETS);
    cr_expect_eq(run.outcome, EMULATOR_CLOBBERED);
    cr_expect_str_eq(run.name, "d9");
}
