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
    const struct course_late *left = a, *right = b;
    const int order = strcmp(left->student, right->student);
    return order ? order
                 : strcmp(left->exercise ? left->exercise : "", right->exercise ? right->exercise : "");
}

/* A copy that stays. NULL: out of memory. */
static struct course_late *make(struct course *course, const char *student, const char *exercise,
                                uint32_t hours)
{
    struct course_late *one = pool_take(&course->pool, sizeof *one);
    if (!one)
        return NULL;
    *one = (struct course_late){.student = pool_copy(&course->pool, student),
                                .exercise = exercise ? pool_copy(&course->pool, exercise) : NULL,
                                .hours = hours};
    return one->student && (!exercise || one->exercise) ? one : NULL;
}

bool course_add_late(struct course *course, const char *student, const char *exercise, uint32_t hours,
                     struct error *err)
{
    const unsigned count = course->late_count;
    struct course_late *one = make(course, student, exercise, hours);
    if ((count & (count - 1)) == 0) { /* room doubles there */
        struct course_late *more = pool_take(&course->pool, (2U * count + 1U) * sizeof *more);
        course->late = more && count ? memcpy(more, course->late, count * sizeof *more) : more;
    }
    struct course_late **known = one && course->late ? tsearch(one, &course->late_names, compare) : NULL;
    if (!known)
        return error_set(err, "out of memory");
    if (*known != one)
        return error_set(err,
                         exercise ? "`%.80s` is there already with exercise %s" : "`%.80s` is there already",
                         student, exercise);
    course->late[course->late_count++] = *one;
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

static const char form[] =
    "expected `student,2` (days late) or `student,30h` (hours), and `,3` behind it for "
    "exercise 3 alone";

/* Cuts the line. */
static bool read_line(struct course *course, const char *root, char *line, struct error *err)
{
    const char separator = csv_separator(line);
    char whole[84];
    uint32_t hours;
    snprintf(whole, sizeof whole, "%.80s", line);
    const char *student = csv_take_cell(&line, separator),
               *time = line ? csv_take_cell(&line, separator) : NULL,
               *name = line ? csv_take_cell(&line, separator) : "";
    if (!student || !*student || !time || !name || line || !hours_of(time, &hours))
        return error_set(err, "%s, found `%s`", form, whole);
    char *exercise = *name ? exercise_find(root, name, err) : NULL;
    const bool good = (exercise || !*name) && course_add_late(course, student, exercise, hours, err);
    free(exercise);
    return good;
}

bool course_read_late(struct course *course, const char *root, const char *file, struct error *err)
{
    size_t size = 0;
    struct error wrong;
    char *const data = textfile_read(file, MOST_BYTES, &size, err);
    char *const text = data ? csv_decode(data, size, &wrong) : NULL, *rest = text;
    bool good = text || (data && error_set(err, "%s: %s", file, wrong.text));
    free(data);
    for (unsigned number = 1; good && rest; number++) { /* by lines: a comment may have any quotation marks */
        char *line = csv_take_line(&rest);
        struct error why;
        if (!strchr("#", line[strspn(line, " \t")]) && /* nor an empty one */
            !read_line(course, root, line, &why))
            good = error_set(err, "%s:%u: %s", file, number, why.text);
    }
    free(text);
    return good;
}
