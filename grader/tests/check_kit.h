/* For tests of whole checks: an arena, and a build folder of their own with the real one's runners and cases,
 * so that its cache is its own as well. */
#ifndef CYCLELAB_CHECK_KIT_H
#define CYCLELAB_CHECK_KIT_H

#include "grader/tests/scratch.h"

#include <libgen.h>
#include "grader/check/check.h"
#include "grader/base/spawn.h"

static struct arena *arena;
static struct placement placement __attribute__((unused));
static char build[PATH_MAX];

static inline void before(void)
{
    struct error err;
    char self[PATH_MAX] = "", name[2 * PATH_MAX];
    scratch_make();
    chmod(scratch_root, 0755);
    cr_assert(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    snprintf(name, sizeof name, "%s/exercises", dirname(self));
    char *real = realpath(name, NULL);
    snprintf(build, sizeof build, "%s", scratch_root);
    cr_assert(real && symlink(real, scratch_path("exercises")) == 0,
              "`make all` builds the exercises' cases");
    free(real);
    arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
}

static inline void after(void)
{
    arena_destroy(arena);
    scratch_remove();
}

#endif
