#include "grader/tests/scratch.h"

#include <math.h>
#include <sys/wait.h>
#include "grader/student/record.h"
#include "grader/student/student.h"
#include "grader/student/work.h"

static const char *const yaml = "title: %s\n"
                                "goal: A goal.\n"
                                "core: cortex-a55\n"
                                "sources: [one]\n"
                                "functions: [one]\n"
                                "cflags: [-O2]\n"
                                "correctness: {points: 10, largest: 40, cases: [random]}\n"
                                "hints: [Hint the first., Hint the second., Hint the third.]\n";

/* "stub\n", "stub before\n" and "stub in assembly\n". */
static const char released[] =
    "25cf54c697a69632c5952486ec189be371ddddc422bca30910f17b2c3a0ba31d  stub/one.c\n"
    "b03160e2e54b735f1c0f9f9caa8db03f0a7c52dfa7774ffc915b285c75d14456  stub/one.c\n"
    "5f5da1c66a8303913e4dbf5b6f86ed76bc809a6e51e44822aa9364feee0d1207  stub/x86_64/one.S\n";
static char work[PATH_MAX + 8];
static struct exercise *one;
static struct error err;
static char *said;

static void setup(void)
{
    char text[1024];
    scratch_make();
    scratch_write("harness/model/cores/cortex-a55.yml", "");
    snprintf(text, sizeof text, yaml, "The first");
    scratch_write("exercises/01-one/exercise.yml", text);
    scratch_write("exercises/01-one/stub/one.c", "stub\n");
    scratch_write("exercises/01-one/stub/x86_64/one.S", "stub in assembly\n");
    scratch_write("exercises/01-one/stub.sha256", released);
    scratch_write("solutions/01-one/one.c", "the reference\n");
    scratch_write("solutions/01-one/aarch64/one.S", "the reference \033[31min assembly\n");
    snprintf(text, sizeof text, yaml, "The second");
    scratch_write("exercises/02-two/exercise.yml", text);
    one = exercise_read(scratch_root, "01-one", &err);
    cr_assert(one, "%s", err.text);
    snprintf(work, sizeof work, "%s/work", scratch_root);
}

static void teardown(void)
{
    exercise_free(one);
    free(said);
    scratch_remove();
}

TestSuite(student, .init = setup, .fini = teardown);

/* Runs CALL with a stream `out`, and leaves what it said in `said`. */
#define SAY(CALL)                                                                                            \
    ({                                                                                                       \
        size_t size_;                                                                                        \
        free(said);                                                                                          \
        said = NULL;                                                                                         \
        err.text[0] = '\0';                                                                                  \
        FILE *out = open_memstream(&said, &size_);                                                           \
        int status_ = (CALL);                                                                                \
        fclose(out);                                                                                         \
        status_;                                                                                             \
    })

static int hint(void)
{
    return SAY(student_hint(work, one, out, &err));
}

static int record(enum verdict verdict, double score, const char *source)
{
    struct result *r = result_new(one);
    r->verdict = verdict;
    r->score = score;
    r->source = source ? strdup(source) : NULL;
    int status = SAY(student_record(work, one, r, out, &err));
    result_free(r);
    return status;
}

static int show_status(void)
{
    return SAY(student_status(scratch_root, work, out, &err));
}

static void begin(void)
{
    cr_assert_eq(work_begin(scratch_root, work, one, &err), BEGUN_NOW, "%s", err.text);
}

static int reset(void)
{
    return SAY(student_reset(scratch_root, work, one, out, &err));
}

static int solution(bool force)
{
    return SAY(student_solution(work, one, force, out, &err));
}

Test(student, hints_come_one_by_one)
{
    cr_expect_eq(hint(), 0);
    cr_expect_str_eq(said, "Hint 1 of 3: Hint the first.\n(2 more: make hint EX=1)\n");
    hint();
    cr_expect_str_eq(said, "Hint 2 of 3: Hint the second.\n(1 more: make hint EX=1)\n");
    hint();
    cr_expect_str_eq(said, "Hint 3 of 3: Hint the third.\n(that was the last one)\n");
    for (int i = 0; i < 2; i++) {
        hint();
        cr_expect_str_eq(said, "Hint 1 of 3: Hint the first.\nHint 2 of 3: Hint the second.\n"
                               "Hint 3 of 3: Hint the third.\n");
    }
    cr_expect_eq(access(scratch_path("work/.state/01-one.json"), R_OK), 0);
}

Test(student, hints_where_nothing_can_be_kept)
{
    scratch_write("work", "a file where a folder is wanted");
    cr_expect_eq(hint(), 0);
    expect_has(said, "note: which hints you have seen cannot be kept");
    expect_has(said, "Hint 3 of 3");
}

#define FAILING_WITH(CALLS, LARGEST, FILLING)                                                                \
    "{\"schema\":1,\"checks\":0,\"hints\":1,\"passed\":false,\"best\":{\"score\":null,\"max_score\":0},"     \
    "\"failing\":{\"case\":\"a\",\"aarch64\":false,\"modelled\":false,\"seed\":\"1\",\"once\":\"1\","        \
    "\"cache-bytes\":\"1\",\"call\":\"1\",\"elements\":\"1\",\"student\":\"1\",\"calls\":\"" CALLS           \
    "\",\"largest\":\"" LARGEST "\",\"filling\":\"" FILLING "\"}}"

Test(student, broken_state_counts_as_none)
{
    static const char wrong_last[] = "{\"schema\":1,\"checks\":0,\"hints\":1,\"passed\":true,"
                                     "\"best\":{\"score\":1,\"max_score\":1},\"last\":{}}";
    static const char *const broken[] = {
        "",
        "{",
        "[]",
        "{\"schema\":1}",
        "{\"schema\":2,\"checks\":0,\"hints\":1,\"passed\":false,\"best\":{\"score\":null,\"max_score\":0}}",
        "{\"schema\":1,\"checks\":0,\"hints\":-1,\"passed\":false,\"best\":{\"score\":null,\"max_score\":0}}",
        "{\"schema\":1,\"checks\":0,\"hints\":1.5,\"passed\":true,\"best\":{\"score\":null,\"max_score\":0}}",
        "{\"schema\":1,\"checks\":0,\"hints\":1,\"passed\":1,\"best\":{\"score\":null,\"max_score\":0}}",
        "{\"schema\":1,\"checks\":0,\"hints\":1,\"passed\":true,\"best\":{\"score\":\"x\",\"max_score\":0}}",
        wrong_last,
        FAILING_WITH("4000000000", "40", "1"),           /* calls */
        FAILING_WITH("8", "1000000", "1"),               /* largest n */
        FAILING_WITH("8", "40", "18446744073709551615"), /* fillings */
        FAILING_WITH("8", "40", "one"),
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct record kept;
        scratch_write("work/.state/01-one.json", broken[i]);
        cr_expect_not(record_read(scratch_path("work/.state"), "01-one", &kept, &err), "%s", broken[i]);
        cr_expect_eq(kept.hints, 0);
        cr_expect_not(kept.passed);
        cr_expect(isnan(kept.best_score));
        cr_expect_eq(hint(), 0);
        expect_has(said, "note: progress so far is not counted: ");
        expect_has(said, "Hint 1 of 3");
        scratch_expect("work/.state/01-one.json.bak", broken[i]);
        scratch_write("work/.state/01-one.json", broken[i]);
        cr_expect_eq(solution(false), 1);
    }
}

Test(student, record_comes_back_as_it_was)
{
    struct record in = {.checks = 4,
                        .has_last = true,
                        .last = VERDICT_UNSTABLE,
                        .last_score = (double)NAN,
                        .last_max = 10,
                        .passed = true,
                        .best_score = 9.25,
                        .best_max = 10,
                        .hints = 2},
                  back;
    cr_assert(record_write(scratch_path("s"), "01-one", &in, &err), "%s", err.text);
    cr_assert(record_read(scratch_path("s"), "01-one", &back, &err), "%s", err.text);
    cr_expect_eq(back.checks, 4);
    cr_expect(back.has_last && back.passed);
    cr_expect_eq(back.last, VERDICT_UNSTABLE);
    cr_expect(isnan(back.last_score));
    cr_expect_eq(back.best_score, 9.25);
    cr_expect_eq(back.best_max, 10);
    cr_expect_eq(back.hints, 2);
}

Test(student, a_failing_call_comes_back_whole_or_not_at_all)
{
    const struct record in = {
        .last_score = (double)NAN,
        .best_score = (double)NAN,
        .failing = {.case_name = "a", .student = 77, .calls = 8, .call = 3, .filling = 2}};
    struct record back;
    cr_assert(record_write(scratch_path("s"), "01-one", &in, &err), "%s", err.text);
    cr_assert(record_read(scratch_path("s"), "01-one", &back, &err), "%s", err.text);
    cr_expect_str_eq(back.failing.case_name, "a");
    cr_expect_eq(back.failing.student, 77);
    cr_expect_eq(back.failing.filling, 2);
    scratch_write("s/01-one.json",
                  "{\"schema\":1,\"checks\":7,\"hints\":1,\"passed\":false,\"best\":{\"score\":null,"
                  "\"max_score\":0},\"failing\":{\"case\":\"a\",\"aarch64\":false,\"modelled\":false,"
                  "\"seed\":\"1\",\"largest\":\"1\",\"once\":\"1\",\"cache-bytes\":\"1\",\"call\":\"1\"}}");
    cr_assert(record_read(scratch_path("s"), "01-one", &back, &err), "%s", err.text);
    cr_expect_eq(back.checks, 7);
    cr_expect_str_eq(back.failing.case_name, "", "an earlier version's");
}

Test(student, status_of_a_fresh_tree)
{
    cr_expect_eq(show_status(), 0);
    expect_has(said, "   1  -               -        -    0/3  The first\n");
    expect_has(said, "[....................] 0 of 2 passed");
    expect_has(said, "exercises/01-one/README.md");
    expect_has(said, "make begin EX=1");
}

Test(student, status_follows_the_checks)
{
    record(VERDICT_FAIL, 3.5, NULL);
    hint();
    show_status();
    expect_has(said, "   1  fail       3.5/10   3.5/10    1/3  The first\n");
    expect_has(said, "Next: make check EX=1 after your next change, or make hint EX=1");
    record(VERDICT_PASS, 10, NULL);
    record(VERDICT_UNSTABLE, (double)NAN, NULL);
    show_status();
    expect_has(said, "   1  unstable        -    10/10    1/3  The first\n");
    expect_has(said, "[##########..........] 1 of 2 passed");
    expect_has(said, "exercises/02-two/README.md");
}

Test(student, status_goes_on_with_what_was_begun)
{
    struct record begun = {.checks = 1, .has_last = true, .last = VERDICT_FAIL, .last_max = 10};
    record_write(scratch_path("work/.state"), "02-two", &begun, &err);
    show_status();
    expect_has(said, "Next: make check EX=2 after your next change");
}

/* A check on another bench may ask less. */
Test(student, the_best_is_out_of_most)
{
    struct record back;
    struct record full = {.passed = true, .best_score = 12, .best_max = 12, .last_score = (double)NAN};
    record_write(scratch_path("work/.state"), "01-one", &full, &err);
    record(VERDICT_PASS, 10, NULL);
    cr_assert(record_read(scratch_path("work/.state"), "01-one", &back, &err), "%s", err.text);
    cr_expect_eq(back.best_max, 12);
    cr_expect_eq(back.last_max, 10);
}

Test(student, status_when_all_is_done)
{
    record(VERDICT_PASS, 10, NULL);
    struct record done = {.passed = true, .best_score = 10, .best_max = 10, .last_score = (double)NAN};
    record_write(scratch_path("work/.state"), "02-two", &done, &err);
    show_status();
    expect_has(said, "[####################] 2 of 2 passed");
    expect_has(said, "All done");
}

Test(student, status_shows_what_it_can)
{
    scratch_write("exercises/02-two/exercise.yml", "title: x\n");
    cr_expect_eq(show_status(), 2);
    expect_has(said, "The first");
    expect_has(said, "02  cannot be read");
    expect_has(err.text, "02-two/exercise.yml:1: goal: is missing");
}

Test(student, status_outside_the_project)
{
    cr_expect_eq(SAY(student_status(scratch_path("nowhere"), work, out, &err)), 2);
    expect_has(err.text, "is this the project's folder?");
}

Test(student, only_the_own_folder_counts)
{
    mkdir(scratch_path("other"), 0777);
    record(VERDICT_PASS, 10, scratch_path("other"));
    record(VERDICT_PASS, 10, one->folder);
    record(VERDICT_ERROR, (double)NAN, NULL);
    cr_expect_neq(access(scratch_path("work"), F_OK), 0);
    begin();
    record(VERDICT_PASS, 10, scratch_path("work/../work/01-one/"));
    cr_expect_eq(access(scratch_path("work/.state/01-one.json"), F_OK), 0);
}

Test(student, recording_where_nothing_can_be_kept)
{
    scratch_write("work", "a file where a folder is wanted");
    cr_expect_eq(record(VERDICT_PASS, 10, NULL), 0);
    expect_has(said, "note: progress cannot be kept: ");
}

Test(student, the_best_stays)
{
    struct record p;
    record(VERDICT_FAIL, 7, NULL);
    record(VERDICT_FAIL, 2, NULL);
    cr_assert(record_read(scratch_path("work/.state"), "01-one", &p, &err));
    cr_expect_eq(p.best_score, 7);
    cr_expect_eq(p.last_score, 2);
    cr_expect_eq(p.checks, 2);
    cr_expect_not(p.passed);
}

Test(student, two_at_once)
{
    enum { CHILDREN = 4, EACH = 5 };
    pid_t children[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            for (int j = 0; j < EACH; j++)
                record(VERDICT_FAIL, 1, NULL);
            _exit(0);
        }
    }
    for (int i = 0; i < CHILDREN; i++)
        waitpid(children[i], NULL, 0);
    struct record p;
    cr_assert(record_read(scratch_path("work/.state"), "01-one", &p, &err), "%s", err.text);
    cr_expect_eq(p.checks, CHILDREN * EACH);
}

Test(student, reset_of_the_untouched)
{
    begin();
    cr_expect_eq(reset(), 0);
    expect_has(said, "Nothing to do: the files in ");
    cr_expect_neq(access(scratch_path("work/01-one/one.c.bak"), F_OK), 0);
}

Test(student, reset_keeps_each_edit)
{
    static const char *const backups[] = {"work/01-one/one.c.bak", "work/01-one/one.c.bak.2",
                                          "work/01-one/one.c.bak.3"};
    static const char *const edits[] = {"first\n", "second\n", "third\n"};
    begin();
    for (int i = 0; i < 3; i++) {
        scratch_write("work/01-one/one.c", edits[i]);
        cr_expect_eq(reset(), 0, "%s", err.text);
        expect_has(said, "one.c is the stub again; yours is ");
        expect_has(said, backups[i]);
        expect_lacks(said, "one.S");
        scratch_expect("work/01-one/one.c", "stub\n");
    }
    for (int i = 0; i < 3; i++)
        scratch_expect(backups[i], edits[i]);
}

Test(student, reset_brings_back_what_is_gone)
{
    begin();
    unlink(scratch_path("work/01-one/x86_64/one.S"));
    rmdir(scratch_path("work/01-one/x86_64"));
    cr_expect_eq(reset(), 0, "%s", err.text);
    expect_has(said, "one.S was missing and is back");
    scratch_expect("work/01-one/x86_64/one.S", "stub in assembly\n");
}

Test(student, reset_keeps_a_link)
{
    begin();
    scratch_write("mine.c", "mine\n");
    unlink(scratch_path("work/01-one/one.c"));
    cr_assert_eq(symlink(scratch_path("mine.c"), scratch_path("work/01-one/one.c")), 0);
    cr_expect_eq(reset(), 0, "%s", err.text);
    scratch_expect("mine.c", "mine\n");
    scratch_expect("work/01-one/one.c", "stub\n");
    scratch_expect("work/01-one/one.c.bak", "mine\n");
}

Test(student, reset_stops_at_a_folder)
{
    begin();
    unlink(scratch_path("work/01-one/one.c"));
    mkdir(scratch_path("work/01-one/one.c"), 0777);
    cr_expect_eq(reset(), 4);
    expect_has(err.text, "found a folder: move it away first");
}

Test(student, reset_without_a_stub)
{
    begin();
    unlink(scratch_path("exercises/01-one/stub/one.c"));
    unlink(scratch_path("exercises/01-one/stub/x86_64/one.S"));
    cr_expect_eq(reset(), 4);
    expect_has(err.text, "expected source files, found none");
}

Test(student, reset_of_what_is_not_begun)
{
    cr_expect_eq(reset(), 1);
    expect_has(said, "make begin EX=1");
    cr_expect_neq(access(work, F_OK), 0);
}

/* Nobody's work: no backup. */
Test(student, reset_of_an_earlier_stub)
{
    begin();
    scratch_write("work/01-one/one.c", "stub before\n");
    unlink(scratch_path("work/01-one/compile_flags.txt"));
    cr_expect_eq(reset(), 0, "%s", err.text);
    expect_has(said, "was the stub of another version");
    expect_has(said, "compile_flags.txt was missing");
    scratch_expect("work/01-one/one.c", "stub\n");
    cr_expect_neq(access(scratch_path("work/01-one/one.c.bak"), F_OK), 0);
}

/* Or it would count in place of the stub. */
Test(student, reset_puts_aside_what_the_stub_does_not_have)
{
    begin();
    scratch_write("work/01-one/aarch64/one.S", "mine\n");
    scratch_write("work/01-one/notes.c", "notes\n");
    cr_expect_eq(reset(), 0, "%s", err.text);
    scratch_expect("work/01-one/aarch64/one.S.bak", "mine\n");
    cr_expect_neq(access(scratch_path("work/01-one/aarch64/one.S"), F_OK), 0);
    scratch_expect("work/01-one/notes.c", "notes\n");
}

Test(student, reset_in_a_read_only_tree)
{
    if (geteuid() == 0)
        scratch_skip("root may write everywhere");
    begin();
    scratch_write("work/01-one/one.c", "mine\n");
    chmod(scratch_path("work/01-one"), 0555);
    cr_expect_eq(reset(), 4);
    chmod(scratch_path("work/01-one"), 0755);
    expect_has(err.text, "no backup can be made");
    scratch_expect("work/01-one/one.c", "mine\n");
}

Test(student, the_solution_opens_after_a_pass)
{
    cr_expect_eq(solution(false), 1);
    expect_has(said, "make solution EX=1 FORCE=1");
    expect_lacks(said, "the reference");
    record(VERDICT_FAIL, 3, NULL);
    cr_expect_eq(solution(false), 1);
    record(VERDICT_PASS, 10, NULL);
    record(VERDICT_FAIL, 3, NULL);
    cr_expect_eq(solution(false), 0);
    expect_has(said, "solutions/01-one/one.c ====\nthe reference\n");
    expect_has(said, "solutions/01-one/aarch64/one.S ====\n");
    expect_lacks(said, "\033");
}

Test(student, the_solution_by_force)
{
    cr_expect_eq(solution(true), 0);
    expect_has(said, "the reference\n");
    unlink(scratch_path("solutions/01-one/one.c"));
    unlink(scratch_path("solutions/01-one/aarch64/one.S"));
    cr_expect_eq(solution(true), 4);
    expect_has(err.text, "found none");
}
