#include "grader/exercise/exercise_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/isa.h"
#include "grader/base/strings.h"
#include "grader/base/textfile.h"
#include "grader/core/core_file.h"
#include "harness/model/model.h"
#include "harness/pmu/pmu.h"
#include "harness/walls/isolation.h"

enum {
    MOST_FLOOR = 1000 * 1000,
    MOST_CALLS = 256, /* what the bench has room for */
    LEAST_VALUES = 2,
    MOST_VALUES = 32, /* of a sweep: as many processes at once */
    MOST_FIGURE = 1000 * 1000 * 1000,
};

static const char *const kinds[] = {"speedup", "no-slower", "agree", "counter", NULL};
static const char *const benches[] = {"any", "native", "qemu", NULL};
static const char *const formulas[] = {"none", "latency-throughput", "memory-latency", NULL};
static const char *const quantities[] = {"cycles",          "speedup", "branch-misses",
                                         "l1d-load-misses", "value",   NULL};
enum { FETCHES_BLOCKS = CORE_OUT_OF_ORDER + 1 };
static const char *const core_kinds[] = {[CORE_IN_ORDER] = "in-order",
                                         [CORE_OUT_OF_ORDER] = "out-of-order",
                                         [FETCHES_BLOCKS] = "fetch-blocks",
                                         NULL};

const char *bench_set_name(enum bench_set set)
{
    return benches[set];
}

void bound_goal(const struct bound_spec *bound, char text[BOUND_GOAL])
{
    static const char *const asked[] = {
        [BOUND_SPEEDUP] = "Reach at least %s %% of the reference's time saving %s.",
        [BOUND_NO_SLOWER] = "Be at most %s %% slower than the slower of baseline and reference %s.",
        [BOUND_AGREE] = "Come within %s %% of the reference's value %s.",
    };
    char number[24];
    bool counts = bound->kind == BOUND_COUNTER;
    schema_print_number(number, sizeof number, bound->limit, counts ? 3 : 1);
    if (counts)
        snprintf(text, BOUND_GOAL, "Have at most %s %s for each element %s.", number, bound->counter,
                 bound->where);
    else
        snprintf(text, BOUND_GOAL, asked[bound->kind], number, bound->where);
}

/* ---- what a value may be ---- */

/* The stem of a file's name: no folders, nothing hidden. */
static bool is_stem(const char *text)
{
    return isalpha((unsigned char)*text) &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0';
}

static bool is_identifier(const char *text)
{
    return (isalpha((unsigned char)*text) || *text == '_') &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static bool is_flag(const char *text)
{
    return text[0] == '-' && text[1] != '\0' && schema_line.holds(text) && !strchr(text, ' ');
}

static const struct schema_rule stem = {is_stem, "a file's name without folder and ending, like `clamp`"};
static const struct schema_rule identifier = {is_identifier, "a function's name in C"};
static const struct schema_rule flag = {is_flag, "one compiler flag, like `-O2`"};

/* ---- words that a value may be ---- */

static struct exercise *read_by(const struct schema_reader *r)
{
    return ((struct exercise_reading *)r->context)->exercise;
}

const char *exercise_core_word(struct schema_reader *r, const void *place, unsigned i)
{
    (void)place;
    return ((struct exercise_reading *)r->context)->cores[i];
}

const char *exercise_bound_word(struct schema_reader *r, const void *place, unsigned i)
{
    (void)place;
    return i < read_by(r)->bounds_count ? read_by(r)->bounds[i].name : NULL;
}

static const char *case_word(struct schema_reader *r, const void *place, unsigned i)
{
    (void)place;
    return i < read_by(r)->cases_count ? read_by(r)->cases[i] : NULL;
}

/* Evidence is about a bound or, as `right-CASE`, a case of correctness. */
static const char *evidence_word(struct schema_reader *r, const void *place, unsigned i)
{
    char word[sizeof CHECK_RIGHT + 80];
    const unsigned bounds = read_by(r)->bounds_count;
    const char *name = i < bounds ? exercise_bound_word(r, place, i) : case_word(r, place, i - bounds);
    if (i < bounds || !name)
        return name;
    snprintf(word, sizeof word, CHECK_RIGHT "%s", name);
    return pool_copy(r->pool, word);
}

static const char *event_word(struct schema_reader *r, const void *place, unsigned i)
{
    (void)r;
    (void)place;
    return model_event_name((enum model_event)i);
}

static const char *class_word(struct schema_reader *r, const void *place, unsigned i)
{
    (void)r;
    (void)place;
    return op_class_name((enum op_class)i);
}

static bool check_kind(struct schema_reader *r, void *place)
{
    enum bound_kind kind = *(enum bound_kind *)place;
    return read_by(r)->baseline || kind == BOUND_AGREE || kind == BOUND_COUNTER ||
           schema_wrong(r, "", "`%s` is taken against a baseline: expected `baseline: true`", kinds[kind]);
}

/* A counter that any bench may have; or, for the model alone, any of its events. */
static const char *counter_word(struct schema_reader *r, const void *place, unsigned i)
{
    const struct bound_spec *bound =
        (const void *)((const char *)place - offsetof(struct bound_spec, counter));
    if (bound->on == BENCH_QEMU)
        return event_word(r, place, i);
    return i < PMU_EVENTS ? pmu_event_name((enum pmu_event)i) : NULL;
}

static uint32_t at_most(uint32_t number, uint32_t most)
{
    return number < most ? number : most;
}

/* Sizes for the model: what is not there is as natively, within limits. */
static bool complete_bound(struct schema_reader *r, void *place)
{
    struct bound_spec *bound = place;
    struct bound_model *model = &bound->model;
    (void)r;
    if (bound->calls == 0)
        bound->calls = 1;
    if (model->elements == 0)
        model->elements = at_most(bound->elements, BOUND_MODEL_ELEMENTS);
    if (model->calls == 0)
        model->calls = at_most(bound->calls, BOUND_MODEL_CALLS);
    return true;
}

static bool has_points(struct schema_reader *r, void *place)
{
    return exercise_points(place) > 0 ||
           schema_wrong(r, "correctness.points", "expected points somewhere, found none in all");
}

/* ---- the file ---- */

static const struct schema_row model_rows[] = {
    {"elements", SCHEMA_NUMBER, SCHEMA_AT(struct bound_model, elements), .optional = true, .least = 1,
     .most = MOST_ELEMENTS},
    {"calls", SCHEMA_NUMBER, SCHEMA_AT(struct bound_model, calls), .optional = true, .least = 1,
     .most = MOST_CALLS},
    {"warm-up", SCHEMA_BOOL, SCHEMA_AT(struct bound_model, warm_up), .optional = true},
    SCHEMA_END,
};

#define AT(MEMBER) SCHEMA_AT(struct bound_spec, MEMBER)
static const struct schema_row bound_rows[] = {
    {"name", SCHEMA_TEXT, AT(name), .rule = &schema_kebab},
    {"says", SCHEMA_RENAMED, .renamed = "where", .meaning = "`where`, of which the sentence is made"},
    {"where", SCHEMA_TEXT, AT(where), .rule = &schema_line},
    {"missed", SCHEMA_RENAMED, .renamed = "advice", .meaning = "`advice`"},
    {"advice", SCHEMA_TEXT, AT(advice), .rule = &schema_line},
    {"case", SCHEMA_TEXT, AT(case_name), .rule = &schema_kebab},
    {"kind", SCHEMA_WORD, AT(kind), .words = kinds, .check = check_kind},
    {"on", SCHEMA_WORD, AT(on), .optional = true, .words = benches},
    {"needs-fma", SCHEMA_BOOL, AT(needs_fma), .optional = true},
    {"cores", SCHEMA_TEXT, AT(cores), .optional = true, .words = core_kinds},
    {"counter", SCHEMA_TEXT, AT(counter), .word = counter_word, .meaning = "an event, like branch-misses",
     .only = {"kind: counter", offsetof(struct bound_spec, kind), BOUND_COUNTER}},
    LIMIT_ROWS(struct bound_spec, limit, .optional = false),
    {"elements", SCHEMA_NUMBER, AT(elements), .least = 1, .most = MOST_ELEMENTS},
    {"calls", SCHEMA_NUMBER, AT(calls), .optional = true, .least = 1, .most = MOST_CALLS},
    {"points", SCHEMA_NUMBER, AT(points), POINTS_RANGE},
    {"floor", SCHEMA_NUMBER, AT(floor), .optional = true, .least = 0, .most = MOST_FLOOR},
    {"model", SCHEMA_MAPPING, AT(model), .optional = true, .rows = model_rows},
    SCHEMA_END,
};
#undef AT
static const struct bound_spec bound_before = {
    .cores = (char *)"", .counter = (char *)"", .model = {.warm_up = true}};

#define AT(MEMBER) SCHEMA_AT(struct sweep_spec, MEMBER)
static const struct schema_row value_row = {
    .kind = SCHEMA_NUMBER, .size = sizeof(uint32_t), .least = 0, .most = MOST_ELEMENTS};
static const struct sweep_spec sweep_before = {.op_class = (char *)""};
static const struct schema_row sweep_rows[] = {
    {"parameter", SCHEMA_TEXT, AT(parameter), .rule = &identifier},
    {"says", SCHEMA_TEXT, AT(says), .rule = &schema_line},
    {"values", SCHEMA_ITEMS(struct sweep_spec, values), .item = &value_row, .least = LEAST_VALUES,
     .most = MOST_VALUES, .order = SCHEMA_RISING, .meaning = "rising numbers"},
    {"bound", SCHEMA_TEXT, AT(bound), .word = exercise_bound_word},
    {"formula", SCHEMA_WORD, AT(formula), .optional = true, .words = formulas},
    {"class", SCHEMA_TEXT, AT(op_class), .word = class_word, .meaning = "an instruction class, like fp-add",
     .only = {"formula: latency-throughput", offsetof(struct sweep_spec, formula), SWEEP_LATENCY_THROUGHPUT}},
    SCHEMA_END,
};
#undef AT

#define AT(MEMBER) SCHEMA_AT(struct predict_spec, MEMBER)
static const struct predict_spec predict_before = {.asks = (char *)""};
static const struct schema_row predict_rows[] = {
    {"bound", SCHEMA_TEXT, AT(bound), .word = exercise_bound_word},
    {"quantity", SCHEMA_WORD, AT(quantity), .words = quantities},
    {"asks", SCHEMA_TEXT, AT(asks), .rule = &schema_line},
    SCHEMA_END,
};
#undef AT

#define TEXTS(TYPE, MEMBER, ITEM) SCHEMA_ITEMS(TYPE, MEMBER), .least = 1, .item = &(ITEM)

static const struct schema_row stem_row = {.kind = SCHEMA_TEXT, .rule = &stem},
                               identifier_row = {.kind = SCHEMA_TEXT, .rule = &identifier},
                               flag_row = {.kind = SCHEMA_TEXT, .rule = &flag},
                               kebab_row = {.kind = SCHEMA_TEXT, .rule = &schema_kebab},
                               line_row = {.kind = SCHEMA_TEXT, .rule = &schema_line};

#define RANGE(TYPE, MEMBER, KEY)                                                                             \
    {                                                                                                        \
        KEY, SCHEMA_NUMBER, SCHEMA_AT(TYPE, MEMBER), .optional = true, .places = 3, .least = 0,              \
                                                     .most = MOST_FIGURE                                     \
    }
static const struct schema_row evidence_row = {.kind = SCHEMA_TEXT, .word = evidence_word};
static const struct schema_row counted_rows[] = {
    {"case", SCHEMA_TEXT, SCHEMA_AT(struct mistake_spec, counted.case_name), .rule = &schema_kebab},
    {"counter", SCHEMA_TEXT, SCHEMA_AT(struct mistake_spec, counted.counter), .word = event_word,
     .meaning = "an event of the model, like branch-misses"},
    RANGE(struct mistake_spec, counted.least, "least"),
    RANGE(struct mistake_spec, counted.most, "most"),
    SCHEMA_END,
};
#define AT(MEMBER) SCHEMA_AT(struct mistake_spec, MEMBER)
static const struct schema_row mistake_rows[] = {
    {"name", SCHEMA_TEXT, AT(name), .rule = &schema_kebab},
    {"fails", TEXTS(struct mistake_spec, fails, evidence_row), .unique = ""},
    {"message", SCHEMA_TEXT, AT(message), .optional = true, .rule = &schema_line},
    RANGE(struct mistake_spec, least, "least"),
    RANGE(struct mistake_spec, most, "most"),
    {"on", SCHEMA_WORD, AT(on), .optional = true, .words = benches},
    {"passes", TEXTS(struct mistake_spec, passes, evidence_row), .optional = true, .unique = ""},
    {"counted", SCHEMA_MAPPING, .optional = true, .rows = counted_rows},
    {"says", SCHEMA_TEXT, AT(says), .rule = &schema_line},
    SCHEMA_END,
};
#undef AT
static const struct mistake_spec mistake_before = {
    .message = (char *)"",
    .most = MISTAKE_ANY,
    .counted = {.case_name = (char *)"", .counter = (char *)"", .most = MISTAKE_ANY}};

/* Who has a clock can tell a timed call from another, and who can sleep need not compute. */
static bool check_call(struct schema_reader *r, void *place)
{
    struct exercise *e = read_by(r);
    unsigned index = 0;
    while (strcmp(*(char **)place, isolation_lent[index]) != 0)
        index++;
    for (unsigned i = 0; i < e->bounds_count; i++)
        if (e->bounds[i].kind == BOUND_SPEEDUP || e->bounds[i].kind == BOUND_NO_SLOWER)
            return schema_wrong(
                r, "",
                "`%s` is lent where no bound is a matter of speed: expected bounds of kind agree "
                "or counter alone, found `kind: %s` in bounds[%u]",
                isolation_lent[index], kinds[e->bounds[i].kind], i + 1);
    e->lent |= 1U << index;
    return true;
}

static const struct schema_row some_case_row = {.kind = SCHEMA_TEXT, .word = case_word},
                               call_row = {.kind = SCHEMA_TEXT, .words = isolation_lent, .check = check_call};

#define AT(MEMBER) SCHEMA_AT(struct exercise, MEMBER)
/* `correctness`, whose members stand in struct exercise itself. */
static const struct schema_row correctness_rows[] = {
    {"points", SCHEMA_NUMBER, AT(correctness_points), POINTS_RANGE},
    {"largest", SCHEMA_NUMBER, AT(largest), LARGEST_RANGE},
    {"cases", TEXTS(struct exercise, cases, kebab_row), .unique = ""},
    {"native", TEXTS(struct exercise, native, some_case_row), .optional = true, .unique = ""},
    {"basic", TEXTS(struct exercise, basic, some_case_row), .optional = true, .unique = ""},
    {"avx2", TEXTS(struct exercise, avx2, some_case_row), .optional = true, .unique = ""},
    SCHEMA_END,
};
static const struct schema_row rows[] = {
    {"title", SCHEMA_TEXT, AT(title), .rule = &schema_line},
    {"goal", SCHEMA_TEXT, AT(goal), .rule = &schema_line},
    {"core", SCHEMA_TEXT, AT(core), .word = exercise_core_word, .meaning = "a core, like cortex-a55"},
    {"on", SCHEMA_WORD, AT(on), .optional = true, .words = benches},
    {"sources", TEXTS(struct exercise, sources, stem_row), .unique = ""},
    {"functions", TEXTS(struct exercise, functions, identifier_row), .unique = ""},
    {"cflags", TEXTS(struct exercise, cflags, flag_row)},
    {"correctness", SCHEMA_MAPPING, .rows = correctness_rows},
    {"baseline", SCHEMA_BOOL, AT(baseline), .optional = true},
    {"bounds", SCHEMA_ITEMS(struct exercise, bounds), .optional = true, .rows = bound_rows,
     .item_before = &bound_before, .each = complete_bound, .unique = "name"},
    {"system-calls", TEXTS(struct exercise, system_calls, call_row), .optional = true, .unique = ""},
    {"mistakes", SCHEMA_ITEMS(struct exercise, mistakes), .optional = true, .rows = mistake_rows,
     .item_before = &mistake_before, .unique = "name"},
    {"sweep", SCHEMA_MAPPING, AT(sweep), .optional = true, .rows = sweep_rows, .pointer = true,
     .item_size = sizeof(struct sweep_spec), .item_before = &sweep_before},
    {"predict", SCHEMA_MAPPING, AT(predict), .optional = true, .rows = predict_rows, .pointer = true,
     .item_size = sizeof(struct predict_spec), .item_before = &predict_before},
    {"hints", TEXTS(struct exercise, hints, line_row)},
    SCHEMA_END,
};
#undef AT

static bool set_folders(struct exercise *e, const char *root, const char *id)
{
    char folder[280], solution[280];
    snprintf(folder, sizeof folder, "exercises/%.255s", id);
    snprintf(solution, sizeof solution, "solutions/%.255s", id);
    e->number = (unsigned)strtoul(id, NULL, 10);
    e->id = pool_copy(&e->pool, id);
    e->slug = pool_copy(&e->pool, id + 3);
    e->folder = textfile_join(root, folder);
    e->solution = textfile_join(root, solution);
    return e->id && e->slug && e->folder && e->solution;
}

static bool read_file(struct exercise *e, const char *root, struct error *err)
{
    char *file = textfile_join(e->folder, "exercise.yml");
    struct exercise_reading reading = {core_list(root, err), e};
    e->baseline = true;
    bool good = reading.cores && (file || error_set(err, "out of memory")) &&
                schema_read_file(file, rows, e, &e->pool, &reading, has_points, err);
    textfile_names_free(reading.cores);
    free(file);
    return good;
}

struct exercise *exercise_read(const char *root, const char *id, struct error *err)
{
    if (!exercise_is_id(id)) {
        error_set(err, "expected the name of an exercise's folder, like 03-branch-elimination, found `%.80s`",
                  id);
        return NULL;
    }
    struct exercise *e = calloc(1, sizeof *e);
    if (e && set_folders(e, root, id)) {
        if (read_file(e, root, err))
            return e;
    } else {
        error_set(err, "out of memory");
    }
    exercise_free(e);
    return NULL;
}

void exercise_free(struct exercise *e)
{
    if (!e)
        return;
    free(e->folder);
    free(e->solution);
    pool_free(e->pool);
    free(e);
}

uint32_t exercise_points(const struct exercise *exercise)
{
    uint32_t points = exercise->correctness_points;
    for (unsigned i = 0; i < exercise->bounds_count; i++)
        points += exercise->bounds[i].points;
    return points;
}

static bool is_among(char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool exercise_asks_case(const struct exercise *exercise, const char *name, bool native)
{
    return native || !is_among(exercise->native, exercise->native_count, name);
}

bool exercise_is_basic(const struct exercise *exercise, const char *name)
{
    return is_among(exercise->basic, exercise->basic_count, name);
}

bool exercise_is_avx2(const struct exercise *exercise, const char *name)
{
    return is_among(exercise->avx2, exercise->avx2_count, name);
}

uint32_t exercise_case_points(const struct exercise *exercise, unsigned i)
{
    const uint32_t points = exercise->correctness_points, parts = exercise->cases_count;
    return points / parts + (i < points % parts);
}

uint32_t exercise_correctness_points(const struct exercise *exercise, bool native)
{
    uint32_t points = 0;
    for (unsigned i = 0; i < exercise->cases_count; i++)
        if (exercise_asks_case(exercise, exercise->cases[i], native))
            points += exercise_case_points(exercise, i);
    return points;
}

bool bound_is_native(const struct bound_spec *bound)
{
    return bound->on != BENCH_QEMU &&
           (!*bound->cores || strcmp(bound->cores, core_kinds[CORE_OUT_OF_ORDER]) == 0) &&
           (!bound->needs_fma || isa_native_has_fma());
}

bool bound_is_for(const struct bound_spec *bound, const struct core *core)
{
    return bound->on != BENCH_NATIVE &&
           (!*bound->cores || strcmp(bound->cores, core_kinds[core->kind]) == 0 ||
            (core->fetch_block && strcmp(bound->cores, core_kinds[FETCHES_BLOCKS]) == 0));
}
