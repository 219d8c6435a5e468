/* Exercise 18: a student's diagnosis. */
#include "exercise.h"

STUDENT_NUMBER(1);

void diagnose(struct bottleneck found[3])
{
    found[0] = (struct bottleneck){.place = PLACE_NOT_NAMED, .class = CLASS_NOT_NAMED};
    found[1] = (struct bottleneck){.place = PLACE_NOT_NAMED, .class = CLASS_NOT_NAMED};
    found[2] = (struct bottleneck){.place = PLACE_NOT_NAMED, .class = CLASS_NOT_NAMED};
}
