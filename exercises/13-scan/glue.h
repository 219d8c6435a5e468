/* The argument blocks, shared by glue.c (in the machine) and cases.c (in the grader). */
#ifndef GLUE_H
#define GLUE_H

#include <stdint.h>

enum { ENTRY_TOTAL, ENTRY_TOTALS };

struct order;

struct total_args {
    const struct order *orders;
    const uint32_t *wanted;
    uint64_t n;
};

struct totals_args {
    uint64_t *totals;
    const struct order *orders;
    const uint32_t *wanted;
    void *scratch;
    uint64_t count, n, days;
};

#endif
