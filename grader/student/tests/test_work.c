/* Beginning an exercise, and what is in the way of it. */
#include "grader/tests/scratch.h"

#include <sys/wait.h>
#include "grader/student/work.h"

static const char yaml[] = "title: One\n"
                           "goal: A goal.\n"
                           "core: cortex-a55\n"
                           "sources: [one]\n"
                           "functions: [one]\n"
                           "cflags: [-O2]\n"
                           "correctness: {points: 10, largest: 40, cases: [random]}\n"
                           "hints: [Hint the first.]\n";
/* "stub\n" and "stub in assembly\n". */
static const char released[] =
    "25cf54c697a69632c5952486ec189be371ddddc422bca30910f17b2c3a0ba31d  stub/one.c\n"
    "5f5da1c66a8303913e4dbf5b6f86ed76bc809a6e51e44822aa9364feee0d1207  stub/x86_64/one.S\n";
static struct exercise *one;
static struct error err;
static char work[2 * PATH_MAX];

static void setup(void)
{
    scratch_make();
    scratch_write("suite/harness/model/cores/cortex-a55.yml", "");
    scratch_write("suite/exercises/01-one/exercise.yml", yaml);
    scratch_write("suite/exercises/01-one/stub/one.c", "stub\n");
    scratch_write("suite/exercises/01-one/stub/x86_64/one.S", "stub in assembly\n");
    scratch_write("suite/exercises/01-one/stub.sha256", released);
    one = exercise_read(scratch_path("suite"), "01-one", &err);
    cr_assert(one, "%s", err.text);
    snprintf(work, sizeof work, "%s/suite/work", scratch_root);
}

static void teardown(void)
{
    exercise_free(one);
    scratch_remove();
}

TestSuite(work, .init = setup, .fini = teardown);

static enum begun begin(void)
{
    err.text[0] = '\0';
    return work_begin(scratch_path("suite"), work, one, &err);
}

static void fails(const char *says)
{
    cr_expect_eq(begin(), BEGUN_FAILED);
    expect_has(err.text, says);
}

/* Nothing of a begin that did not end is left. */
static void expect_nothing_beside(void)
{
    cr_expect_eq(scratch_count("suite/work/.state"), 0);
}

Test(work, begin_copies_the_stub_once)
{
    cr_expect_not(work_begun(work, "01-one"));
    cr_expect_eq(begin(), BEGUN_NOW, "%s", err.text);
    cr_expect(work_begun(work, "01-one"));
    scratch_expect("suite/work/01-one/one.c", "stub\n");
    scratch_expect("suite/work/01-one/x86_64/one.S", "stub in assembly\n");
    expect_nothing_beside();
    scratch_write("suite/work/01-one/one.c", "mine\n");
    unlink(scratch_path("suite/work/01-one/x86_64/one.S"));
    cr_expect_eq(begin(), BEGUN_BEFORE);
    scratch_expect("suite/work/01-one/one.c", "mine\n");
    cr_expect_neq(access(scratch_path("suite/work/01-one/x86_64/one.S"), F_OK), 0);
}

Test(work, others_may_read_what_is_begun)
{
    struct stat info;
    mode_t mask = umask(022);
    begin();
    umask(mask);
    cr_assert_eq(stat(scratch_path("suite/work/01-one"), &info), 0);
    cr_expect_eq(info.st_mode & 0777, 0755);
}

/* An editor finds exercise.h, wherever the clone is moved to. */
Test(work, flags_lead_to_the_contract)
{
    begin();
    char *flags = scratch_read("suite/work/01-one/compile_flags.txt");
    expect_has(flags, "-I../../exercises/01-one\n");
    free(flags);
    snprintf(work, sizeof work, "%s/else where/deep", scratch_root);
    cr_expect_eq(begin(), BEGUN_NOW, "%s", err.text);
    flags = scratch_read("else where/deep/01-one/compile_flags.txt");
    char *suite = realpath(scratch_path("suite"), NULL);
    char line[2 * PATH_MAX];
    snprintf(line, sizeof line, "-I%s/exercises/01-one\n", suite);
    expect_has(flags, line);
    free(suite);
    free(flags);
}

/* In a course's repository, which others clone: what leads to this machine is not in it, and comes back. */
Test(work, elsewhere_what_is_made_is_ignored)
{
    begin();
    cr_expect_neq(access(scratch_path("suite/work/.gitignore"), F_OK), 0, "the suite's own does it");
    snprintf(work, sizeof work, "%s/course/work", scratch_root);
    cr_expect_eq(begin(), BEGUN_NOW, "%s", err.text);
    char *ignored = scratch_read("course/work/.gitignore");
    expect_has(ignored, "\n/.state/\ncompile_flags.txt\n");
    free(ignored);
    scratch_write("course/work/.gitignore", "mine\n");
    unlink(scratch_path("course/work/01-one/compile_flags.txt"));
    cr_expect_eq(begin(), BEGUN_BEFORE);
    scratch_expect("course/work/.gitignore", "mine\n");
    char *flags = scratch_read("course/work/01-one/compile_flags.txt");
    expect_has(flags, "/exercises/01-one\n");
    free(flags);
}

Test(work, through_a_link)
{
    mkdir(scratch_path("disk"), 0777);
    cr_assert_eq(symlink("../disk", work), 0);
    cr_expect_eq(begin(), BEGUN_NOW, "%s", err.text);
    scratch_expect("disk/01-one/one.c", "stub\n");
    char *flags = scratch_read("disk/01-one/compile_flags.txt");
    expect_lacks(flags, "-I../../exercises");
    free(flags);
}

Test(work, an_empty_folder_is_not_begun)
{
    mkdir(work, 0777);
    mkdir(scratch_path("suite/work/01-one"), 0777);
    cr_expect_eq(begin(), BEGUN_NOW, "%s", err.text);
    scratch_expect("suite/work/01-one/one.c", "stub\n");
}

Test(work, what_is_in_the_way)
{
    scratch_write("suite/work/01-one", "a file");
    fails("suite/work/01-one: cannot be created");
    expect_nothing_beside();
    scratch_expect("suite/work/01-one", "a file");
    unlink(scratch_path("suite/work/01-one"));
    cr_assert_eq(symlink("nowhere", scratch_path("suite/work/01-one")), 0);
    fails("suite/work/01-one: cannot be created");
    expect_nothing_beside();
    snprintf(work, sizeof work, "%s/suite/exercises/01-one/exercise.yml/work", scratch_root);
    fails("say WORK=dir");
}

Test(work, a_stub_that_was_not_released)
{
    scratch_write("suite/exercises/01-one/stub/one.c", "changed\n");
    fails("whose hash is in stub.sha256");
    expect_nothing_beside();
    cr_expect_not(work_begun(work, "01-one"));
}

Test(work, many_at_once)
{
    enum { CHILDREN = 6 };
    pid_t children[CHILDREN];
    unsigned now = 0, before = 0;
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit((int)begin());
    }
    for (int i = 0; i < CHILDREN; i++) {
        int status;
        waitpid(children[i], &status, 0);
        now += WIFEXITED(status) && WEXITSTATUS(status) == BEGUN_NOW;
        before += WIFEXITED(status) && WEXITSTATUS(status) == BEGUN_BEFORE;
    }
    cr_expect_eq(now, 1);
    cr_expect_eq(now + before, CHILDREN);
    expect_nothing_beside();
    scratch_expect("suite/work/01-one/x86_64/one.S", "stub in assembly\n");
}

Test(work, old_habits_are_told_once)
{
    char *said = NULL;
    size_t size;
    FILE *out = open_memstream(&said, &size);
    work_note_misplaced(work, one, out);
    scratch_write("suite/exercises/01-one/one.c", "stub\n");
    work_note_misplaced(work, one, out);
    fflush(out);
    cr_expect_str_eq(said, "");
    scratch_write("suite/exercises/01-one/one.c", "mine\n");
    scratch_write("suite/exercises/01-one/x86_64/one.S", "mine, too\n");
    work_note_misplaced(work, one, out);
    fclose(out);
    expect_has(said, "exercises/01-one/x86_64/one.S does not count: move your files from ");
    cr_expect_eq(strchr(said, '\n'), strrchr(said, '\n'));
    free(said);
}
