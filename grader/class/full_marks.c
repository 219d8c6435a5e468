#include "grader/class/full_marks.h"

#include "grader/core/core_file.h"

static bool is_asked(const struct bound_spec *bound, bool native, const struct core *cores, unsigned count)
{
    bool asked = native && bound_is_native(bound);
    for (unsigned c = 0; !native && c < count; c++)
        asked = asked || bound_is_for(bound, &cores[c]);
    return asked;
}

bool full_marks(const char *root, const struct exercise *exercise, const struct course_exercise *settings,
                bool native, const struct course_cores *cores, uint32_t *points, struct error *err)
{
    struct core read[COURSE_CORES] = {0};
    for (unsigned c = 0; !native && c < cores->count; c++)
        if (!core_read(root, cores->name[c], &read[c], err))
            return false;
    *points = exercise_correctness_points(exercise, native);
    for (unsigned b = 0; b < exercise->bounds_count; b++)
        *points +=
            is_asked(&exercise->bounds[b], native, read, cores->count) ? exercise->bounds[b].points : 0;
    if (settings->points.given)
        *points = settings->points.value;
    return true;
}
