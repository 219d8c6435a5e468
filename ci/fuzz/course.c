/* course.yml and the list of who was late, which instructors write by hand or export. What stands behind the
 * first line `==late==` of the input is that list: late.csv beside course.yml. */
#include <string.h>

#include "ci/fuzz/fuzz.h"
#include "grader/exercise/course.h"

static void look_at_exercise(const struct course_exercise *settings)
{
    struct error err;
    struct exercise *exercise = exercise_read(".", settings->id, &err);
    fuzz_must(exercise, "an exercise of the project");
    fuzz_must(course_change(settings, exercise), "memory");
    fuzz_must(exercise_points(exercise) > 0, "points are left");
    fuzz_must(settings->cores.count <= COURSE_CORES, "cores");
    for (unsigned i = 0; i < exercise->bounds_count; i++)
        fuzz_must(*exercise->bounds[i].where && exercise->bounds[i].elements > 0,
                  "a bound as the course has it");
    exercise_free(exercise);
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void look_at(const struct course *course)
{
    bool graded = false;
    fuzz_printable(course->title);
    fuzz_printable(course->due);
    for (unsigned i = 0; i < course->exercises_count; i++) {
        const struct course_exercise *settings = &course->exercises[i];
        graded = graded || settings->graded;
        fuzz_must(settings->seeds.count > 0 && settings->seeds.count <= COURSE_SEEDS, "seeds");
        if (settings->bounds || settings->cases)
            look_at_exercise(settings);
    }
    fuzz_must(graded, "something is graded");
    for (unsigned i = 0; i < course->late_count; i++) {
        for (unsigned j = 0; j < i; j++)
            fuzz_must(strcmp(course->late[i].student, course->late[j].student) != 0 ||
                          !is_same(course->late[i].exercise, course->late[j].exercise),
                      "each student once for an exercise");
        fuzz_must(course_late_percent(course, course->late[i].hours) <= 100, "a share of the points");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {""};
    static const char mark[] = "\n==late==\n";
    const uint8_t *end = size > 0 ? memmem(data, size, mark, sizeof mark - 1) : NULL;
    size_t first = end ? (size_t)(end - data) + 1 : size, second = end ? first + sizeof mark - 2 : size;
    fuzz_write("course.yml", data, first);
    fuzz_write("late.csv", data + second, size - second);
    struct course *course = course_open(".", fuzz_path("course.yml"), &err);
    fuzz_must(course || strstr(err.text, "course.yml:"), "an error that names the file");
    if (course)
        look_at(course);
    course_close(course);
    return 0;
}
