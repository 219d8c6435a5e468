#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "grader/exercise/layout.h"

/* A case of its own: double every value. Argument block: pointer and n; the result block holds a checksum. */
struct args {
    int32_t *values;
    uint64_t n;
};

static bool allocate(struct lab *lab, struct call *call)
{
    return call_buffer(lab, call, 0, call->n * sizeof(int32_t), sizeof(int32_t), PLAN_READ | PLAN_WRITE) &&
           call_shadow(call, call->n * sizeof(int32_t));
}

static void fill(struct lab *lab, struct call *call)
{
    int32_t *values = call->buffer[0], *before = call->shadow;
    *(struct args *)call->args = (struct args){values, call->n};
    for (size_t i = 0; i < call->n; i++)
        before[i] = values[i] = (int32_t)draw_below(&lab->draw, 1000);
    lab->count++;
}

static bool verify(struct lab *lab, const struct call *call, struct finding *why)
{
    const int32_t *values = call->buffer[0], *before = call->shadow;
    (void)lab;
    for (size_t i = 0; i < call->n; i++)
        if (values[i] != 2 * before[i])
            return finding(why, "values[%zu]: expected %d, found %d", i, 2 * before[i], values[i]);
    return true;
}

static double value(const struct lab *lab, const struct call *call)
{
    (void)lab;
    return (double)call->n;
}

static bool setup_too_large(struct lab *lab)
{
    return lab_memory(lab, 0, 64) && lab_shared(lab, 0, (size_t)2 << 30, PLAN_READ) != NULL;
}

static const struct case_def def = {.name = "double",
                                    .args_size = sizeof(struct args),
                                    .result_size = 8,
                                    .reads_clock = true,
                                    .allocate = allocate,
                                    .fill = fill,
                                    .verify = verify,
                                    .value = value,
                                    .buffers = {"values"}};

static const struct layout_call calls[] = {{0, ARENA_AT_END}, {3, ARENA_AT_END}, {5, ARENA_AT_START}};

static struct layout *open_layout(struct arena **arena)
{
    struct error err;
    struct layout_request request = {.def = &def, .calls = calls, .count = 3, .seed = 42};
    *arena = arena_create(&err);
    cr_assert(*arena, "%s", err.text);
    struct layout *layout = layout_open(*arena, &request, &err);
    cr_assert(layout, "%s", err.text);
    return layout;
}

static struct args *args_of(struct arena *arena, size_t call)
{
    const struct plan *plan = arena_plan(arena);
    return (struct args *)(plan->args + call * plan->args_stride);
}

Test(layout, the_plan_names_the_calls_that_were_filled)
{
    struct arena *arena;
    struct layout *layout = open_layout(&arena);
    layout_fill(layout, 2);
    cr_expect_eq(arena_plan(arena)->calls, 2);
    cr_expect_eq(args_of(arena, 1)->n, 3);
    cr_expect_eq(layout_count(layout), 3);
    cr_expect_eq(layout_elements(layout, 2), 5);
    cr_expect_eq(layout_value(layout, 2), 5);
    layout_fill(layout, 0);
    cr_expect_eq(arena_plan(arena)->calls, 0);
    layout_close(layout);
    arena_destroy(arena);
}

Test(layout, a_call_is_told_with_its_n_where_the_student_knows_one)
{
    struct case_def once = def, unsized = def;
    const struct case_def *const kinds[] = {&def, &once, &unsized};
    once.once = unsized.unsized = true;
    for (unsigned i = 0; i < 3; i++) {
        char n[LAYOUT_N];
        struct error err;
        const struct layout_request request = {.def = kinds[i], .calls = calls, .count = 3, .seed = 42};
        struct arena *arena = arena_create(&err);
        cr_assert(arena, "%s", err.text);
        struct layout *layout = layout_open(arena, &request, &err);
        cr_assert(layout, "%s", err.text);
        cr_expect_str_eq(layout_n(layout, 2, "with ", ": ", n), i == 0 ? "with n = 5: " : "");
        cr_expect_str_eq(layout_n(layout, 3, "with ", ": ", n), "", "there is no such call");
        cr_expect_eq(layout_has_n(layout, 0), i == 0);
        layout_close(layout);
        arena_destroy(arena);
    }
}

Test(layout, it_is_known_which_call_is_made_alone_and_of_which_filling)
{
    struct arena *arena;
    struct layout *layout = open_layout(&arena);
    cr_expect_eq(layout_filling(layout), 0);
    layout_fill(layout, 3);
    layout_only(layout, 2);
    cr_expect_eq(layout_planned(layout, 0), 2);
    layout_fill(layout, 3);
    cr_expect_eq(layout_planned(layout, 1), 1);
    layout_fill_again(layout, 3);
    cr_expect_eq(layout_filling(layout), 2);
    layout_close(layout);
    arena_destroy(arena);
}

Test(layout, the_same_contents_come_again_when_asked_and_never_else)
{
    struct arena *arena;
    struct layout *layout = open_layout(&arena);
    struct finding why;
    int32_t first[5], next[5];
    layout_fill(layout, 3);
    memcpy(first, args_of(arena, 2)->values, sizeof first);
    for (size_t i = 0; i < 5; i++)
        args_of(arena, 2)->values[i] = 2 * first[i] + 1;
    cr_expect_not(layout_verify(layout, 2, &why));
    for (int again = 0; again < 2; again++) {
        layout_fill_again(layout, 3);
        cr_expect_arr_eq(args_of(arena, 2)->values, first, sizeof first);
        for (size_t i = 0; i < 5; i++)
            args_of(arena, 2)->values[i] *= 2;
        cr_expect(layout_verify(layout, 2, &why), "%s", why.text);
    }
    layout_fill(layout, 3);
    memcpy(next, args_of(arena, 2)->values, sizeof next);
    cr_expect_arr_neq(next, first, sizeof first);
    layout_fill_again(layout, 3);
    cr_expect_arr_eq(args_of(arena, 2)->values, next, sizeof next);
    layout_close(layout);
    arena_destroy(arena);
}

enum { OUTPUT = 3000 };
static uint8_t *output;

static bool allocate_output(struct lab *lab, struct call *call)
{
    return (output = call_buffer(lab, call, 0, OUTPUT, 1, PLAN_READ | PLAN_WRITE)) != NULL;
}

static void fill_nothing(struct lab *lab, struct call *call)
{
    (void)lab;
    (void)call;
}

static unsigned zeros(void)
{
    unsigned count = 0;
    for (size_t i = 0; i < OUTPUT; i++)
        count += output[i] == 0;
    return count;
}

Test(layout, what_is_only_written_begins_as_noise_or_as_the_zeros_that_are_promised)
{
    struct case_def only = {.name = "output", .allocate = allocate_output, .fill = fill_nothing};
    const struct layout_call call = {1, ARENA_AT_END};
    struct layout_request request = {.def = &only, .calls = &call, .count = 1, .seed = 42};
    struct error err;
    uint8_t before[OUTPUT];
    struct arena *arena = arena_create(&err);
    struct layout *layout = layout_open(arena, &request, &err);
    cr_assert(layout, "%s", err.text);
    layout_fill(layout, 1);
    cr_expect_lt(zeros(), OUTPUT / 64);
    memcpy(before, output, OUTPUT);
    layout_fill(layout, 1);
    cr_expect_lt(zeros(), OUTPUT / 64);
    cr_expect_arr_neq(output, before, OUTPUT);
    only.zeroed = 1;
    layout_fill(layout, 1);
    cr_expect_eq(zeros(), OUTPUT);
    layout_close(layout);
    arena_destroy(arena);
}

Test(layout, buffers_lie_against_their_guards)
{
    struct arena *arena;
    struct layout *layout = open_layout(&arena);
    layout_fill(layout, 3);
    uint64_t at_end = (uint64_t)(args_of(arena, 1)->values + 3),
             at_start = (uint64_t)args_of(arena, 2)->values;
    cr_expect_eq(at_end % ARENA_GRANULE, 0);
    cr_expect_eq(at_start % ARENA_GRANULE, 0);
    const struct plan *plan = arena_plan(arena);
    for (uint32_t i = 0; i + 1 < plan->region_count; i++)
        cr_expect_geq(plan->regions[i + 1].address,
                      plan->regions[i].address + plan->regions[i].size + ARENA_GRANULE);
    layout_close(layout);
    arena_destroy(arena);
}

Test(layout, every_fill_is_fresh_and_verified)
{
    struct arena *arena;
    struct finding why;
    struct layout *layout = open_layout(&arena);
    int32_t first;
    layout_fill(layout, 3);
    int32_t *values = args_of(arena, 1)->values;
    first = values[0] + 1000 * values[1];
    cr_expect(layout_verify(layout, 0, &why), "no element, nothing wrong");
    cr_expect_not(layout_verify(layout, 1, &why));
    cr_expect(strstr(why.text, "values["));
    for (int i = 0; i < 3; i++)
        values[i] *= 2;
    cr_expect(layout_verify(layout, 1, &why));
    layout_fill(layout, 3);
    cr_expect_neq(values[0] + 1000 * values[1], first);
    layout_close(layout);
    arena_destroy(arena);
}

/* At either end, and where a guard is not: what is beside a buffer is in the page, or in the granule, of it.
 */
Test(layout, who_writes_beside_a_buffer_is_told_where)
{
    static const struct {
        size_t call;
        ptrdiff_t at; /* of an int32_t */
        const char *says;
    } strays[] = {{1, -1, "4 bytes before the start of `values`, which has 12 bytes"},
                  {2, 5, "right behind the end of `values`, which has 20 bytes"},
                  {2, 1000, "3980 bytes past the end of `values`, which has 20 bytes"},
                  {0, -3, "12 bytes before the start of `values`, which has 0 bytes"}};
    struct arena *arena;
    struct finding why;
    struct layout *layout = open_layout(&arena);
    for (size_t i = 0; i < sizeof strays / sizeof *strays; i++) {
        const size_t call = strays[i].call;
        layout_fill(layout, 3);
        int32_t *values = args_of(arena, call)->values;
        for (size_t k = 0; k < calls[call].n; k++)
            values[k] *= 2;
        cr_expect(layout_verify(layout, call, &why), "%s", why.text);
        values[strays[i].at] = 0;
        cr_expect_not(layout_verify(layout, call, &why));
        cr_expect(strstr(why.text, "something wrote ") && strstr(why.text, strays[i].says), "%s", why.text);
        values[strays[i].at] = 0x2a; /* a byte that stood there before makes it no better */
        cr_expect_not(layout_verify(layout, call, &why));
    }
    layout_close(layout);
    arena_destroy(arena);
}

Test(layout, the_same_seed_gives_the_same_contents)
{
    int32_t contents[2];
    for (int i = 0; i < 2; i++) {
        struct arena *arena;
        struct layout *layout = open_layout(&arena);
        layout_fill(layout, 3);
        contents[i] = args_of(arena, 2)->values[4];
        layout_close(layout);
        arena_destroy(arena);
    }
    cr_expect_eq(contents[0], contents[1]);
}

Test(layout, what_does_not_fit_is_an_error)
{
    struct error err;
    struct case_def large = def;
    struct arena *arena = arena_create(&err);
    struct layout_call huge = {(size_t)1 << 29, ARENA_AT_END};
    struct layout_request request = {.def = &large, .calls = &huge, .count = 1};
    cr_expect_null(layout_open(arena, &request, &err));
    cr_expect(strstr(err.text, "double"));
    large.setup = setup_too_large;
    request.calls = calls;
    cr_expect_null(layout_open(arena, &request, &err));
    arena_destroy(arena);
}

/* As in a job of Autolab, where files may have 100 MB. */
Test(layout, where_files_are_limited_the_arena_is_smaller)
{
    struct error err;
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit small = {.rlim_cur = (4 << 20) + 1, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    struct arena *arena = arena_create(&err);
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    struct arena *none = arena_create(&err);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_null(none);
    cr_expect(strstr(err.text, "ulimit -f"), "%s", err.text);
    cr_assert(arena);
    cr_expect_eq(arena_size(arena), 4 << 20);
    struct layout_call large = {(size_t)3 << 18, ARENA_AT_END}; /* 3 MiB, then 6 */
    struct layout_request request = {.def = &def, .calls = &large, .count = 1};
    struct layout *layout = layout_open(arena, &request, &err);
    cr_expect(layout, "%s", err.text);
    layout_close(layout);
    large.n *= 2;
    cr_expect_null(layout_open(arena, &request, &err));
    cr_expect(strstr(err.text, "arena of 4 MiB"), "%s", err.text);
    arena_destroy(arena);
}

Test(layout, addresses_are_described_by_buffer)
{
    struct arena *arena;
    char text[256];
    struct layout *layout = open_layout(&arena);
    layout_fill(layout, 3);
    uint64_t values = (uint64_t)args_of(arena, 1)->values;
    cr_assert(layout_describe(layout, values + 12, text, sizeof text));
    cr_expect_str_eq(text, "right behind the end of `values`, which has 12 bytes");
    cr_assert(layout_describe(layout, values + 20, text, sizeof text));
    cr_expect_str_eq(text, "8 bytes past the end of `values`, which has 12 bytes");
    cr_assert(layout_describe(layout, values + 4, text, sizeof text));
    cr_expect_str_eq(text, "byte 4 of `values`, which has 12 bytes");
    values = (uint64_t)args_of(arena, 2)->values;
    cr_assert(layout_describe(layout, values - 4, text, sizeof text));
    cr_expect_str_eq(text, "4 bytes before the start of `values`, which has 20 bytes");
    cr_expect_not(layout_describe(layout, 0, text, sizeof text));
    cr_expect_not(layout_describe(layout, ARENA_BASE + ARENA_SIZE - 1, text, sizeof text));
    layout_close(layout);
    arena_destroy(arena);
}

Test(layout, a_shared_object_without_cases_is_an_error)
{
    struct error err;
    cr_expect_null(case_table_load("/nowhere/cases.so", &err));
    cr_expect(strstr(err.text, "/nowhere/cases.so"));
    cr_expect_null(case_table_load("libm.so.6", &err));
    cr_expect(strstr(err.text, "cyclelab_cases"));
}
