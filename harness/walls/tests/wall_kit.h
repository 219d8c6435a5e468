/* For tests of the walls: what they need of the kernel, and another user to be. */
#ifndef CYCLELAB_WALL_KIT_H
#define CYCLELAB_WALL_KIT_H

#include <criterion/criterion.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "harness/walls/isolation.h"
#include "harness/walls/privileges.h"

static inline void need(bool landlock)
{
    if (!isolation_state()->seccomp)
        cr_skip_test("no seccomp here: %s", isolation_state()->seccomp_why);
    if (landlock && !isolation_state()->landlock)
        cr_skip_test("no Landlock here: %s", isolation_state()->landlock_why);
}

static inline void become_ordinary(void)
{
    char here[4096];
    cr_assert(getcwd(here, sizeof here));
    cr_assert(drop_privileges());
    if (access(here, R_OK | X_OK) != 0)
        cr_skip_test("%s is where an ordinary user cannot come", here);
    prctl(PR_SET_DUMPABLE, 1); /* as it is for who began as one: /proc/self is its own */
}

#endif
