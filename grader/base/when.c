#include "grader/base/when.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR, MOST_ZONE = 14 };

struct moment {
    time_t at;
    bool local; /* no zone is written */
    bool day;   /* nor a time: it is the day's end */
};

/* `count` digits at *at, from least to most. */
static bool take_number(const char **at, int count, int least, int most, int *number)
{
    *number = 0;
    for (int i = 0; i < count; i++, (*at)++) {
        if (!isdigit((unsigned char)**at))
            return false;
        *number = 10 * *number + (**at - '0');
    }
    return *number >= least && *number <= most;
}

static bool take(const char **at, char c)
{
    if (**at != c)
        return false;
    (*at)++;
    return true;
}

/* "Z", "UTC", "+01:00", "-0800", "+01": seconds east; *local where there is none. */
static bool take_zone(const char **at, long *east, bool *local)
{
    int hours, minutes = 0;
    *local = false;
    *east = 0;
    *at += strspn(*at, " ");
    if (take(at, 'Z'))
        return true;
    if (strncmp(*at, "UTC", 3) == 0) {
        *at += 3;
        return true;
    }
    *local = **at == '\0';
    if (*local)
        return true;
    const bool minus = **at == '-';
    if (!take(at, '+') && !take(at, '-'))
        return false;
    if (!take_number(at, 2, 0, MOST_ZONE, &hours))
        return false;
    if (take(at, ':') || isdigit((unsigned char)**at))
        if (!take_number(at, 2, 0, 59, &minutes))
            return false;
    *east = (minus ? -1 : 1) * ((long)hours * HOUR + minutes * MINUTE);
    return true;
}

/* What the machine's clock is ahead of UTC. */
static long east_at(time_t when)
{
    struct tm shown;
    return localtime_r(&when, &shown) ? shown.tm_gmtoff : 0;
}

/* When the machine's clock shows what a clock of UTC shows at `wall`. An hour that is there twice is the
 * later one. One that is skipped is counted on by the clock before: 02:30 is then 03:30. Not mktime(): what
 * it takes of two hours depends on what it was asked before, and where both are summer's, or neither,
 * tm_isdst tells nothing. */
static time_t of_wall_clock(time_t wall)
{
    tzset();
    /* the two clocks that can be meant: no zone is a day from UTC, and none changes its clock twice in two
     * days */
    const long before = east_at(wall - DAY), after = east_at(wall + DAY);
    const bool is_before = east_at(wall - before) == before, is_after = east_at(wall - after) == after;
    if (is_before != is_after)
        return wall - (is_before ? before : after);
    return wall - (before < after ? before : after);
}

static bool read_moment(const char *text, struct moment *moment)
{
    struct tm date = {.tm_hour = 23, .tm_min = 59, .tm_sec = 59};
    const char *at = text + strspn(text, " ");
    long east;
    moment->day = true;
    if (!take_number(&at, 4, 1970, 9999, &date.tm_year) || !take(&at, '-') ||
        !take_number(&at, 2, 1, 12, &date.tm_mon) || !take(&at, '-') ||
        !take_number(&at, 2, 1, 31, &date.tm_mday))
        return false;
    date.tm_year -= 1900;
    date.tm_mon--;
    if ((*at == 'T' || *at == ' ') && isdigit((unsigned char)at[1])) {
        at++;
        moment->day = false;
        date.tm_sec = 0;
        if (!take_number(&at, 2, 0, 23, &date.tm_hour) || !take(&at, ':') ||
            !take_number(&at, 2, 0, 59, &date.tm_min))
            return false;
        if (take(&at, ':') && !take_number(&at, 2, 0, 60, &date.tm_sec))
            return false;
        if (take(&at, '.'))
            at += strspn(at, "0123456789");
    }
    const struct tm asked = date;
    if (!take_zone(&at, &east, &moment->local) || at[strspn(at, " ")])
        return false;
    const time_t wall = timegm(&date);
    if (date.tm_mday != asked.tm_mday) /* no 31st of April */
        return false;
    moment->at = (moment->local ? of_wall_clock(wall) : wall - east) + moment->day; /* to its end */
    return true;
}

bool when_read(const char *text, time_t *when)
{
    struct moment moment;
    if (!read_moment(text, &moment))
        return false;
    *when = moment.at;
    return true;
}

bool when_late(const char *due, const char *came, time_t *seconds)
{
    struct moment end, other;
    if (!read_moment(due, &end) || !read_moment(came, &other))
        return false;
    *seconds = other.at > end.at ? other.at - end.at : 0;
    if (*seconds > 0 && end.local) { /* a day's end is a second after what its clock shows last */
        *seconds += east_at(other.at) - east_at(end.at - end.day);
        *seconds = *seconds > 0 ? *seconds : 1;
    }
    return true;
}
