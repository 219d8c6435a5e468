/* An emulator for tests, with the student's code of target_cases_student.S in it. */
#ifndef CYCLELAB_EMULATOR_KIT_H
#define CYCLELAB_EMULATOR_KIT_H

#include <criterion/criterion.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/core/core_file.h"
#include "harness/emu/emulator_internal.h"
#include "harness/emu/tests/target_cases.h"
#include "harness/runner/target/runner.h"

enum { VALUES = 100, ALL_FEATURES = 0xffff, BUDGET = 1000000 };

static char program[64];
static struct arena *arena;
static struct emulator *emulator;
static struct emulator_run run;
static struct target_args *args;
static struct target_result *result;
static int32_t *values;

/* The student's code of target_cases_student.S behind its glue, in a runner. */
static inline void build(void)
{
    char self[PATH_MAX] = "", command[2 * PATH_MAX];
    cr_assert_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    if (system("command -v aarch64-linux-gnu-gcc >/dev/null") != 0)
        cr_skip_test("no aarch64-linux-gnu-gcc");
    strcpy(program, "/tmp/cyclelab-test-XXXXXX");
    int fd = mkstemp(program);
    cr_assert_geq(fd, 0);
    close(fd);
    snprintf(command, sizeof command,
             "aarch64-linux-gnu-gcc -O2 -I. -ffreestanding -fno-pie -fno-stack-protector "
             "-fno-asynchronous-unwind-tables -static -nostdlib -no-pie -o %s "
             "%s/runner/aarch64/runner.o harness/emu/tests/target_cases_glue.c "
             "harness/emu/tests/target_cases_student.S",
             program, dirname(self));
    cr_assert_eq(system(command), 0, "%s", command);
}

static inline void lay_out(void)
{
    arena_reset(arena);
    values = arena_alloc(arena, VALUES * sizeof *values, 4, PLAN_READ, ARENA_AT_END);
    args = arena_alloc(arena, sizeof *args, 8, PLAN_READ, ARENA_AT_START);
    result = arena_alloc(arena, sizeof *result, 8, PLAN_READ | PLAN_WRITE, ARENA_AT_START);
    for (int i = 0; i < VALUES; i++)
        values[i] = i;
    *args = (struct target_args){values, VALUES, 41, 0};
    struct plan *plan = arena_plan(arena);
    plan->calls = 1;
    plan->args = (uint64_t)args;
    plan->results = (uint64_t)result;
}

static inline struct emulator *open_with(const char *core_name, unsigned features)
{
    struct error err;
    struct core core;
    if (core_name)
        cr_assert(core_read(".", core_name, &core, &err), "%s", err.text);
    const struct emulator_config config = {
        .program = program, .core = core_name ? &core : NULL, .features = features, .budget = BUDGET};
    struct emulator *opened = emulator_open(&config, arena, &err);
    cr_assert(opened, "%s", err.text);
    return opened;
}

static inline void use(const char *core_name)
{
    emulator_close(emulator);
    emulator = open_with(core_name, ALL_FEATURES);
}

static inline void before(void)
{
    struct error err;
    build();
    arena = arena_create(&err);
    cr_assert(arena, "%s", err.text);
    lay_out();
    emulator = open_with(NULL, ALL_FEATURES);
}

static inline void after(void)
{
    emulator_close(emulator);
    arena_destroy(arena);
    unlink(program);
}

static inline void execute(enum target_case which, unsigned entry)
{
    memset(result, 0, sizeof *result);
    args->which = which;
    arena_plan(arena)->entry = entry;
    emulator_execute(emulator, 0, 1, &run);
}

static inline void expect_done(enum target_case which)
{
    execute(which, TARGET_WHOLE);
    cr_assert_eq(run.outcome, EMULATOR_DONE, "case %d: outcome %d at 0x%" PRIx64 ": %s", (int)which,
                 (int)run.outcome, run.pc, run.name);
    cr_assert_eq(result->returned, 1);
}

static inline void expect(enum target_case which, enum emulator_outcome outcome, const char *name)
{
    execute(which, TARGET_WHOLE);
    cr_expect_eq(run.outcome, outcome, "case %d: outcome %d at 0x%" PRIx64 ": %s", (int)which,
                 (int)run.outcome, run.pc, run.name);
    cr_expect(strstr(run.name, name), "expected \"%s\" in \"%s\"", name, run.name);
    cr_expect_eq(result->returned, 0);
}

/* The student's function, by the table that the program has of them. */
static inline uint64_t start_of(enum target_case which)
{
    struct error err;
    struct image image;
    uint64_t start = 0;
    cr_assert(image_open(&image, program, &err), "%s", err.text);
    /* the glue loads from the table: it is known by its ascending addresses of code */
    for (unsigned s = 0; s < image.segment_count; s++) {
        for (uint64_t at = 0; at + 8 * CASE_COUNT <= image.segments[s].size; at += 8) {
            const uint64_t *table = (const uint64_t *)(image.segments[s].bytes + at);
            bool good = true;
            for (unsigned i = 0; good && i < CASE_COUNT; i++)
                good = table[i] - image.code < 4 * image.count && (i == 0 || table[i] > table[i - 1]);
            start = good ? table[which] : start; /* the last: before it may be others */
        }
    }
    image_close(&image);
    cr_assert_neq(start, 0);
    return start;
}

static inline void expect_fault(enum target_case which, unsigned offset, uint64_t address, unsigned access)
{
    expect(which, EMULATOR_FAULT, "");
    cr_expect_eq(run.pc, start_of(which) + offset, "pc 0x%" PRIx64, run.pc);
    cr_expect_eq(run.address, address, "address 0x%" PRIx64, run.address);
    cr_expect_eq(run.access, access);
}

#endif
