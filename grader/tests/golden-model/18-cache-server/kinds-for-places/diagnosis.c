#include "exercise.h"

STUDENT_NUMBER(1);

void diagnose(struct bottleneck found[3])
{
    found[0] = (struct bottleneck){.place = SCAN, .class = BYTES_MOVED};
    found[1] = (struct bottleneck){.place = COUNT, .class = MISPREDICTIONS};
    found[2] = (struct bottleneck){.place = CHECK, .class = SLOW_OPERATION};
}
