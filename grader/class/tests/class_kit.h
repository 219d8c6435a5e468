/* The one exercise that tests of a class check submissions of. */
#ifndef CYCLELAB_CLASS_KIT_H
#define CYCLELAB_CLASS_KIT_H

#include "grader/exercise/exercise.h"
#include "grader/tests/scratch.h"

static struct exercise *exercise;

static void before(void)
{
    struct error err;
    scratch_make();
    exercise = exercise_read(".", "03-branch-elimination", &err);
    cr_assert(exercise);
}

static void after(void)
{
    exercise_free(exercise);
    scratch_remove();
}

#endif
