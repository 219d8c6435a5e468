#include "grader/tests/scratch.h"

#include "grader/exercise/course.h"
#include "harness/base/tests/sanitized.h"

TestSuite(course, .init = scratch_make, .fini = scratch_remove);

static struct course *course_of(const char *text)
{
    struct error err = {""};
    scratch_write("course.yml", text);
    struct course *course = course_open(".", scratch_path("course.yml"), &err);
    cr_assert(course, "%s", err.text);
    return course;
}

static const struct course_exercise *exercise_of(const struct course *course, const char *id)
{
    for (unsigned i = 0; i < course->exercises_count; i++)
        if (strcmp(course->exercises[i].id, id) == 0)
            return &course->exercises[i];
    cr_assert_fail("no exercise %s", id);
    return NULL;
}

Test(course, none)
{
    struct error err;
    struct course *course = course_open(".", NULL, &err);
    cr_assert(course, "%s", err.text);
    cr_expect_geq(course->exercises_count, 5);
    cr_expect_eq(course->seeds.count, 1);
    cr_expect_null(course->on);
    cr_expect_str_eq(course->title, "");
    cr_expect(course->exercises[0].graded);
    cr_expect_eq(course_late_percent(course, 0), 100);
    cr_expect_eq(course_late_percent(course, 1), 0);
    course_close(course);
    course_close(NULL);
}

/* A comparison of each with all others would take minutes. */
Test(course, many_are_late)
{
    enum { MANY = SANITIZED ? 10000 : 100000, LINE = 9 };
    char *text = malloc(MANY * LINE + 1);
    for (size_t i = 0; i < MANY; i++)
        snprintf(text + i * LINE, LINE + 1, "%06zx,1\n", i);
    scratch_write("late.csv", text);
    struct course *course = course_of("late: {percent: [90], file: late.csv}\n");
    cr_expect_eq(course->late_count, MANY);
    course_close(course);
    memcpy(text + (MANY - 1) * LINE, text + LINE, LINE);
    scratch_write("late.csv", text);
    free(text);
    struct error err;
    scratch_write("course.yml", "late: {percent: [90], file: late.csv}\n");
    cr_expect_null(course_open(".", scratch_path("course.yml"), &err));
    expect_has(err.text, SANITIZED ? "late.csv:10000: `000001` is there already"
                                   : "late.csv:100000: `000001` is there already");
}

/* A line is for all exercises or for one; a student may have several. */
Test(course, late_with_one_exercise)
{
    scratch_write("late.csv", "ada,1,3\nada,2,04\nada;3h;\n");
    struct course *course = course_of("late:\n  percent: [90]\n  file: late.csv\n  students:\n"
                                      "    - {student: ben, exercise: branch-elimination, days: 1}\n"
                                      "    - {student: ben, days: 2}\n");
    static const char *const exercises[] = {NULL, "03-branch-elimination"};
    static const uint32_t hours[] = {3, 24, 48, 24};
    cr_expect_eq(course->late_count, 5);
    for (unsigned i = 0; i < 4; i++) {
        bool found = false;
        for (unsigned j = 0; j < course->late_count; j++) {
            const struct course_late *one = &course->late[j];
            const char *exercise = exercises[i % 2];
            found = found ||
                    (strcmp(one->student, i < 2 ? "ada" : "ben") == 0 && one->hours == hours[i] &&
                     (exercise ? one->exercise && strcmp(one->exercise, exercise) == 0 : !one->exercise));
        }
        cr_expect(found, "%u hours", hours[i]);
    }
    course_close(course);
}

static uint32_t hours_late(const struct course *course, const char *student)
{
    for (unsigned i = 0; i < course->late_count; i++)
        if (strcmp(course->late[i].student, student) == 0)
            return course->late[i].hours;
    return 0;
}

Test(course, all)
{
    scratch_write("late.csv",
                  "\xef\xbb\xbf# who, how \"late\r\nada,2\r\n\n\"Lovelace, \"\"A.\"\"\" , 30h\n  bob,\t0 \n");
    struct course *course =
        course_of("title: Optimization\n"
                  "due: 2026-11-30 23:59\n"
                  "on: qemu\n"
                  "seeds: [7, autumn-2026]\n"
                  "cores: [cortex-a55, neoverse-v1]\n"
                  "late:\n"
                  "  percent: [90, 50]\n"
                  "  after: 10\n"
                  "  file: late.csv\n"
                  "  students:\n"
                  "    - {student: cy, hours: 49}\n"
                  "    - {student: di, days: 1}\n"
                  "exercises:\n"
                  "  - {exercise: 1, graded: false}\n"
                  "  - exercise: branch-elimination\n"
                  "    points: 40\n"
                  "    seed: of-three-alone\n"
                  "    cores: [cortex-a72]\n"
                  "    correctness: {points: 5, largest: 100, cases: [edges, more]}\n"
                  "    bounds:\n"
                  "      - {name: random-faster, share: 90.5, points: 6, elements: 4096}\n"
                  "      - {name: sorted-no-slower, slack: 5}\n"
                  "      - {name: random-branch-misses, per-element: 0.01}\n");
    cr_expect_str_eq(course->title, "Optimization");
    cr_expect_str_eq(course->due, "2026-11-30 23:59");
    cr_expect_str_eq(course->on, "qemu");
    cr_expect_eq(course->seeds.count, 2);
    cr_expect_str_eq(course->seeds.name[1], "autumn-2026");
    cr_expect_eq(exercise_of(course, "03-branch-elimination")->seeds.count, 1);
    cr_expect_str_eq(exercise_of(course, "03-branch-elimination")->seeds.name[0], "of-three-alone");
    cr_expect_eq(exercise_of(course, "04-accumulators")->seeds.count, 2);
    cr_expect_str_eq(exercise_of(course, "04-accumulators")->seeds.name[1], "autumn-2026");
    cr_expect_not(exercise_of(course, "01-nop-cycles")->graded);
    cr_expect_eq(exercise_of(course, "04-accumulators")->cores.count, 2);
    cr_expect_eq(hours_late(course, "ada"), 48);
    cr_expect_eq(hours_late(course, "Lovelace, \"A.\""), 30);
    cr_expect_eq(hours_late(course, "bob"), 0);
    cr_expect_eq(hours_late(course, "cy"), 49);
    cr_expect_eq(hours_late(course, "di"), 24);
    cr_expect_eq(hours_late(course, "nobody"), 0);
    cr_expect_eq(course_late_percent(course, 24), 90);
    cr_expect_eq(course_late_percent(course, 25), 50);
    cr_expect_eq(course_late_percent(course, 48), 50);
    cr_expect_eq(course_late_percent(course, 49), 10);

    struct error err;
    char goal[BOUND_GOAL];
    const struct course_exercise *settings = exercise_of(course, "03-branch-elimination");
    cr_expect_eq(settings->cores.count, 1);
    cr_expect_eq(settings->points.value, 40);
    struct exercise *exercise = exercise_read(".", settings->id, &err);
    cr_assert(exercise, "%s", err.text);
    unsigned cases = exercise->cases_count;
    cr_assert(course_change(settings, exercise));
    cr_expect_eq(exercise->correctness_points, 5);
    cr_expect_eq(exercise->largest, 100);
    cr_assert_eq(exercise->cases_count, cases + 2);
    cr_expect_str_eq(exercise->cases[0], "random");
    cr_expect_str_eq(exercise->cases[cases + 1], "more");
    for (unsigned i = 0; i < exercise->bounds_count; i++) {
        const struct bound_spec *bound = &exercise->bounds[i];
        if (strcmp(bound->name, "random-faster") == 0) {
            cr_expect_eq(bound->limit, 905);
            cr_expect_eq(bound->model.elements, 4096);
            cr_expect_eq(bound->points, 6);
            bound_goal(bound, goal);
            expect_has(goal, "90.5 % of");
        }
        if (strcmp(bound->name, "sorted-no-slower") == 0) {
            bound_goal(bound, goal);
            expect_has(goal, "5 % slower");
        }
    }
    exercise_free(exercise);
    course_close(course);
}

struct refusal {
    const char *text, *says;
};

static const struct refusal refusals[] = {
    {"", "found an empty file"},
    {"titel: x\n",
     "course.yml:1: titel: there is no such key: expected title, due, on, seed, seeds, cores, late, "
     "roster, anonymous, exercises, extensions or overrides"},
    {"extensions:\n- {student: a, exercise: 3}\n", "extensions[1].hours: "},
    {"due: 2026-13-01 10:00\n", "course.yml:1: due: expected a time, like 2026-11-30 23:59"},
    {"due: 25.10.2026\n", "or words, found `25.10.2026`"},
    {"exercises:\n- {exercise: 3, due: Friday}\n",
     "exercises[1].due: expected a time, like 2026-11-30 23:59"},
    {"overrides:\n- {student: a, exercise: 3, points: 1}\n", "overrides[1].reason: "},
    {"overrides:\n- {student: a, exercise: 99, points: 1, reason: b}\n", "overrides[1].exercise: "},
    {"overrides:\n- {student: a, exercise: 3, points: 1.234, reason: b}\n", "overrides[1].points: "},
    {"overrides:\n- {student: a, exercise: 3, points: 1, reason: b}\n- {student: a, exercise: 03, points: 2, "
     "reason: "
     "b}\n",
     "exercise 03-branch-elimination of `a` is there already"},
    {"anonymous: true\n",
     "course.yml:1: anonymous: expected a `roster` with pseudonyms beside it, found none"},
    {"title: [a]\n", "title: expected a single value"},
    {"title: \"a\\nb\"\n", "title: expected one line"},
    {"on: paper\n", "on: expected native or qemu, found `paper`"},
    {"seed: a_1\n", "seed: expected 1 to 64 letters, digits and hyphens, found `a_1`"},
    {"seed: 1\nseeds: [2]\n", "course.yml:2: seeds: expected either `seed` or `seeds`"},
    {"seeds: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]\n",
     "seeds: expected a list of 1 to 16: seeds, found 17"},
    {"exercises: [{exercise: 3, seed: 1, seeds: [2]}]\n", "seeds: expected either `seed` or `seeds`"},
    {"seeds: [1, 1.5]\n", "seeds[2]: expected 1 to 64 letters"},
    {"title: x\nseeds: []\n", "course.yml:2: seeds: expected a list of 1 to 16: seeds, found 0"},
    {"cores: []\n", "course.yml:1: cores: expected a list of 1 to 16: a core or several, found 0"},
    {"exercises:\n  - exercise: 3\n    cores: []\n",
     "course.yml:3: exercises[1].cores: expected a list of 1 to 16: a core or several, found 0"},
    {"cores: [z80]\n", "cores[1]: expected "},
    {"cores: [cortex-a55, cortex-a55]\n", "cores[2]: `cortex-a55` is there already"},
    {"late: {after: 3}\n",
     "course.yml:1: late.percent: is missing: expected a list of 1 to 60: what is left after each day"},
    {"late: {percent: [101]}\n", "late.percent[1]: expected a whole number from 0 to 100"},
    {"late: {percent: [50, 60]}\n", "late.percent[2]: expected a whole number from 0 to 50"},
    {"late: {percent: [50], after: 60}\n", "late.after: expected a whole number from 0 to 50"},
    {"late: {percent: [50], file: none.csv}\n", "late.file: "},
    {"late: {percent: [50], file: bad.csv}\n", "bad.csv:2: expected `student,2`"},
    {"late: {percent: [50], file: twice.csv}\n", "twice.csv:2: `a` is there already"},
    {"late: {percent: [50], students: [{days: 1}]}\n", "late.students[1].student: is missing"},
    {"late: {percent: [50], students: [{student: a}]}\n", "expected either `days` or `hours`"},
    {"late: {percent: [50], students: [{student: a, days: 1, hours: 2}]}\n", "expected either"},
    {"late: {percent: [50], students: [{student: a, days: x}]}\n", "late.students[1].days: expected a whole"},
    {"late: {percent: [5], students: [{student: a, days: 1}, {student: a, days: 1}]}\n", "is there already"},
    {"late: {percent: [5], students: [{student: a, exercise: 3, days: 1}, {student: a, exercise: 03, days: "
     "2}]}\n",
     "late.students[2].student: `a` is there already with exercise 03-branch-elimination"},
    {"late: {percent: [5], students: [{student: a, exercise: 77, days: 1}]}\n",
     "late.students[1].exercise: there is no exercise `77`"},
    {"late: {percent: [50], file: other.csv}\n", "other.csv:2: there is no exercise `77`"},
    {"exercises: [{graded: true}]\n", "exercises[1].exercise: is missing"},
    {"exercises: [{exercise: 77}]\n", "exercises[1].exercise: there is no exercise `77`"},
    {"exercises: [{exercise: 3}, {exercise: 03}]\n",
     "exercises[2].exercise: `03-branch-elimination` is there"},
    {"exercises: [{exercise: 3, graded: maybe}]\n", "exercises[1].graded: expected false or true"},
    {"exercises: [{exercise: 3, points: 1,5}]\n", "exercises[1]"},
    {"exercises: [{exercise: 3, points: \"4\"}]\n",
     "exercises[1].points: expected a whole number from 0 to 1000, found `\"4\"`"},
    {"exercises: [{exercise: 3, graded: 'true'}]\n", "exercises[1].graded: expected false or true, found"},
    {"exercises: [{exercise: 3, points: 9999}]\n",
     "exercises[1].points: expected a whole number from 0 to 1000"},
    {"exercises: [{exercise: 3, cores: [x]}]\n", "exercises[1].cores[1]: expected"},
    {"exercises: [{exercise: 3, correctness: {points: x}}]\n", "exercises[1].correctness.points: expected"},
    {"exercises: [{exercise: 3, correctness: {largest: 7}}]\n", "exercises[1].correctness.largest: expected"},
    {"exercises:\n  - exercise: 3\n    correctness: {cases: []}\n",
     "course.yml:3: exercises[1].correctness.cases: expected a list of 1 to 64: names of cases, found 0"},
    {"exercises: [{exercise: 3, correctness: {cases: [No]}}]\n",
     "cases[1]: expected a case of the exercise's"},
    {"exercises: [{exercise: 3, correctness: {cases: [random]}}]\n", "cases[1]: `random` is there already"},
    {"exercises: [{exercise: 3, correctness: {cases: [edges, edges]}}]\n",
     "exercises[1].correctness.cases[2]: `edges` is there already"},
    {"exercises: [{exercise: 3, bounds: [{share: 1}]}]\n", "exercises[1].bounds[1].name: is missing"},
    {"exercises: [{exercise: 3, bounds: [{name: x}]}]\n",
     "exercises[1].bounds[1].name: expected random-faster"},
    {"exercises: [{exercise: 3, bounds: [{name: random-faster, share: 0}]}]\n",
     "share: expected a number from 0.1 to 100"},
    {"exercises: [{exercise: 3, bounds: [{name: random-faster, share: 101}]}]\n", "from 0.1 to 100"},
    {"exercises: [{exercise: 3, bounds: [{name: random-faster, slack: 5}]}]\n",
     "bounds[1].slack: expected with `kind: no-slower` only"},
    {"exercises: [{exercise: 3, bounds: [{name: sorted-no-slower, permille: 50}]}]\n",
     "`permille` is now `slack`, in percent: expected `slack: 5`"},
    {"exercises: [{exercise: 3, bounds: [{name: random-faster, elements: 0}]}]\n", "elements: expected"},
    {"exercises: [{exercise: 3, bounds: [{name: random-faster}, {name: random-faster}]}]\n",
     "is there already"},
    {"exercises:\n  - exercise: 4\n    correctness: {points: 0}\n    bounds: [{name: sum-faster, points: "
     "0}]\n",
     "expected points somewhere"},
    {"title: a\n---\ntitle: b\n", "expected one document"},
    {"title: &x a\ndue: *x\n", "alias"},
};

Test(course, lines_that_do_not_say_who_is_late)
{
    static const char *const lines[] = {"ada",         "ada,",        "ada,010",   "ada,-1",    "ada,2 h",
                                        ",2",          " ,2",         "\"\",2",    "\"ada,2",   "ada\",2",
                                        "a\"d\"a,2",   "\"a\"da\",2", "ada,2,3,4", "ada,2,\"3", "\"ada\"x,2",
                                        "\"ada\"\",2", "\",2"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct error err = {""};
        scratch_write("late.csv", lines[i]);
        scratch_write("course.yml", "late: {percent: [50], file: late.csv}\n");
        cr_expect_null(course_open(".", scratch_path("course.yml"), &err), "taken: %s", lines[i]);
        expect_has(err.text,
                   "late.csv:1: expected `student,2` (days late) or `student,30h` (hours), and `,3` ");
    }
}

Test(course, refusals)
{
    scratch_write("bad.csv", "a,1\nb\n");
    scratch_write("twice.csv", "a,1\na,2\n");
    scratch_write("other.csv", "a,1,3\na,2,77\n");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct error err = {""};
        scratch_write("course.yml", refusals[i].text);
        struct course *course = course_open(".", scratch_path("course.yml"), &err);
        cr_expect_null(course, "taken: %s", refusals[i].text);
        cr_expect(strstr(err.text, refusals[i].says), "of:\n%s\nexpected: %s\nfound: %s", refusals[i].text,
                  refusals[i].says, err.text);
        cr_expect(strstr(err.text, "course.yml"), "%s", err.text);
        course_close(course);
    }
}

Test(course, none_is_graded)
{
    struct error err = {""};
    FILE *file = fopen(scratch_path("course.yml"), "w");
    struct course *all = course_open(".", NULL, &err);
    cr_assert(file && all);
    fputs("exercises:\n", file);
    for (unsigned i = 0; i < all->exercises_count; i++)
        fprintf(file, "  - {exercise: %s, graded: false}\n", all->exercises[i].id);
    fclose(file);
    course_close(all);
    cr_expect_null(course_open(".", scratch_path("course.yml"), &err));
    expect_has(err.text, "expected one that is graded");
}

Test(course, late_files)
{
    static const char *const wrong[] = {"a,-1\n",      "a,1d\n",    "a,\n", ",1\n",
                                        "a,9999999\n", "a,20000\n", "a 1\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error err = {""};
        scratch_write("late.csv", wrong[i]);
        scratch_write("course.yml", "late: {percent: [50], file: late.csv}\n");
        cr_expect_null(course_open(".", scratch_path("course.yml"), &err), "%s", wrong[i]);
        expect_has(err.text, "late.csv:1: expected");
    }
}

Test(course, no_project)
{
    struct error err = {""};
    cr_expect_null(course_open(scratch_path("none"), NULL, &err));
    expect_has(err.text, "is this the project's folder?");
}
