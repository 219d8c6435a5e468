#include "grader/tests/scratch.h"

#include <math.h>
#include "grader/tests/result_kit.h"

static struct check *add(struct result *r, enum check_kind kind, const char *name, enum verdict verdict,
                         uint32_t points)
{
    return result_add_check(r, kind, name, kind == CHECK_BUILD ? NULL : "random", verdict, points, "why %s",
                            name);
}

static void right(struct result *r)
{
    add(r, CHECK_BUILD, "builds", VERDICT_PASS, 0);
    add(r, CHECK_CORRECTNESS, "random", VERDICT_PASS, 2);
}

/* Conclude and free; what came out stays in statics for the expectations. */
static enum verdict verdict;
static char headline[512], next[512];
static double score;
static uint32_t most;
static int status;

static void conclude(struct result *r)
{
    result_conclude(r);
    verdict = r->verdict;
    snprintf(headline, sizeof headline, "%s", r->headline);
    snprintf(next, sizeof next, "%s", r->next);
    score = r->score;
    most = r->max_score;
    status = result_exit_status(r);
    result_free(r);
}

Test(result, names)
{
    cr_expect_str_eq(verdict_name(VERDICT_REJECTED), "rejected");
    cr_expect_str_eq(check_kind_name(CHECK_MECHANISM), "mechanism");
}

Test(result, pass)
{
    struct result *r = kit_result();
    right(r);
    add(r, CHECK_BOUND, "fast", VERDICT_PASS, 6);
    add(r, CHECK_BOUND, "even", VERDICT_PASS, 2);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_PASS);
    cr_expect_eq(score, 10);
    cr_expect_eq(most, 10);
    cr_expect_eq(status, 0);
    cr_expect_str_eq(headline, "PASS: correct and fast");
    expect_has(next, "make status");
}

Test(result, a_skipped_bound_is_no_loss)
{
    struct result *r = kit_result();
    right(r);
    add(r, CHECK_BOUND, "fast", VERDICT_PASS, 6);
    add(r, CHECK_BOUND, "even", VERDICT_SKIP, 2);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_PASS);
    cr_expect_eq(score, 8);
    cr_expect_eq(most, 8);
    expect_has(headline, "1 check could not run on this machine");
    expect_has(next, "`even` could not run: why even");
}

/* Whatever else there is, and wherever it stands among the checks. */
Test(result, without_its_main_bound_nothing_passes)
{
    static const char *const benches[] = {"native", "qemu"};
    for (unsigned i = 0; i < 4; i++) {
        struct result *r = kit_result();
        right(r);
        result_set(&r->on, "%s", benches[i / 2]);
        if (i % 2)
            add(r, CHECK_BOUND, "even", VERDICT_PASS, 2);
        add(r, CHECK_BOUND, "fast", VERDICT_SKIP, 6);
        if (i % 2 == 0)
            add(r, CHECK_BOUND, "even", VERDICT_PASS, 2);
        conclude(r);
        cr_expect_eq(verdict, VERDICT_UNSTABLE);
        cr_expect_eq(status, 3);
        cr_expect(isnan(score));
        cr_expect_eq(most, 10);
        expect_has(headline, "`fast`, worth most points, cannot be judged here: why fast");
        expect_has(next, i / 2 ? "on another core" : "on a model core: `make check EX=3 ON=qemu`");
    }
}

/* A mechanism that a machine cannot count is no main bound, however many points it brings. */
Test(result, a_counter_that_is_missing_is_no_main_bound)
{
    struct result *r = kit_result();
    right(r);
    add(r, CHECK_BOUND, "even", VERDICT_PASS, 2);
    add(r, CHECK_MECHANISM, "misses", VERDICT_SKIP, 6);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_PASS);
    cr_expect_eq(score, 4);
    cr_expect_eq(most, 4);
}

/* What fails still fails; but there is no score where the most of it was not judged, unless it is wrong. */
Test(result, a_miss_beside_a_skipped_main_bound_has_no_score)
{
    struct result *r = kit_result();
    right(r);
    add(r, CHECK_BOUND, "fast", VERDICT_SKIP, 6);
    add(r, CHECK_BOUND, "even", VERDICT_FAIL, 2);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_FAIL);
    cr_expect_eq(status, 1);
    cr_expect(isnan(score));
    r = kit_result();
    add(r, CHECK_CORRECTNESS, "random", VERDICT_FAIL, 2);
    add(r, CHECK_BOUND, "fast", VERDICT_SKIP, 6);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_FAIL);
    cr_expect_eq(score, 0);
}

Test(result, nothing_asked_is_nothing_passed)
{
    struct result *r = kit_result();
    conclude(r);
    cr_expect_eq(verdict, VERDICT_ERROR);
    cr_expect_eq(status, 4);
    cr_expect(isnan(score));
    r = kit_result();
    add(r, CHECK_BOUND, "fast", VERDICT_SKIP, 6);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_ERROR);
    expect_has(next, "why fast");
}

Test(result, wrong_scores_nothing)
{
    struct result *r = kit_result();
    add(r, CHECK_BUILD, "builds", VERDICT_PASS, 0);
    add(r, CHECK_BOUND, "missed", VERDICT_FAIL, 0);
    result_add_check(r, CHECK_CORRECTNESS, "sorted", "sorted", VERDICT_FAIL, 2,
                     "values[3]: expected 7, found 9\nmore");
    add(r, CHECK_BOUND, "fast", VERDICT_PASS, 6);
    add(r, CHECK_BOUND, "even", VERDICT_UNSTABLE, 2);
    result_conclude(r);
    for (size_t i = 0; i < r->checks_count; i++)
        cr_expect_eq(r->checks[i].score, 0, "%s shows points that do not count", r->checks[i].name);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_FAIL);
    cr_expect_eq(score, 0);
    cr_expect_eq(most, 10);
    cr_expect_eq(status, 1);
    cr_expect_str_eq(headline, "FAIL: correctness on `sorted`: values[3]: expected 7, found 9");
    expect_has(next, "by hand");
}

Test(result, build_failure_names_the_error)
{
    struct result *r = kit_result();
    result_add_check(r, CHECK_BUILD, "builds", NULL, VERDICT_FAIL, 0,
                     "clamp.c: In function 'clamp':\nclamp.c:7:5: error: expected ';'\n  7 | x\n");
    conclude(r);
    cr_expect_str_eq(headline, "FAIL: it does not build: clamp.c:7:5: error: expected ';'");
    expect_has(next, "that error first");
    cr_expect_eq(score, 0);

    r = kit_result();
    struct check *c = result_add_check(r, CHECK_BUILD, "builds", NULL, VERDICT_FAIL, 0, "both were edited\n");
    result_set(&c->next, "Put one of them back.");
    conclude(r);
    cr_expect_str_eq(headline, "FAIL: it does not build: both were edited");
    cr_expect_str_eq(next, "Put one of them back.");
}

Test(result, missed_bound_keeps_part_of_its_points)
{
    struct result *r = kit_result();
    right(r);
    struct check *c = add(r, CHECK_BOUND, "fast", VERDICT_FAIL, 6);
    c->has_measured = true;
    c->metric = "speedup";
    c->measured = 1.023;
    c->comparison = ">=";
    c->bound = 7.104;
    c->unit = "x";
    c->score = 1.5;
    result_set(&c->next, "A branch is left.");
    add(r, CHECK_BOUND, "even", VERDICT_PASS, 2);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_FAIL);
    cr_expect_eq(score, 5.5);
    cr_expect_str_eq(headline, "FAIL: `fast` on `random`: speedup 1.02x, asked for >= 7.10x");
    cr_expect_str_eq(next, "A branch is left.");

    r = kit_result();
    c = add(r, CHECK_BOUND, "fast", VERDICT_FAIL, 6);
    c->has_measured = true;
    c->metric = "ratio";
    c->measured = 0.83;
    c->comparison = "within";
    c->bound = 0.15;
    c->unit = "x";
    char asked[64];
    result_format_asked(asked, sizeof asked, c);
    cr_expect_str_eq(asked, "0.87x to 1.15x of the trusted value");
    c->trusted = 0.2512;
    conclude(r);
    cr_expect_str_eq(headline, "FAIL: `fast` on `random`: ratio 0.83x, asked for 0.87x to 1.15x of the "
                               "trusted value, 0.25; yours 0.21");
}

Test(result, missed_bound_without_a_figure)
{
    struct result *r = kit_result();
    right(r);
    add(r, CHECK_MECHANISM, "no-branch", VERDICT_FAIL, 8);
    conclude(r);
    cr_expect_str_eq(headline, "FAIL: `no-branch`: why no-branch");
    expect_has(next, "README.md");
}

Test(result, unstable_has_no_score)
{
    struct result *r = kit_result();
    right(r);
    add(r, CHECK_BOUND, "fast", VERDICT_UNSTABLE, 6);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_UNSTABLE);
    cr_expect(isnan(score));
    cr_expect_eq(status, 3);
    expect_has(headline,
               "UNSTABLE: `fast` is not decided yet (why fast); 2 of 10 points are certain, 6 undecided");
    expect_has(next, "run it again");
    expect_has(next, "ON=qemu");
}

Test(result, the_worst_decides_in_its_order)
{
    static const struct {
        enum verdict checks[3], verdict;
        int status;
    } table[] = {
        {{VERDICT_UNSTABLE, VERDICT_FAIL, VERDICT_PASS}, VERDICT_FAIL, 1},
        {{VERDICT_UNSTABLE, VERDICT_FAIL, VERDICT_REJECTED}, VERDICT_REJECTED, 1},
        {{VERDICT_ERROR, VERDICT_FAIL, VERDICT_REJECTED}, VERDICT_REJECTED, 1},
        {{VERDICT_FAIL, VERDICT_ERROR, VERDICT_PASS}, VERDICT_ERROR, 4}, /* a bound: not all is known */
        {{VERDICT_SKIP, VERDICT_PASS, VERDICT_UNSTABLE}, VERDICT_UNSTABLE, 3},
    };
    static const char *const names[] = {"first", "second", "third"};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct result *r = kit_result();
        for (int j = 0; j < 3; j++)
            add(r, CHECK_BOUND, names[j], table[i].checks[j], 1);
        conclude(r);
        cr_expect_eq(verdict, table[i].verdict);
        cr_expect_eq(status, table[i].status);
        cr_expect(*next && *headline);
    }
    struct result *r = kit_result();
    add(r, CHECK_BOUND, "first", VERDICT_FAIL, 1);
    add(r, CHECK_BOUND, "second", VERDICT_FAIL, 1);
    conclude(r);
    expect_has(headline, "`first`");
    r = kit_result(); /* what is wrong is wrong, whatever else could not be checked */
    add(r, CHECK_BOUND, "first", VERDICT_ERROR, 1);
    add(r, CHECK_CORRECTNESS, "second", VERDICT_FAIL, 1);
    conclude(r);
    cr_expect_eq(verdict, VERDICT_FAIL);
    cr_expect_eq(status, 1);
}

Test(result, scores_are_held_within_their_points)
{
    struct result *r = kit_result();
    right(r);
    add(r, CHECK_BOUND, "fast", VERDICT_PASS, 6)->score = 9;
    add(r, CHECK_BOUND, "even", VERDICT_FAIL, 2)->score = -1;
    conclude(r);
    cr_expect_eq(score, 8);
}

Test(result, of_several_the_worst_status)
{
    struct result *rs[4];
    static const enum verdict verdicts[] = {VERDICT_PASS, VERDICT_UNSTABLE, VERDICT_FAIL, VERDICT_ERROR};
    static const int expected[] = {0, 3, 1, 4};
    cr_expect_eq(results_exit_status(NULL, 0), 0);
    for (size_t i = 0; i < 4; i++) {
        rs[i] = kit_result();
        rs[i]->verdict = verdicts[i];
        cr_expect_eq(results_exit_status(rs, i + 1), expected[i]);
    }
    for (size_t i = 0; i < 4; i++)
        result_free(rs[i]);
}

Test(result, values_as_they_are_shown)
{
    static const struct {
        double value;
        const char *unit, *text;
    } table[] = {{7.104, "x", "7.10x"},   {0.01234, "per element", "0.0123 per element"},
                 {65.43, "%", "65.4 %"},  {1234.5, NULL, "1234"},
                 {(double)NAN, "x", "?"}, {-(double)INFINITY, "x", "?"},
                 {0.5, "", "0.50"},       {-2, "x", "-2.00x"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[64];
        result_format_value(text, sizeof text, table[i].value, table[i].unit);
        cr_expect_str_eq(text, table[i].text);
    }
}

Test(result, freeing_nothing_is_allowed)
{
    result_free(NULL);
    exercise_free(NULL);
}
