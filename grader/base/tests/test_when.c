/* Points in time as people write them. */
#include <criterion/criterion.h>
#include <stdlib.h>

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
