/* One thing alone in SUBMISSIONS, where it is known who could have handed it in. */
#include "grader/class/tests/class_kit.h"

#include "grader/class/grade_alone.h"
#include "grader/class/grade_find_internal.h"

TestSuite(alone, .init = before, .fini = after);

static const char graded[] =
    "{\"points\":10,\"students\":{\"ada\":{\"id\":\"ada\",\"name\":\"Ada L\",\"found\":1},"
    "\"mallory\":{\"id\":\"mallory\",\"name\":\"mallory\",\"found\":0}}}";

/* Who is found, with commas between, and what is said where nobody is. */
static void expect_class(const char *roster, const char *who, const char *says)
{
    struct error err = {""};
    struct grade_alone alone;
    char out[PATH_MAX + 8], all[400] = "";
    snprintf(out, sizeof out, "%s/out", scratch_root);
    cr_assert(grade_alone_read(out, roster, &alone, &err), "%s", err.text);
    struct grade_class *class = grade_find_beside(
        scratch_path("in"), (const struct exercise *const *)&exercise, NULL, &alone, 1, ISA_AARCH64, &err);
    for (size_t i = 0; class && i < class->students_count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? "," : "", class->students[i].id);
    cr_expect_str_eq(all, who, "%s", err.text);
    cr_expect(strstr(err.text, says), "`%s`", err.text);
    if (class)
        cr_expect(grade_alone_keep(out, &class->wrappers, &err), "%s", err.text);
    grade_class_free(class);
    grade_alone_free(&alone);
}

/* Whose folders are called as other students hands nothing in for them. */
Test(alone, a_student_is_no_class)
{
    scratch_write("in/mallory/ada/clamp.c", "1");
    scratch_write("in/mallory/ben/clamp.c", "1");
    mkdir(scratch_path("out"), 0755);
    scratch_write("out/.work/graded/03-branch-elimination.json", graded);
    expect_class(NULL, "mallory", "");
    scratch_write("in/mallory/submission_metadata.yml",
                  "submission_1:\n  :submitters:\n  - :name: ada\n    :sid: ada\n");
    expect_class(NULL, "mallory", "");
    cr_assert_eq(rename(scratch_path("in/mallory"), scratch_path("in/Mallory")), 0); /* spelled otherwise */
    expect_class(NULL, "Mallory", "");
    scratch_write("roster.csv", "id,name,also\ns7,Mallory M,x;em\n");
    remove(scratch_path("out/.work/graded/03-branch-elimination.json"));
    static const char *const names[] = {"s7", "M Mallory", "em", "lab-3-s7"};
    const char *last = "in/Mallory";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char now[40];
        snprintf(now, sizeof now, "in/%s", names[i]);
        cr_assert_eq(rename(scratch_path(last), scratch_path(now)), 0);
        expect_class(scratch_path("roster.csv"), names[i], "");
        last = names[i] == names[0] ? "in/s7" : i == 1 ? "in/M Mallory" : "in/em";
    }
}

/* What is around the class is looked into at first, and again; once somebody has grades nothing else is. */
Test(alone, a_class_in_a_folder)
{
    scratch_write("in/week/ada/clamp.c", "1");
    scratch_write("in/week/ben/clamp.c", "1");
    mkdir(scratch_path("out"), 0755);
    mkdir(scratch_path("out/.work"), 0755);
    expect_class(NULL, "ada,ben", "");
    scratch_write("out/.work/graded/03-branch-elimination.json", graded);
    expect_class(NULL, "ada,ben", "");
    cr_assert_eq(rename(scratch_path("in/week"), scratch_path("in/later")), 0);
    expect_class(NULL, "",
                 "later lies there alone, and OUT has grades of nobody who is called so: if the class is "
                 "in it, give that as SUBMISSIONS");
    mkdir(scratch_path("in/another"), 0755);
    expect_class(NULL, "another,later", "");
    remove(scratch_path("in/another"));
    scratch_write("roster.csv", "id,name\nada,Ada L\n"); /* which says that it is nobody's */
    expect_class(scratch_path("roster.csv"), "ada,ben", "");
    cr_assert_eq(rename(scratch_path("in/later"), scratch_path("in/ada")), 0);
    expect_class(scratch_path("roster.csv"), "ada", "");
    scratch_write("out/.work/around.json", "{");
    struct grade_alone alone;
    struct error err = {""};
    cr_expect_not(grade_alone_read(scratch_path("out"), NULL, &alone, &err));
    expect_has(err.text, "around.json is damaged");
    grade_alone_free(&alone);
}

/* What was graded before does not change what is found of the others. */
Test(alone, an_exercise_graded_before_is_not_looked_for)
{
    struct error err = {""};
    struct exercise *fifth = exercise_read(".", "05-software-pipelining", &err);
    const struct exercise *both[] = {exercise, fifth};
    cr_assert(fifth, "%s", err.text);
    scratch_write("in/ada/clamp.c", "old");
    scratch_write("in/ada/week-2/dot.c", "new");
    scratch_write("in/ada/week-2/probe.c", "new");
    struct grade_class *class =
        grade_find_beside(scratch_path("in"), both, (const bool[]){true, false}, NULL, 2, ISA_AARCH64, &err);
    cr_assert(class, "%s", err.text);
    cr_expect_eq(class->students[0].entries[0].found, FOUND_NOTHING);
    cr_expect_eq(class->students[0].entries[1].found, FOUND_FILES);
    grade_class_free(class);
    exercise_free(fifth);
}

/* What a student's names make long is counted, and cut. */
Test(alone, notes_have_an_end)
{
    char *note = NULL;
    for (int i = 0; i < 1000; i++)
        find_note(&note, "file %d is a link", i);
    cr_expect(strlen(note) < 2100, "%zu", strlen(note));
    cr_expect(strncmp(note, "file 0 is a link; file 1 is", 27) == 0);
    char *end = strrchr(note, ';');
    unsigned more = 0, last = 0;
    cr_expect_eq(sscanf(end, "; and %u more notes", &more), 1, "%s", end);
    *end = '\0';
    cr_expect_eq(sscanf(strrchr(note, ';'), "; file %u", &last), 1);
    cr_expect_eq(last + 1 + more, 1000);
    free(note);
}
