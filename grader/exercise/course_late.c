/* Who was late, and what it costs. */
#include "grader/exercise/course.h"
#include "grader/exercise/exercise_internal.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/csv.h"
#include "grader/base/textfile.h"

enum { MOST_BYTES = 4 << 20, HOURS_A_DAY = 24, MOST_DAYS = 10000 };

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool course_add_late(struct course *course, const char *student, uint32_t hours, struct error *err)
{
    const unsigned count = course->late_count;
    char *name = pool_copy(&course->pool, student);
    if ((count & (count - 1)) == 0) { /* room doubles there */
        struct course_late *more = pool_take(&course->pool, (2U * count + 1U) * sizeof *more);
        course->late = more && count ? memcpy(more, course->late, count * sizeof *more) : more;
    }
    char **known = name && course->late ? tsearch(name, &course->late_names, compare) : NULL;
    if (!known)
        return error_set(err, "out of memory");
    if (*known != name)
        return error_set(err, "`%.80s` is there already", student);
    course->late[course->late_count++] = (struct course_late){name, hours};
    return true;
}

uint32_t course_late_percent(const struct course *course, uint32_t hours)
{
    if (hours == 0)
        return 100;
    uint32_t day = (hours - 1) / HOURS_A_DAY;
    return day < course->late_days ? course->late_percent[day] : course->late_after;
}

/* "3" are days, "30h" hours. No leading zero, as in the YAML files. */
static bool hours_of(const char *text, uint32_t *hours)
{
    size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;
    bool is_hours = strcmp(unit, "h") == 0;
    if (digits == 0 || digits > 6 || (digits > 1 && *text == '0') || (*unit && !is_hours))
        return false;
    unsigned long number = strtoul(text, NULL, 10);
    if (number > MOST_DAYS * (is_hours ? HOURS_A_DAY : 1UL))
        return false;
    *hours = (uint32_t)number * (is_hours ? 1 : HOURS_A_DAY);
    return true;
}

bool course_read_late(struct course *course, const char *file, struct error *err)
{
    size_t size = 0;
    struct error wrong;
    char *const data = textfile_read(file, MOST_BYTES, &size, err);
    char *const text = data ? csv_decode(data, size, &wrong) : NULL, *rest = text;
    bool good = text || (data && error_set(err, "%s: %s", file, wrong.text));
    free(data);
    for (unsigned number = 1; good && rest; number++) { /* by lines: a comment may have any quotation marks */
        char *line = csv_take_line(&rest), whole[84];
        const char separator = csv_separator(line);
        uint32_t hours;
        struct error why;
        snprintf(whole, sizeof whole, "%.80s", line);
        if (strchr("#", line[strspn(line, " \t")])) /* or an empty one */
            continue;
        const char *student = csv_take_cell(&line, separator),
                   *time = line ? csv_take_cell(&line, separator) : NULL;
        if (!student || !*student || !time || line || !hours_of(time, &hours))
            good =
                error_set(err, "%s:%u: expected `student,2` (days late) or `student,30h` (hours), found `%s`",
                          file, number, whole);
        else if (!course_add_late(course, student, hours, &why))
            good = error_set(err, "%s:%u: %s", file, number, why.text);
    }
    free(text);
    return good;
}
