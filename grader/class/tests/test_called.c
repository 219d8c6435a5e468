/* Whom a course's lists mean. */
#include "grader/class/grade_internal.h"
#include "grader/class/grade_roster.h"

#include "grader/class/tests/class_kit.h"

TestSuite(called, .init = before, .fini = after);

/* The lists' lines, in the class of scratch "in": "late|overrides|extensions", each with the ids that it
 * means ("-": nobody), then who is late by how many hours; or what is wrong. */
static void expect(const char *rules, const char *roster, const char *expected)
{
    struct error err = {""};
    const struct exercise *const exercises[] = {exercise};
    struct grade_request request = {.course = scratch_path("course.yml"), .submissions = "in"};
    struct grade_exercise graded = {.exercise = exercise};
    struct grading g = {.request = &request, .exercises = &graded, .exercises_count = 1};
    char all[1000] = "";
    scratch_write("course.yml", rules);
    g.course = course_open(".", scratch_path("course.yml"), &err);
    g.class = grade_find(scratch_path("in"), exercises, 1, ISA_AARCH64, &err);
    cr_assert(g.course && g.class, "%s", err.text);
    if (roster) {
        scratch_write("roster.csv", roster);
        cr_assert(grade_join_roster(g.class, scratch_path("roster.csv"), false, &err), "%s", err.text);
    }
    graded.settings = &g.course->exercises[2];
    if (grade_take_names(&g, &err) && grade_settle_lateness(&g, &err)) {
        const unsigned counts[GRADE_LISTS] = {g.course->late_count, g.course->overrides_count,
                                              g.course->extensions_count};
        for (unsigned l = 0; l < GRADE_LISTS; l++) {
            for (unsigned i = 0; i < counts[l]; i++) {
                const size_t who = g.listed[l][i];
                strcat(strcat(all, i > 0 ? "," : ""), who == GRADE_NOBODY ? "-" : g.class->students[who].id);
            }
            strcat(all, "|");
        }
        for (size_t s = 0; s < g.class->students_count; s++)
            snprintf(all + strlen(all), sizeof all - strlen(all), " %s %u", g.class->students[s].id,
                     grade_lateness(&g, s, 0).hours);
    } else {
        snprintf(all, sizeof all, "%.900s", strstr(err.text, ": ") ? strstr(err.text, ": ") + 2 : err.text);
    }
    cr_expect_str_eq(all, expected, "%s", all);
    free(g.lateness);
    grade_free_names(&g);
    grade_class_free(g.class);
    course_close(g.course);
}

static void hand_in(const char *metadata)
{
    scratch_write("in/submission_1/clamp.c", "1");
    scratch_write("in/submission_2/clamp.c", "2");
    scratch_write("in/submission_metadata.yml", metadata);
}

static const char rules[] = "late: {percent: [50], students: [{student: '77', days: 2}]}\n"
                            "extensions: [{student: '77', hours: 1}, {student: Vera, hours: 3}]\n"
                            "overrides: [{student: '77', exercise: 3, points: 1, reason: x}]\n";

/* Who is called as another's id is not the one whose id it is. */
Test(called, a_name_that_is_anothers_id)
{
    hand_in("submission_1:\n  :submitters:\n  - :name: Vera\n    :sid: '77'\n"
            "submission_2:\n  :submitters:\n  - :name: '77'\n    :sid: '99'\n");
    expect(rules, NULL, "77|77|77,77| 99 0 77 45");
    expect(rules, "id,name\n77,Vera\n", "77|77|77,77| 99 0 77 45");
    expect(rules, "id,name\n99,Ada\n77,Vera\n", "77|77|77,77| 99 0 77 45");
}

/* Whose id it is has handed nothing in: known by the roster, else nobody's. */
Test(called, a_name_that_is_the_id_of_who_is_not_there)
{
    hand_in("submission_1:\n  :submitters:\n  - :name: Vera\n    :sid: '78'\n"
            "submission_2:\n  :submitters:\n  - :name: '77'\n    :sid: '99'\n");
    expect(rules, NULL, "-|-|-,78| 99 0 78 0");
    expect(rules, "id,name\n77,Max\n", "77|77|77,78| 99 0 77 0 78 0");
    hand_in("submission_1:\n  :submitters:\n  - :name: Vera\n    :sid: '78'\n"
            "submission_2:\n  :submitters:\n  - :name: v@example.org\n    :sid: '99'\n");
    expect("extensions: [{student: v@example.org, hours: 1}]\n", NULL, "||-| 78 0 99 0");
}

Test(called, two_of_one_name)
{
    hand_in("submission_1:\n  :submitters:\n  - :name: Vera\n    :sid: '78'\n"
            "submission_2:\n  :submitters:\n  - :name: Vera\n    :sid: '99'\n");
    expect(rules, NULL, "in extensions, `Vera` is what 2 students are called: name one by the id (78, 99)");
}
