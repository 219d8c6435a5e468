/* What a student's object may hold: functions that the exercise names, others only if local, constants, and
 * nothing that keeps state or runs by itself. */
#ifndef CYCLELAB_OBJECTS_H
#define CYCLELAB_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>
#include "grader/build/build.h"
#include "harness/base/error.h"

/* How large all objects of a student may be together: far more than an answer is, and so little that the
 * program fits into the emulated machine and below the arena. In bytes. */
enum {
    OBJECTS_CODE_MOST = 512 << 10,   /* of sections with code, and what their alignment adds */
    OBJECTS_LOADED_MOST = 16 << 20,  /* the same of all that is in memory */
    OBJECTS_FILES_MOST = 24 << 20,   /* of the files, debug information and all */
    OBJECTS_ALIGNED_MOST = 64 << 10, /* that a section may ask for */
};

struct object_report {
    uint64_t code, loaded, file; /* bytes, each as above */
    char refused[2048];          /* what breaks the rules, a line each; "" for nothing */
    char strays[2048];           /* symbols seen from outside that the exercise does not name, a line each */
    char stray_names[512];       /* the same: " `Clamp` `helper`" */
    char unresolved[2048];       /* what is used and not there, a line each */
};

/* Look into `object`, compiled from `source` (as the student calls it). Sets defined[i] for each function of
 * the exercise that it defines. Of its size it tells, and refuses nothing. False with err when it is no
 * object of this ISA. */
bool object_inspect(const char *object, const char *source, const struct exercise *exercise, enum isa isa,
                    bool *defined, struct object_report *report, struct error *err);

#endif
