/* How late each exercise is, also where an earlier run graded it. */
#include "grader/class/grade_internal.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "grader/tests/scratch.h"

TestSuite(late, .init = scratch_make, .fini = scratch_remove);

enum { COUNT = 3 }; /* exercises 1, 2 and 3, of one student, who has all of them */

/* Hours, days of grace and per cent of each. `records`: of exercises that were graded before, else NULL. */
static void expect(const char *rules, const char *time, const char *const records[COUNT],
                   const char *expected)
{
    struct error err = {""};
    struct exercise exercises[COUNT];
    struct grade_exercise graded[COUNT] = {0};
    struct grade_entry entries[COUNT] = {0};
    struct grade_student student = {.safe = (char[]){"ada"}, .time = (char *)time, .entries = entries};
    struct grade_class class = {.students = &student, .students_count = 1, .exercises_count = COUNT};
    size_t listed[10] = {0}; /* all lines mean her */
    bool asked = true;
    struct grading g = {.exercises = graded,
                        .exercises_count = COUNT,
                        .class = &class,
                        .asked = &asked,
                        .listed = {listed, listed, listed}};
    char all[200] = "";
    scratch_write("course.yml", rules);
    g.course = course_open(".", scratch_path("course.yml"), &err);
    cr_assert(g.course, "%s", err.text);
    for (size_t e = 0; e < COUNT; e++) {
        exercises[e] = (struct exercise){.id = g.course->exercises[e].id};
        graded[e] = (struct grade_exercise){.exercise = &exercises[e], .settings = &g.course->exercises[e]};
        entries[e].found = FOUND_FILES;
        if (!records || !records[e])
            continue;
        graded[e].before = true;
        graded[e].record = cJSON_Parse(records[e]);
        cr_assert(graded[e].record);
    }
    cr_assert(grade_settle_lateness(&g, &err));
    for (size_t e = 0; e < COUNT; e++) {
        const struct grade_lateness late = grade_lateness(&g, 0, e);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%u %u %u", e > 0 ? ", " : "", late.hours,
                 late.grace, late.percent);
        cJSON_Delete(graded[e].record);
    }
    cr_expect_str_eq(all, expected, "%s: %s", rules, all);
    free(g.lateness);
    course_close(g.course);
}

#define DUE "due: 2026-11-20 12:00 Z\n"
#define DUES                                                                                                 \
    "exercises: [{exercise: 1, due: 2026-11-01 12:00 Z}, {exercise: 2, due: 2026-11-08 12:00 Z}, "           \
    "{exercise: 3, due: 2026-11-15 12:00 Z}]\n"
#define RECORD(HOURS, GRACE, PERCENT)                                                                        \
    "{\"students\": {\"ada\": {\"found\": 1, \"late\": {\"hours\": " HOURS ", \"grace\": " GRACE             \
    ", \"percent\": " PERCENT ", \"extension\": 0, \"reason\": null}}}}"

/* Whatever the present submission's time, and the course's rules, are. */
Test(late, graded_before)
{
    static const char *const on_time[COUNT] = {RECORD("0", "0", "100"), RECORD("30", "0", "70")};
    expect("late: {percent: [80, 50]}\n" DUES, "2026-11-15 13:00 Z", on_time, "0 0 100, 30 0 70, 1 0 80");
    expect("late: {percent: [80, 50], students: [{student: ada, days: 2}]}\n", "", on_time,
           "0 0 100, 30 0 70, 48 0 50");
}

/* What it spent of the grace is spent. */
Test(late, grace_of_what_was_graded_before)
{
    static const char *const one[COUNT] = {RECORD("30", "2", "100")};
    static const char *const last[COUNT] = {NULL, NULL, RECORD("1", "1", "100")};
    expect("late: {percent: [80, 50], grace: 3}\n" DUES, "2026-11-15 13:00 Z", one,
           "0 2 100, 145 1 0, 1 0 80");
    expect("late: {percent: [80, 50], grace: 1}\n" DUES, "2026-11-15 13:00 Z", one,
           "0 2 100, 169 0 0, 1 0 80");
    expect("late: {percent: [80, 50], grace: 1}\n" DUE, "2026-11-21 12:00 Z", last,
           "24 0 80, 24 0 80, 0 1 100");
    expect("late: {percent: [80, 50], grace: 1}\n" DUE, "2026-11-20 13:00 Z", last,
           "0 1 100, 0 1 100, 0 1 100"); /* late together */
}

/* A version that did not record it: as what is graded now. Who came later was not late with it. */
Test(late, not_recorded)
{
    static const char *const none[COUNT] = {"{\"students\": {\"ada\": {\"found\": 1}}}"};
    static const char *const other[COUNT] = {"{\"students\": {\"ben\": {\"found\": 1}}}"};
    expect("late: {percent: [80, 50]}\n" DUE, "2026-11-20 13:00 Z", none, "1 0 80, 1 0 80, 1 0 80");
    expect("late: {percent: [80, 50]}\n" DUE, "2026-11-20 13:00 Z", other, "0 0 100, 1 0 80, 1 0 80");
}

/* A line for an exercise goes before one for all, and both before the platform's times. */
Test(late, listed_with_one_exercise)
{
    expect("late: {percent: [80, 50], students: [{student: ada, exercise: 2, days: 1}]}\n", "", NULL,
           "0 0 100, 24 0 80, 0 0 100");
    expect("late: {percent: [80, 50], students: [{student: ada, days: 2}, {student: ada, exercise: 3, days: "
           "0}]}\n" DUE,
           "2026-11-20 13:00 Z", NULL, "48 0 50, 48 0 50, 0 0 100");
}

/* One moment, written in two ways. */
Test(late, due_together)
{
    expect("late: {percent: [80, 50], grace: 1}\n"
           "exercises: [{exercise: 1, due: 2026-11-30 23:59 +01:00}, {exercise: 2, due: 2026-11-30 22:59 Z}, "
           "{exercise: 3, due: 2026-12-30}]\n",
           "2026-11-30 23:30 Z", NULL, "0 1 100, 0 1 100, 0 0 100");
}

static void set_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

/* From one evening to the next is a day, also in the night in which clocks are changed. */
#define RULES "late: {percent: [80, 50]}\n"

Test(late, clocks_are_changed)
{
    set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
    expect(RULES "due: 2026-10-24 23:59\n", "2026-10-25 23:30", NULL, "24 0 80, 24 0 80, 24 0 80");
    expect(RULES "due: 2026-10-24 23:59\n", "2026-10-25 22:30 Z", NULL, "24 0 80, 24 0 80, 24 0 80");
    expect(RULES "due: 2026-10-24\n", "2026-10-26 00:30", NULL, "25 0 50, 25 0 50, 25 0 50");
    expect(RULES "due: 2026-03-28 23:59\n", "2026-03-29 23:30", NULL, "24 0 80, 24 0 80, 24 0 80");
    expect(RULES "due: 2026-03-28 23:59\n", "2026-03-30 00:30", NULL, "25 0 50, 25 0 50, 25 0 50");
    /* with a zone what has gone by */
    expect(RULES "due: 2026-10-24 23:59 +02:00\n", "2026-10-25 23:30", NULL, "25 0 50, 25 0 50, 25 0 50");
    expect(RULES "due: 2026-03-28 23:59 +01:00\n", "2026-03-30 00:30", NULL, "24 0 80, 24 0 80, 24 0 80");
    /* grace, and extensions */
    expect("late: {percent: [80, 50], grace: 1}\ndue: 2026-10-24 23:59\n", "2026-10-25 23:30", NULL,
           "0 1 100, 0 1 100, 0 1 100");
    expect(RULES "due: 2026-10-24 23:59\nextensions: [{student: ada, hours: 24, reason: ill}]\n",
           "2026-10-25 23:30", NULL, "0 0 100, 0 0 100, 0 0 100");
}

/* The evening after, where clocks are changed at other hours. */
Test(late, clocks_are_changed_elsewhere)
{
    static const char *const rows[][3] = {
        {"Europe/Berlin", "2025-10-25 23:59", "2025-10-26 23:30"},
        {"Africa/Cairo", "2025-10-30 23:59", "2025-10-31 23:30"},
        {"Africa/Cairo", "2025-10-30 22:59", "2025-10-31 22:30"},
        {"America/Santiago", "2025-04-05 23:59", "2025-04-06 23:30"},
        {"America/Santiago", "2025-04-05", "2025-04-06 23:30"},
        {"America/Santiago", "2025-09-06 23:59", "2025-09-07 23:30"},
        {"Asia/Beirut", "2025-10-25 23:59", "2025-10-26 23:30"},
        {"Asia/Beirut", "2025-03-29", "2025-03-30 23:30"},
    };
    char path[100], rules[300];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", rows[i][0]);
        if (access(path, R_OK) != 0)
            scratch_skip("no zones here (package tzdata)");
        set_zone(rows[i][0]);
        for (int month = 0; month < 12; month += 6) { /* what is parsed before decides nothing */
            struct tm before = {.tm_year = 125, .tm_mon = month, .tm_mday = 15, .tm_isdst = -1};
            mktime(&before);
            snprintf(rules, sizeof rules, RULES "due: %s\n", rows[i][1]);
            expect(rules, rows[i][2], NULL, "24 0 80, 24 0 80, 24 0 80");
        }
    }
}
