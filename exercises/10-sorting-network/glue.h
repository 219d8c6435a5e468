/* The argument blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>

enum { ENTRY_SELECT, ENTRY_SORT };

struct select_args {
    const int32_t *a, *b;
    uint32_t *selected; /* of each pair the minimum, the maximum, and a's magnitude */
    uint64_t n;
};

struct sort_args {
    int32_t *groups;
    uint64_t n;
};

#endif
