/* Points in time as people write them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/when.h"

static void expect(const char *text, long long seconds)
{
    time_t when = 0;
    cr_expect(when_read(text, &when), "%s", text);
    cr_expect_eq((long long)when, seconds, "%s: %lld", text, (long long)when);
}

Test(when, with_a_zone)
{
    expect("2026-11-30 23:59 Z", 1796083140);
    expect("2026-11-30T23:59:00Z", 1796083140);
    expect("2026-11-30 23:59:00.000000000 Z", 1796083140);
    expect("2026-12-01 00:59 +01:00", 1796083140);
    expect("2026-12-01 00:59:00 +0100", 1796083140);
    expect("2026-11-30 15:59 -08", 1796083140);
    expect("2026-11-30 23:59 UTC", 1796083140);
    expect("2026-11-30 UTC", 1796083200);
    expect("2028-02-29 00:00 Z", 1835395200);
}

#define ZONES "/usr/share/zoneinfo/"

static void set_zone(const char *zone)
{
    if (zone)
        setenv("TZ", zone, 1);
    else
        unsetenv("TZ");
    tzset();
}

/* A moment that is written in both ways, whatever was read before. */
static void expect_moment(const char *zone, const char *local, const char *with_zone)
{
    static const char *const before[] = {"2025-01-15 12:00", "2025-07-15 12:00", "2014-07-01 12:00",
                                         "2014-12-01 12:00"};
    const size_t count = sizeof before / sizeof *before;
    time_t other, when, expected = 0;
    cr_assert(when_read(with_zone, &expected), "%s", with_zone);
    for (size_t i = 0; i < count * count; i++) {
        set_zone(zone);
        cr_assert(when_read(before[i / count], &other));
        mktime(localtime(&other)); /* as others could */
        cr_assert(when_read(before[i % count], &other));
        when = 0;
        cr_expect(when_read(local, &when), "%s", local);
        cr_expect_eq(when, expected, "%s: %s is %lld after %s", zone ? zone : "no TZ", local,
                     (long long)(when - expected), with_zone);
    }
}

/* What changes, changes as these rows have it: zone, local, the same with the zone. */
static const char *const rows[][3] = {
    /* twice: the later one */
    {"Europe/Berlin", "2025-10-26 02:00", "2025-10-26 02:00 +01:00"},
    {"Europe/Berlin", "2025-10-26 02:30", "2025-10-26 02:30 +01:00"},
    {"Africa/Cairo", "2025-10-30 23:59", "2025-10-30 23:59 +02:00"},
    {"Africa/Cairo", "2025-10-30", "2025-10-31 00:00 +02:00"},
    {"America/Santiago", "2025-04-05 23:59", "2025-04-05 23:59 -04:00"},
    {"America/Santiago", "2025-04-05", "2025-04-06 00:00 -04:00"},
    {"Asia/Beirut", "2025-10-25 23:30", "2025-10-25 23:30 +02:00"},
    {"Europe/Dublin", "2025-10-26 01:30", "2025-10-26 01:30 +00:00"},
    {"Europe/Moscow", "2014-10-26 01:30", "2014-10-26 01:30 +03:00"}, /* the standard's offset */
    {"Australia/Lord_Howe", "2025-04-06 01:45", "2025-04-06 01:45 +10:30"},
    /* beside it */
    {"Europe/Berlin", "2025-10-26 01:59:59", "2025-10-26 01:59:59 +02:00"},
    {"Europe/Berlin", "2025-10-26 03:00", "2025-10-26 03:00 +01:00"},
    {"Africa/Cairo", "2025-10-30 22:59:59", "2025-10-30 22:59:59 +03:00"},
    {"Africa/Cairo", "2025-10-31 00:00", "2025-10-31 00:00 +02:00"},
    {"America/Santiago", "2025-04-05 22:59", "2025-04-05 22:59 -03:00"},
    {"Asia/Beirut", "2025-10-25 22:59", "2025-10-25 22:59 +03:00"},
    {"Europe/Moscow", "2014-10-26 00:59", "2014-10-26 00:59 +04:00"},
    {"Europe/Moscow", "2014-10-26 02:00", "2014-10-26 02:00 +03:00"},
    /* never: on by the clock before */
    {"Europe/Berlin", "2025-03-30 02:30", "2025-03-30 03:30 +02:00"},
    {"Africa/Cairo", "2025-04-25 00:30", "2025-04-25 01:30 +03:00"},
    {"Africa/Cairo", "2025-04-24", "2025-04-25 01:00 +03:00"},
    {"America/Santiago", "2025-09-07 00:00", "2025-09-07 01:00 -03:00"},
    {"Asia/Beirut", "2025-03-30 00:15", "2025-03-30 01:15 +03:00"},
    {"Pacific/Apia", "2011-12-30 12:00", "2011-12-31 12:00 +14:00"}, /* a whole day */
    /* always the same */
    {"Asia/Kolkata", "2025-10-26 02:30", "2025-10-26 02:30 +05:30"},
    {"Pacific/Kiritimati", "2025-10-26 02:30", "2025-10-26 02:30 +14:00"},
    {"Etc/GMT+12", "2025-10-26 02:30", "2025-10-26 02:30 -12:00"},
};

Test(when, clocks_are_changed)
{
    char zone[100];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(zone, sizeof zone, ZONES "%s", rows[i][0]);
        if (access(zone, R_OK) != 0)
            cr_skip_test("no %s here (package tzdata, or tzdata-legacy)", zone);
        expect_moment(rows[i][0], rows[i][1], rows[i][2]);
    }
}

/* These need no tzdata. */
Test(when, rules_in_tz)
{
    static const char rules[] = "CET-1CEST,M3.5.0,M10.5.0/3";
    expect_moment(rules, "2026-10-25 02:30", "2026-10-25 02:30 +01:00");
    expect_moment(rules, "2026-03-29 02:30", "2026-03-29 03:30 +02:00");
    expect_moment("UTC0", "2026-10-25 02:30", "2026-10-25 02:30 Z");
    expect_moment("", "2026-10-25 02:30", "2026-10-25 02:30 Z");
}

/* Whatever the machine's zone is: what is read is what its clock shows. */
Test(when, without_tz)
{
    time_t when;
    char shown[40];
    set_zone(NULL);
    cr_assert(when_read("2025-08-13 12:34:56", &when));
    cr_assert(strftime(shown, sizeof shown, "%Y-%m-%d %H:%M:%S", localtime(&when)) > 0);
    cr_expect_str_eq(shown, "2025-08-13 12:34:56");
    cr_assert(strftime(shown, sizeof shown, "%Y-%m-%d %H:%M:%S %z", localtime(&when)) > 0);
    expect_moment(NULL, "2025-08-13 12:34:56", shown);
}

static void expect_late(const char *due, const char *came, long long seconds)
{
    time_t late = -1;
    cr_expect(when_late(due, came, &late), "%s, %s", due, came);
    cr_expect_eq((long long)late, seconds, "%s, %s: %lld", due, came, (long long)late);
}

Test(when, late)
{
    enum { HOUR = 3600, MINUTE = 60 };
    time_t late;
    set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
    /* 24 h 31 min go by, and 22 h 31 min */
    expect_late("2026-10-24 23:59", "2026-10-25 23:30", 23 * HOUR + 31 * MINUTE);
    expect_late("2026-10-24 23:59", "2026-10-25 22:30 Z", 23 * HOUR + 31 * MINUTE);
    expect_late("2026-10-24", "2026-10-25 23:30", 23 * HOUR + 30 * MINUTE);
    expect_late("2026-10-24 23:59 +02:00", "2026-10-25 23:30", 24 * HOUR + 31 * MINUTE);
    expect_late("2026-03-28 23:59", "2026-03-29 23:30", 23 * HOUR + 31 * MINUTE);
    expect_late("2026-03-28 23:59 +01:00", "2026-03-29 23:30", 22 * HOUR + 31 * MINUTE);
    /* the doubled hour: the first one is before its end, whatever the minute */
    expect_late("2026-10-25 02:30", "2026-10-25 02:59 +02:00", 0);
    expect_late("2026-10-25 02:30", "2026-10-25 02:31 +01:00", MINUTE);
    expect_late("2026-10-25 01:59", "2026-10-25 02:01 +01:00", 2 * MINUTE);
    /* not late */
    expect_late("2026-10-24 23:59", "2026-10-24 23:59", 0);
    expect_late("2026-10-24 23:59", "2026-10-24 23:58", 0);
    expect_late("2026-10-24 23:59", "2026-10-24 23:59:01", 1);
    /* midnight is skipped: the day ends by the clock before */
    set_zone("EET-2EEST,M4.5.5/0,M10.5.4/24");
    expect_late("2026-04-23", "2026-04-24 23:30", 23 * HOUR + 30 * MINUTE);
    expect_late("2026-04-23", "2026-04-24 01:00", 0);
    expect_late("2026-04-23", "2026-04-24 01:01", HOUR + MINUTE);
    expect_late("2026-10-29", "2026-10-30 23:30", 23 * HOUR + 30 * MINUTE);
    cr_expect_not(when_late("soon", "2026-10-25 23:30", &late));
    cr_expect_not(when_late("2026-10-25 23:30", "", &late));
}

/* In summer another one than in winter. */
Test(when, of_the_machine)
{
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    expect("2026-12-01 00:59", 1796083140);
    expect("2026-07-01 02:00", 1782864000);
}

Test(when, what_is_none)
{
    static const char *const texts[] = {"",
                                        "tomorrow",
                                        "30.11.2026",
                                        "2026-11-31 00:00 Z",
                                        "2026-13-01",
                                        "2026-11-30 24:00",
                                        "2026-11-30 23:60",
                                        "2026-11-30 23:59 CET",
                                        "2026-11-30 23:59 +99:00",
                                        "2026-11-30 23:59 +01:00 or so",
                                        "2026-11-30 23"};
    time_t when;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect_not(when_read(texts[i], &when), "%s", texts[i]);
}
