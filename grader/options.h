/* What was asked of cyclelab on its command line. */
#ifndef CYCLELAB_OPTIONS_H
#define CYCLELAB_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "harness/isolation.h"

enum { EXIT_USAGE = 2, EXIT_SUITE = 4, ONLY_MAX = 1000 };

struct options {
    const char *exercise; /* as typed, or NULL: all */
    const char *root, *build, *source, *report, *on, *core, *state;
    const char *gdb, *variant, *case_name, *out;
    const char *submissions, *submission, *course;
    const char *only[ONLY_MAX + 1];
    unsigned only_count;
    unsigned jobs, slice, slices;
    bool plan;
    enum isolation_level isolation;
    bool has_seed, force;
    uint64_t seed;
};

/* argv[0] is the command; root and build are found if they are not given. 0, or the exit status after a
 * complaint. */
int options_parse(int argc, char **argv, struct options *options);

/* "cyclelab: ..." on the standard error; gives back `status`. */
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
