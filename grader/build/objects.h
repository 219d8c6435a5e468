/* What a student's object may hold: functions that the exercise names, others only if local, constants, and
 * nothing that keeps state or runs by itself. */
#ifndef CYCLELAB_OBJECTS_H
#define CYCLELAB_OBJECTS_H

#include <stdbool.h>
#include "grader/build/build.h"
#include "harness/base/error.h"

struct object_report {
    char refused[2048];    /* what breaks the rules, a line each; "" for nothing */
    char strays[2048];     /* symbols seen from outside that the exercise does not name, a line each */
    char stray_names[512]; /* the same: " `Clamp` `helper`" */
    char unresolved[2048]; /* what is used and not there, a line each */
};

/* Look into `object`, compiled from `source` (as the student calls it). Sets defined[i] for each function of
 * the exercise that it defines. False with err when it is no object of this ISA. */
bool object_inspect(const char *object, const char *source, const struct exercise *exercise, enum isa isa,
                    bool *defined, struct object_report *report, struct error *err);

#endif
