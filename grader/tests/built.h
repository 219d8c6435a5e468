/* For tests that need what `make` builds beside the test program. */
#ifndef CYCLELAB_TEST_BUILT_H
#define CYCLELAB_TEST_BUILT_H

#include <criterion/criterion.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* Where this program lies. */
static inline const char *build_folder(void)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    cr_assert(length > 0);
    path[length] = '\0';
    return dirname(path);
}

/* Are the exercise's cases there, and the runner for the ISA? */
static inline bool is_built(const char *exercise, const char *isa)
{
    char cases[PATH_MAX], runner[PATH_MAX];
    const char *folder = build_folder();
    snprintf(cases, sizeof cases, "%.4000s/exercises/%s/cases.so", folder, exercise);
    snprintf(runner, sizeof runner, "%.4000s/runner/%s/runner.o", folder, isa);
    return access(cases, F_OK) == 0 && access(runner, F_OK) == 0;
}

#endif
