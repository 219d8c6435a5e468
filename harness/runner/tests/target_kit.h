/* For tests of the runner: target_glue.c in a runner of its own. */
#ifndef CYCLELAB_TARGET_KIT_H
#define CYCLELAB_TARGET_KIT_H

#include <criterion/criterion.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Its entries, by their numbers. */
enum entry {
    ADD_ONE,
    OVERRUN,
    UNDERRUN,
    SPIN,
    TRAP,
    EXIT,
    CLOBBER,
    RECURSE,
    SYSTEM,
    HIDE,
    SEEK,
    OFFSETS,
    FIRST,
    SECOND,
    AFTER,
    LOCKED, /* and another one, and AFTER again */
    PLANS = LOCKED + 3
};

/* To a new file of /tmp, whose name is left in `program`. The test is skipped where the compiler is missing.
 */
static inline void target_build(char program[64], const char *isa, const char *compiler)
{
    char self[PATH_MAX] = "", command[2 * PATH_MAX];
    cr_assert_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    snprintf(command, sizeof command, "command -v %s >/dev/null", compiler);
    if (system(command) != 0)
        cr_skip_test("no %s", compiler);
    strcpy(program, "/tmp/cyclelab-test-XXXXXX");
    int fd = mkstemp(program);
    cr_assert_geq(fd, 0);
    close(fd);
    snprintf(command, sizeof command,
             "%s -O1 -g -I. -ffreestanding -fno-pie -fno-stack-protector -static -nostdlib -no-pie -o %s "
             "harness/runner/tests/target_glue.c %s/runner/%s/runner.o",
             compiler, program, dirname(self), isa);
    cr_assert_eq(system(command), 0, "%s", command);
    chmod(program, 0755);
}

#endif
