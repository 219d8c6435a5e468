/* What a student handed in, in the shapes that services give it. */
#include "grader/tests/check_kit.h"

#include <math.h>
#include "grader/class/submission.h"

TestSuite(submission, .init = before, .fini = after);

static void copy(const char *from, const char *to)
{
    char text[1 << 14];
    FILE *file = fopen(from, "r");
    cr_assert(file, "%s", from);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    scratch_write(to, text);
}

static struct submission *open_it(const char *exercises, const char *course, struct error *err)
{
    const struct submission_request request = {.root = ".",
                                               .folder = scratch_path("in"),
                                               .course = course,
                                               .exercises = exercises,
                                               .isa = ISA_AARCH64};
    mkdir(request.folder, 0755);
    return submission_open(&request, err);
}

/* What of clamp.c is there when a result can be looked at. */
static char looked_at[32];
static void look(void *state, const char *folder, struct result *result)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/clamp.c", folder);
    FILE *file = fopen(path, "r");
    looked_at[file ? fread(looked_at, 1, sizeof looked_at - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    *(const struct result **)state = result;
}

/* The only exercise, checked. */
static struct result *graded(const char *exercise, const char *course)
{
    struct error err;
    const struct check_context context = {.root = ".",
                                          .build = build,
                                          .on = "qemu",
                                          .seed = MODEL_SEED,
                                          .arena = arena,
                                          .tier = TIER_CLOCK,
                                          .pmu = &pmu_linux,
                                          .cache_bytes = 1 << 20,
                                          .placement = &placement};
    if (isa_native() != ISA_AARCH64 && !spawn_finds("aarch64-linux-gnu-gcc"))
        scratch_skip("no AArch64 compiler (package gcc-aarch64-linux-gnu)");
    struct submission *s = open_it(exercise, course, &err);
    cr_assert(s, "%s", err.text);
    cr_assert(!submission_ids(s)[1]);
    const struct result *seen = NULL;
    struct result *result = submission_check(s, &context, submission_ids(s)[0], look, &seen, &err);
    cr_assert(result, "%s", err.text);
    cr_expect(!seen || seen == result);
    cr_assert_str_eq(result->source, scratch_path("in"));
    submission_close(s);
    return result;
}

static void gets(enum verdict verdict, const char *exercise, const char *says)
{
    struct result *result = graded(exercise, NULL);
    cr_assert_eq(result->verdict, verdict, "%s", result->headline);
    cr_assert(strstr(result->headline, says) || (result->next && strstr(result->next, says)), "%s; %s",
              result->headline, result->next);
    cr_assert(!strstr(result->headline, "cyclelab-"), "%s", result->headline);
    result_free(result);
}

static const char good[] = "solutions/03-branch-elimination/clamp.c";
static const char assembly[] = "grader/tests/golden-model/03-branch-elimination/assembly/aarch64/clamp.S";

Test(submission, a_file_without_a_folder)
{
    copy(good, "in/clamp.c");
    gets(VERDICT_PASS, "3", "PASS");
}

/* A page shows the files that were graded, not others of their name. */
Test(submission, the_graded_file_can_be_looked_at)
{
    scratch_write("in/clamp.c", "/* old */");
    scratch_write("in/work/03-branch-elimination/clamp.c", "/* graded */ int");
    gets(VERDICT_FAIL, "3", "it does not build");
    cr_expect_str_eq(looked_at, "/* graded */ int");
}

Test(submission, wrapped_twice)
{
    copy(good, "in/mine/03-branch-elimination/clamp.c");
    scratch_write("in/__MACOSX/x", "");
    gets(VERDICT_PASS, "branch-elimination", "PASS");
}

Test(submission, assembly_without_its_folder)
{
    copy(assembly, "in/clamp.S");
    gets(VERDICT_PASS, "03", "PASS");
}

Test(submission, assembly_that_is_not_used_is_told)
{
    copy(assembly, "in/clamp.S");
    scratch_write("in/clamp.c", "int");
    gets(VERDICT_FAIL, "3", "clamp.S is not used");
}

Test(submission, nothing_has_no_points_and_says_what_was_expected)
{
    scratch_write("in/Clamp.cpp", "");
    struct result *result = graded("3", NULL);
    cr_assert_eq(result->verdict, VERDICT_FAIL);
    cr_assert_eq(result->score, 0);
    cr_assert(strstr(result->headline, "nothing was handed in (expected clamp.c)"), "%s", result->headline);
    cr_assert(strstr(result->headline, "Clamp.cpp"), "%s", result->headline);
    cr_assert(result->isa && result->on && result->cpu);
    result_free(result);
}

/* A service takes shares of the maximum: who handed nothing in has the same as everybody else. */
Test(submission, nothing_counts_what_a_submission_would)
{
    scratch_write("in/x", "");
    scratch_write("course.yml", "exercises:\n"
                                "  - exercise: 3\n"
                                "    points: 40\n"
                                "  - exercise: 4\n"
                                "    correctness: {points: 50}\n"
                                "  - exercise: 9\n"
                                "    cores: [cortex-a55, neoverse-n1]\n");
    for (unsigned i = 0; i < 4; i++) {
        const char *exercise = (const char *const[]){"3", "4", "9", "12"}[i];
        const char *course = i < 3 ? scratch_path("course.yml") : NULL;
        char file[64];
        struct result *nothing = graded(exercise, course);
        snprintf(file, sizeof file, "in/%s.c", (const char *const[]){"clamp", "sum", "divide", "dot"}[i]);
        scratch_write(file, "int");
        struct result *something = graded(exercise, course);
        cr_assert(strstr(something->headline, "build"), "%s", something->headline);
        cr_assert_eq(nothing->max_score, something->max_score, "%s: %u, %u", exercise, nothing->max_score,
                     something->max_score);
        result_free(nothing);
        result_free(something);
    }
}

Test(submission, a_link_is_not_followed)
{
    copy(good, "elsewhere.c");
    scratch_write("in/x", "");
    cr_assert_eq(symlink(scratch_path("elsewhere.c"), scratch_path("in/clamp.c")), 0);
    gets(VERDICT_REJECTED, "3", "link");
}

Test(submission, of_half_an_exercise_the_rest_is_the_stub)
{
    copy("solutions/05-software-pipelining/probe.c", "in/probe.c");
    gets(VERDICT_FAIL, "5", "dot.c was not handed in: the stub stands in for it");
}

Test(submission, what_does_not_build_is_named_as_it_was_handed_in)
{
    scratch_write("in/clamp.c", "int");
    gets(VERDICT_FAIL, "3", "build: clamp.c:1");
}

Test(submission, messages_name_files_as_they_lie_in_a_clone)
{
    scratch_write("in/work/03-branch-elimination/clamp.c", "nonsense");
    gets(VERDICT_FAIL, "3", "build: work/03-branch-elimination/clamp.c:1");
    scratch_write("in/work/03-branch-elimination/clamp.c",
                  "#include \"exercise.h\"\n\n"
                  "void clamp(int32_t *values, size_t n, int32_t low, int32_t high)\n{\n"
                  "    *(volatile int32_t *)0 = (int32_t)n + low + high + !values;\n}\n");
    gets(VERDICT_FAIL, "3", "(work/03-branch-elimination/clamp.c:5)");
}

Test(submission, several_exercises)
{
    struct error err;
    struct submission *s = open_it("4 03-branch-elimination", NULL, &err);
    cr_assert(s, "%s", err.text);
    cr_assert_str_eq(submission_ids(s)[0], "03-branch-elimination");
    cr_assert_str_eq(submission_ids(s)[1], "04-accumulators");
    cr_assert_null(submission_ids(s)[2]);
    submission_close(s);
    s = open_it(NULL, NULL, &err);
    cr_assert(s && submission_ids(s)[4]);
    submission_close(s);
    cr_assert_null(open_it("3 99", NULL, &err));
    cr_assert(strstr(err.text, "99"), "%s", err.text);
    cr_assert_null(open_it("", NULL, &err));
}

Test(submission, a_course_sets_points_seeds_and_cores)
{
    copy("grader/tests/golden/04-accumulators/near-two/sum.c", "in/sum.c");
    scratch_write("course.yml", "seeds: [77, 78]\n"
                                "exercises:\n"
                                "  - exercise: 3\n"
                                "    graded: false\n"
                                "  - exercise: 4\n"
                                "    points: 40\n"
                                "    cores: [neoverse-n1, cortex-a72]\n");
    struct error err;
    struct result *plain = graded("4", NULL), *result = graded("4", scratch_path("course.yml"));
    cr_assert_eq(result->max_score, 40);
    cr_assert_eq(result->verdict, VERDICT_FAIL);
    cr_assert_null(result->seed);
    cr_assert(result->score > 0 && result->score / 40 <= plain->score / plain->max_score + 1e-9);
    result_free(plain);
    result_free(result);
    cr_assert_null(open_it("3", scratch_path("course.yml"), &err));
    cr_assert(strstr(err.text, "no exercise of that name is graded"), "%s", err.text);
    cr_assert_null(open_it("4", scratch_path("nowhere.yml"), &err));
    cr_assert(strstr(err.text, "nowhere.yml"), "%s", err.text);
}

/* Who is in the course, and who was late, lies beside the course file, and services get that alone. */
Test(submission, a_course_without_the_files_that_it_names)
{
    struct error err = {""};
    scratch_write("course.yml", "roster: roster.csv\nlate: {percent: [50], file: late.csv}\n");
    struct submission *s = open_it("3", scratch_path("course.yml"), &err);
    cr_assert(s, "%s", err.text);
    submission_close(s);
    scratch_write("course.yml", "late: {percent: [50], fil: late.csv}\n");
    cr_expect_null(open_it("3", scratch_path("course.yml"), &err));
    cr_expect(strstr(err.text, "there is no such key"), "%s", err.text);
}

Test(submission, a_folder_that_is_none)
{
    struct error err;
    const struct submission_request request = {
        .root = ".", .folder = scratch_path("nowhere"), .isa = ISA_AARCH64};
    cr_assert_null(submission_open(&request, &err));
    cr_assert(strstr(err.text, "nowhere"), "%s", err.text);
}
