/* The list of a class's students, and what each is called. */
#include "grader/class/grade_find.h"

#include <stdlib.h>
#include <string.h>

struct grade_student *grade_add_student(struct grade_class *class, const char *id, const char *name,
                                        const char *time)
{
    struct grade_student *more = realloc(class->students, (class->students_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    class->students = more;
    struct grade_student *student = &class->students[class->students_count++];
    *student =
        (struct grade_student){.name = strdup(name),
                               .id = strdup(id),
                               .platform_id = strdup(id),
                               .safe = grade_safe_name(id),
                               .time = strdup(time),
                               .email = strdup(""),
                               .section = strdup(""),
                               .roster_id = strdup(""),
                               .roster_name = strdup(""),
                               .entries = calloc(class->exercises_count + 1, sizeof *student->entries)};
    const bool good = student->name && student->id && student->platform_id && student->safe &&
                      student->time && student->email && student->section && student->roster_id &&
                      student->roster_name && student->entries;
    return good ? student : NULL;
}

enum grade_called grade_called(const struct grade_student *student, const char *name)
{
    const bool is_own_name = *student->roster_id || !strpbrk(name, "0123456789@");
    if (!*name)
        return CALLED_NOT;
    if (strcmp(student->roster_id, name) == 0)
        return CALLED_BY_ROSTER_ID;
    if (strcmp(student->id, name) == 0)
        return CALLED_BY_ID;
    return strcmp(student->roster_name, name) == 0 || (is_own_name && strcmp(student->name, name) == 0)
               ? CALLED_BY_NAME
               : CALLED_NOT;
}

static int compare_students(const void *a, const void *b)
{
    const struct grade_student *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order ? order : strcmp(left->id, right->id);
}

void grade_sort_students(struct grade_class *class)
{
    if (class->students_count > 0)
        qsort(class->students, class->students_count, sizeof *class->students, compare_students);
}
