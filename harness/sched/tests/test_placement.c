#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/error.h"
#include "harness/sched/placement.h"
#include "harness/base/progress.h"

Test(placement, stays_within_the_inherited_mask_and_undoes_all)
{
    cpu_set_t before, now;
    struct placement placement;
    cr_assert_eq(sched_getaffinity(0, sizeof before, &before), 0);
    placement_take(&placement, 0);
    cr_assert_geq(placement.cpu, 0);
    cr_expect(CPU_ISSET((size_t)placement.cpu, &before));
    sched_getaffinity(0, sizeof now, &now);
    cr_expect_eq(CPU_COUNT(&now), 1);
    cr_expect(CPU_ISSET((size_t)placement.cpu, &now));
    placement_release(&placement);
    sched_getaffinity(0, sizeof now, &now);
    cr_expect(CPU_EQUAL(&now, &before));
}

Test(placement, a_cpu_that_is_taken_is_not_locked_twice)
{
    struct placement first, second;
    placement_take(&first, 0);
    placement_take(&second, 0); /* the mask holds only the first one's CPU now */
    cr_expect_eq(second.cpu, first.cpu);
    if (first.lock >= 0)
        cr_expect_lt(second.lock, 0);
    placement_release(&second);
    placement_release(&first);
}

Test(placement, takes_a_second_one_where_there_is_one)
{
    struct placement placement;
    placement_take_two(&placement, 0);
    if (placement_cpus() == 1 && CPU_COUNT(&placement.inherited) == 1)
        cr_expect_lt(placement.second, 0);
    else
        cr_expect(placement.second >= 0 && placement.second != placement.cpu &&
                  CPU_ISSET((size_t)placement.second, &placement.inherited));
    placement_release(&placement);
}

Test(placement, knows_a_plausible_cache)
{
    cr_expect_geq(placement_cache_bytes(), (size_t)16 << 10);
    cr_expect_leq(placement_cache_bytes(), (size_t)4 << 30);
}

Test(progress, says_nothing_where_there_is_no_terminal)
{
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    cr_assert(file);
    dup2(fileno(file), STDERR_FILENO);
    progress("round %d", 1);
    progress_end();
    dup2(saved, STDERR_FILENO);
    close(saved);
    fseek(file, 0, SEEK_END);
    cr_expect_eq(ftell(file), 0);
    fclose(file);
}

Test(progress, shows_one_line_on_a_terminal_and_clears_it)
{
    char text[1024] = "";
    int master = posix_openpt(O_RDWR | O_NOCTTY), saved = dup(STDERR_FILENO);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        cr_skip_test("no pseudo-terminal");
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    cr_assert_geq(slave, 0);
    setenv("TERM", "xterm", 1);
    dup2(slave, STDERR_FILENO);
    progress("round %d", 17);
    progress_end();
    fputs("#", stderr);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    /* A terminal hands over what was written in pieces of its own choosing: read up to the mark. */
    size_t length = 0;
    while (length == 0 || text[length - 1] != '#') {
        ssize_t got = read(master, text + length, sizeof text - 1 - length);
        cr_assert_gt(got, 0, "shown so far: \"%s\"", text);
        length += (size_t)got;
    }
    cr_expect(strstr(text, "round 17"), "shown: \"%s\"", text);
    cr_expect_eq(text[length - 2], '\r');
    close(slave);
    close(master);
    close(saved);
}

Test(error, is_cut_to_fit_and_always_false)
{
    struct error err;
    char large[4096];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    cr_expect_not(error_set(&err, "%s", large));
    cr_expect_eq(strlen(err.text), sizeof err.text - 1);
}
