#include "grader/exercise/course.h"
#include "grader/exercise/exercise_internal.h"

#include <ctype.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/seed_text.h"
#include "grader/base/strings.h"
#include "grader/base/textfile.h"
#include "grader/base/when.h"
#include "grader/core/core_file.h"

enum {
    MOST_TIMED = 1 << 22,
    MOST_HOURS = 10000,
    MOST_TEXT = 200,
    MOST_CASES = 64,
    MOST_OVERRIDE = 1000000,
    MOST_GRACE = 365
};

/* What is being read. */
struct reading {
    struct exercise_reading exercise; /* of the entry at hand */
    const char *root, *file;
    struct course *course;
    unsigned entries;
    bool *seen; /* of each exercise: it has its entry */
    bool alone; /* no file beside it is opened */
};

/* ---- what a value may be ---- */

static bool is_short_line(const char *text)
{
    size_t length = 0;
    while (text[length] && !iscntrl((unsigned char)text[length]))
        length++;
    return !text[length] && length <= MOST_TEXT;
}

static bool is_not_empty(const char *text)
{
    return *text != '\0';
}

static const struct schema_rule short_line = {is_short_line, "one line of at most 200 bytes"};
static bool is_time(const char *text)
{
    time_t when;
    return is_short_line(text) && when_read(text, &when);
}

/* Words are shown only; what begins as a date has to be one, or nobody would be late by it. */
static bool is_time_or_words(const char *text)
{
    return isdigit((unsigned char)*text) ? is_time(text) : is_short_line(text);
}

static const struct schema_rule due_rule = {is_time,
                                            "a time, like 2026-11-30 23:59 or 2026-11-30 23:59 +01:00"},
                                course_due_rule = {is_time_or_words,
                                                   "a time, like 2026-11-30 23:59 or 2026-11-30 23:59 "
                                                   "+01:00, or words"};
static const struct schema_rule not_empty = {is_not_empty, "the submission's name"};
static const struct schema_rule case_name = {strings_is_kebab,
                                             "a case of the exercise's cases.c, like `all-inside`"};

static const char *const benches[] = {"native", "qemu", NULL};

static const struct schema_rule seed_rule = {seed_is_good, "1 to 64 letters, digits and hyphens"};

/* ---- late ---- */

struct student {
    char *name, *exercise;
    struct course_number days, hours;
};

static bool add_student(struct schema_reader *r, void *place)
{
    const struct student *student = place;
    struct course *course = ((struct reading *)r->context)->course;
    struct error why;
    if (student->days.given == student->hours.given)
        return schema_wrong(r, "days", "expected either `days` or `hours`, found %s",
                            student->days.given ? "both" : "none");
    return course_add_late(course, student->name, student->exercise,
                           student->days.value * 24 + student->hours.value, &why) ||
           schema_wrong(r, "student", "%s", why.text);
}

/* A file's name is taken from where course.yml lies. malloc'ed; NULL when memory is short. */
static char *path_of(const struct reading *reading, const char *name)
{
    const char *base = textfile_base_name(reading->file);
    char *folder = strndup(reading->file, (size_t)(base - reading->file));
    char *path = folder && *name != '/' ? textfile_join(folder, name) : strdup(name);
    free(folder);
    return path;
}

static bool read_late_file(struct schema_reader *r, void *place)
{
    const struct reading *reading = r->context;
    if (reading->alone)
        return true;
    char *path = path_of(reading, *(char **)place);
    struct error why;
    bool good = path ? course_read_late(reading->course, reading->root, path, &why)
                     : error_set(&why, "out of memory");
    free(path);
    return good || schema_wrong(r, "", "%.800s", why.text);
}

static bool check_after(struct schema_reader *r, void *place)
{
    const struct course *course = ((struct reading *)r->context)->course;
    uint32_t most = course->late_percent[course->late_days - 1], *after = place;
    return *after <= most ||
           schema_wrong(r, "", "expected a whole number from 0 to %u, found `%u`", most, *after);
}

/* It is read where submissions are. */
static bool find_roster(struct schema_reader *r, void *place)
{
    char **name = place, *path = path_of(r->context, *name);
    *name = path ? pool_copy(r->pool, path) : NULL;
    free(path);
    return *name || schema_no_memory(r);
}

static bool check_anonymous(struct schema_reader *r, void *place)
{
    const struct course *course = ((struct reading *)r->context)->course;
    const bool *anonymous = place;
    return !*anonymous || course->roster ||
           schema_wrong(r, "", "expected a `roster` with pseudonyms beside it, found none");
}

/* ---- exercises ---- */

/* From the exercise as it was named to its id; the rest of the entry is held against it. */
static bool open_exercise(struct schema_reader *r, void *place)
{
    struct reading *reading = r->context;
    char **name = place;
    struct error why;
    char *id = exercise_find(reading->root, *name, &why);
    if (!id)
        return schema_wrong(r, "", "%.800s", why.text);
    *name = pool_copy(r->pool, id);
    exercise_free(reading->exercise.exercise);
    reading->exercise.exercise = exercise_read(reading->root, id, r->err);
    free(id);
    return reading->exercise.exercise && (*name || schema_no_memory(r));
}

static bool find_bound(struct schema_reader *r, void *place)
{
    struct course_bound *bound = place; /* the name is its first member */
    const struct bound_spec *its = ((struct reading *)r->context)->exercise.exercise->bounds;
    while (strcmp(its->name, bound->name) != 0)
        its++;
    bound->kind = its->kind;
    return true;
}

/* Whether cases.c has it, only the built suite can tell: grade looks. */
static bool check_case(struct schema_reader *r, void *place)
{
    const struct exercise *exercise = ((struct reading *)r->context)->exercise.exercise;
    for (unsigned i = 0; i < exercise->cases_count; i++)
        if (strcmp(exercise->cases[i], *(char **)place) == 0)
            return schema_wrong(r, "", "`%.80s` is there already: exercise.yml has it", exercise->cases[i]);
    return true;
}

static bool check_seeds(struct schema_reader *r, const struct course_seeds *seeds)
{
    return !(seeds->one && seeds->several) ||
           schema_wrong(r, "seeds", "expected either `seed` or `seeds`, found both");
}

/* The entry is read: it takes the place of what the course had for the exercise. Changed bounds have to leave
 * something to reach. */
static bool settle_exercise(struct schema_reader *r, void *place)
{
    struct reading *reading = r->context;
    const struct course_exercise *settings = place;
    struct course *course = reading->course;
    unsigned i = 0;
    while (strcmp(course->exercises[i].id, settings->id) != 0)
        i++;
    if (reading->seen[i])
        return schema_wrong(r, "exercise", "`%s` is there already", settings->id);
    if (!check_seeds(r, &settings->seeds))
        return false;
    reading->seen[i] = true;
    course->exercises[i] = *settings;
    course->exercises[i].entry = ++reading->entries;
    if (settings->seeds.one)
        course->exercises[i].seeds.count = 1;
    if (!course_change(settings, reading->exercise.exercise))
        return schema_no_memory(r);
    return exercise_points(reading->exercise.exercise) > 0 ||
           schema_wrong(r, "bounds", "expected points somewhere, found none in all");
}

/* No two for the same. */
static bool check_overrides(struct schema_reader *r, const struct course *course)
{
    for (unsigned i = 0; i < course->overrides_count; i++) {
        const struct course_override *one = &course->overrides[i];
        for (unsigned j = 0; j < i; j++)
            if (strcmp(one->student, course->overrides[j].student) == 0 &&
                strcmp(one->exercise, course->overrides[j].exercise) == 0)
                return schema_wrong(r, "overrides", "exercise %s of `%.80s` is there already", one->exercise,
                                    one->student);
    }
    return true;
}

static bool settle_course(struct schema_reader *r, void *place)
{
    const struct course *course = place;
    bool any = false;
    if (!check_seeds(r, &course->seeds) || !check_overrides(r, course))
        return false;
    for (unsigned i = 0; i < course->exercises_count; i++) {
        struct course_exercise *exercise = &course->exercises[i];
        if (exercise->cores.count == 0)
            exercise->cores = course->cores;
        any = any || exercise->graded;
    }
    return any || schema_wrong(r, "exercises", "expected one that is graded, found none");
}

/* ---- the file ---- */

/* A number that may be left out. */
#define NUMBER(TYPE, VALUE, GIVEN)                                                                           \
    SCHEMA_NUMBER, SCHEMA_AT(TYPE, VALUE), .optional = true, .given = offsetof(TYPE, GIVEN)

static const struct schema_row bound_rows[] = {
    {"name", SCHEMA_TEXT, SCHEMA_AT(struct course_bound, name), .word = exercise_bound_word,
     .check = find_bound, .meaning = "a bound of the exercise"},
    LIMIT_ROWS(struct course_bound, limit.value, .optional = true,
               .given = offsetof(struct course_bound, limit.given)),
    {"points", NUMBER(struct course_bound, points.value, points.given), POINTS_RANGE},
    {"elements", NUMBER(struct course_bound, elements.value, elements.given), .least = 1, .most = MOST_TIMED},
    SCHEMA_END,
};

static const struct schema_row case_row = {.kind = SCHEMA_TEXT, .rule = &case_name, .check = check_case},
                               core_row = {.kind = SCHEMA_TEXT, .word = exercise_core_word},
                               seed_row = {.kind = SCHEMA_TEXT, .size = sizeof(char *), .rule = &seed_rule};

#define SEED_ROWS(TYPE)                                                                                      \
    {"seed",           SCHEMA_TEXT,        SCHEMA_AT(TYPE, seeds.name[0]),                                   \
     .optional = true, .rule = &seed_rule, .given = offsetof(TYPE, seeds.one)},                              \
    {                                                                                                        \
        "seeds", SCHEMA_LIST, SCHEMA_AT(TYPE, seeds.name),                                                   \
            .optional = true, .fixed = true, .item = &seed_row, .item_size = sizeof(char *),                 \
            .count = offsetof(TYPE, seeds.count), .least = 1, .most = COURSE_SEEDS, .meaning = "seeds",      \
            .given = offsetof(TYPE, seeds.several)                                                           \
    }

#define CORES(TYPE)                                                                                          \
    SCHEMA_LIST, SCHEMA_AT(TYPE, cores.name),                                                                \
        .optional = true, .fixed = true, .item = &core_row, .item_size = sizeof(char *),                     \
        .count = offsetof(TYPE, cores.count), .least = 1, .most = COURSE_CORES, .unique = "",                \
        .meaning = "a core or several"

static const struct schema_row correctness_rows[] = {
    {"points", NUMBER(struct course_exercise, correctness.value, correctness.given), POINTS_RANGE},
    {"largest", NUMBER(struct course_exercise, largest.value, largest.given), LARGEST_RANGE},
    {"cases", SCHEMA_ITEMS(struct course_exercise, cases), .optional = true, .item = &case_row, .least = 1,
     .most = MOST_CASES, .unique = "", .meaning = "names of cases"},
    SCHEMA_END,
};

static const struct schema_row exercise_rows[] = {
    {"exercise", SCHEMA_TEXT, SCHEMA_AT(struct course_exercise, id), .check = open_exercise,
     .meaning = "an exercise, like 3"},
    {"graded", SCHEMA_BOOL, SCHEMA_AT(struct course_exercise, graded), .optional = true},
    {"points", NUMBER(struct course_exercise, points.value, points.given), POINTS_RANGE},
    {"due", SCHEMA_TEXT, SCHEMA_AT(struct course_exercise, due), .optional = true, .rule = &due_rule},
    {"column", SCHEMA_TEXT, SCHEMA_AT(struct course_exercise, column), .optional = true},
    SEED_ROWS(struct course_exercise),
    {"cores", CORES(struct course_exercise)},
    {"correctness", SCHEMA_MAPPING, .optional = true, .rows = correctness_rows},
    {"bounds", SCHEMA_ITEMS(struct course_exercise, bounds), .optional = true, .rows = bound_rows,
     .unique = "name"},
    SCHEMA_END,
};

static const struct schema_row student_rows[] = {
    {"student", SCHEMA_TEXT, SCHEMA_AT(struct student, name), .rule = &not_empty},
    {"exercise", SCHEMA_TEXT, SCHEMA_AT(struct student, exercise), .optional = true, .check = open_exercise,
     .meaning = "an exercise, like 3"},
    {"days", NUMBER(struct student, days.value, days.given), .least = 0, .most = MOST_HOURS},
    {"hours", NUMBER(struct student, hours.value, hours.given), .least = 0, .most = MOST_HOURS},
    SCHEMA_END,
};

static const struct course_exercise exercise_before = {.graded = true};
static const struct schema_row percent_row = {
    .kind = SCHEMA_NUMBER, .size = sizeof(uint32_t), .least = 0, .most = 100};

static const struct schema_row extension_rows[] = {
    {"student", SCHEMA_TEXT, SCHEMA_AT(struct course_extension, student), .rule = &not_empty},
    {"exercise", SCHEMA_TEXT, SCHEMA_AT(struct course_extension, exercise), .optional = true,
     .check = open_exercise, .meaning = "an exercise, like 3"},
    {"hours", SCHEMA_NUMBER, SCHEMA_AT(struct course_extension, hours), .least = 1, .most = MOST_HOURS},
    {"reason", SCHEMA_TEXT, SCHEMA_AT(struct course_extension, reason), .optional = true,
     .rule = &short_line},
    SCHEMA_END,
};

static const struct schema_row override_rows[] = {
    {"student", SCHEMA_TEXT, SCHEMA_AT(struct course_override, student), .rule = &not_empty},
    {"exercise", SCHEMA_TEXT, SCHEMA_AT(struct course_override, exercise), .check = open_exercise,
     .meaning = "an exercise, like 3"},
    {"points", SCHEMA_NUMBER, SCHEMA_AT(struct course_override, hundredths), .least = 0,
     .most = MOST_OVERRIDE, .places = 2},
    {"reason", SCHEMA_TEXT, SCHEMA_AT(struct course_override, reason), .rule = &short_line},
    SCHEMA_END,
};

/* `late`, whose members stand in struct course itself. */
static const struct schema_row late_rows[] = {
    {"percent", SCHEMA_LIST, SCHEMA_AT(struct course, late_percent), .fixed = true, .item = &percent_row,
     .item_size = sizeof(uint32_t), .count = offsetof(struct course, late_days), .least = 1,
     .most = COURSE_LATE_DAYS, .order = SCHEMA_FALLING,
     .meaning = "what is left after each day, like [90, 75, 50]"},
    {"after", SCHEMA_NUMBER, SCHEMA_AT(struct course, late_after), .optional = true, .least = 0, .most = 100,
     .check = check_after},
    {"grace", SCHEMA_NUMBER, SCHEMA_AT(struct course, late_grace), .optional = true, .least = 0,
     .most = MOST_GRACE},
    {"students", SCHEMA_LIST, .optional = true, .rows = student_rows, .each = add_student,
     .item_size = sizeof(struct student)},
    {"file", SCHEMA_TEXT, SCHEMA_AT(struct course, late_file), .optional = true, .check = read_late_file},
    SCHEMA_END,
};

static const struct schema_row rows[] = {
    {"title", SCHEMA_TEXT, SCHEMA_AT(struct course, title), .optional = true, .rule = &short_line},
    {"due", SCHEMA_TEXT, SCHEMA_AT(struct course, due), .optional = true, .rule = &course_due_rule},
    {"on", SCHEMA_TEXT, SCHEMA_AT(struct course, on), .optional = true, .words = benches},
    SEED_ROWS(struct course),
    {"cores", CORES(struct course)},
    {"late", SCHEMA_MAPPING, .optional = true, .rows = late_rows},
    {"roster", SCHEMA_TEXT, SCHEMA_AT(struct course, roster), .optional = true, .check = find_roster},
    {"anonymous", SCHEMA_BOOL, SCHEMA_AT(struct course, anonymous), .optional = true,
     .check = check_anonymous},
    {"exercises", SCHEMA_LIST, .optional = true, .rows = exercise_rows, .each = settle_exercise,
     .item_size = sizeof(struct course_exercise), .item_before = &exercise_before},
    {"extensions", SCHEMA_ITEMS(struct course, extensions), .optional = true, .rows = extension_rows},
    {"overrides", SCHEMA_ITEMS(struct course, overrides), .optional = true, .rows = override_rows},
    SCHEMA_END,
};

/* ---- the whole ---- */

static bool list_exercises(struct course *course, const char *root, struct error *err)
{
    char **ids = exercise_list(root, err);
    unsigned count = 0;
    if (!ids)
        return false;
    while (ids[count])
        count++;
    course->exercises = pool_take(&course->pool, (count + 1U) * sizeof *course->exercises);
    bool good = course->exercises != NULL;
    for (unsigned i = 0; good && i < count; i++) {
        course->exercises[i] =
            (struct course_exercise){.id = pool_copy(&course->pool, ids[i]), .graded = true};
        course->exercises_count = i + 1;
        good = course->exercises[i].id != NULL;
    }
    textfile_names_free(ids);
    return good || error_set(err, "out of memory");
}

static bool read_file(struct course *course, const char *root, const char *file, bool alone,
                      struct error *err)
{
    struct reading reading = {{core_list(root, err), NULL}, root, file, course, .alone = alone};
    reading.seen = pool_take(&course->pool, (course->exercises_count + 1U) * sizeof *reading.seen);
    bool good = reading.exercise.cores && (reading.seen || error_set(err, "out of memory")) &&
                schema_read_file(file, rows, course, &course->pool, &reading, settle_course, err);
    textfile_names_free(reading.exercise.cores);
    exercise_free(reading.exercise.exercise);
    return good;
}

static struct course *open_course(const char *root, const char *file, bool alone, struct error *err)
{
    struct course *course = calloc(1, sizeof *course);
    if (!course) {
        error_set(err, "out of memory");
        return NULL;
    }
    course->title = course->due = (char *)"";
    course->seeds = (struct course_seeds){.count = 1, .name = {MODEL_SEED}};
    if (!list_exercises(course, root, err) || (file && !read_file(course, root, file, alone, err))) {
        course_close(course);
        return NULL;
    }
    for (unsigned i = 0; i < course->exercises_count; i++)
        if (course->exercises[i].seeds.count == 0)
            course->exercises[i].seeds = course->seeds;
    return course;
}

struct course *course_open(const char *root, const char *file, struct error *err)
{
    return open_course(root, file, false, err);
}

struct course *course_open_rules(const char *root, const char *file, struct error *err)
{
    return open_course(root, file, true, err);
}

static void keep(void *name) /* it is the pool's */
{
    (void)name;
}

void course_close(struct course *course)
{
    if (!course)
        return;
    tdestroy(course->late_names, keep);
    pool_free(course->pool);
    free(course);
}

bool course_goes_with(const struct course *course, const char *file, const char *on, struct error *err)
{
    const struct course_seeds *seeds = &course->seeds;
    for (unsigned i = 0; i < course->exercises_count && !seeds->one && !seeds->several; i++)
        seeds = &course->exercises[i].seeds;
    if (strcmp(on, "native") != 0 || !(seeds->one || seeds->several))
        return true;
    return error_set(
        err,
        "%.800s: expected no `%s` with ON=native, found one: native timing draws other inputs each "
        "time. Leave it out, or grade with ON=qemu",
        file, seeds->several ? "seeds" : "seed");
}

/* ---- its bounds ---- */

static bool add_cases(const struct course_exercise *settings, struct exercise *exercise)
{
    size_t count = exercise->cases_count, more = settings->cases_count;
    if (more == 0)
        return true;
    char **cases = pool_take(&exercise->pool, (count + more) * sizeof *cases);
    if (!cases)
        return false;
    memcpy(cases, exercise->cases, count * sizeof *cases);
    exercise->cases = cases;
    for (size_t i = 0; i < more; i++)
        if (!(cases[count + i] = pool_copy(&exercise->pool, settings->cases[i])))
            return false;
    exercise->cases_count += settings->cases_count;
    return true;
}

bool course_change(const struct course_exercise *settings, struct exercise *exercise)
{
    if (!add_cases(settings, exercise))
        return false;
    if (settings->correctness.given)
        exercise->correctness_points = settings->correctness.value;
    if (settings->largest.given)
        exercise->largest = settings->largest.value;
    for (unsigned i = 0; i < settings->bounds_count; i++) {
        const struct course_bound *from = &settings->bounds[i];
        for (unsigned j = 0; j < exercise->bounds_count; j++) {
            struct bound_spec *bound = &exercise->bounds[j];
            if (!from->name || strcmp(bound->name, from->name) != 0)
                continue;
            if (from->limit.given)
                bound->limit = from->limit.value;
            if (from->points.given)
                bound->points = from->points.value;
            if (from->elements.given)
                bound->elements = bound->model.elements = from->elements.value;
        }
    }
    return true;
}
