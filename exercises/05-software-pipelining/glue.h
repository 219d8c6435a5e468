/* The argument blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>

enum { ENTRY_DOT, ENTRY_PROBE };

struct dot_args {
    const float *a, *b;
    uint64_t n;
};

struct dot_result {
    float product;
};

struct probe_args {
    const uint64_t *table;
    uint64_t mask;
    const uint64_t *keys;
    uint64_t n;
};

struct probe_result {
    uint64_t sum;
};

#endif
