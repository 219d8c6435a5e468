/* The stub of every exercise that is here builds in assembly alone, for both ISAs, or for AArch64 where it is
 * for model cores alone. All other variants are built by the golden submissions, on both benches. */
#include <dirent.h>
#include "grader/base/textfile.h"
#include "grader/tests/scratch.h"
#include "grader/build/build.h"

static void expect_student(struct workdir *workdir, const struct exercise *exercise, const char *folder,
                           enum isa isa)
{
    struct selection selection;
    build_select(exercise, folder, isa, &selection);
    cr_expect_eq(selection.choice, CHOICE_UNTOUCHED, "%s: %s", exercise->id, selection.note);
    if (selection.choice == CHOICE_UNTOUCHED) {
        struct build_result built;
        build_variant(workdir, ".", exercise, VARIANT_STUDENT, &selection, isa, NULL, &built);
        if (built.outcome == BUILD_NO_COMPILER)
            cr_skip_test("no compiler for %s", isa_name(isa));
        cr_expect_eq(built.outcome, BUILD_OK, "%s for %s: %s", exercise->id, isa_name(isa),
                     built.diagnostics);
        build_result_free(&built);
    }
    selection_free(&selection);
}

/* A copy of stub/ without the C files that have a twin in assembly. */
static void copy_without_twins(const struct exercise *exercise, enum isa isa)
{
    char *command;
    cr_assert_gt(asprintf(&command,
                          "cp -R %s/stub %s/asm && for s in %s/asm/%s/*.S; do [ ! -f \"$s\" ] || "
                          "rm -f \"%s/asm/$(basename \"$s\" .S).c\"; done",
                          exercise->folder, scratch_root, scratch_root, isa_name(isa), scratch_root),
                 0);
    cr_assert_eq(system(command), 0);
    free(command);
}

static void expect_exercise(struct workdir *workdir, const char *id, enum isa isa)
{
    struct error err;
    struct exercise *exercise = exercise_read(".", id, &err);
    cr_assert(exercise, "%s", err.text);
    if (exercise->on == BENCH_QEMU && isa != ISA_AARCH64) { /* for model cores alone */
        exercise_free(exercise);
        return;
    }
    scratch_make();
    chmod(scratch_root, 0755);
    copy_without_twins(exercise, isa);
    expect_student(workdir, exercise, scratch_path("asm"), isa);
    scratch_remove();
    exercise_free(exercise);
}

static void expect_all(enum isa isa)
{
    struct error err;
    char **ids = exercise_list(".", &err);
    struct workdir *workdir = workdir_create(&err);
    cr_assert(ids && workdir, "%s", err.text);
    cr_assert(ids[0], "no exercise was found");
    for (size_t i = 0; ids[i]; i++)
        expect_exercise(workdir, ids[i], isa);
    workdir_destroy(workdir);
    textfile_names_free(ids);
}

Test(exercises, stubs_in_assembly_build_for_x86_64)
{
    expect_all(ISA_X86_64);
}

Test(exercises, stubs_in_assembly_build_for_aarch64)
{
    expect_all(ISA_AARCH64);
}
