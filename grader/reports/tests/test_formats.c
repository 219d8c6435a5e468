/* Each format is read by a parser that is not ours: xmllint, perl's TAP::Parser, python's json, csv and
 * base64. */
#include "grader/tests/scratch.h"

#include <cjson/cJSON.h>
#include "grader/reports/formats.h"
#include "grader/reports/tests/samples.h"

enum { LONG = 10 << 20, MANY = 30 };

static struct result *results[SAMPLES + 1];

/* What tries to act: on terminals, parsers, shells, pages and spreadsheets. */
static const char hostile[] =
    "=HYPERLINK(\"x\") ]]> </failure><script>alert(1)</script> & \"q\" 'q' \\\n"
    "::error file=a,line=1::owned\n::set-output name=x::y\n##[error]owned 100% a,b:c\r\n"
    "ok 1 - fine\nnot ok 2\n1..0 # SKIP\nBail out!\n  ...\n---\n"
    "| a | b |\n`x` *y* _z_ [a](http://x) @everyone #1 ~~s~~\n"
    "\033]0;t\007\033[2J \xff\xfe \xe2\x80\xae \xf0\x9f\x92\xa5 \xef\xbf\xbe www.x.org $\\color{red}x$ "
    "{\"scores\": {\"a\": 1}}\n";

/* As the sample, with hostile words wherever a submission has a say, ten megabytes of them, and two checks of
 * one name. */
static struct result *make_hostile(void)
{
    struct result *r = sample(SAMPLE_SLOW);
    char *large = malloc(LONG + sizeof hostile);
    cr_assert(large);
    size_t size = 0;
    while (size < LONG) {
        memcpy(large + size, hostile, sizeof hostile);
        size += sizeof hostile - 1;
    }
    result_set(&r->headline, "%s", hostile);
    result_set(&r->next, "%s", hostile);
    for (int i = 0; i < 30; i++)
        result_add_check(r, CHECK_BUILD, "build", "a", i % 3 ? VERDICT_FAIL : VERDICT_SKIP, 1, "%s",
                         i == 1 || i == 29 ? large : hostile);
    result_add_check(r, CHECK_BUILD, "build", "a", VERDICT_UNSTABLE, 1, "%s", hostile)->next =
        strdup(hostile);
    free(large);
    return r;
}

static const struct format *report_format(const char *name)
{
    size_t count;
    const struct format *const *all = report_formats(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

static char *report_as(const char *name, struct result *const *of, size_t count)
{
    const struct format *format = report_format(name);
    cr_assert(format, "%s", name);
    return format->make(of, count);
}

static void setup(void)
{
    scratch_make();
    for (int kind = 0; kind < SAMPLES; kind++)
        results[kind] = sample((enum sample)kind);
    results[SAMPLES] = make_hostile();
}

static void teardown(void)
{
    for (int kind = 0; kind <= SAMPLES; kind++)
        result_free(results[kind]);
    scratch_remove();
}

TestSuite(report_formats, .init = setup, .fini = teardown);

static bool have(const char *command)
{
    char line[256];
    snprintf(line, sizeof line, "%s >/dev/null 2>&1", command);
    return system(line) == 0;
}

/* Write the report of `count` results and have `command` (with %s for the file) look at it. */
static void expect_good(const char *format, const char *command, struct result *const *from, size_t count)
{
    char spec[4200], line[9000], path[4096];
    struct error err;
    snprintf(path, sizeof path, "%s", scratch_path("report"));
    snprintf(spec, sizeof spec, "%s:%s", format, path);
    cr_assert(report_write(spec, from, count, &err), "%s: %s", format, err.text);
    int length = snprintf(line, sizeof line, command, path);
    snprintf(line + length, sizeof line - (size_t)length, " %zu >%s 2>&1", count, scratch_path("said"));
    if (system(line) != 0) {
        char *said = scratch_read("said");
        cr_expect(false, "%s of %zu results: %.2000s", format, count, said);
        free(said);
    }
}

/* None, each alone, all but the hostile one, and so many of that one that no service would take it all. */
static void expect_all_good(const char *format, const char *command)
{
    expect_good(format, command, results, 0);
    for (int kind = 0; kind <= SAMPLES; kind++)
        expect_good(format, command, &results[kind], 1);
    expect_good(format, command, results, SAMPLES);
    struct result *many[MANY];
    for (int i = 0; i < MANY; i++)
        many[i] = results[SAMPLES];
    expect_good(format, command, many, MANY);
}

Test(report_formats, junit_is_what_its_schema_says)
{
    if (!have("xmllint --version"))
        scratch_skip("xmllint is not installed (libxml2-utils)");
    expect_all_good("junit", "xmllint --noout --schema grader/reports/tests/junit.xsd %s #");
}

Test(report_formats, tap_is_read_by_its_own_parser)
{
    if (!have("perl -MTAP::Parser -e 1"))
        scratch_skip("perl's TAP::Parser is not installed (perl)");
    expect_all_good(
        "tap", "perl -MTAP::Parser -e '$p = TAP::Parser->new({tap => do { local (@ARGV, $/) = @ARGV[0]; <> "
               "}}); $p->run; die join(\" \", $p->parse_errors) if $p->parse_errors; die \"count\" if "
               "$p->tests_run != $p->tests_planned' %s");
}

#define PYTHON_TEST(NAME, FORMAT)                                                                            \
    Test(report_formats, NAME)                                                                               \
    {                                                                                                        \
        if (!have("python3 -c 0"))                                                                           \
            scratch_skip("python3 is not installed");                                                        \
        expect_all_good(FORMAT, "python3 -B grader/reports/tests/formats.py " FORMAT " %s");                 \
    }

PYTHON_TEST(gradescope_has_numbers_and_known_keys, "gradescope")
PYTHON_TEST(prairielearn_has_a_share_and_known_keys, "prairielearn")
PYTHON_TEST(autolab_is_one_line_that_survives_its_parser, "autolab")
PYTHON_TEST(classroom50_has_whole_points_that_add_up, "classroom50")
PYTHON_TEST(markdown_holds_nobodys_markup, "markdown")
PYTHON_TEST(page_is_sound_and_holds_nobodys_markup, "html")
PYTHON_TEST(github_log_obeys_nobody, "github")
PYTHON_TEST(csv_holds_no_formula, "csv")

Test(report_formats, a_missing_score_is_a_zero_and_says_run_it_again)
{
    char *text = report_as("gradescope", &results[SAMPLE_UNSTABLE], 1);
    cJSON *report = cJSON_Parse(text);
    cr_assert(report);
    cr_expect_eq(cJSON_GetObjectItem(report, "score")->valuedouble, 0);
    expect_has(text, "run it again");
    cJSON_Delete(report);
    free(text);
}

/* A 0 would be the student's. Without any score there is no line, and Autolab says that grading failed. */
Test(report_formats, autolab_gets_no_score_where_there_is_none)
{
    struct result *const both[] = {results[SAMPLE_PASS], results[SAMPLE_UNSTABLE]};
    char *text = report_as("autolab", &results[SAMPLE_UNSTABLE], 1);
    cr_expect_str_eq(text, "");
    free(text);
    text = report_as("autolab", both, 2);
    expect_has(text, "{\"scores\":{\"branch-elimination\":10}}");
    free(text);
}

Test(report_formats, what_was_drawn_by_a_number_can_be_repeated_by_it)
{
    static const char *const formats[] = {"html", "markdown", "gradescope", "prairielearn", "classroom50"};
    struct result *r = sample(SAMPLE_PASS);
    for (unsigned told = 0; told < 2; told++) {
        r->student_number = told ? UINT32_MAX : 0;
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
            char *text = report_as(formats[i], &r, 1);
            cr_expect_eq(strstr(text, "4294967295") != NULL, told, "%s: %s", formats[i], text);
            free(text);
        }
        char *text = report_as("json", &r, 1);
        expect_has(text, told ? "\"student_number\":\t4294967295" : "\"student_number\":\tnull");
        free(text);
    }
    result_free(r);
}

/* The first place in a file that was graded, and in no other: the runner shows it beside the line. */
static void expect_place(const char *message, const char *files, const char *expected)
{
    struct result *r = sample(SAMPLE_EMPTY);
    result_set(&r->files, "%s", files);
    result_add_check(r, CHECK_BUILD, "build", NULL, VERDICT_FAIL, 0, "%s", message);
    char *text = report_as("github", &r, 1), start[256];
    snprintf(start, sizeof start, "::error %stitle=", expected);
    cr_expect(strstr(text, start), "%s: expected %s in\n%s", message, start, text);
    free(text);
    result_free(r);
}

Test(report_formats, github_is_told_file_and_line)
{
    const char *one = "clamp.c", *two = "aarch64/dot.S, probe.c";
    expect_place("work/3/clamp.c: In function `clamp`:\nwork/3/clamp.c:9:18: error: x", one,
                 "file=work/3/clamp.c,line=9,col=18,");
    expect_place("`b.gt` at work/3/clamp.c:8 is mispredicted", one, "file=work/3/clamp.c,line=8,");
    expect_place("(clamp.c:7:1)", one, "file=clamp.c,line=7,col=1,");
    expect_place("a,b:c/probe.c:4: error, then w/aarch64/dot.S:2: error", two,
                 "file=a%2Cb%3Ac/probe.c,line=4,");
    expect_place("w/aarch64/dot.S:2: error, then probe.c:4: error", two, "file=w/aarch64/dot.S,line=2,");
    expect_place("a\033[2J/clamp.c:3: error", one, "");
    expect_place("a\xff/clamp.c:3: error, then clamp.c:4: error", one, "file=clamp.c,line=4,");
    expect_place("exercise.h:3: error; myclamp.c:3: error; clamp.c: none", one, "");
}

Test(report_formats, wrong_code_has_no_points_for_its_build)
{
    char *text = report_as("gradescope", &results[SAMPLE_WRONG], 1);
    cJSON *report = cJSON_Parse(text);
    cr_assert(report);
    cr_expect_eq(cJSON_GetObjectItem(report, "score")->valuedouble, 0);
    cJSON_Delete(report);
    free(text);
}

Test(report_formats, failures_and_the_machines_noise_are_told_apart)
{
    char *slow = report_as("junit", &results[SAMPLE_SLOW], 1),
         *noisy = report_as("junit", &results[SAMPLE_UNSTABLE], 1);
    expect_has(slow, "<failure message=\"fail: speedup");
    expect_has(noisy, "<error message=\"unstable");
    cr_expect_not(strstr(noisy, "<failure"));
    free(slow);
    free(noisy);
}

/* It is the faster one's: the reference's time stands at no place where it is not. */
Test(report_formats, the_end_of_a_bar_says_whose_it_is)
{
    struct result *r = sample(SAMPLE_PASS);
    for (unsigned faster = 0; faster < 2; faster++) {
        if (faster)
            r->measurements[1].cycles = r->measurements[2].cycles / 2;
        char *page = report_as("html", &r, 1);
        expect_has(page, "<span>baseline 12.00 cycles</span>");
        expect_has(page, faster ? "<span>yours (reference 4.00 cycles)</span>"
                                : "<span>reference 4.00 cycles</span>");
        free(page);
    }
    result_free(r);
}

static size_t tests_in(const char *name)
{
    char *text = scratch_read(name);
    cJSON *report = cJSON_Parse(text);
    size_t count = (size_t)cJSON_GetArraySize(cJSON_GetObjectItem(report, "tests"));
    cr_expect(report, "%s", text);
    cJSON_Delete(report);
    free(text);
    return count;
}

Test(report_formats, several_at_once_and_some_of_them_early)
{
    char spec[9000];
    struct error err;
    snprintf(spec, sizeof spec, "gradescope:%s/g,h.json,csv:%s/a.csv,tap:-", scratch_root, scratch_root);
    cr_assert(report_parse(spec, &err), "%s", err.text);
    cr_expect(report_takes_stdout(spec));
    cr_expect_not(report_takes_stdout("json:a-,csv:-b"));
    cr_assert(report_write_early(spec, results, 0, &err), "%s", err.text);
    cr_expect_eq(tests_in("g,h.json"), 0);
    cr_expect_neq(access(scratch_path("a.csv"), F_OK), 0);
    cr_assert(report_write_early(spec, results, 1, &err), "%s", err.text);
    cr_expect_gt(tests_in("g,h.json"), 0);
    *strstr(spec, ",tap:-") = '\0';
    cr_assert(report_write(spec, results, 2, &err), "%s", err.text);
    char *table = scratch_read("a.csv");
    expect_has(table, "03-branch-elimination");
    free(table);
    cr_expect_not(report_parse("json:a,,csv:b", &err) && access("a,", F_OK) == 0);
    cr_expect_not(report_parse("json:a,csv:", &err));
}

Test(report_formats, a_second_one_that_is_mistyped_is_refused)
{
    struct error err;
    cr_expect_not(report_parse("json:a,junti:b.xml", &err));
    expect_has(err.text, "found `junti:b.xml`");
    cr_expect_not(report_parse("json:a, junit:b.xml", &err));
    expect_has(err.text, "found ` junit:b.xml`");
    cr_expect_not(report_parse("json:a,JUnit:b.xml", &err));
    cr_expect(report_parse("json:/dev/fd/9,/x", &err), "%s", err.text);
}

Test(report_formats, the_list_is_told_to_who_asks_for_another)
{
    struct error err;
    cr_expect_not(report_parse("yaml:a", &err));
    size_t count;
    const struct format *const *all = report_formats(&count);
    cr_expect_geq(count, 9);
    for (size_t i = 0; i < count; i++) {
        expect_has(err.text, all[i]->name);
        cr_expect_eq(report_format(all[i]->name), all[i], "two formats of one name");
    }
    expect_has(err.text, "found `yaml:a`");
}
