#include "grader/tests/scratch.h"

#include "grader/build/build.h"

/* A stem `sum` and a stem `walk`; the exercise is scratch/exercise, the student works in scratch/ex. */
static char *stems[] = {(char *)"sum", (char *)"walk"};
/* "C\n", "C before\n", "X\n", "A\n" and "W\n". */
static const char released[] =
    "12f37a8a84034d3e623d726fe10e5031f4df997ac13f4d5571b5a90c41fb84fe  stub/sum.c\n"
    "b13f6167d3ce20c85e4160796ecf299954cfd727f0b8ecca06f9eebe708f6c33  stub/sum.c\n"
    "7058299627365fc7a3dd7840fd3d56f29306cd30c0f2c13cb500fe79617290ff  stub/x86_64/sum.S\n"
    "06f961b802bc46ee168555f066d28f4f0e9afdf3f88174c1ee6f9de004fc30a0  stub/aarch64/sum.S\n"
    "7062c0dcd502ab26e450e2881a89cae3cdef227f2ea20801898ad088e10db071  stub/walk.c\n";
static char folder[4500], home[4500], solution[4500];
static struct exercise exercise;
static struct selection selection;

static void before(void)
{
    scratch_make();
    chmod(scratch_root, 0755);
    scratch_write("exercise/stub.sha256", released);
    scratch_write("ex/sum.c", "C\n");
    scratch_write("ex/x86_64/sum.S", "X\n");
    scratch_write("ex/aarch64/sum.S", "A\n");
    scratch_write("ex/walk.c", "W\n");
    snprintf(folder, sizeof folder, "%s/ex", scratch_root);
    snprintf(home, sizeof home, "%s/exercise", scratch_root);
    snprintf(solution, sizeof solution, "%s/solution", scratch_root);
    exercise = (struct exercise){
        .id = (char *)"01-ex", .folder = home, .solution = solution, .sources = stems, .sources_count = 2};
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

/* One source in assembly for x86-64 alone, the other one in C for all. */
Test(build_select, what_is_answered_for_one_isa_is_left_out_of_the_other)
{
    struct selection own;
    scratch_write("ex/x86_64/sum.S", "X2\n");
    scratch_write("ex/walk.c", "W2\n");
    build_select(&exercise, folder, ISA_X86_64, &own);
    choose(folder, ISA_AARCH64);
    cr_expect_eq(selection.choice, CHOICE_OK);
    expect_note("you edited x86_64/sum.S; that is not used on aarch64");
    cr_expect(selection_left_out(&own, &selection));
    cr_expect_not(selection_left_out(&selection, &own));
    scratch_write("ex/aarch64/sum.S", "A2\n");
    choose(folder, ISA_AARCH64);
    cr_expect_not(strstr(selection.note, "not used"), "%s", selection.note);
    cr_expect_not(selection_left_out(&own, &selection));
    selection_free(&own);
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

Test(build_select, of_two_edited_files_the_one_for_the_isa_counts)
{
    scratch_write("ex/x86_64/sum.S", "X2\n");
    scratch_write("ex/sum.c", "C2\n");
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_OK);
    expect_path(0, "ex/x86_64/sum.S");
    expect_note("ex/sum.c is edited, too, and does not count beside ");
    choose(folder, ISA_AARCH64);
    cr_expect_eq(selection.choice, CHOICE_OK);
    expect_path(0, "ex/sum.c");
}

Test(build_select, an_edited_c_file_goes_before_an_untouched_one_for_the_isa)
{
    scratch_write("ex/sum.c", "C2\n");
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        choose(folder, isa);
        expect_path(0, "ex/sum.c");
    }
}

Test(build_select, a_file_that_is_no_stub_is_edited)
{
    scratch_write("ex/aarch64/walk.c", "mine\n");
    choose(folder, ISA_AARCH64);
    cr_expect_eq(selection.choice, CHOICE_OK);
    expect_path(1, "ex/aarch64/walk.c");
}

Test(build_select, an_earlier_stub_is_untouched)
{
    scratch_write("ex/sum.c", "C before\n");
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_UNTOUCHED);
    expect_path(0, "ex/sum.c");
}

Test(build_select, without_hashes_all_is_edited)
{
    unlink(scratch_path("exercise/stub.sha256"));
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_OK);
}

Test(build_select, a_lone_untouched_isa_file_will_do)
{
    unlink(scratch_path("ex/sum.c"));
    choose(folder, ISA_X86_64);
    cr_expect_eq(selection.choice, CHOICE_UNTOUCHED);
    expect_path(0, "ex/x86_64/sum.S");
    cr_expect(selection.isa_specific);
}

Test(build_select, a_stub_is_one_in_any_folder)
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
