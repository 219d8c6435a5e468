#include "grader/course_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/check.h"
#include "grader/textfile.h"
#include "grader/yamldoc.h"
#include "grader/yamlschema.h"

enum {
    MOST_POINTS = 1000,
    MOST_PERMILLE = 1000 * 1000,
    MOST_ELEMENTS = 1 << 22,
    LEAST_LARGEST = 8,
    MOST_LARGEST = 256,
    MOST_HOURS = 10000,
    MOST_TEXT = 200,
    MOST_CASES = 64,
};

/* ---- the file as libcyaml loads it: every value a string, every key optional ---- */

struct raw_bound {
    char *name, *permille, *points, *elements;
};

struct raw_correctness {
    char *points, *largest;
    char **cases;
    unsigned cases_count;
};

struct raw_exercise {
    char *exercise, *graded, *points;
    char **cores;
    unsigned cores_count;
    struct raw_correctness *correctness;
    struct raw_bound *bounds;
    unsigned bounds_count;
};

struct raw_student {
    char *student, *days, *hours;
};

struct raw_late {
    char **percent;
    unsigned percent_count;
    char *after, *file;
    struct raw_student *students;
    unsigned students_count;
};

struct raw {
    char *title, *due, *on, *seed;
    char **seeds, **cores;
    unsigned seeds_count, cores_count;
    struct raw_late *late;
    struct raw_exercise *exercises;
    unsigned exercises_count;
};

static const cyaml_schema_field_t bound_fields[] = {
    TEXT("name", struct raw_bound, name),
    TEXT("permille", struct raw_bound, permille),
    TEXT("points", struct raw_bound, points),
    TEXT("elements", struct raw_bound, elements),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t bound_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_bound, bound_fields)};

static const cyaml_schema_field_t correctness_fields[] = {
    TEXT("points", struct raw_correctness, points),
    TEXT("largest", struct raw_correctness, largest),
    LIST("cases", struct raw_correctness, cases, &text_value),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t exercise_fields[] = {
    TEXT("exercise", struct raw_exercise, exercise),
    TEXT("graded", struct raw_exercise, graded),
    TEXT("points", struct raw_exercise, points),
    LIST("cores", struct raw_exercise, cores, &text_value),
    CYAML_FIELD_MAPPING_PTR("correctness", FLAGS, struct raw_exercise, correctness, correctness_fields),
    LIST("bounds", struct raw_exercise, bounds, &bound_value),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t exercise_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_exercise, exercise_fields)};

static const cyaml_schema_field_t student_fields[] = {
    TEXT("student", struct raw_student, student),
    TEXT("days", struct raw_student, days),
    TEXT("hours", struct raw_student, hours),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t student_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_student, student_fields)};

static const cyaml_schema_field_t late_fields[] = {
    LIST("percent", struct raw_late, percent, &text_value),
    TEXT("after", struct raw_late, after),
    TEXT("file", struct raw_late, file),
    LIST("students", struct raw_late, students, &student_value),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t fields[] = {
    TEXT("title", struct raw, title),
    TEXT("due", struct raw, due),
    TEXT("on", struct raw, on),
    TEXT("seed", struct raw, seed),
    LIST("seeds", struct raw, seeds, &text_value),
    LIST("cores", struct raw, cores, &text_value),
    CYAML_FIELD_MAPPING_PTR("late", FLAGS, struct raw, late, late_fields),
    LIST("exercises", struct raw, exercises, &exercise_value),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw, fields)};

/* ---- taking it over ---- */

struct reading {
    const struct yamldoc *doc;
    const char *root, *file;
    struct course *course;
    struct error *err;
};

static bool take_text(const struct reading *r, const char *path, const char *text, char **out)
{
    for (const char *c = text ? text : ""; *c; c++)
        if (iscntrl((unsigned char)*c) || c - text >= MOST_TEXT)
            return yamldoc_wrong(r->doc, r->err, path, "expected one line of at most %d bytes", MOST_TEXT);
    *out = strdup(text ? text : "");
    return *out || error_set(r->err, "out of memory");
}

static bool take_number(const struct reading *r, const char *path, const char *text, uint32_t low,
                        uint32_t high, struct course_number *number)
{
    if (!text)
        return true;
    number->given = true;
    return yamldoc_number(r->doc, r->err, path, text, low, high, &number->value);
}

static bool take_cores(const struct reading *r, const char *name, char *const *raw, unsigned count,
                       struct course_cores *cores)
{
    char path[120];
    cores->count = 0;
    if (count == 0 && yamldoc_has(r->doc, name))
        return yamldoc_wrong(r->doc, r->err, name, "expected a core or several, found none");
    for (unsigned i = 0; i < count; i++) {
        unsigned index;
        snprintf(path, sizeof path, "%s[%u]", name, i + 1);
        if (!yamldoc_word(r->doc, r->err, path, raw[i], exercise_cores, EXERCISE_CORES, &index))
            return false;
        for (unsigned j = 0; j < i; j++)
            if (cores->name[j] == exercise_cores[index])
                return yamldoc_wrong(r->doc, r->err, path, "`%s` is there already, as item %u", raw[i],
                                     j + 1);
        cores->name[cores->count++] = exercise_cores[index];
    }
    return true;
}

static bool take_seeds(const struct reading *r, const struct raw *raw)
{
    struct course *course = r->course;
    char path[40];
    if (raw->seed && raw->seeds)
        return yamldoc_wrong(r->doc, r->err, "seeds", "expected either `seed` or `seeds`, found both");
    if (raw->seed) {
        course->seeds_count = 1;
        return yamldoc_number(r->doc, r->err, "seed", raw->seed, 0, UINT32_MAX, &course->seeds[0]);
    }
    if (!raw->seeds && !yamldoc_has(r->doc, "seeds"))
        return true;
    if (!raw->seeds || raw->seeds_count < 1 || raw->seeds_count > COURSE_SEEDS)
        return yamldoc_wrong(r->doc, r->err, "seeds", "expected 1 to %d numbers, found %u", COURSE_SEEDS,
                             raw->seeds_count);
    course->seeds_count = raw->seeds_count;
    for (unsigned i = 0; i < raw->seeds_count; i++) {
        snprintf(path, sizeof path, "seeds[%u]", i + 1);
        if (!yamldoc_number(r->doc, r->err, path, raw->seeds[i], 0, UINT32_MAX, &course->seeds[i]))
            return false;
    }
    return true;
}

/* ---- late ---- */

static bool take_student(const struct reading *r, unsigned i, const struct raw_student *raw)
{
    char path[60];
    const char *amount = raw->days ? raw->days : raw->hours;
    uint32_t number = 0;
#define AT(KEY) (snprintf(path, sizeof path, "late.students[%u]." KEY, i + 1), path)
    if (!raw->student || !*raw->student)
        return yamldoc_wrong(r->doc, r->err, AT("student"), "is missing: expected the submission's name");
    for (unsigned j = 0; j < r->course->late_count; j++)
        if (strcmp(r->course->late[j].student, raw->student) == 0)
            return yamldoc_wrong(r->doc, r->err, AT("student"), "`%.80s` is there already", raw->student);
    if (!raw->days == !raw->hours)
        return yamldoc_wrong(r->doc, r->err, AT("days"), "expected either `days` or `hours`");
    if (!yamldoc_number(r->doc, r->err, raw->days ? AT("days") : AT("hours"), amount, 0, MOST_HOURS, &number))
        return false;
#undef AT
    return course_add_late(r->course, strdup(raw->student), raw->days ? number * 24 : number) ||
           error_set(r->err, "out of memory");
}

/* The file's name is taken from where course.yml lies. */
static bool take_late_file(const struct reading *r, const char *name)
{
    const char *base = textfile_base_name(r->file);
    char *folder = strndup(r->file, (size_t)(base - r->file));
    char *path = folder && *name != '/' ? textfile_join(folder, name) : strdup(name);
    struct error why;
    bool good = path ? course_read_late(r->course, path, &why) : error_set(&why, "out of memory");
    free(folder);
    free(path);
    return good || yamldoc_wrong(r->doc, r->err, "late.file", "%.800s", why.text);
}

static bool take_late(const struct reading *r, const struct raw_late *raw)
{
    struct course *course = r->course;
    char path[40];
    if (!raw)
        return true;
    if (raw->percent_count < 1 || raw->percent_count > COURSE_LATE_DAYS)
        return yamldoc_wrong(
            r->doc, r->err, "late.percent",
            "expected what is left after each day, like [90, 75, 50]: 1 to %d numbers, found %u",
            COURSE_LATE_DAYS, raw->percent_count);
    course->late_days = raw->percent_count;
    for (unsigned i = 0; i < raw->percent_count; i++) {
        snprintf(path, sizeof path, "late.percent[%u]", i + 1);
        if (!yamldoc_number(r->doc, r->err, path, raw->percent[i], 0,
                            i == 0 ? 100 : course->late_percent[i - 1], &course->late_percent[i]))
            return false;
    }
    if (raw->after && !yamldoc_number(r->doc, r->err, "late.after", raw->after, 0,
                                      course->late_percent[course->late_days - 1], &course->late_after))
        return false;
    for (unsigned i = 0; i < raw->students_count; i++)
        if (!take_student(r, i, &raw->students[i]))
            return false;
    return !raw->file || take_late_file(r, raw->file);
}

/* ---- exercises ---- */

static bool take_bound(const struct reading *r, const char *at, const struct raw_bound *raw,
                       const struct exercise *exercise, struct course_bound *bound)
{
    char path[100];
    const char *names[64];
    unsigned count = 0, index;
#define AT(KEY) (snprintf(path, sizeof path, "%s." KEY, at), path)
    while (count < exercise->bounds_count && count < sizeof names / sizeof *names) {
        names[count] = exercise->bounds[count].name;
        count++;
    }
    if (!yamldoc_word(r->doc, r->err, AT("name"), raw->name, names, count, &index))
        return false;
    const uint32_t most = exercise->bounds[index].kind == BOUND_COUNTER ? MOST_PERMILLE : 1000;
    const uint32_t least = exercise->bounds[index].kind == BOUND_COUNTER ? 0 : 1;
    return take_text(r, AT("name"), raw->name, &bound->name) &&
           take_number(r, AT("permille"), raw->permille, least, most, &bound->permille) &&
           take_number(r, AT("points"), raw->points, 0, MOST_POINTS, &bound->points) &&
           take_number(r, AT("elements"), raw->elements, 1, MOST_ELEMENTS, &bound->elements);
#undef AT
}

static bool take_bounds(const struct reading *r, unsigned i, const struct raw_exercise *raw,
                        const struct exercise *exercise, struct course_exercise *settings)
{
    char at[80];
    settings->bounds = calloc(raw->bounds_count + 1U, sizeof *settings->bounds);
    if (!settings->bounds)
        return error_set(r->err, "out of memory");
    for (unsigned j = 0; j < raw->bounds_count; j++) {
        snprintf(at, sizeof at, "exercises[%u].bounds[%u]", i + 1, j + 1);
        settings->bounds_count = j + 1;
        if (!take_bound(r, at, &raw->bounds[j], exercise, &settings->bounds[j]))
            return false;
        for (unsigned k = 0; k < j; k++)
            if (strcmp(settings->bounds[k].name, settings->bounds[j].name) == 0)
                return yamldoc_wrong(r->doc, r->err, at, "`%s` is there already, as item %u",
                                     settings->bounds[j].name, k + 1);
    }
    return true;
}

static bool has_word(char *const *words, unsigned count, const char *word)
{
    while (count > 0 && strcmp(words[count - 1], word) != 0)
        count--;
    return count > 0;
}

/* Whether cases.c has them, only the built suite can tell: grade looks. */
static bool take_cases(const struct reading *r, const char *name, const struct raw_correctness *raw,
                       const struct exercise *exercise, struct course_exercise *settings)
{
    char path[120];
    if (raw->cases_count == 0 && !yamldoc_has(r->doc, name))
        return true;
    if (raw->cases_count < 1 || raw->cases_count > MOST_CASES)
        return yamldoc_wrong(r->doc, r->err, name, "expected 1 to %d names of cases, found %u", MOST_CASES,
                             raw->cases_count);
    settings->cases = calloc(raw->cases_count, sizeof *settings->cases);
    if (!settings->cases)
        return error_set(r->err, "out of memory");
    for (unsigned i = 0; i < raw->cases_count; i++) {
        snprintf(path, sizeof path, "%s[%u]", name, i + 1);
        settings->cases[i] = strdup(raw->cases[i]);
        if (!settings->cases[i])
            return error_set(r->err, "out of memory");
        settings->cases_count = i + 1;
        if (!exercise_is_kebab(raw->cases[i]))
            return yamldoc_wrong(
                r->doc, r->err, path,
                "expected a case of the exercise's cases.c, like `all-inside`, found `%.80s`", raw->cases[i]);
        if (has_word(exercise->cases, exercise->cases_count, raw->cases[i]) ||
            has_word(settings->cases, i, raw->cases[i]))
            return yamldoc_wrong(r->doc, r->err, path, "`%.80s` is there already", raw->cases[i]);
    }
    return true;
}

/* Changed bounds have to leave something to reach. */
static bool has_points(const struct reading *r, const char *path, const struct course_exercise *settings,
                       struct exercise *exercise)
{
    if (!course_change(settings, exercise))
        return error_set(r->err, "out of memory");
    return exercise_points(exercise) > 0 ||
           yamldoc_wrong(r->doc, r->err, path, "expected points somewhere, found none in all");
}

static bool take_settings(const struct reading *r, unsigned i, const struct raw_exercise *raw,
                          struct course_exercise *settings)
{
    char path[80];
#define AT(KEY) (snprintf(path, sizeof path, "exercises[%u]." KEY, i + 1), path)
    if (raw->graded && !yamldoc_bool(r->doc, r->err, AT("graded"), raw->graded, &settings->graded))
        return false;
    if (!take_number(r, AT("points"), raw->points, 0, MOST_POINTS, &settings->points))
        return false;
    if ((raw->cores || yamldoc_has(r->doc, AT("cores"))) &&
        !take_cores(r, AT("cores"), raw->cores, raw->cores_count, &settings->cores))
        return false;
    if (raw->correctness && (!take_number(r, AT("correctness.points"), raw->correctness->points, 0,
                                          MOST_POINTS, &settings->correctness) ||
                             !take_number(r, AT("correctness.largest"), raw->correctness->largest,
                                          LEAST_LARGEST, MOST_LARGEST, &settings->largest)))
        return false;
    struct exercise *exercise = exercise_read(r->root, settings->id, r->err);
    bool good =
        exercise &&
        (!raw->correctness || take_cases(r, AT("correctness.cases"), raw->correctness, exercise, settings)) &&
        take_bounds(r, i, raw, exercise, settings) && has_points(r, AT("bounds"), settings, exercise);
#undef AT
    exercise_free(exercise);
    return good;
}

static bool take_exercise(const struct reading *r, unsigned i, const struct raw_exercise *raw, bool *seen)
{
    char path[80];
    struct error why;
    snprintf(path, sizeof path, "exercises[%u].exercise", i + 1);
    if (!raw->exercise)
        return yamldoc_wrong(r->doc, r->err, path, "is missing: expected an exercise, like 3");
    char *id = exercise_find(r->root, raw->exercise, &why);
    if (!id)
        return yamldoc_wrong(r->doc, r->err, path, "%.800s", why.text);
    bool good = true;
    for (unsigned j = 0; good && j < r->course->exercises_count; j++) {
        if (strcmp(r->course->exercises[j].id, id) != 0)
            continue;
        if (seen[j])
            good = yamldoc_wrong(r->doc, r->err, path, "`%s` is there already", id);
        seen[j] = true;
        good = good && take_settings(r, i, raw, &r->course->exercises[j]);
    }
    free(id);
    return good;
}

static bool take_exercises(const struct reading *r, const struct raw *raw)
{
    bool *seen = calloc(r->course->exercises_count + 1U, sizeof *seen);
    bool good = true, any = false;
    if (!seen)
        return error_set(r->err, "out of memory");
    for (unsigned i = 0; good && i < raw->exercises_count; i++)
        good = take_exercise(r, i, &raw->exercises[i], seen);
    free(seen);
    for (unsigned i = 0; i < r->course->exercises_count; i++)
        any = any || r->course->exercises[i].graded;
    if (good && !any)
        good = yamldoc_wrong(r->doc, r->err, "exercises", "expected one that is graded, found none");
    return good;
}

static bool take_all(const struct reading *r, const struct raw *raw)
{
    static const char *const benches[] = {"native", "qemu"};
    struct course *course = r->course;
    struct course_cores cores;
    unsigned bench;
    if (!take_text(r, "title", raw->title, &course->title) || !take_text(r, "due", raw->due, &course->due))
        return false;
    if (raw->on) {
        if (!yamldoc_word(r->doc, r->err, "on", raw->on, benches, 2, &bench))
            return false;
        course->on = benches[bench];
    }
    if (!take_seeds(r, raw) || !take_cores(r, "cores", raw->cores, raw->cores_count, &cores))
        return false;
    for (unsigned i = 0; i < course->exercises_count; i++)
        course->exercises[i].cores = cores;
    return take_late(r, raw->late) && take_exercises(r, raw);
}

/* ---- the whole ---- */

static bool list_exercises(struct course *course, const char *root, struct error *err)
{
    char **ids = exercise_list(root, err);
    unsigned count = 0;
    if (!ids)
        return false;
    while (ids[count])
        count++;
    course->exercises = calloc(count + 1U, sizeof *course->exercises);
    for (unsigned i = 0; course->exercises && i < count; i++) {
        course->exercises[i] = (struct course_exercise){.id = ids[i], .graded = true};
        ids[i] = NULL; /* taken over */
        course->exercises_count = i + 1;
    }
    if (course->exercises) {
        free(ids);
        return true;
    }
    exercise_list_free(ids);
    return error_set(err, "out of memory");
}

static bool read_file(struct course *course, const char *root, const char *file, struct error *err)
{
    struct yamldoc *doc = yamldoc_open(file, err);
    void *raw = NULL;
    bool good = doc && yamldoc_load(doc, &schema, &raw, err);
    if (good) {
        const struct reading reading = {doc, root, file, course, err};
        good = take_all(&reading, raw);
        yamldoc_free(&schema, raw);
    }
    yamldoc_close(doc);
    return good;
}

struct course *course_open(const char *root, const char *file, struct error *err)
{
    struct course *course = calloc(1, sizeof *course);
    if (!course) {
        error_set(err, "out of memory");
        return NULL;
    }
    course->seeds[0] = CHECK_MODEL_SEED;
    course->seeds_count = 1;
    bool good = list_exercises(course, root, err);
    if (good && file) {
        good = read_file(course, root, file, err);
    } else if (good) {
        course->title = strdup("");
        course->due = strdup("");
        good = (course->title && course->due) || error_set(err, "out of memory");
    }
    if (good)
        return course;
    course_close(course);
    return NULL;
}

void course_close(struct course *course)
{
    if (!course)
        return;
    for (unsigned i = 0; i < course->exercises_count; i++) {
        struct course_exercise *exercise = &course->exercises[i];
        for (unsigned j = 0; j < exercise->bounds_count; j++)
            free(exercise->bounds[j].name);
        free(exercise->bounds);
        for (unsigned j = 0; j < exercise->cases_count; j++)
            free(exercise->cases[j]);
        free(exercise->cases);
        free(exercise->id);
    }
    for (unsigned i = 0; i < course->late_count; i++)
        free(course->late[i].student);
    free(course->late);
    free(course->exercises);
    free(course->title);
    free(course->due);
    free(course);
}

/* ---- its bounds ---- */

static void say(char **text, const char *format, uint32_t permille)
{
    char *fresh;
    if (asprintf(&fresh, format, permille / 10, permille % 10) < 0)
        return;
    free(*text);
    *text = fresh;
}

/* What the exercise says in words has the published number in it. */
static void change_permille(struct bound_spec *bound, uint32_t permille)
{
    static const char *const words[] = {
        [BOUND_SPEEDUP] = "This course asks you to save %u.%u %% of the time that the reference saves.",
        [BOUND_NO_SLOWER] = "This course asks you to be at most %u.%u %% slower than the baseline.",
        [BOUND_AGREE] = "This course asks for the trusted value within a factor of 1 + %u.%u %%.",
        [BOUND_COUNTER] = "This course asks for at most %u.%u %% of an event for each element.",
    };
    if (bound->permille == permille)
        return;
    bound->permille = permille;
    say(&bound->says, words[bound->kind], permille);
}

static bool add_cases(const struct course_exercise *settings, struct exercise *exercise)
{
    size_t count = (size_t)exercise->cases_count + settings->cases_count;
    char **cases = settings->cases_count ? realloc(exercise->cases, count * sizeof *cases) : exercise->cases;
    if (!cases)
        return false;
    exercise->cases = cases;
    for (unsigned i = 0; i < settings->cases_count; i++) {
        cases[exercise->cases_count] = strdup(settings->cases[i]);
        if (!cases[exercise->cases_count])
            return false;
        exercise->cases_count++;
    }
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
            if (from->permille.given)
                change_permille(bound, from->permille.value);
            if (from->points.given)
                bound->points = from->points.value;
            if (from->elements.given)
                bound->elements = bound->model.elements = from->elements.value;
        }
    }
    return true;
}
