/* The argument blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>

enum { ENTRY_DOT, ENTRY_PRODUCTS };

struct dot_args {
    const float *a, *b;
    uint64_t n;
};

struct dot_result {
    float sum;
};

struct products_args {
    float *m;
    const float *a, *b;
    uint64_t n, fma;
};

#endif
