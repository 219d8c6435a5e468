#include "grader/tests/scratch.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "grader/student/watch.h"

TestSuite(watch, .init = scratch_make, .fini = scratch_remove, .timeout = 30);

Test(watch, a_save_ends_the_wait)
{
    struct error err;
    scratch_write("ex/clamp.c", "old");
    scratch_write("ex/aarch64/clamp.S", "old");
    int watch = watch_open(scratch_path("ex"), &err);
    cr_assert_geq(watch, 0, "%s", err.text);
    scratch_write("ex/clamp.c", "new");
    cr_expect(watch_wait(watch, &err), "%s", err.text);
    scratch_write("ex/aarch64/clamp.S", "new");
    cr_expect(watch_wait(watch, &err), "%s", err.text);
    cr_assert_eq(rename(scratch_path("ex/clamp.c"), scratch_path("moved.c")), 0);
    char to[4200];
    snprintf(to, sizeof to, "%s", scratch_path("ex/clamp.c"));
    cr_assert_eq(rename(scratch_path("moved.c"), to), 0);
    cr_expect(watch_wait(watch, &err), "%s", err.text);
    close(watch);
}

Test(watch, what_an_editor_keeps_for_itself_does_not)
{
    struct error err;
    scratch_write("ex/clamp.c", "old");
    int watch = watch_open(scratch_path("ex"), &err);
    cr_assert_geq(watch, 0, "%s", err.text);
    scratch_write("ex/.clamp.c.swp", "swap");
    scratch_write("ex/clamp.c~", "backup");
    pid_t waits = fork();
    if (waits == 0)
        _exit(watch_wait(watch, &err) ? 0 : 1);
    usleep(300000); /* longer would only make it surer */
    int status = 1;
    cr_expect_eq(waitpid(waits, &status, WNOHANG), 0, "it has ended");
    kill(waits, SIGKILL);
    waitpid(waits, &status, 0);
    close(watch);
}

Test(watch, a_folder_that_is_not_there)
{
    struct error err;
    cr_expect_lt(watch_open(scratch_path("none"), &err), 0);
    expect_has(err.text, "cannot watch");
}
