#include "grader/tests/scratch.h"

#include "grader/build.h"

/* A stem `sum` and a stem `walk`; the exercise's own folder is scratch/ex. */
static char *stems[] = {(char *)"sum", (char *)"walk"};
static char folder[4500], solution[4500];
static struct exercise exercise;
static struct selection selection;

static void before(void)
{
    scratch_make();
    chmod(scratch_root, 0755);
    scratch_write("ex/original/sum.c", "C\n");
    scratch_write("ex/original/x86_64/sum.S", "X\n");
    scratch_write("ex/original/aarch64/sum.S", "A\n");
    scratch_write("ex/original/walk.c", "W\n");
    scratch_write("ex/sum.c", "C\n");
    scratch_write("ex/x86_64/sum.S", "X\n");
    scratch_write("ex/aarch64/sum.S", "A\n");
    scratch_write("ex/walk.c", "W\n");
    snprintf(folder, sizeof folder, "%s/ex", scratch_root);
    snprintf(solution, sizeof solution, "%s/solution", scratch_root);
    exercise = (struct exercise){
        .id = (char *)"01-ex", .folder = folder, .solution = solution, .sources = stems, .sources_count = 2};
}

static void after(void)
{
    selection_free(&selection);
    scratch_remove();
}

/* cppcheck-suppress unknownMacro */
TestSuite(build_select, .init = before, .fini = after);

static void choose(const char *from, enum isa isa)
{
    selection_free(&selection);
    build_select(&exercise, from, isa, &selection);
}

static void expect_path(unsigned index, const char *name)
{
    cr_assert_lt(index, selection.count);
    cr_expect_str_eq(selection.paths[index], scratch_path(name));
}

static void expect_note(const char *part)
{
    cr_expect(strstr(selection.note, part), "expected \"%s\" in: %s", part, selection.note);
}

Test(build_select, untouched_files_are_the_c_ones)
{
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_UNTOUCHED);
    expect_path(0, "ex/sum.c");
    expect_path(1, "ex/walk.c");
    cr_expect_not(selection.isa_specific);
    expect_note("are as they came");
}

Test(build_select, an_edited_isa_file_counts_on_its_isa_only)
{
    scratch_write("ex/aarch64/sum.S", "A2\n");
    choose(folder, ISA_AARCH64);
    cr_expect_eq(selection.choice, CHOICE_OK);
    expect_path(0, "ex/aarch64/sum.S");
    expect_path(1, "ex/walk.c");
    cr_expect(selection.isa_specific);
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_UNTOUCHED);
    expect_path(0, "ex/sum.c");
    expect_note("you edited aarch64/sum.S; that is not used on x86_64");
}

Test(build_select, an_edited_c_file_counts_everywhere)
{
    scratch_write("ex/walk.c", "W2\n");
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        choose(folder, isa);
        cr_expect_eq(selection.choice, CHOICE_OK);
        expect_path(0, "ex/sum.c");
        expect_path(1, "ex/walk.c");
    }
}

Test(build_select, two_edited_files_of_a_stem_stop_it)
{
    scratch_write("ex/x86_64/sum.S", "X2\n");
    scratch_write("ex/sum.c", "C2\n");
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_BOTH_EDITED);
    cr_expect_eq(selection.count, 0);
    expect_note(scratch_path("ex/x86_64/sum.S"));
    expect_note(scratch_path("ex/sum.c"));
    expect_note(" and ");
    choose(folder, ISA_AARCH64);
    cr_expect_eq(selection.choice, CHOICE_OK);
}

Test(build_select, a_file_without_an_original_is_edited)
{
    scratch_write("ex/aarch64/walk.c", "mine\n");
    choose(folder, ISA_AARCH64);
    cr_expect_eq(selection.choice, CHOICE_OK);
    expect_path(1, "ex/aarch64/walk.c");
}

Test(build_select, a_lone_untouched_isa_file_will_do)
{
    unlink(scratch_path("ex/sum.c"));
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_UNTOUCHED);
    expect_path(0, "ex/x86_64/sum.S");
    cr_expect(selection.isa_specific);
}

Test(build_select, another_folder_is_compared_with_the_same_originals)
{
    scratch_write("mine/sum.c", "C\n");
    scratch_write("mine/walk.c", "better\n");
    choose(scratch_path("mine"), ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_OK);
    expect_path(0, "mine/sum.c");
    expect_path(1, "mine/walk.c");
    scratch_write("mine/walk.c", "W\n");
    choose(scratch_path("mine"), ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_UNTOUCHED);
}

Test(build_select, what_is_missing_is_named)
{
    scratch_write("mine/sum.c", "C\n");
    scratch_write("mine/aarch64/walk.S", "A\n");
    choose(scratch_path("mine"), ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_MISSING);
    cr_expect_eq(selection.count, 0);
    expect_note("expected walk.c or x86_64/walk.S in ");
    expect_note("aarch64/walk.S is not used on x86_64");
    choose(scratch_path("nowhere"), ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_MISSING);
    expect_note("nowhere: No such file");
}

Test(build_select, what_is_no_file_counts_as_edited)
{
    unlink(scratch_path("ex/sum.c"));
    cr_assert(mkfifo(scratch_path("ex/sum.c"), 0600) == 0);
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_OK);
    expect_path(0, "ex/sum.c");
}
