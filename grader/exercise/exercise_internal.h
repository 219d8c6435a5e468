/* What the tables of exercise.yml and course.yml share. Private to them. */
#ifndef CYCLELAB_EXERCISE_INTERNAL_H
#define CYCLELAB_EXERCISE_INTERNAL_H

#include "grader/base/schema.h"
#include "grader/exercise/exercise.h"

enum {
    MOST_POINTS = 1000,
    MOST_ELEMENTS = 1 << 28,
    LEAST_LARGEST = 8,
    MOST_LARGEST = 256, /* a call for each n, three buffers a call: within the arena's 1024 regions */
};

#define POINTS_RANGE  .least = 0, .most = MOST_POINTS
#define LARGEST_RANGE .least = LEAST_LARGEST, .most = MOST_LARGEST

/* What a bound asks, which has another key for each `kind`: LIMIT takes thousandths. The rest is of the rows.
 */
#define LIMIT_ROW(TYPE, LIMIT, KEY, KIND, NAME, PLACES, LEAST, MOST, ...)                                    \
    {                                                                                                        \
        KEY, SCHEMA_NUMBER, SCHEMA_AT(TYPE, LIMIT), .only = {"kind: " NAME, offsetof(TYPE, kind), KIND},     \
                                                    .places = (PLACES), .least = (LEAST), .most = (MOST),    \
                                                    __VA_ARGS__                                              \
    }

#define RENAMED_ROW(TYPE, KEY, KIND, MEANING, DIVIDED)                                                       \
    {                                                                                                        \
        "permille", SCHEMA_RENAMED, .only = {"", offsetof(TYPE, kind), KIND}, .renamed = (KEY),              \
                                    .meaning = (MEANING), .divided = (DIVIDED)                               \
    }

#define LIMIT_ROWS(TYPE, LIMIT, ...)                                                                         \
    LIMIT_ROW(TYPE, LIMIT, "share", BOUND_SPEEDUP, "speedup", 1, 1, 1000, __VA_ARGS__),                      \
        LIMIT_ROW(TYPE, LIMIT, "slack", BOUND_NO_SLOWER, "no-slower", 1, 1, 1000, __VA_ARGS__),              \
        LIMIT_ROW(TYPE, LIMIT, "tolerance", BOUND_AGREE, "agree", 1, 1, 1000, __VA_ARGS__),                  \
        LIMIT_ROW(TYPE, LIMIT, "per-element", BOUND_COUNTER, "counter", 3, 0, 1000 * 1000, __VA_ARGS__),     \
        RENAMED_ROW(TYPE, "share", BOUND_SPEEDUP, "`share`, in percent", 10),                                \
        RENAMED_ROW(TYPE, "slack", BOUND_NO_SLOWER, "`slack`, in percent", 10),                              \
        RENAMED_ROW(TYPE, "tolerance", BOUND_AGREE, "`tolerance`, in percent", 10),                          \
        RENAMED_ROW(TYPE, "per-element", BOUND_COUNTER, "`per-element`, in events for each element", 1000)

/* The context of both; course.c has more behind it. */
struct exercise_reading {
    char **cores; /* that there are */
    struct exercise *exercise;
};

/* For texts: one of these. */
const char *exercise_core_word(struct schema_reader *reader, const void *place, unsigned i);
const char *exercise_bound_word(struct schema_reader *reader, const void *place, unsigned i);

/* course_late.c, for course.c: remember who is late with an exercise (an id, or NULL for all), once; and all
 * of a file of lines `student,days` or `student,HOURSh`, with `,exercise` behind or not. False with err. */
struct course;
bool course_add_late(struct course *course, const char *student, const char *exercise, uint32_t hours,
                     struct error *err);
bool course_read_late(struct course *course, const char *root, const char *file, struct error *err);

#endif
