/* What perf writes, read and told. The texts are as `perf stat -x,` of Linux 6.1 writes them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "grader/student/perf.h"

static const char guesses[] =
    "# started on Mon Nov 23 10:00:00 2026\n"
    "\n"
    "8000000000,,cycles:u,3000000000,100.00,,\n"
    "6000000000,,instructions:u,3000000000,100.00,0.75,insn per cycle\n"
    "1200000000,,branches:u,3000000000,100.00,,\n"
    "300000000,,branch-misses:u,3000000000,100.00,25.00,of all branches\n"
    "1500000000,,L1-dcache-loads:u,3000000000,100.00,,\n"
    "1500000,,L1-dcache-load-misses:u,3000000000,100.00,0.10,of all L1-dcache accesses\n";

static char *told(const char *text, unsigned number)
{
    struct perf_counts counts;
    struct error err = {""};
    char *said = NULL;
    size_t size;
    cr_assert(perf_read(text, &counts, &err), "%s", err.text);
    FILE *out = open_memstream(&said, &size);
    perf_tell(&counts, number, out);
    fclose(out);
    return said;
}

static void expect_told(const char *text, const char *part)
{
    char *said = told(text, 3);
    cr_expect(strstr(said, part) != NULL, "expected `%s` in: %s", part, said);
    free(said);
}

Test(perf, wrong_guesses)
{
    expect_told(guesses, "instructions a cycle                 0.75");
    expect_told(guesses, "branches guessed wrong              25.00 %");
    expect_told(guesses, "loads that miss the nearest cache    0.10 %");
    expect_told(guesses, "Next: Wrong guesses take some 56 %");
}

Test(perf, memory)
{
    expect_told("8000,,cycles:u,1,100.00,,\n2000,,instructions:u,1,100.00,,\n500,,branches:u,1,100.00,,\n"
                "1,,branch-misses:u,1,100.00,,\n500,,L1-dcache-loads:u,1,100.00,,\n"
                "300,,L1-dcache-load-misses:u,1,100.00,,\n",
                "It waits for memory");
}

Test(perf, a_busy_core_and_a_waiting_one)
{
    static const char rest[] = "10,,branches:u,1,100.00,,\n0,,branch-misses:u,1,100.00,,\n"
                               "10,,L1-dcache-loads:u,1,100.00,,\n0,,L1-dcache-load-misses:u,1,100.00,,\n";
    char text[1024];
    snprintf(text, sizeof text, "1000,,cycles:u,1,100.00,,\n3900,,instructions:u,1,100.00,,\n%s", rest);
    expect_told(text, "The core is busy");
    snprintf(text, sizeof text, "4000,,cycles:u,1,100.00,,\n1000,,instructions:u,1,100.00,,\n%s", rest);
    expect_told(text, "`make explain EX=3`");
}

Test(perf, cores_of_two_kinds_are_added_up)
{
    struct perf_counts counts;
    struct error err;
    cr_assert(perf_read("<not counted>,,cpu_atom/cycles/u,0,0.00,,\n"
                        "100,,cpu_core/cycles/u,1,100.00,,\n50,,cpu_atom/cycles/u,1,100.00,,\n"
                        "300,,cpu_core/instructions/u,1,100.00,,\n",
                        &counts, &err));
    cr_expect_eq((int)counts.value[PERF_CYCLES], 150);
    cr_expect_eq((int)counts.value[PERF_INSTRUCTIONS], 300);
    cr_expect_not(counts.has[PERF_BRANCHES]);
}

Test(perf, what_is_not_counted_is_said)
{
    expect_told("100,,cycles:u,1,100.00,,\n300,,instructions:u,1,100.00,,\n"
                "<not supported>,,L1-dcache-loads:u,0,100.00,,\n",
                "loads that miss the nearest cache  not counted here");
}

Test(perf, without_cycles_there_is_nothing_to_tell)
{
    struct perf_counts counts;
    struct error err;
    static const char *const texts[] = {"",
                                        "nonsense",
                                        ",,",
                                        "<not supported>,,cycles:u,0,100.00,,\n",
                                        "12x,,cycles:u,1,100.00,,\n",
                                        "7,,recycles:u,1,100.00,,\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect_not(perf_read(texts[i], &counts, &err), "%s", texts[i]);
        cr_expect_str_eq(err.text, "perf does not count cycles here");
    }
    cr_expect_not(perf_read("5,,cycles:u,1,100.00,,\n", &counts, &err));
    cr_expect_str_eq(err.text, "perf does not count instructions here");
}
