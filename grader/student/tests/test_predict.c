#include "grader/tests/scratch.h"

#include <math.h>

#include "grader/student/draw.h"
#include "grader/student/predict.h"

static struct predict_spec asked = {.bound = (char *)"faster", .asks = (char *)"How many?"};
static struct bound_spec bound = {
    .name = (char *)"faster", .case_name = (char *)"random", .kind = BOUND_SPEEDUP, .points = 5};
static struct exercise one = {.number = 1,
                              .id = (char *)"01-one",
                              .slug = (char *)"one",
                              .title = (char *)"One",
                              .predict = &asked,
                              .bounds = &bound,
                              .bounds_count = 1};
static char work[PATH_MAX + 8];

static void setup(void)
{
    scratch_make();
    snprintf(work, sizeof work, "%s/work", scratch_root);
}

TestSuite(predict, .init = setup, .fini = scratch_remove);

Test(predict, figures_as_people_type_them)
{
    double guess;
    const char *const bad[] = {"", " ", "0", "-1", "many", "1e9", "nan", "2 3", "1.2.3", "9999999", "2xx"};
    cr_expect(predict_parse("2", &guess) && guess == 2);
    cr_expect(predict_parse(" 0,5x\n", &guess) && guess == 0.5);
    cr_expect(predict_parse("12 %", &guess) && guess == 12);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(predict_parse(bad[i], &guess), "%s", bad[i]);
}

Test(predict, figures_have_no_exponent)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } figures[] = {{0, 3, "0"},      {2, 3, "2"},          {0.25, 3, "0.25"},  {12.549, 3, "12.5"},
                   {9.999, 3, "10"}, {100, 3, "100"},      {999.6, 3, "1000"}, {1023.4, 3, "1023"},
                   {200, 2, "200"},  {2.04, 2, "2"},       {1.96, 2, "2"},     {0.000012345, 3, "0.0000123"},
                   {1e-12, 3, "0"},  {999999, 3, "999999"}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        cr_expect_str_eq(predict_figure(figures[i].value, figures[i].digits).text, figures[i].text);
}

/* 2 cycles an element, and a quarter of a miss. */
static struct result *measured(enum verdict verdict)
{
    static const char *const variants[] = {"student", "reference"};
    struct result *r = result_new(&one);
    r->on = strdup("qemu");
    r->cpu = strdup("a-core");
    r->verdict = verdict;
    for (int i = 0; i < 2; i++) {
        struct measurement *m = result_add_measurement(r, "random", variants[i]);
        m->elements = 100;
        m->cycles = 200;
        m->modelled = true;
        m->model.value[MODEL_BRANCH_MISSES] = 25;
        m->model.value[MODEL_L1D_LOAD_MISSES] = 50;
        m->limits = (struct loop_limits){.ports = 1.5, .width = 1.25, .chain = 1.75};
    }
    result_set(&r->measurements[0].waits_for, "The loop waits for rain.");
    struct check *check = result_add_check(r, CHECK_BOUND, "faster", "random", verdict, 5, "message");
    check->has_measured = true;
    check->measured = 3;
    check->trusted = 4;
    return r;
}

Test(predict, each_quantity)
{
    static const double wanted[] = {2, 3, 0.25, 0.5, 12};
    struct result *r = measured(VERDICT_FAIL);
    for (int q = PREDICT_CYCLES; q <= PREDICT_VALUE; q++) {
        double found;
        asked.quantity = (enum predict_quantity)q;
        cr_expect(predict_measured(&one, r, &found));
        cr_expect_float_eq(found, wanted[q], 1e-9);
    }
    result_free(r);
}

Test(predict, a_guess_waits_for_its_measurement)
{
    struct error err;
    struct record record = {0};
    asked.quantity = PREDICT_CYCLES;
    cr_expect(predict_is_first(work, &one));
    cr_assert(predict_keep(work, &one, 4, &err), "%s", err.text);
    cr_expect_not(predict_is_first(work, &one));
    char *folder = record_folder(work);
    cr_assert(record_read(folder, one.id, &record, &err), "%s", err.text);
    cr_expect(record.has_guess && record.guess == 4);

    struct result *none = result_new(&one);
    none->verdict = VERDICT_FAIL;
    predict_settle(&one, &record, none);
    cr_expect(record.has_guess && !none->remarks, "nothing was measured");
    result_free(none);

    struct result *r = measured(VERDICT_PASS);
    result_set(&r->remarks, "What the bench says.");
    predict_settle(&one, &record, r);
    cr_expect_not(record.has_guess);
    expect_has(r->remarks,
               "What the bench says.\n"
               "Your guess: 4 cycles an element; measured: 2: 2 times too high. Why: The loop waits");
    expect_has(r->remarks,
               "How far: 2 cycles an element; the reference 2; your loop's busiest ports allow 1.5");
    result_free(r);
    cr_assert(record_write(folder, one.id, &record, &err), "%s", err.text);
    struct record again;
    cr_assert(record_read(folder, one.id, &again, &err), "%s", err.text);
    cr_expect_eq(again.guesses_count, 1);
    cr_expect_eq(again.guesses[0].measured, 2);
    cr_expect_str_eq(again.reached[0].on, "a-core");
    free(folder);
}

Test(predict, the_last_guesses_are_kept_and_compared)
{
    struct record record = {0};
    struct predict_progress progress = {0};
    char *text = NULL;
    size_t size;
    asked.quantity = PREDICT_CYCLES;
    for (int i = 0; i < RECORD_GUESSES + 4; i++) {
        struct result *r = measured(VERDICT_FAIL);
        record.has_guess = true;
        record.guess = i < RECORD_GUESSES / 2 + 4 ? 16 : 2;
        predict_settle(&one, &record, r);
        result_free(r);
    }
    cr_expect_eq(record.guesses_count, RECORD_GUESSES);
    predict_add(&progress, &record);
    FILE *out = open_memstream(&text, &size);
    predict_print(out, &progress);
    fclose(out);
    expect_has(text, "the first were off by a factor of 8, the later ones of 1");
    free(text);
}

Test(predict, asking_takes_one_line)
{
    struct error err;
    FILE *nowhere = fopen("/dev/null", "w");
    const struct {
        const char *typed;
        int status;
    } asks[] = {{"\n", 0}, {"two\n", 2}, {"2\n", 0}};
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        FILE *in = fmemopen((char *)asks[i].typed, strlen(asks[i].typed), "r");
        cr_expect_eq(predict_ask(work, &one, in, nowhere, &err), asks[i].status);
        fclose(in);
    }
    cr_expect_not(predict_is_first(work, &one));
    one.predict = NULL;
    cr_expect_eq(predict_ask(work, &one, stdin, nowhere, &err), 2);
    one.predict = &asked;
    fclose(nowhere);
}

Test(predict, a_screen_has_its_rows_and_columns)
{
    char *text = NULL, bar[100];
    size_t size;
    const struct drawing drawing = {.top = "top",
                                    .body = "PASS: a line that is longer than ten\033[2J columns\n\nlast\n",
                                    .bar = "bar",
                                    .bottom = "bottom",
                                    .first = 99,
                                    .colour = true};
    FILE *out = open_memstream(&text, &size);
    unsigned first = draw(out, &drawing, 8, 10);
    fclose(out);
    cr_expect_gt(first, 0);
    cr_expect_lt(first, 99);
    expect_has(text, "last");
    cr_expect_null(strstr(text, "ten\033"), "text moves the cursor");
    free(text);
    draw_bar(bar, sizeof bar, 1, 2, 30);
    cr_expect_str_eq(bar, "[#######.......] 1 of 2 passed");
    draw_bar(bar, sizeof bar, 0, 0, 5);
    expect_has(bar, "0 of 0 passed");
}
