#include "grader/base/isa.h"
#include "grader/base/textfile.h"
#include "grader/tests/scratch.h"

#include "grader/exercise/exercise.h"
#include "harness/walls/lent.h"

TestSuite(exercise, .init = scratch_make, .fini = scratch_remove);

#define GOOD                                                                                                 \
    "title: A title\n"                                                                                       \
    "goal: A goal.\n"                                                                                        \
    "core: cortex-a55\n"                                                                                     \
    "sources: [one, two]\n"                                                                                  \
    "functions: [f, g_2]\n"                                                                                  \
    "cflags: [-O2, -ffast-math]\n"                                                                           \
    "correctness:\n"                                                                                         \
    "  points: 2\n"                                                                                          \
    "  largest: 40\n"                                                                                        \
    "  cases: [random, all-inside]\n"                                                                        \
    "bounds:\n"                                                                                              \
    "  - name: first\n"                                                                                      \
    "    where: on random input\n"                                                                           \
    "    advice: Look there.\n"                                                                              \
    "    case: random\n"                                                                                     \
    "    kind: speedup\n"                                                                                    \
    "    share: 70\n"                                                                                        \
    "    elements: 65536\n"                                                                                  \
    "    points: 6\n"                                                                                        \
    "  - name: second\n"                                                                                     \
    "    where: on sorted input\n"                                                                           \
    "    advice: Look here.\n"                                                                               \
    "    case: sorted\n"                                                                                     \
    "    kind: counter\n"                                                                                    \
    "    counter: branch-misses\n"                                                                           \
    "    on: qemu\n"                                                                                         \
    "    cores: in-order\n"                                                                                  \
    "    calls: 7\n"                                                                                         \
    "    per-element: 0.02\n"                                                                                \
    "    elements: 1000\n"                                                                                   \
    "    points: 3\n"                                                                                        \
    "hints:\n"                                                                                               \
    "  - Think.\n"                                                                                           \
    "  - \"Think: more.\"\n"

static struct exercise *read_text(const char *text, struct error *err)
{
    *err = (struct error){""};
    scratch_write("harness/model/cores/cortex-a55.yml", "");
    scratch_write("harness/model/cores/neoverse-n1.yml", "");
    scratch_write("exercises/07-some-thing/exercise.yml", text);
    return exercise_read(scratch_root, "07-some-thing", err);
}

/* GOOD with `from` replaced by `to`; malloc'ed. */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(GOOD, from);
    char *text = NULL;
    cr_assert(at, "`%s` is not in the text", from);
    cr_assert(asprintf(&text, "%.*s%s%s", (int)(at - GOOD), GOOD, to, at + strlen(from)) > 0);
    return text;
}

Test(exercise, sizes_for_the_model_are_the_native_ones_within_limits)
{
    struct error err;
    struct exercise *e = read_text(GOOD, &err);
    cr_assert(e, "%s", err.text);
    cr_expect_eq(e->bounds[0].model.elements, BOUND_MODEL_ELEMENTS, "not 65536");
    cr_expect_eq(e->bounds[0].model.calls, 1, "as natively");
    cr_expect(e->bounds[0].model.warm_up);
    cr_expect_eq(e->bounds[1].model.elements, 1000);
    cr_expect_eq(e->bounds[1].model.calls, BOUND_MODEL_CALLS, "not 7");
    exercise_free(e);
}

Test(exercise, sizes_for_the_model_can_be_given)
{
    struct error err;
    char *text = changed("    points: 6\n",
                         "    points: 6\n    model: {elements: 100000, calls: 9, warm-up: false}\n");
    struct exercise *e = read_text(text, &err);
    cr_assert(e, "%s", err.text);
    cr_expect_eq(e->bounds[0].model.elements, 100000);
    cr_expect_eq(e->bounds[0].model.calls, 9);
    cr_expect_not(e->bounds[0].model.warm_up);
    cr_expect_eq(e->bounds[0].elements, 65536);
    exercise_free(e);
    free(text);
    text = changed("    points: 6\n", "    points: 6\n    model: {calls: 0}\n");
    cr_expect_null(read_text(text, &err));
    cr_expect(strstr(err.text, "bounds[1].model.calls: expected"), "%s", err.text);
    free(text);
}

Test(exercise, on_the_model_alone_any_of_its_events_may_be_counted)
{
    struct error err;
    char *text = changed("branch-misses", "slots-frontend");
    struct exercise *e = read_text(text, &err);
    cr_expect(e, "%s", err.text);
    exercise_free(e);
    free(text);
}

Test(exercise, every_value_arrives)
{
    struct error err;
    struct exercise *e = read_text(GOOD, &err);
    cr_assert(e, "%s", err.text);
    cr_expect_eq(e->number, 7);
    cr_expect_str_eq(e->id, "07-some-thing");
    cr_expect_str_eq(e->slug, "some-thing");
    cr_expect_str_eq(e->folder, scratch_path("exercises/07-some-thing"));
    cr_expect_str_eq(e->solution, scratch_path("solutions/07-some-thing"));
    cr_expect_str_eq(e->title, "A title");
    cr_expect_str_eq(e->goal, "A goal.");
    cr_expect_str_eq(e->core, "cortex-a55");
    cr_expect_eq(e->sources_count, 2);
    cr_expect_str_eq(e->sources[1], "two");
    cr_expect_eq(e->functions_count, 2);
    cr_expect_str_eq(e->functions[1], "g_2");
    cr_expect_eq(e->cflags_count, 2);
    cr_expect_str_eq(e->cflags[1], "-ffast-math");
    cr_expect_eq(e->cases_count, 2);
    cr_expect_str_eq(e->cases[1], "all-inside");
    cr_expect_eq(e->correctness_points, 2);
    cr_expect_eq(e->largest, 40);
    cr_expect(e->baseline);
    cr_expect_eq(e->hints_count, 2);
    cr_expect_str_eq(e->hints[1], "Think: more.");
    cr_assert_eq(e->bounds_count, 2);
    const struct bound_spec *b = e->bounds;
    cr_expect_str_eq(b[0].name, "first");
    cr_expect_str_eq(b[0].where, "on random input");
    cr_expect_str_eq(b[0].advice, "Look there.");
    cr_expect_str_eq(b[0].case_name, "random");
    cr_expect_eq(b[0].kind, BOUND_SPEEDUP);
    cr_expect_eq(b[0].on, BENCH_ANY);
    cr_expect_str_eq(b[0].cores, "");
    cr_expect_str_eq(b[0].counter, "");
    cr_expect_eq(b[0].limit, 700);
    cr_expect_eq(b[0].elements, 65536);
    cr_expect_eq(b[0].calls, 1);
    cr_expect_eq(b[0].points, 6);
    cr_expect_eq(b[1].kind, BOUND_COUNTER);
    cr_expect_eq(b[1].on, BENCH_QEMU);
    cr_expect_str_eq(b[1].cores, "in-order");
    cr_expect_str_eq(b[1].counter, "branch-misses");
    cr_expect_eq(b[1].calls, 7);
    cr_expect_eq(b[1].floor, 0);
    cr_expect_eq(exercise_points(e), 11);
    cr_expect_str_eq(bench_set_name(b[1].on), "qemu");
    exercise_free(e);
}

Test(exercise, where_a_bound_is_asked)
{
    const struct {
        struct bound_spec bound;
        bool native, in_order, out_of_order, blocks;
    } rows[] = {
        {{.cores = (char *)""}, true, true, true, true},
        {{.cores = (char *)"", .on = BENCH_NATIVE}, true, false, false, false},
        {{.cores = (char *)"", .on = BENCH_QEMU}, false, true, true, true},
        {{.cores = (char *)"in-order"}, false, true, false, false},
        {{.cores = (char *)"out-of-order"}, true, false, true, true},
        {{.cores = (char *)"fetch-blocks"}, false, false, false, true},
        {{.cores = (char *)"", .needs_fma = true}, isa_native_has_fma(), true, true, true},
    };
    const struct core in_order = {.kind = CORE_IN_ORDER}, out_of_order = {.kind = CORE_OUT_OF_ORDER},
                      blocks = {.kind = CORE_OUT_OF_ORDER, .fetch_block = 16};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(bound_is_native(&rows[i].bound), rows[i].native, "row %zu", i);
        cr_expect_eq(bound_is_for(&rows[i].bound, &in_order), rows[i].in_order, "row %zu", i);
        cr_expect_eq(bound_is_for(&rows[i].bound, &out_of_order), rows[i].out_of_order, "row %zu", i);
        cr_expect_eq(bound_is_for(&rows[i].bound, &blocks), rows[i].blocks, "row %zu", i);
    }
}

Test(exercise, what_a_bound_asks_is_told_with_its_number)
{
    static const struct {
        struct bound_spec bound;
        const char *goal;
    } bounds[] = {
        {{.kind = BOUND_SPEEDUP, .limit = 870, .where = (char *)"on random input"},
         "Reach at least 87 % of the reference's time saving on random input."},
        {{.kind = BOUND_NO_SLOWER, .limit = 255, .where = (char *)"on sorted input"},
         "Be at most 25.5 % slower than the slower of baseline and reference on sorted input."},
        {{.kind = BOUND_AGREE, .limit = 30, .where = (char *)"for a block"},
         "Come within 3 % of the reference's value for a block."},
        {{.kind = BOUND_COUNTER, .limit = 20, .where = (char *)"here", .counter = (char *)"branch-misses"},
         "Have at most 0.02 branch-misses for each element here."},
    };
    char goal[BOUND_GOAL];
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        bound_goal(&bounds[i].bound, goal);
        cr_expect_str_eq(goal, bounds[i].goal);
    }
}

Test(exercise, no_baseline_and_no_bounds)
{
    struct error err;
    char *text = changed("goal: A goal.\n", "goal: A goal.\nbaseline: false\n");
    char *bounds = strstr(text, "bounds:"), *hints = strstr(text, "hints:");
    memmove(bounds, hints, strlen(hints) + 1);
    struct exercise *e = read_text(text, &err);
    cr_assert(e, "%s", err.text);
    cr_expect_not(e->baseline);
    cr_expect_eq(e->bounds_count, 0);
    cr_expect_eq(exercise_points(e), 2);
    exercise_free(e);
    free(text);
}

Test(exercise, system_calls_are_lent_where_nothing_is_a_matter_of_speed)
{
    struct error err;
    char *text =
        changed("    kind: speedup\n    share: 70\n", "    kind: agree\n    on: native\n    tolerance: 20\n");
    struct exercise *e = read_text(text, &err);
    cr_assert(e, "%s", err.text);
    cr_expect_eq(e->lent, LENT_NONE);
    exercise_free(e);
    cr_assert_geq(asprintf(&text, "%ssystem-calls: [clock_nanosleep, clock_gettime]\n", text), 0);
    e = read_text(text, &err);
    cr_assert(e, "%s", err.text);
    cr_expect_eq(e->system_calls_count, 2);
    cr_expect_eq(e->lent, 1U << LENT_clock_nanosleep | 1U << LENT_clock_gettime);
    exercise_free(e);
    free(text);
}

Test(exercise, cases_that_the_native_bench_alone_asks_and_basic_ones)
{
    struct error err;
    char *text = changed("  cases: [random, all-inside]\n", "  cases: [random, all-inside, coarse]\n"
                                                            "  native: [coarse, random]\n"
                                                            "  basic: [coarse]\n  avx2: [random]\n");
    struct exercise *e = read_text(text, &err);
    cr_assert(e, "%s", err.text);
    e->correctness_points = 7;
    cr_expect(exercise_asks_case(e, "coarse", true));
    cr_expect_not(exercise_asks_case(e, "coarse", false));
    cr_expect_not(exercise_asks_case(e, "random", false));
    cr_expect(exercise_asks_case(e, "all-inside", false));
    cr_expect(exercise_is_basic(e, "coarse"));
    cr_expect_not(exercise_is_basic(e, "random"));
    cr_expect(exercise_is_avx2(e, "random"));
    cr_expect_not(exercise_is_avx2(e, "coarse"));
    cr_expect_eq(exercise_case_points(e, 0), 3);
    cr_expect_eq(exercise_case_points(e, 1), 2);
    cr_expect_eq(exercise_correctness_points(e, true), 7);
    cr_expect_eq(exercise_correctness_points(e, false), 2);
    exercise_free(e);
    free(text);
}

/* What a slip of the pen brings: the line, the key and what was expected. */
static const struct slip {
    const char *from, *to, *message;
} slips[] = {
    {"share: 70", "share: 1.5x",
     ":17: bounds[1].share: expected a number from 0.1 to 100 with at most 1 decimal, found `1.5x`"},
    {"share: 70", "share: 1,5", "found `1,5`"},
    {"share: 70", "share: nan", "found `nan`"},
    {"share: 70", "share: 070", "found `070`"},
    {"share: 70", "share: -1", "found `-1`"},
    {"share: 70", "share: 87.25", "found `87.25`"},
    {"share: 70", "share: .5", "found `.5`"},
    {"share: 70", "share: 5.", "found `5.`"},
    {"share: 70", "share: \"7\\0\"", ":17: bounds[1].share: expected plain text, found a NUL byte"},
    {"share: 70", "share: 100.1", "from 0.1 to 100 with at most 1 decimal, found `100.1`"},
    {"share: 70", "share: 0", "from 0.1 to 100 with at most 1 decimal, found `0`"},
    {"share: 70", "share: 99999999999999999999", "bounds[1].share"},
    {"share: 70",
     "share:", ":17: bounds[1].share: expected a number from 0.1 to 100 with at most 1 decimal, found ``"},
    {"    share: 70\n", "", ":12: bounds[1].share: is missing: expected a number from 0.1 to 100"},
    {"share: 70", "slack: 70", ":17: bounds[1].slack: expected with `kind: no-slower` only"},
    {"per-element: 0.02\n", "per-element: 1000.001\n",
     "from 0 to 1000 with at most 3 decimals, found `1000.001`"},
    {"share: 70", "permille: 875",
     ":17: bounds[1].permille: `permille` is now `share`, in percent: expected `share: 87.5`"},
    {"per-element: 0.02", "permille: 20", "expected `per-element: 0.02`"},
    {"share: 70", "permille: many", "expected `share: ...`"},
    {"    where: on random input", "    says: it is fast",
     ":13: bounds[1].says: `says` is now `where`, of which the sentence is made: expected `where: ...`"},
    {"advice: Look there.", "missed: Look there.", ":14: bounds[1].missed: `missed` is now `advice`"},
    {"elements: 65536", "elements: 0", ":18: bounds[1].elements: expected a whole number from 1"},
    {"calls: 7", "calls: many", ":28: bounds[2].calls"},
    {"calls: 7", "calls: 257", ":28: bounds[2].calls: expected a whole number from 1 to 256"},
    {"points: 6", "points: 1001", "bounds[1].points"},
    {"points: 6", "points: 6\n    floor: 0.5", "bounds[1].floor: expected a whole number"},
    {"largest: 40", "largest: 7", ":9: correctness.largest: expected a whole number from 8 to 256"},
    {"largest: 40", "largest: 257", "from 8 to 256"},
    {"  largest: 40\n", "", ":7: correctness.largest: is missing"},
    {"title: A title\n", "", ":1: title: is missing: expected a line of text"},
    {"title: A title", "title:", ":1: title: expected a line of text, found ``"},
    {"title: A title", "title: \"a\\eb\"", ":1: title: expected a line of text"},
    {"title: A title", "title: [A]", ":1: title: expected a single value, found a list"},
    {"title: A title", "title: {a: b}", "expected a single value, found keys and values"},
    {"goal: A goal.\n", "", "goal: is missing"},
    {"cortex-a55", "cortex-a53", ":3: core: expected cortex-a55 or neoverse-n1, found `cortex-a53`"},
    {"core: cortex-a55\n", "", ":1: core: is missing: expected a core, like cortex-a55"},
    {"[one, two]", "[one, ../two]", ":4: sources[2]: expected a file's name"},
    {"[one, two]", "[one, one]", ":4: sources[2]: `one` is there already, as item 1"},
    {"[one, two]", "[]", ":4: sources: "},
    {"[one, two]", "one", ":4: sources: expected a list, found a single value"},
    {"[f, g_2]", "[f, 2g]", ":5: functions[2]: expected a function's name in C"},
    {"[-O2, -ffast-math]", "[-O2, fast]", ":6: cflags[2]: expected one compiler flag"},
    {"[-O2, -ffast-math]", "[\"-O2 -g\"]", ":6: cflags[1]: expected one compiler flag"},
    {"[random, all-inside]", "[Random]", ":10: correctness.cases[1]: expected words of a-z"},
    {"[random, all-inside]", "[random-]", "correctness.cases[1]"},
    {"name: second", "name: first", ":20: bounds[2].name: `first` is there already, as item 1"},
    {"case: random", "case: ''", ":15: bounds[1].case: expected words"},
    {"    case: random\n", "", "bounds[1].case: is missing"},
    {"    where: on random input\n", "", "bounds[1].where: is missing"},
    {"    advice: Look there.\n", "", "bounds[1].advice: is missing"},
    {"kind: speedup", "kind: faster",
     ":16: bounds[1].kind: expected speedup, no-slower, agree or counter, found `faster`"},
    {"kind: speedup", "kind: speedup\n    counter: cycles",
     ":17: bounds[1].counter: expected with `kind: counter` only"},
    {"on: qemu", "on: emu", ":26: bounds[2].on: expected any, native or qemu, found `emu`"},
    {"cores: in-order", "cores: small",
     ":27: bounds[2].cores: expected in-order, out-of-order or fetch-blocks, found `small`"},
    {"counter: branch-misses", "counter: luck", "bounds[2].counter: expected"},
    {"    counter: branch-misses\n", "", "bounds[2].counter: is missing"},
    {"goal: A goal.", "goal: A goal.\nbaseline: maybe",
     ":3: baseline: expected false or true, found `maybe`"},
    {"goal: A goal.", "goal: A goal.\nbaseline: false",
     ":17: bounds[1].kind: `speedup` is taken against a baseline"},
    {"hints:\n", "system-calls: [clock_gettime]\nhints:\n",
     ":32: system-calls[1]: `clock_gettime` is lent where no bound is a matter of speed: expected bounds of "
     "kind "
     "agree or counter alone, found `kind: speedup` in bounds[1]"},
    {"hints:\n", "system-calls: [socket]\nhints:\n",
     ":32: system-calls[1]: expected clock_gettime, clock_getres or clock_nanosleep, found `socket`"},
    {"hints:\n", "system-calls: []\nhints:\n", ":32: system-calls: expected"},
    {"cases: [random, all-inside]", "cases: [random, all-inside]\n  native: [sorted]",
     ":11: correctness.native[1]: expected random or all-inside, found `sorted`"},
    {"cases: [random, all-inside]", "cases: [random, all-inside]\n  basic: [sorted]",
     ":11: correctness.basic[1]: expected random or all-inside, found `sorted`"},
    {"cases: [random, all-inside]", "cases: [random, all-inside]\n  avx2: [sorted]",
     ":11: correctness.avx2[1]: expected random or all-inside, found `sorted`"},
    {"cases: [random, all-inside]", "cases: [random, all-inside]\n  native: [random, random]",
     ":11: correctness.native[2]: `random` is there already, as item 1"},
    {"hints:\n", "hint:\n", ":32: hint: there is no such key"},
    {"    where: on sorted input", "    were: on sorted input", ":21: bounds[2].were: there is no such key"},
    {"goal: A goal.", "title: Again", ":2: title: expected once, found a second time"},
    {"correctness:\n  points: 2\n  largest: 40\n  cases: [random, all-inside]\n", "correctness: 3\n",
     ":7: correctness: expected keys and values, found a single value"},
    {"hints:\n  - Think.\n  - \"Think: more.\"\n", "", "hints: is missing: expected a list of at least 1"},
    {"  - Think.\n", "  -\n", ":33: hints[1]: expected a line of text"},
    {"A title", "\"A title", "not valid YAML"},
    {"A title", "*title", "not valid YAML"},
    {"A title", "&t x\ngoal: *t", "expected plain values, found an alias"},
    {"A title", "&t x", ":1: expected plain values, found an alias"},
    {"title: A title", "%TAG !t! tag:t\n---\ntitle: A title", ":1: expected plain values, found a directive"},
    {"A title", "\xff", "not valid YAML"},
    {"hints:\n", "---\nhints:\n", ":33: expected one document, found a second one"},
    {"hints:\n", "---\n{hints:\n", "not valid YAML"},
};

Test(exercise, each_slip_is_named_with_its_line)
{
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        struct error err;
        char *text = changed(slips[i].from, slips[i].to);
        struct exercise *e = read_text(text, &err);
        cr_expect_null(e, "`%s` was taken", slips[i].to);
        expect_has(err.text, slips[i].message);
        expect_has(err.text, "exercises/07-some-thing/exercise.yml:");
        exercise_free(e);
        free(text);
    }
}

/* The parser takes the square of their number for some of these. */
Test(exercise, as_much_as_a_file_holds)
{
    static const struct {
        const char *part, *message;
    } many[] = {
        {"[", ":1: expected a few levels, found them nested without end"},
        {"{a: ", ":1: expected a few levels, found them nested without end"},
        {"- ", ":1: expected a few levels, found them nested without end"},
        {"- &a x\n", ":1: expected plain values, found an alias"},
        {"%TAG !a! tag:a\n", ":1: expected plain values, found a directive"},
    };
    enum { SIZE = 250000 };
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        struct error err;
        char *text = calloc(SIZE + 1, 1);
        for (size_t at = 0, length = strlen(many[i].part); at + length <= SIZE; at += length)
            memcpy(text + at, many[i].part, length);
        cr_expect_null(read_text(text, &err));
        expect_has(err.text, many[i].message);
        free(text);
    }
}

Test(exercise, nothing_at_all)
{
    struct error err;
    cr_expect_null(read_text("", &err));
    expect_has(err.text, "exercise.yml: expected keys and values, found an empty file");
    cr_expect_null(read_text("# only a comment\n", &err));
    expect_has(err.text, "found an empty file");
    cr_expect_null(read_text("just text\n", &err));
    expect_has(err.text, ":1: expected keys and values, found a single value");
    cr_expect_null(read_text("{}\n", &err));
    expect_has(err.text, "title: is missing");
    cr_expect_null(exercise_read(scratch_root, "08-none", &err));
    expect_has(err.text, "exercises/08-none/exercise.yml: cannot be opened: No such file");
    cr_expect_null(exercise_read(scratch_root, "../etc", &err));
    expect_has(err.text, "found `../etc`");
}

Test(exercise, no_points_at_all)
{
    struct error err;
    static const char *const from[] = {"points: 2", "points: 6", "points: 3"};
    char *text = strdup(GOOD);
    for (int i = 0; i < 3; i++)
        *(strstr(text, from[i]) + 8) = '0';
    cr_expect_null(read_text(text, &err));
    expect_has(err.text, "found none in all");
    free(text);
}

Test(exercise, names_of_folders)
{
    cr_expect(exercise_is_id("03-branch-elimination"));
    cr_expect(exercise_is_id("10-a"));
    static const char *const bad[] = {"",     "3-a",  "03",    "03-",    "03--a", "03-a-",
                                      "03_a", "03-A", "003-a", "03-a.b", "..",    "aa-b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(exercise_is_id(bad[i]), "%s", bad[i]);
}

static void three(void)
{
    scratch_write("exercises/02-second/exercise.yml", "");
    scratch_write("exercises/10-tenth/exercise.yml", "");
    scratch_write("exercises/01-first-one/exercise.yml", "");
    scratch_write("exercises/README.md", "");
    scratch_write("exercises/2-odd/exercise.yml", "");
}

Test(exercise, listed_by_number)
{
    struct error err;
    three();
    char **ids = exercise_list(scratch_root, &err);
    cr_assert(ids, "%s", err.text);
    cr_expect_str_eq(ids[0], "01-first-one");
    cr_expect_str_eq(ids[1], "02-second");
    cr_expect_str_eq(ids[2], "10-tenth");
    cr_expect_null(ids[3]);
    textfile_names_free(ids);
}

Test(exercise, found_by_each_of_its_names)
{
    three();
    static const char *const names[] = {"1", "01", "001", "first-one", "01-first-one"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct error err;
        char *id = exercise_find(scratch_root, names[i], &err);
        cr_assert(id, "%s", err.text);
        cr_expect_str_eq(id, "01-first-one");
        free(id);
    }
}

Test(exercise, not_found_lists_what_there_is)
{
    three();
    static const char *const names[] = {"3", "", "first", "0x1", "99999999999999", "../exercises/02-second",
                                        "-1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct error err;
        cr_expect_null(exercise_find(scratch_root, names[i], &err), "%s", names[i]);
        expect_has(err.text, "there are: 01-first-one, 02-second, 10-tenth");
    }
}

Test(exercise, a_number_given_twice_is_told)
{
    struct error err;
    three();
    scratch_write("exercises/02-second-copy/exercise.yml", "");
    cr_expect_null(exercise_find(scratch_root, "2", &err));
    expect_has(err.text, "`2` could be any of 02-second, 02-second-copy");
}

Test(exercise, no_folder_of_exercises)
{
    struct error err;
    cr_expect_null(exercise_list(scratch_root, &err));
    expect_has(err.text, "is this the project's folder?");
    cr_expect_null(exercise_find(scratch_root, "1", &err));
    mkdir(scratch_path("exercises"), 0777);
    cr_expect_null(exercise_list(scratch_root, &err));
    expect_has(err.text, "found none");
}

/* The shipped ones: each with three hints. */
Test(exercise, shipped)
{
    struct error err;
    char **ids = exercise_list(".", &err);
    cr_assert(ids, "%s", err.text);
    for (char **id = ids; *id; id++) {
        struct exercise *e = exercise_read(".", *id, &err);
        cr_expect(e, "%s", err.text);
        if (!e)
            continue;
        cr_expect_eq(e->hints_count, 3, "%s", *id);
        cr_expect_eq(strncmp(e->folder, "exercises/", 10), 0);
        exercise_free(e);
    }
    textfile_names_free(ids);
}

/* ---- sweep ---- */

#define SWEEP                                                                                                \
    "sweep:\n"                                                                                               \
    "  parameter: ACCUMULATORS\n"                                                                            \
    "  says: accumulators\n"                                                                                 \
    "  values: [1, 2, 16]\n"                                                                                 \
    "  bound: second\n"                                                                                      \
    "  formula: latency-throughput\n"                                                                        \
    "  class: fp-add\n"                                                                                      \
    "hints:\n"

Test(exercise, a_sweep_arrives)
{
    struct error err;
    char *text = changed("hints:\n", SWEEP);
    struct exercise *e = read_text(text, &err);
    free(text);
    cr_assert(e, "%s", err.text);
    cr_assert(e->sweep);
    cr_expect_str_eq(e->sweep->parameter, "ACCUMULATORS");
    cr_expect_str_eq(e->sweep->says, "accumulators");
    cr_assert_eq(e->sweep->values_count, 3);
    cr_expect_eq(e->sweep->values[2], 16);
    cr_expect_str_eq(e->sweep->bound, "second");
    cr_expect_eq(e->sweep->formula, SWEEP_LATENCY_THROUGHPUT);
    cr_expect_str_eq(e->sweep->op_class, "fp-add");
    exercise_free(e);
}

Test(exercise, a_sweep_is_checked)
{
    static const struct {
        const char *from, *to, *part;
    } wrong[] = {
        {"ACCUMULATORS", "4K", "sweep.parameter: expected"},
        {"[1, 2, 16]", "[1]", "sweep.values: expected a list of 2 to 32: rising numbers, found 1"},
        {"[1, 2, 16]", "[1, 16, 2]", "sweep.values[3]"},
        {"[1, 2, 16]", "[1, two]", "sweep.values[2]"},
        {"bound: second", "bound: third", "sweep.bound"},
        {"latency-throughput", "magic", "sweep.formula"},
        {"fp-add", "fp-adds", "sweep.class"},
        {"formula: latency-throughput", "formula: none", "sweep.class: expected with"},
        {"  says: accumulators\n", "", "sweep.says: is missing"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error err;
        const char *at = strstr(SWEEP, wrong[i].from);
        char *sweep = NULL;
        cr_assert(at && asprintf(&sweep, "%.*s%s%s", (int)(at - SWEEP), SWEEP, wrong[i].to,
                                 at + strlen(wrong[i].from)) > 0);
        char *text = changed("hints:\n", sweep);
        cr_expect_null(read_text(text, &err), "%s", wrong[i].to);
        expect_has(err.text, wrong[i].part);
        free(text);
        free(sweep);
    }
}

Test(exercise, mistakes_are_about_checks_that_there_are)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"  - {name: a, fails: [first], says: Why.}\n", NULL},
        {"  - {name: a, fails: [right-random], message: off, least: 1.5, on: qemu, says: Why.}\n", NULL},
        {"  - {name: a, fails: [right-nothing], says: Why.}\n", "mistakes[1].fails[1]: expected"},
        {"  - {name: a, fails: [slower], says: Why.}\n", "mistakes[1].fails[1]: expected"},
        {"  - {name: a, fails: [], says: Why.}\n", "mistakes[1].fails"},
        {"  - {name: a, says: Why.}\n", "mistakes[1].fails: is missing"},
        {"  - {name: a, fails: [right-random], counted: {case: random, counter: luck}, says: Why.}\n",
         "mistakes[1].counted.counter: expected cycles"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error err;
        char *text;
        cr_assert(asprintf(&text, "mistakes:\n%s%s", rows[i].text, GOOD) > 0);
        struct exercise *e = read_text(text, &err);
        cr_expect_eq(e != NULL, rows[i].why == NULL, "%zu: %s", i, err.text);
        cr_expect(!rows[i].why || strstr(err.text, rows[i].why), "%zu: %s", i, err.text);
        if (e)
            cr_expect_eq(e->mistakes_count, 1);
        exercise_free(e);
        free(text);
    }
}
