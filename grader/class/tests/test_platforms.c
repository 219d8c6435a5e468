/* Whose submission is what, by the names that platforms give, to the layouts that docs/formats.md names the
 * sources of. */
#include "grader/class/tests/class_kit.h"

#include "grader/class/grade_find.h"
#include "grader/class/layout.h"

TestSuite(platforms, .init = before, .fini = after);

/* ---- names ---- */

Test(platforms, names)
{
    static const struct {
        const char *service, *name, *id, *who, *file;
        enum layout_kind kind;
        unsigned long long order;
        bool late;
        const char *time;
    } rows[] = {
        {"Canvas", "doejane_12_345_clamp.c", "12", "doejane", "clamp.c", LAYOUT_FILE, 345, false, ""},
        {"Canvas", "doejane_LATE_12_345_clamp-1.c", "12", "doejane", "clamp-1.c", LAYOUT_FILE, 345, true, ""},
        {"Canvas", "de_la_cruz_12_345_6_7_x.c", "12", "de_la_cruz", "6_7_x.c", LAYOUT_FILE, 345, false, ""},
        {"Canvas", "\xc3\xa9mile_12_345_x y.c", "12", "\xc3\xa9mile", "x y.c", LAYOUT_FILE, 345, false, ""},
        {"Canvas", "r2_d2x_12_345_x.c", "12", "r2_d2x", "x.c", LAYOUT_FILE, 345, false, ""},
        {"Canvas", "doejane_LATE_12_text.html", "12", "doejane", "text.html", LAYOUT_FILE, 0, true, ""},
        {"Canvas", "anon_aB3_345_x.c", "anon_aB3", "anon_aB3", "x.c", LAYOUT_FILE, 345, false, ""},
        {"Canvas", "LATE_anon_aB3_345_x.c", "anon_aB3", "anon_aB3", "x.c", LAYOUT_FILE, 345, true, ""},
        {"Moodle", "Jane Doe_77_assignsubmission_file", "77", "Jane Doe", "", LAYOUT_FOLDER, 0, false, ""},
        {"Moodle", "Jane Doe_77_assignsubmission_file_", "77", "Jane Doe", "", LAYOUT_FOLDER, 0, false, ""},
        {"Moodle", "Default_assignsubmission_file", "Default", "Default", "", LAYOUT_FOLDER, 0, false, ""},
        {"Moodle", "J D_77_assignsubmission_file_a_b.c", "77", "J D", "a_b.c", LAYOUT_FILE, 0, false, ""},
        {"Moodle", "Default_assignsubmission_file_x.c", "Default", "Default", "x.c", LAYOUT_FILE, 0, false,
         ""},
        /* files and names that look like what a platform writes */
        {"Moodle", "J D_77_assignsubmission_file_x_78_assignsubmission_file_clamp.c", "77", "J D",
         "x_78_assignsubmission_file_clamp.c", LAYOUT_FILE, 0, false, ""},
        {"Moodle", "Default_assignsubmission_file_x_78_assignsubmission_file_clamp.c", "Default", "Default",
         "x_78_assignsubmission_file_clamp.c", LAYOUT_FILE, 0, false, ""},
        {"Moodle", "x_assignsubmission_file__77_assignsubmission_file", "77", "x_assignsubmission_file_", "",
         LAYOUT_FOLDER, 0, false, ""},
        {"Moodle", "x_78_assignsubmission_file_77_assignsubmission_file_", "77", "x_78_assignsubmission_file",
         "", LAYOUT_FOLDER, 0, false, ""},
        {"Moodle", "Participant_1234_assignsubmission_file", "1234", "Participant", "", LAYOUT_FOLDER, 0,
         false, ""},
        {"Canvas", "doejane_12_345_roe_13_346_clamp.c", "12", "doejane", "roe_13_346_clamp.c", LAYOUT_FILE,
         345, false, ""},
        {"Canvas", "late_LATE_12_345_x.c", "12", "late", "x.c", LAYOUT_FILE, 345, true, ""},
        {"Canvas", "anon_aB3_text.html", "anon_aB3", "anon_aB3", "text.html", LAYOUT_FILE, 0, false, ""},
        {"Brightspace", "125-77 - Jane Doe - Nov 2, 2026 905 PM", "125", "Jane Doe", "", LAYOUT_FOLDER, 0,
         false, "2026-11-02 21:05:00"},
        {"Brightspace", "125-77 - A - Nov 1, 2026 1200 AM - Sept 30, 2026 1210 PM", "125",
         "A - Nov 1, 2026 1200 AM", "", LAYOUT_FOLDER, 0, false, "2026-09-30 12:10:00"},
        {"Brightspace", "125-77 - Jane Doe - Nov 2, 2026 1200 AM", "125", "Jane Doe", "", LAYOUT_FOLDER, 0,
         false, "2026-11-02 00:00:00"},
        {"Blackboard", "Lab 1_jdoe_attempt_2026-11-20-10-00-09_a_b.c", "Lab 1_jdoe", "Lab 1_jdoe", "a_b.c",
         LAYOUT_FILE, 0, false, "2026-11-20 10:00:09"},
        {"Blackboard", "Lab 1_jdoe_attempt_2026-11-20-10-00-09.txt", "Lab 1_jdoe", "Lab 1_jdoe",
         "2026-11-20-10-00-09.txt", LAYOUT_FILE, 0, false, "2026-11-20 10:00:09"},
        {NULL, "jane", "jane", "jane", "", LAYOUT_FOLDER, 0, false, ""},
        {NULL, "jane.TAR.gz", "jane", "jane", "jane.TAR.gz", LAYOUT_FILE, 0, false, ""},
    };
    static const struct {
        const char *service, *name;
    } others[] = {{"Canvas", "notes.txt"},
                  {"Canvas", "_1_2_3"},
                  {"Moodle", "notes.txt"},
                  {NULL, "notes.txt"},
                  {NULL, ".zip"}};
    struct layout_name read;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert(layout_read(rows[i].service, rows[i].name, rows[i].kind, &read), "%s", rows[i].name);
        cr_expect_str_eq(read.id, rows[i].id, "%s: %s", rows[i].name, read.id);
        cr_expect_str_eq(read.name, rows[i].who, "%s: %s", rows[i].name, read.name);
        cr_expect_str_eq(read.file, rows[i].file, "%s: %s", rows[i].name, read.file);
        cr_expect_eq(read.order, rows[i].order, "%s", rows[i].name);
        cr_expect_eq(read.late, rows[i].late, "%s", rows[i].name);
        cr_expect_str_eq(read.time, rows[i].time, "%s", rows[i].name);
        layout_free(&read);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect_not(layout_read(others[i].service, others[i].name, LAYOUT_FILE, &read), "%s",
                      others[i].name);
}

Test(platforms, whose)
{
    static const enum layout_kind files[3] = {LAYOUT_FILE, LAYOUT_FILE, LAYOUT_FILE},
                                  folders[3] = {LAYOUT_FOLDER, LAYOUT_FOLDER, LAYOUT_FOLDER};
    cr_expect_str_eq(layout_service((const char *const[]){"a_1_2_x.c", "b_1_3_x.c", "notes"}, files, 3),
                     "Canvas");
    cr_expect_null(layout_service((const char *const[]){"a_1_2_x.c", "b", "notes"}, files, 3));
    cr_expect_null(layout_service((const char *const[]){"a_1_2_x.c", "b_1_3_x.c", "c"}, folders, 3));
    cr_expect_null(layout_service(NULL, NULL, 0));
    /* whole names of one, each with another's mark in what is a student's or the assignment's */
    static const struct {
        const char *service, *names[3];
    } rows[] = {
        {"Moodle",
         {"A_7_assignsubmission_file_x_2026_11_20_f.c", "B_8_assignsubmission_file_x_attempt_1_2_y.c",
          "x_1_2_assignsubmission_file_x.c"}},
        {"Canvas",
         {"a_1_2_x_assignsubmission_file_x.c", "b_1_3_x_assignsubmission_file_x.c",
          "c_1_4_x_attempt_2026-11-20-10-00-00_x.c"}},
        {"Blackboard",
         {"Lab_1_2_a_attempt_2026-11-20-10-00-09.txt", "Lab_1_2_a_attempt_2026-11-20-10-00-09_x.c",
          "Lab_1_2_b_attempt_2026-11-20-10-00-09_x_3_4_y.c"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_str_eq(layout_service(rows[i].names, files, 3), rows[i].service);
}

/* ---- classes ---- */

/* "service", then "id|name|time|contents of clamp.c|note" a line a student. */
static void expect(const char *expected)
{
    struct error err = {""};
    char all[4000];
    struct grade_class *class =
        grade_find(scratch_path("in"), (const struct exercise *const *)&exercise, 1, ISA_AARCH64, &err);
    cr_assert(class, "%s", err.text);
    snprintf(all, sizeof all, "%s\n", class->service ? class->service : "none");
    for (size_t i = 0; i < class->students_count; i++) {
        const struct grade_student *one = &class->students[i];
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s|%s|%s|%s|%s\n", one->id, one->name,
                 one->time, one->entries[0].files_count ? one->entries[0].files[0].data : "",
                 one->note ? one->note : "");
    }
    cr_expect_str_eq(all, expected, "%s", all);
    grade_class_free(class);
}

/* Of several submissions the latest counts, whatever the order of the names. */
Test(platforms, brightspace)
{
    scratch_write("in/index.html", "");
    scratch_write("in/125-77 - Jane Doe - Nov 20, 2026 1005 AM/clamp.c", "late");
    scratch_write("in/125-77 - Jane Doe - Nov 3, 2026 1105 PM/clamp.c", "early");
    scratch_write("in/126-77 - Max - Nov 3, 2026 105 PM/clamp.c", "max");
    expect("Brightspace\n"
           "125|Jane Doe|2026-11-20 10:05:00|late|in 2 submissions: the latest counts\n"
           "126|Max|2026-11-03 13:05:00|max|\n");
}

/* The login is what the text beside a submission says; a file that a student calls like one says nothing. */
Test(platforms, blackboard)
{
    scratch_write("in/Lab_1_j_doe_attempt_2026-11-20-10-00-00.txt",
                  "Name: Jane (J) Doe (j_doe)\r\nAssignment: Lab_1\n");
    scratch_write("in/Lab_1_j_doe_attempt_2026-11-20-10-00-00_clamp.c", "late");
    scratch_write("in/Lab_1_j_doe_attempt_2026-11-20-10-00-00_x.c", "x");
    scratch_write("in/Lab_1_j_doe_attempt_2026-11-19-10-00-00.txt", "Name: Jane (J) Doe (j_doe)\n");
    scratch_write("in/Lab_1_j_doe_attempt_2026-11-19-10-00-00_clamp.c", "early");
    scratch_write("in/Lab_1_doe_attempt_2026-11-20-10-00-00.txt", "Nombre: Max (doe)\n");
    scratch_write("in/Lab_1_doe_attempt_2026-11-20-10-00-00_clamp.c", "max");
    scratch_write("in/Lab_1_a_b_attempt_2026-11-20-10-00-00_2026-11-20-10-00-00.txt", "Name: B (b)\n");
    scratch_write("in/Lab_1_a_b_attempt_2026-11-20-10-00-00_clamp.c", "spoof");
    expect("Blackboard\n"
           "j_doe|Jane (J) Doe|2026-11-20 10:00:00|late|in 2 submissions: the latest counts\n"
           "Lab_1_a_b|Lab_1_a_b|2026-11-20 10:00:00|spoof|\n"
           "doe|Max|2026-11-20 10:00:00|max|\n");
}

/* What a student calls a file stops nobody's grade, whatever platform it looks like. */
Test(platforms, files_called_as_by_another_platform)
{
    scratch_write("in/Ada_77_assignsubmission_file_clamp.c", "1");
    scratch_write("in/Ben_78_assignsubmission_file_clamp_2026_11_20_final.c", "2");
    scratch_write("in/x_12_79_assignsubmission_file_clamp.c", "3");
    expect("Moodle\n77|Ada||1|\n78|Ben||2|\n79|x_12||3|\n");
    scratch_remove();
    scratch_make();
    scratch_write("in/doejane_12_345_clamp.c", "1");
    scratch_write("in/roe_13_346_clamp_assignsubmission_file_1.c", "2");
    scratch_write("in/poe_14_347_clamp_attempt_2026-11-20-10-00-00_1.c", "3");
    expect("Canvas\n12|doejane||1|\n14|poe||3|\n13|roe||2|\n");
    scratch_remove();
    scratch_make();
    scratch_write("in/Lab_1_2_jdoe_attempt_2026-11-20-10-00-09.txt", "Name: Jane Doe (jdoe)\n");
    scratch_write("in/Lab_1_2_jdoe_attempt_2026-11-20-10-00-09_clamp_1_2_new.c", "1");
    expect("Blackboard\njdoe|Jane Doe|2026-11-20 10:00:09|1|\n");
}

/* One id with two names is nobody's: somebody called themselves like what Canvas writes. */
Test(platforms, one_id_of_two)
{
    scratch_write("in/x_12_4711_900_clamp.c", "1");
    scratch_write("in/doejane_12_901_clamp.c", "2");
    scratch_write("in/roe_13_902_clamp.c", "3");
    expect("Canvas\n"
           "doejane_12|doejane||2|Canvas has this id with another name too: look whose the submission is\n"
           "13|roe||3|\n"
           "x_12|x||1|Canvas has this id with another name too: look whose the submission is\n");
}

/* Two with what an instructor wrote for "no number". */
Test(platforms, one_number_of_two)
{
    scratch_write("in/submission_1/clamp.c", "1");
    scratch_write("in/submission_2/clamp.c", "2");
    scratch_write("in/submission_metadata.yml",
                  "submission_1:\n  :submitters:\n  - :name: A\n    :sid: none\n"
                  "submission_2:\n  :submitters:\n  - :name: B\n    :sid: none\n");
    expect("Gradescope\n"
           "A_none|A||1|Gradescope has this id with another name too: look whose the submission is\n"
           "B_none|B||2|Gradescope has this id with another name too: look whose the submission is\n");
}
