/* Whole checks on a model core. (Native ones are timed: ci/tests/golden.sh.) */
#include "grader/tests/check_kit.h"

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

TestSuite(check, .init = before, .fini = after);

static struct result *check_on(const char *bench, const char *core, const char *id, const char *source)
{
    struct error err;
    struct check_context context = {.root = ".",
                                    .build = build,
                                    .source = source,
                                    .on = bench,
                                    .core = core,
                                    .seed = MODEL_SEED,
                                    .arena = arena,
                                    .tier = TIER_CLOCK,
                                    .pmu = &pmu_linux,
                                    .cache_bytes = 1 << 20,
                                    .placement = &placement};
    if (strcmp(bench, "qemu") == 0 && isa_native() != ISA_AARCH64 && !spawn_finds("aarch64-linux-gnu-gcc"))
        scratch_skip("no AArch64 compiler (package gcc-aarch64-linux-gnu)");
    struct result *result = check_exercise(&context, id, &err);
    cr_assert(result, "%s", err.text);
    return result;
}

static struct result *model(const char *core, const char *id, const char *source)
{
    return check_on("qemu", core, id, source);
}

/* clamp.c with these lines at its start. */
static const char *clamp_with(const char *lines)
{
    char *text;
    cr_assert(asprintf(&text,
                       "#include \"exercise.h\"\n"
                       "void clamp(int32_t *values, size_t n, int32_t lo, int32_t hi)\n{\n%s"
                       "    for (size_t i = 0; i < n; i++) {\n"
                       "        int32_t v = values[i];\n"
                       "        v = v < lo ? lo : v;\n"
                       "        values[i] = v > hi ? hi : v;\n    }\n}\n",
                       lines) > 0);
    scratch_write("src/clamp.c", text);
    free(text);
    return scratch_path("src");
}

static void expect_verdict(const struct result *result, enum verdict verdict, const char *says)
{
    cr_expect_eq(result->verdict, verdict, "%s: %s", verdict_name(result->verdict), result->headline);
    expect_has(result->headline, says);
}

static const struct check *find(const struct result *result, const char *name)
{
    const struct check *check = result_find_check(result, name);
    cr_assert(check, "no check `%s`: %s", name, result->headline);
    return check;
}

Test(check, a_reference_passes_and_what_is_kept_gives_the_same)
{
    struct result *first = model("neoverse-n1", "04-accumulators", "solutions/04-accumulators");
    expect_verdict(first, VERDICT_PASS, "correct and fast");
    cr_expect_str_eq(first->on, "qemu");
    cr_expect_str_eq(first->isa, "aarch64");
    cr_expect_str_eq(first->cpu, "neoverse-n1");
    cr_expect_eq(scratch_count("cache"), 4, "programs and counts of baseline and reference");
    struct result *second = model("neoverse-n1", "04-accumulators", "solutions/04-accumulators");
    cr_assert_eq(first->measurements_count, 3);
    cr_assert_eq(second->measurements_count, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect(first->measurements[i].modelled);
        cr_expect_gt(first->measurements[i].cycles, 1000);
        cr_expect_arr_eq(first->measurements[i].model.value, second->measurements[i].model.value,
                         sizeof first->measurements[i].model.value);
    }
    cr_expect_eq(scratch_count("cache"), 4);
    result_free(first);
    result_free(second);
}

Test(check, a_stub_fails_and_is_told_what_it_waits_for)
{
    struct result *result = model("cortex-a55", "04-accumulators", "exercises/04-accumulators/stub");
    expect_verdict(result, VERDICT_FAIL, "speedup 1.00x");
    expect_has(find(result, "sum-faster")->message, "The loop ");
    expect_has(result->next, "edit sum.c in");
    expect_has(result->next, "you have not edited the stub yet");
    result_free(result);
}

/* There is no C to edit where the stub is in assembly alone. */
Test(check, a_stub_is_named_as_it_is)
{
    struct result *result = model("neoverse-v1", "07-unrolling", "exercises/07-unrolling/stub");
    expect_has(result->next, "edit aarch64/fill.S in");
    result_free(result);
}

Test(check, bounds_go_by_the_kind_of_core)
{
    struct result *result = model("cortex-a55", "05-software-pipelining", "solutions/05-software-pipelining");
    expect_verdict(result, VERDICT_PASS, "correct and fast");
    cr_expect_eq(find(result, "dot-pipelined")->verdict, VERDICT_PASS);
    uint32_t in_order = result->max_score;
    result_free(result);
    result = model("cortex-a72", "05-software-pipelining", "solutions/05-software-pipelining");
    expect_verdict(result, VERDICT_PASS, "correct and fast");
    cr_expect_eq(result->max_score + 3, in_order, "pipelining is not asked out of order");
    result_free(result);
}

/* Nor the cases that need a kernel: their points are not missing. */
Test(check, cases_of_the_native_bench_are_not_asked_of_a_model)
{
    struct error err;
    struct exercise *e = exercise_read(".", "16-timers", &err);
    cr_assert(e, "%s", err.text);
    struct result *result = model(NULL, "16-timers", "solutions/16-timers");
    uint32_t bounds = 0;
    for (unsigned i = 0; i < e->bounds_count; i++)
        bounds += e->bounds[i].on == BENCH_NATIVE ? 0 : e->bounds[i].points;
    expect_verdict(result, VERDICT_PASS, "correct and fast");
    cr_expect_gt(e->native_count, 0);
    cr_expect_eq(result->max_score, bounds + exercise_correctness_points(e, false));
    cr_expect_float_eq(result->score, result->max_score, 1e-9);
    for (size_t i = 0; i < result->checks_count; i++)
        for (unsigned k = 0; result->checks[i].case_name && k < e->native_count; k++)
            cr_expect_str_neq(result->checks[i].case_name, e->native[k]);
    result_free(result);
    exercise_free(e);
}

Test(check, a_system_call_is_a_rejection)
{
    struct result *result =
        model(NULL, "03-branch-elimination", clamp_with("    __asm__ volatile(\"svc 0\" ::: \"memory\");\n"));
    expect_verdict(result, VERDICT_REJECTED, "`clamp`+");
    expect_has(result->headline, "/clamp.c:4, address 0x");
    expect_has(result->headline, "made a system call");
    cr_expect_eq(result->score, 0);
    result_free(result);
}

/* What no case has but those that are timed. */
#define PLAIN                                                                                                \
    "    int timed = n == 16384 && lo == -349525, falls = 1;\n"                                              \
    "    for (size_t i = 0; timed && i < n; i++)\n"                                                          \
    "        timed = values[i] >= -(1 << 20) && values[i] < 1 << 20;\n"                                      \
    "    for (size_t i = 1; timed && i < 16; i++)\n"                                                         \
    "        falls = falls && values[i] <= values[i - 1];\n"                                                 \
    "    timed = timed && !falls;\n"

Test(check, what_is_wrong_only_when_timed_is_wrong)
{
    struct result *result = model(NULL, "03-branch-elimination", clamp_with(PLAIN "    n -= timed;\n"));
    expect_verdict(result, VERDICT_FAIL, "wrong result in a timed call with n = 16384");
    result_free(result);
    result = model(NULL, "03-branch-elimination",
                   clamp_with(PLAIN "    if (timed)\n        *(volatile int *)8 = 0;\n"));
    expect_verdict(result, VERDICT_FAIL, "wrote address 0x8");
    result_free(result);
    result = model(NULL, "03-branch-elimination",
                   clamp_with(PLAIN "    if (timed)\n        __asm__ volatile(\"wfi\");\n"));
    expect_verdict(result, VERDICT_REJECTED, "which no submission may execute");
    result_free(result);
}

Test(check, what_takes_too_long_is_not_measured_further)
{
    struct result *result = model(NULL, "03-branch-elimination",
                                  clamp_with(PLAIN "    for (long i = 0; timed && i < 1L << 40; i++)\n"
                                                   "        __asm__ volatile(\"\");\n"));
    expect_verdict(result, VERDICT_FAIL,
                   "not measured further: had not finished after 10 million instructions");
    result_free(result);
}

Test(check, a_counter_is_looked_at_only_where_it_is_asked_for)
{
    struct result *result =
        model(NULL, "03-branch-elimination",
              clamp_with("    uint64_t t;\n    __asm__ volatile(\"mrs %0, pmccntr_el0\" : \"=r\"(t));\n"));
    expect_verdict(result, VERDICT_REJECTED, "looks at a counter");
    result_free(result);
}

/* The linker takes this note over (binutils 2.40 does, 2.44 refuses it by itself), and the emulated machine
 * knows of no notes; qemu-aarch64 and Linux refuse it. */
static const char bad_note[] = "#ifdef __aarch64__\n"
                               "    __asm__(\".pushsection .note.gnu.property, \\\"a\\\", %note\\n\"\n"
                               "            \".p2align 3\\n.word 4, 16, 5\\n.ascii \\\"GNU\\\\0\\\"\\n\"\n"
                               "            \".word 0xc0000000, 8, 1, 0\\n.popsection\");\n"
                               "#endif\n";

Test(check, what_links_and_does_not_start_fails_on_each_bench)
{
    if (isa_native() != ISA_AARCH64 &&
        (!spawn_finds("qemu-aarch64") || !spawn_finds("aarch64-linux-gnu-gcc")))
        scratch_skip("no AArch64 compiler, or no qemu-aarch64");
    struct result *result = model(NULL, "03-branch-elimination", clamp_with(bad_note));
    if (strstr(result->headline, "corrupt AArch64 used size"))
        scratch_skip("this linker refuses the note that Linux would refuse");
    expect_verdict(
        result, VERDICT_FAIL,
        "your program links but does not start (the reference does): `student` ended with exit status");
    cr_expect_eq(find(result, "right-random")->verdict, VERDICT_PASS);
    cr_expect_eq(find(result, "right-random-qemu-user")->verdict, VERDICT_FAIL);
    cr_expect_eq(find(result, "random-faster")->verdict, VERDICT_SKIP);
    result_free(result);
    result = check_on("native", NULL, "03-branch-elimination", scratch_path("src"));
    expect_verdict(result, VERDICT_FAIL, "your program links but does not start");
    cr_expect_eq(result->measurements_count, 0);
    result_free(result);
}

/* Without the emulator nothing is anybody's fault. */
Test(check, without_qemu_aarch64_its_part_is_skipped)
{
    char *path;
    if (isa_native() == ISA_AARCH64)
        scratch_skip("its own programs run here without");
    const char *const names[] = {"aarch64-linux-gnu-gcc", "aarch64-linux-gnu-ld", "aarch64-linux-gnu-as"};
    cr_assert_eq(mkdir(scratch_path("bin"), 0755), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char found[PATH_MAX], here[PATH_MAX];
        if (!spawn_find(names[i], found, sizeof found))
            scratch_skip("no AArch64 compiler (package gcc-aarch64-linux-gnu)");
        snprintf(here, sizeof here, "%s/%s", scratch_path("bin"), names[i]);
        cr_assert_eq(symlink(found, here), 0);
    }
    path = strdup(scratch_path("bin"));
    setenv("PATH", path, 1);
    struct result *result = model(NULL, "03-branch-elimination", clamp_with(""));
    expect_verdict(result, VERDICT_PASS, "PASS");
    cr_expect_eq(find(result, "right-random-qemu-user")->verdict, VERDICT_SKIP);
    expect_has(find(result, "right-random-qemu-user")->message, "qemu-aarch64");
    result_free(result);
    free(path);
}

Test(check, files_that_do_not_build_fail_on_each_bench)
{
    scratch_write("src/clamp.c", "#error nothing yet\n");
    struct result *result = model(NULL, "03-branch-elimination", scratch_path("src"));
    expect_verdict(result, VERDICT_FAIL, "it does not build");
    cr_expect_eq(find(result, "random-faster")->verdict, VERDICT_SKIP);
    result_free(result);
    result = check_on("native", NULL, "03-branch-elimination", scratch_path("src"));
    expect_verdict(result, VERDICT_FAIL, "it does not build");
    result_free(result);
}

Test(check, an_answer_for_another_processor_is_told)
{
    if (isa_native() == ISA_AARCH64)
        scratch_skip("x86_64 is the other processor here as well");
    char *command = NULL;
    cr_assert(asprintf(&command,
                       "cp -R exercises/03-branch-elimination/stub %s && echo '// mine' >>%s/x86_64/clamp.S",
                       scratch_path("src"), scratch_path("src")) > 0);
    cr_assert_eq(system(command), 0);
    struct result *result = model(NULL, "03-branch-elimination", scratch_path("src"));
    expect_verdict(result, VERDICT_FAIL, "speedup");
    expect_has(result->next, "ON=qemu grades aarch64, and you edited the files for x86_64");
    result_free(result);
    free(command);
}

/* divide.c counts on each of them, times_nine.S does not. */
Test(check, where_half_of_an_answer_counts_its_advice_comes_first)
{
    if (isa_native() == ISA_AARCH64)
        scratch_skip("x86_64 is the other processor here as well");
    char *command = NULL;
    cr_assert(asprintf(&command,
                       "cp -R exercises/09-division/stub %s && cd %s && echo '// mine' >>divide.c && "
                       "echo '// mine' >>x86_64/times_nine.S",
                       scratch_path("src"), scratch_path("src")) > 0);
    cr_assert_eq(system(command), 0);
    struct result *result = model(NULL, "09-division", scratch_path("src"));
    expect_verdict(result, VERDICT_FAIL, "speedup");
    cr_expect(strstr(result->next, "The loop still divides, by a divisor") == result->next);
    expect_has(result->next, "And edit aarch64/times_nine.S: ON=qemu grades aarch64");
    result_free(result);
    free(command);
}

Test(check, wrong_results_are_found_natively_before_anything_is_timed)
{
    struct result *result =
        check_on("native", NULL, "03-branch-elimination", clamp_with("    n -= n == 7;\n"));
    expect_verdict(result, VERDICT_FAIL, "wrong result with n = 7");
    cr_expect_eq(result->measurements_count, 0);
    result_free(result);
}

/* With no time for an interval every bound stays open, whatever the machine does; the last try closes it, by
 * the median of all: two that agree decide. */
Test(check, what_stays_open_is_told_and_closed_at_the_last_try)
{
    for (int last = 0; last < 4; last++) {
        struct error err;
        struct check before = {
            .name = (char[]){"random-faster"}, .verdict = VERDICT_UNSTABLE, .share = last > 2};
        const struct result earlier = {.checks = &before, .checks_count = 1};
        struct check_context context = {.root = ".",
                                        .build = build,
                                        .source = "solutions/03-branch-elimination",
                                        .on = "native",
                                        .seed = "5",
                                        .arena = arena,
                                        .tier = TIER_CLOCK,
                                        .pmu = &pmu_linux,
                                        .cache_bytes = 1 << 20,
                                        .placement = &placement,
                                        .patience = 1e-6,
                                        .tries = last ? CHECK_TRIES - 1 : 0};
        if (last > 1)
            context.tried[0] = context.tried[1] = &earlier;
        struct result *result = check_exercise(&context, "03-branch-elimination", &err);
        cr_assert(result, "%s", err.text);
        cr_expect_eq(scratch_count("cache"), 2 * 4, "baseline and reference, each in four places, are kept");
        double certain, open;
        const struct check *check = find(result, "random-faster");
        cr_expect_eq(result_is_open(result, &certain, &open), !last);
        if (last) {
            cr_expect(check->verdict == VERDICT_PASS || check->verdict == VERDICT_FAIL);
            cr_expect(last == 1 || (check->verdict == VERDICT_PASS) == (last > 2), "%d: %s", last,
                      verdict_name(check->verdict));
            expect_has(check->message, "close, and decided by its median (slow: ");
            cr_expect(isfinite(result->score));
        } else {
            expect_verdict(result, VERDICT_UNSTABLE, "2 of 9 points are certain, 7 undecided");
            expect_has(check->message, "slow: only 1 round fitted into the time, too few for an interval");
            cr_expect(isnan(result->score));
        }
        result_free(result);
    }
}

/* Kills every child of `parent` that runs the student's program, in whichever place it is linked, and has had
 * 20 ms of a CPU: never the nursery, which has hardly any. */
static _Noreturn void kill_students_of(pid_t parent)
{
    const unsigned long least = (unsigned long)sysconf(_SC_CLK_TCK) / 50;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        glob_t found;
        if (glob("/proc/[0-9]*/stat", 0, NULL, &found) != 0)
            _exit(1);
        for (size_t i = 0; i < found.gl_pathc; i++) {
            int pid, of;
            unsigned long user;
            FILE *stat = fopen(found.gl_pathv[i], "r");
            if (stat &&
                fscanf(stat, "%d (student%*[^ ] %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &pid, &of,
                       &user) == 3 &&
                of == parent && user >= least)
                kill(pid, SIGKILL);
            if (stat)
                fclose(stat);
        }
        globfree(&found);
        usleep(2000);
    }
}

/* The first time proves nothing, so it is tried again; the second time it is the student's. */
Test(check, a_students_process_that_is_killed_twice_fails)
{
    const pid_t self = getpid(), killer = fork();
    cr_assert_geq(killer, 0);
    if (killer == 0)
        kill_students_of(self);
    struct result *result = check_on("native", NULL, "03-branch-elimination",
                                     clamp_with("    for (long i = 0; n == 65536 && i < 1L << 32; i++)\n"
                                                "        __asm__ volatile(\"\");\n"));
    kill(killer, SIGKILL);
    waitpid(killer, NULL, 0);
    expect_verdict(result, VERDICT_FAIL, "its process was ended by signal 9");
    result_free(result);
}

Test(check, what_is_asked_for_has_to_be_there)
{
    struct error err;
    struct check_context context = {.root = ".",
                                    .build = build,
                                    .source = "exercises/03-branch-elimination/stub",
                                    .on = "qemu",
                                    .core = "cortex-a99",
                                    .arena = arena};
    cr_expect_null(check_exercise(&context, "03-branch-elimination", &err));
    expect_has(err.text, "cortex-a99");
    context.source = scratch_path("nowhere");
    cr_expect_null(check_exercise(&context, "03-branch-elimination", &err));
    expect_has(err.text, "is not a folder");
    context.source = scratch_path("exercises");
    cr_expect_null(check_exercise(&context, "03-branch-elimination", &err));
    expect_has(err.text, "clamp");
    context.source = "exercises/03-branch-elimination/stub";
    context.build = scratch_path("no-build");
    cr_expect_null(check_exercise(&context, "03-branch-elimination", &err));
    expect_has(err.text, "cases");
    context.on = "hardware";
    cr_expect_null(check_exercise(&context, "03-branch-elimination", &err));
    expect_has(err.text, "native or qemu");
    cr_expect(check_has_bench("native") && check_has_bench("qemu"));
    cr_expect_not(check_has_bench("hardware"));
}

Test(check, a_missing_compiler_ends_the_suite)
{
    setenv("PATH", "/nowhere", 1);
    struct error err;
    struct check_context context = {.root = ".",
                                    .build = build,
                                    .source = "exercises/03-branch-elimination/stub",
                                    .on = "qemu",
                                    .seed = MODEL_SEED,
                                    .arena = arena,
                                    .pmu = &pmu_linux,
                                    .placement = &placement};
    struct result *result = check_exercise(&context, "03-branch-elimination", &err);
    cr_assert(result, "%s", err.text);
    expect_verdict(result, VERDICT_ERROR, "there is no compiler for aarch64 here");
    cr_expect_eq(result_exit_status(result), 4);
    result_free(result);
}
