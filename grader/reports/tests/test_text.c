#include "grader/tests/scratch.h"

#include "grader/reports/digest.h"
#include "grader/reports/report.h"
#include "grader/reports/tests/samples.h"

static char *text_of_result(struct result *r, bool colour)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_text(out, r, colour);
    result_free(r);
    fclose(out);
    return text;
}

static char *text_of(enum sample kind, bool colour)
{
    return text_of_result(sample(kind), colour);
}

/* The n-th line, from 1, or the last one for 0. */
static const char *line_of(const char *text, int n)
{
    static char line[1024];
    const char *at = text;
    if (n == 0) {
        at = text + strlen(text) - 1;
        while (at > text && at[-1] != '\n')
            at--;
    }
    for (; n > 1 && at; n--)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    snprintf(line, sizeof line, "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
    return line;
}

Test(report_text, first_the_title_then_the_verdict_then_what_to_do)
{
    char *text = text_of(SAMPLE_SLOW, false);
    cr_expect_str_eq(line_of(text, 1), "Exercise 3: Branch elimination");
    cr_expect_str_eq(line_of(text, 2),
                     "FAIL: `random-faster` on `random`: speedup 1.02x, asked for >= 7.10x");
    cr_expect_str_eq(line_of(text, 3), "Next: A branch is left.");
    cr_expect_str_eq(line_of(text, 0),
                     "FAIL: 4.1 of 10 points, exit status 1; repeat it with SEED=4f3a-18446744073709551615");
    expect_has(text, "0.1/6");
    expect_has(text, "(1.01 to 1.03)");
    expect_has(text, "speedup >= 7.10x");
    expect_has(text, "tier calibrated");
    expect_has(text, "(3 disturbed)");
    expect_lacks(text, "\033");
    free(text);
}

Test(report_text, the_number_by_which_a_workload_was_drawn)
{
    struct result *r = sample(SAMPLE_SLOW);
    r->student_number = 20417;
    char *text = text_of_result(r, false);
    expect_has(text, "\n  student number: 20417\n");
    free(text);
}

Test(report_text, all_kinds_end_with_their_verdict)
{
    static const char *const last[SAMPLES] = {
        "PASS: 10 of 10 points, exit status 0",
        "FAIL: 4.1 of 10 points, exit status 1",
        "FAIL: 0 of 10 points, exit status 1",
        "FAIL: 0 of 10 points, exit status 1",
        "UNSTABLE: 2 of 10 points certain, 6 open, exit status 3",
        "ERROR: no score, exit status 4",
        "PASS: 8 of 8 points, exit status 0",
    };
    for (int kind = 0; kind < SAMPLES; kind++) {
        char *text = text_of((enum sample)kind, false);
        cr_expect_eq(strncmp(line_of(text, 0), last[kind], strlen(last[kind])), 0, "%s", line_of(text, 0));
        cr_expect_eq(strncmp(line_of(text, 3), "Next: ", 6), 0, "%s", line_of(text, 3));
        expect_lacks(text, "nan");
        expect_lacks(text, "inf");
        expect_lacks(text, "(null)");
        free(text);
    }
}

Test(report_text, colour_only_if_asked)
{
    char *text = text_of(SAMPLE_PASS, true);
    expect_has(text, "\033[1;32mPASS\033[0m: correct");
    free(text);
    text = text_of(SAMPLE_UNSTABLE, true);
    expect_has(text, "\033[1;33mUNSTABLE\033[0m");
    free(text);
    text = text_of(SAMPLE_WRONG, true);
    expect_has(text, "\033[1;31mFAIL\033[0m");
    free(text);
}

Test(report_text, compiler_output_is_shown_harmless_and_cut)
{
    char *text = text_of(SAMPLE_BUILD, false);
    expect_lacks(text, "\033");
    expect_lacks(text, "\007");
    expect_lacks(text, "\xff");
    expect_has(text, "FAIL: it does not build: clamp.c:7:5: error: \\x1b]0;owned\\x07");
    expect_has(text, "line 28 of the compiler's log\n    (71 more lines)");
    free(text);
}

Test(report_text, what_to_do_about_wrong_results_is_said_once)
{
    char *text = NULL;
    size_t size;
    struct result *result = kit_result();
    const char *const cases[] = {"random", "sorted"};
    for (size_t i = 0; i < 2; i++) {
        struct check *check = result_add_check(result, CHECK_CORRECTNESS, i ? "right-sorted" : "right-random",
                                               cases[i], VERDICT_FAIL, 1, "call %zu is wrong", i);
        result_set(&check->next, "Look at call %zu.", i);
    }
    struct check *bound =
        result_add_check(result, CHECK_BOUND, "fast", "random", VERDICT_FAIL, 1, "too slow");
    result_set(&bound->next, "Count the branches.");
    result_conclude(result);
    FILE *out = open_memstream(&text, &size);
    report_text(out, result, false);
    fclose(out);
    expect_has(text, "Next: Look at call 0.");
    expect_has(text, "call 1 is wrong");
    expect_lacks(text, "Look at call 1.");
    expect_has(text, "next: Count the branches.");
    free(text);
    result_free(result);
}

Test(report_text, beside_what_is_wrong_stands_what_is_done)
{
    struct result *r = sample(SAMPLE_WRONG);
    char name[32], *text = text_of(SAMPLE_WRONG, false);
    expect_lacks(text, "done so far");
    free(text);
    for (char c = 'a'; c <= 'z'; c++) {
        snprintf(name, sizeof name, "sorted-%c", c);
        result_add_check(r, CHECK_CORRECTNESS, "right", name, VERDICT_PASS, 1, "%s", "");
        result_add_check(r, CHECK_CORRECTNESS, "right-qemu-user", name, VERDICT_PASS, 0, "%s", "");
    }
    text = text_of_result(r, false);
    expect_has(text, "sorted-a, sorted-b, sorted-c and 23 more\n");
    expect_has(text, "\n  done so far  PASS ");
    expect_lacks(text, "\n  correctness ");
    free(text);
}

Test(report_text, what_the_compiler_warned_of_is_shown_beside_any_verdict)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct result *r = sample(SAMPLE_PASS);
    result_add_check(r, CHECK_BUILD, "build-more", NULL, VERDICT_PASS, 0,
                     "builds: clamp.c\nclamp.c:3:7: warning: unused variable 'x'\n\033[2J");
    report_text(out, r, false);
    result_free(r);
    fclose(out);
    expect_has(text, "\n  The compiler warns:\n    clamp.c:3:7: warning: unused variable 'x'\n");
    expect_lacks(text, "\033");
    free(text);
    text = text_of(SAMPLE_PASS, false);
    expect_lacks(text, "The compiler warns");
    free(text);
}

Test(report_text, cycles_only_where_there_are_any)
{
    char *text = text_of(SAMPLE_PASS, false);
    expect_has(text, "cycles");
    expect_has(text, "0.50 branch-misses");
    free(text);
    text = text_of(SAMPLE_UNSTABLE, false);
    expect_lacks(text, "cycles");
    free(text);
}

Test(report_text, qemu_has_no_tier)
{
    char *text = text_of(SAMPLE_QEMU, false);
    expect_lacks(text, "tier");
    expect_has(text, "qemu, aarch64, cortex-a55");
    expect_has(text, "the reference gains too little here");
    free(text);
}

Test(report_text, a_model_tells_counts_and_what_became_of_the_slots)
{
    char *text = text_of(SAMPLE_QEMU, false);
    cr_expect(strstr(text, "for each of 65536 elements:"), "%s", text);
    cr_expect(strstr(text, "slots of the student: retiring "), "%s", text);
    cr_expect_null(strstr(text, " ns"), "no time passes on a model: %s", text);
    free(text);
}

Test(report_text, summary)
{
    struct result *rs[SAMPLES];
    char *text = NULL;
    size_t size;
    for (int kind = 0; kind < SAMPLES; kind++)
        rs[kind] = sample((enum sample)kind);
    FILE *out = open_memstream(&text, &size);
    report_summary(out, rs, SAMPLES, false);
    fclose(out);
    expect_has(text, "   3  PASS          10 of 10    Branch elimination\n");
    expect_has(text, "   3  UNSTABLE       ? of 10    Branch elimination\n");
    expect_has(text, "FAIL: correctness on `random`");
    cr_expect_str_eq(line_of(text, 0), "2 of 7 passed, 22.1 of 68 points, 2 without a score; exit status 4; "
                                       "repeat it with SEED=4f3a-18446744073709551615");
    free(text);

    rs[1]->seed[0] = '5';
    out = open_memstream(&text, &size);
    report_summary(out, rs, 2, true);
    fclose(out);
    expect_has(text, "\033[1;32mPASS    \033[0m");
    expect_lacks(line_of(text, 0), "SEED");
    free(text);
    for (int kind = 0; kind < SAMPLES; kind++)
        result_free(rs[kind]);
}

Test(report_text, all_points_are_for_those_who_have_all)
{
    static const struct {
        double points;
        const char *text;
    } rows[] = {{0, "0"},         {4, "4"},       {4.1, "4.1"}, {2.96, "2.9"},
                {2.9999999, "3"}, {9.951, "9.9"}, {0.04, "0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[16];
        digest_points_text(text, sizeof text, rows[i].points);
        cr_expect_str_eq(text, rows[i].text, "%g: %s", rows[i].points, text);
    }
}
