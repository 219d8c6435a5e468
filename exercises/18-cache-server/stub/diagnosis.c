/* Exercise 18: what you have found. First your number: the one that your course gave you, or any that you
 * like. It decides which workload is yours, so never change it afterwards. Then, when you have profiled the
 * server as it came, what takes the time: the worst part first. exercise.h lists places and classes. */
#include "exercise.h"

STUDENT_NUMBER(0);

void diagnose(struct bottleneck found[3])
{
    found[0] = (struct bottleneck){.place = PLACE_NOT_NAMED, .class = CLASS_NOT_NAMED};
    found[1] = (struct bottleneck){.place = PLACE_NOT_NAMED, .class = CLASS_NOT_NAMED};
    found[2] = (struct bottleneck){.place = PLACE_NOT_NAMED, .class = CLASS_NOT_NAMED};
}
