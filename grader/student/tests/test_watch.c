#include "grader/tests/scratch.h"

#include "grader/student/watch.h"

TestSuite(watch, .init = scratch_make, .fini = scratch_remove, .timeout = 30);

Test(watch, a_save_ends_the_wait)
{
    struct error err;
    struct watch watch;
    char to[4200];
    scratch_write("ex/clamp.c", "old");
    scratch_write("ex/aarch64/clamp.S", "old");
    cr_assert(watch_open(&watch, scratch_path("ex"), &err), "%s", err.text);
    scratch_write("ex/clamp.c", "newer");
    watch_wait(&watch);
    scratch_write("ex/aarch64/clamp.S", "newer");
    watch_wait(&watch);
    cr_assert_eq(rename(scratch_path("ex/clamp.c"), scratch_path("moved.c")), 0);
    watch_wait(&watch);
    snprintf(to, sizeof to, "%s", scratch_path("ex/clamp.c"));
    cr_assert_eq(rename(scratch_path("moved.c"), to), 0);
    watch_wait(&watch);
}

/* Times are told, not taken. */
Test(watch, several_steps_are_one_save)
{
    struct error err;
    struct watch watch;
    scratch_write("ex/clamp.c", "old");
    cr_assert(watch_open(&watch, scratch_path("ex"), &err), "%s", err.text);
    cr_expect_not(watch_changed(&watch, 1000));
    scratch_write("ex/clamp.c", "");
    cr_expect_not(watch_changed(&watch, 1050));
    scratch_write("ex/clamp.c", "all of it");
    cr_expect_not(watch_changed(&watch, 1140), "it is still being written");
    cr_expect_not(watch_changed(&watch, 1239));
    cr_expect(watch_changed(&watch, 1240));
    cr_expect_not(watch_changed(&watch, 2000), "told once");
}

Test(watch, what_an_editor_keeps_for_itself_does_not)
{
    struct error err;
    struct watch watch;
    scratch_write("ex/clamp.c", "old");
    cr_assert(watch_open(&watch, scratch_path("ex"), &err), "%s", err.text);
    scratch_write("ex/.clamp.c.swp", "swap");
    scratch_write("ex/clamp.c~", "backup");
    cr_expect_not(watch_changed(&watch, 1000));
    cr_expect_not(watch_changed(&watch, 2000));
}

Test(watch, a_folder_that_is_not_there)
{
    struct error err;
    struct watch watch;
    cr_expect_not(watch_open(&watch, scratch_path("none"), &err));
    expect_has(err.text, "cannot watch");
}
