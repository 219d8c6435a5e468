#include "grader/tests/scratch.h"

#include "grader/check/mistakes.h"
#include "grader/tests/result_kit.h"

#define NAMES(...) ((char *[]){__VA_ARGS__})

/* An exercise of one mistake: its text is as it would be without that key. */
static struct mistake_spec mistake_of(char **fails, unsigned fails_count)
{
    return (struct mistake_spec){
        .name = (char *)"one-chain",
        .fails = fails,
        .fails_count = fails_count,
        .message = (char *)"",
        .most = MISTAKE_ANY,
        .counted = {.case_name = (char *)"", .counter = (char *)"", .most = MISTAKE_ANY},
        .says = (char *)"Split the chain."};
}

static struct check *add(struct result *r, enum check_kind kind, const char *name, const char *of,
                         enum verdict verdict)
{
    struct check *check = result_add_check(r, kind, name, of, verdict, 1, "it waits for one chain");
    result_set(&check->next, "advice");
    return check;
}

/* A result in which `fast` is missed at 1.5 and `even` passes, on a model core. */
static struct result *missed(void)
{
    struct result *r = kit_result();
    r->on = strdup("qemu");
    add(r, CHECK_CORRECTNESS, "right-random", "random", VERDICT_PASS);
    struct check *fast = add(r, CHECK_BOUND, "fast", "random", VERDICT_FAIL);
    fast->has_measured = true;
    fast->measured = 1.5;
    add(r, CHECK_BOUND, "even", "random", VERDICT_PASS);
    struct measurement *m = result_add_measurement(r, "random", "student");
    m->modelled = true;
    m->elements = 100;
    m->model.value[MODEL_BRANCH_MISSES] = 30;
    return r;
}

/* Is it recognised? Then the first failing check says so, and else what it said before. */
static bool recognised(const struct mistake_spec *mistake, struct result *r)
{
    struct mistake_spec copy = *mistake;
    const struct exercise exercise = {.mistakes = &copy, .mistakes_count = 1};
    mistakes_recognise(&exercise, r);
    const bool is = r->mistake != NULL;
    cr_expect_str_eq(is ? r->mistake : "", is ? "one-chain" : "");
    for (size_t i = 0; i < r->checks_count; i++) {
        const bool first =
            r->checks[i].verdict == VERDICT_FAIL && (i == 0 || r->checks[i - 1].verdict != VERDICT_FAIL);
        cr_expect_str_eq(r->checks[i].next, is && first ? "Split the chain." : "advice");
    }
    result_free(r);
    return is;
}

Test(mistakes, all_evidence_has_to_be_there)
{
    struct mistake_spec m = mistake_of(NAMES("fast"), 1);
    cr_expect(recognised(&m, missed()));
    m.message = (char *)"one chain";
    m.least = 1400, m.most = 1600;
    m.passes = NAMES("even", "right-random"), m.passes_count = 2;
    m.on = BENCH_QEMU;
    m.counted.case_name = (char *)"random", m.counted.counter = (char *)"branch-misses";
    m.counted.least = 200, m.counted.most = 400;
    cr_expect(recognised(&m, missed()));

    struct mistake_spec other = m;
    other.message = (char *)"ports";
    cr_expect_not(recognised(&other, missed()), "another message");
    other = m, other.least = 1501;
    cr_expect_not(recognised(&other, missed()), "faster than that");
    other = m, other.most = 1499;
    cr_expect_not(recognised(&other, missed()), "slower than that");
    other = m, other.passes = NAMES("even", "odd");
    cr_expect_not(recognised(&other, missed()), "a check that is not there");
    other = m, other.on = BENCH_NATIVE;
    cr_expect_not(recognised(&other, missed()), "the other bench");
    other = m, other.counted.least = 301;
    cr_expect_not(recognised(&other, missed()), "fewer mispredictions");
    other = m, other.counted.most = 299;
    cr_expect_not(recognised(&other, missed()), "more mispredictions");
    other = m, other.counted.case_name = (char *)"sorted";
    cr_expect_not(recognised(&other, missed()), "nobody counted there");
    other = m, other.fails = NAMES("fast", "even"), other.fails_count = 2;
    cr_expect_not(recognised(&other, missed()), "one of them passes");
}

Test(mistakes, a_case_is_meant_wherever_it_was_tried)
{
    struct mistake_spec m = mistake_of(NAMES("right-random"), 1);
    struct result *r = kit_result();
    add(r, CHECK_CORRECTNESS, "right-random", "random", VERDICT_PASS);
    add(r, CHECK_CORRECTNESS, "right-random-qemu-user", "random", VERDICT_FAIL);
    cr_expect(recognised(&m, r));
}

/* As where clamp.S is right and clamp.c, which stands for the other ISA, is wrong in another way. */
Test(mistakes, what_passes_has_to_pass_wherever_it_was_tried)
{
    struct mistake_spec m = mistake_of(NAMES("right-random"), 1);
    m.passes = NAMES("right-even"), m.passes_count = 1;
    for (int both = 0; both < 2; both++) {
        struct result *r = kit_result();
        add(r, CHECK_CORRECTNESS, "right-even", "even", VERDICT_PASS);
        add(r, CHECK_CORRECTNESS, "right-random-aarch64", "random", VERDICT_FAIL);
        add(r, CHECK_CORRECTNESS, "right-even-aarch64", "even", both ? VERDICT_PASS : VERDICT_FAIL);
        cr_expect_eq(recognised(&m, r), both == 1);
    }
}

Test(mistakes, only_what_decides_is_explained)
{
    struct mistake_spec m = mistake_of(NAMES("fast"), 1);
    struct result *r = kit_result();
    add(r, CHECK_CORRECTNESS, "right-random", "random", VERDICT_FAIL);
    add(r, CHECK_BOUND, "fast", "random", VERDICT_FAIL);
    cr_expect_not(recognised(&m, r), "it is wrong, first of all");
    r = missed();
    add(r, CHECK_BUILD, "build", NULL, VERDICT_ERROR);
    cr_expect_not(recognised(&m, r), "the suite failed");
    r = missed();
    r->checks[1].verdict = VERDICT_PASS;
    cr_expect_not(recognised(&m, r), "nothing is missed");
}
