/* For tests of building: exercise 3 with one function of the student's, and a private folder to build in. */
#ifndef CYCLELAB_CLAMP_KIT_H
#define CYCLELAB_CLAMP_KIT_H

#include <sys/stat.h>
#include "grader/build/build.h"
#include "grader/tests/scratch.h"

static struct exercise exercise;
static struct workdir *workdir;
static struct build_result result;
static struct selection selection;

static inline void clamp_before(void)
{
    static char *stems[] = {(char *)"clamp"}, *functions[] = {(char *)"clamp"}, *cflags[] = {(char *)"-O2"};
    struct error err;
    scratch_make();
    chmod(scratch_root, 0755);
    exercise = (struct exercise){.id = (char *)"03-branch-elimination",
                                 .folder = (char *)"exercises/03-branch-elimination",
                                 .solution = (char *)"solutions/03-branch-elimination",
                                 .sources = stems,
                                 .sources_count = 1,
                                 .functions = functions,
                                 .functions_count = 1,
                                 .cflags = cflags,
                                 .cflags_count = 1,
                                 .baseline = true};
    workdir = workdir_create(&err);
    cr_assert(workdir, "%s", err.text);
}

static inline void clamp_after(void)
{
    build_result_free(&result);
    selection_free(&selection);
    workdir_destroy(workdir);
    scratch_remove();
}

/* Of the files in a folder. */
static inline void clamp_build(const char *folder, enum variant variant, enum isa isa)
{
    build_result_free(&result);
    selection_free(&selection);
    build_select(&exercise, folder, isa, &selection);
    build_variant(workdir, ".", &exercise, variant, &selection, isa, NULL, &result);
}

#endif
