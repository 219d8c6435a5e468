/* Who was late, and what it costs. */
#include "grader/exercise/course.h"
#include "grader/exercise/exercise_internal.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/textfile.h"

enum { MOST_BYTES = 4 << 20, HOURS_A_DAY = 24, MOST_DAYS = 10000 };

bool course_add_late(struct course *course, char *student, uint32_t hours)
{
    /* room doubles when the count is a power of two */
    struct course_late *more = course->late;
    if (student && (course->late_count & (course->late_count - 1)) == 0)
        more = realloc(course->late, (2U * course->late_count + 1U) * sizeof *more);
    if (!student || !more) {
        free(student);
        return false;
    }
    course->late = more;
    course->late[course->late_count++] = (struct course_late){student, hours};
    return true;
}

uint32_t course_hours_late(const struct course *course, const char *student)
{
    for (unsigned i = 0; i < course->late_count; i++)
        if (strcmp(course->late[i].student, student) == 0)
            return course->late[i].hours;
    return 0;
}

uint32_t course_late_percent(const struct course *course, uint32_t hours)
{
    if (hours == 0)
        return 100;
    uint32_t day = (hours - 1) / HOURS_A_DAY;
    return day < course->late_days ? course->late_percent[day] : course->late_after;
}

/* The name, with quotation marks around it (those inside are doubled then) or with none at all; malloc'ed.
 * NULL where it is empty or its quotation marks are otherwise. */
static char *student_of(const char *text, size_t length)
{
    bool quoted = *text == '"';
    size_t end = length - quoted, used = 0;
    char *name = malloc(length + 1);
    bool good = name && length > 2U * quoted && (!quoted || text[end] == '"');
    for (size_t i = quoted; good && i < end; i++) {
        const bool doubles = text[i] == '"';
        i += doubles;
        good = !doubles || (quoted && i < end && text[i] == '"');
        name[used++] = text[i];
    }
    if (!good) {
        free(name);
        return NULL;
    }
    name[used] = '\0';
    return name;
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

/* Remember a student's name; false where it is there already. The names have to stay. */
static bool is_new(struct hsearch_data *known, char *student)
{
    ENTRY *found, entry = {.key = student};
    return hsearch_r(entry, ENTER, &found, known) && found->key == student;
}

#define BLANKS " \t\r"

/* The length without the blanks at the end. */
static size_t without_blanks(const char *text, size_t length)
{
    while (length > 0 && strchr(BLANKS, text[length - 1]))
        length--;
    return length;
}

static bool take_line(struct course *course, struct hsearch_data *known, const char *file, unsigned number,
                      char *line, struct error *err)
{
    line += strspn(line, BLANKS);
    size_t length = without_blanks(line, strlen(line));
    line[length] = '\0';
    if (length == 0 || *line == '#')
        return true;
    char *comma = strrchr(line, ','), *student = NULL;
    uint32_t hours;
    if (comma && hours_of(comma + 1 + strspn(comma + 1, BLANKS), &hours))
        student = student_of(line, without_blanks(line, (size_t)(comma - line)));
    if (!student)
        return error_set(err,
                         "%s:%u: expected `student,2` (days late) or `student,30h` (hours), found `%.80s`",
                         file, number, line);
    if (!is_new(known, student)) {
        error_set(err, "%s:%u: `%.80s` is there already", file, number, student);
        free(student);
        return false;
    }
    return course_add_late(course, student, hours) || error_set(err, "out of memory");
}

bool course_read_late(struct course *course, const char *file, struct error *err)
{
    size_t size = 0;
    char *text = textfile_read(file, MOST_BYTES, &size, err);
    if (!text)
        return false;
    struct hsearch_data known = {0};
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    bool good = hcreate_r(course->late_count + lines, &known) || error_set(err, "out of memory");
    for (unsigned i = 0; good && i < course->late_count; i++)
        is_new(&known, course->late[i].student);
    if (good && memchr(text, '\0', size))
        good = error_set(err, "%s: expected text, found a NUL byte", file);
    unsigned number = 0;
    for (char *line = text, *next; good && line; line = next) {
        next = memchr(line, '\n', size - (size_t)(line - text));
        if (next)
            *next++ = '\0';
        good = take_line(course, &known, file, ++number, line, err);
    }
    hdestroy_r(&known);
    free(text);
    return good;
}
