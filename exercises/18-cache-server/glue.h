/* The argument blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>
#include "exercise.h"

enum { ENTRY_SERVE, ENTRY_DIAGNOSE };

struct serve_args {
    struct store store;
    const struct request *requests;
    uint64_t *answers;
    uint64_t n;
};

struct diagnose_args {
    struct bottleneck *found;
};

#endif
