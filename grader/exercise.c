#include "grader/exercise.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/textfile.h"
#include "grader/yamldoc.h"
#include "grader/yamlschema.h"
#include "harness/model/model.h"
#include "harness/pmu/pmu.h"

enum {
    MOST_POINTS = 1000,
    MOST_FLOOR = 1000 * 1000,
    MOST_ELEMENTS = 1 << 28,
    MOST_CALLS = 256,                    /* what the bench has room for */
    MOST_PERMILLE_COUNTER = 1000 * 1000, /* a thousand events an element */
    LEAST_LARGEST = 8,
    LEAST_VALUES = 2,
    MOST_VALUES = 32,   /* of a sweep: as many processes at once */
    MOST_BOUNDS = 64,   /* that a sweep may name */
    MOST_LARGEST = 256, /* a call for each n, three buffers a call: within the arena's 1024 regions */
};

const char *const exercise_cores[EXERCISE_CORES] = {"cortex-a55", "cortex-a72", "neoverse-n1", "neoverse-v1"};

static const char *const kinds[] = {"speedup", "no-slower", "agree", "counter"};
static const char *const benches[] = {"any", "native", "qemu"};
static const char *const formulas[] = {"none", "latency-throughput", "memory-latency"};
static const char *const core_kinds[] = {"in-order", "out-of-order"};

const char *bound_kind_name(enum bound_kind kind)
{
    return kinds[kind];
}

const char *bench_set_name(enum bench_set set)
{
    return benches[set];
}

/* ---- the file as libcyaml loads it: every value a string, every key optional ---- */

struct raw_correctness {
    char *points, *largest;
    char **cases;
    unsigned cases_count;
};

struct raw_model {
    char *elements, *calls, *warm_up;
};

struct raw_bound {
    char *name, *says, *missed, *case_name, *kind, *on, *cores, *counter;
    char *permille, *elements, *calls, *points, *floor;
    struct raw_model *model;
};

struct raw_sweep {
    char *parameter, *says, *bound, *formula, *op_class;
    char **values;
    unsigned values_count;
};

struct raw {
    char *title, *goal, *core, *baseline;
    char **sources, **functions, **cflags, **hints;
    unsigned sources_count, functions_count, cflags_count, hints_count;
    struct raw_correctness *correctness;
    struct raw_bound *bounds;
    unsigned bounds_count;
    struct raw_sweep *sweep;
};

static const cyaml_schema_field_t correctness_fields[] = {
    TEXT("points", struct raw_correctness, points),
    TEXT("largest", struct raw_correctness, largest),
    LIST("cases", struct raw_correctness, cases, &text_value),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t model_fields[] = {
    TEXT("elements", struct raw_model, elements),
    TEXT("calls", struct raw_model, calls),
    TEXT("warm-up", struct raw_model, warm_up),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t bound_fields[] = {
    TEXT("name", struct raw_bound, name),
    TEXT("says", struct raw_bound, says),
    TEXT("missed", struct raw_bound, missed),
    TEXT("case", struct raw_bound, case_name),
    TEXT("kind", struct raw_bound, kind),
    TEXT("on", struct raw_bound, on),
    TEXT("cores", struct raw_bound, cores),
    TEXT("counter", struct raw_bound, counter),
    TEXT("permille", struct raw_bound, permille),
    TEXT("elements", struct raw_bound, elements),
    TEXT("calls", struct raw_bound, calls),
    TEXT("points", struct raw_bound, points),
    TEXT("floor", struct raw_bound, floor),
    CYAML_FIELD_MAPPING_PTR("model", FLAGS, struct raw_bound, model, model_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t bound_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_bound, bound_fields)};

static const cyaml_schema_field_t sweep_fields[] = {
    TEXT("parameter", struct raw_sweep, parameter),
    TEXT("says", struct raw_sweep, says),
    LIST("values", struct raw_sweep, values, &text_value),
    TEXT("bound", struct raw_sweep, bound),
    TEXT("formula", struct raw_sweep, formula),
    TEXT("class", struct raw_sweep, op_class),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t fields[] = {
    TEXT("title", struct raw, title),
    TEXT("goal", struct raw, goal),
    TEXT("core", struct raw, core),
    TEXT("baseline", struct raw, baseline),
    LIST("sources", struct raw, sources, &text_value),
    LIST("functions", struct raw, functions, &text_value),
    LIST("cflags", struct raw, cflags, &text_value),
    LIST("hints", struct raw, hints, &text_value),
    CYAML_FIELD_MAPPING_PTR("correctness", FLAGS, struct raw, correctness, correctness_fields),
    LIST("bounds", struct raw, bounds, &bound_value),
    CYAML_FIELD_MAPPING_PTR("sweep", FLAGS, struct raw, sweep, sweep_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw, fields)};

/* ---- what a value may be ---- */

static bool is_text(const char *text)
{
    size_t blank = strspn(text, " \t\n");
    if (text[blank] == '\0')
        return false;
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            return false;
    return true;
}

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
    return text[0] == '-' && text[1] != '\0' && is_text(text) && !strchr(text, ' ');
}

struct rule {
    bool (*holds)(const char *text);
    const char *expected;
};

static const struct rule some_text = {is_text, "a line of text"};
static const struct rule kebab = {exercise_is_kebab, "words of a-z and 0-9 joined by hyphens"};
static const struct rule stem = {is_stem, "a file's name without folder and ending, like `clamp`"};
static const struct rule identifier = {is_identifier, "a function's name in C"};
static const struct rule flag = {is_flag, "one compiler flag, like `-O2`"};

/* Check the text by the rule and copy it. */
static bool take(const struct yamldoc *doc, struct error *err, const char *path, const char *text,
                 const struct rule *rule, char **out)
{
    *out = NULL;
    if (!text)
        yamldoc_wrong(doc, err, path, "is missing: expected %s", rule->expected);
    else if (!rule->holds(text))
        yamldoc_wrong(doc, err, path, "expected %s, found `%.80s`", rule->expected, text);
    else if (!(*out = strdup(text)))
        error_set(err, "out of memory");
    return *out != NULL;
}

struct list {
    char **items;
    unsigned count;
};

static bool take_list(const struct yamldoc *doc, struct error *err, const char *name, struct list raw,
                      unsigned least, bool unique, const struct rule *rule, char ***out, unsigned *count)
{
    if (raw.count < least)
        return yamldoc_wrong(doc, err, name, "%s: expected a list of at least %u: %s",
                             raw.items ? "is too short" : "is missing", least, rule->expected);
    *out = calloc(raw.count + 1, sizeof **out);
    if (!*out)
        return error_set(err, "out of memory");
    for (unsigned i = 0; i < raw.count; i++) {
        char path[80];
        snprintf(path, sizeof path, "%s[%u]", name, i + 1);
        if (!take(doc, err, path, raw.items[i], rule, &(*out)[i]))
            return false;
        *count = i + 1;
        for (unsigned j = 0; unique && j < i; j++)
            if (strcmp((*out)[i], (*out)[j]) == 0)
                return yamldoc_wrong(doc, err, path, "`%.80s` is there already, as item %u", (*out)[i],
                                     j + 1);
    }
    return true;
}

/* ---- bounds ---- */

/* A counter that any bench may have; or, for the model alone, any of its events. */
static bool check_counter(const struct yamldoc *doc, struct error *err, const char *path, const char *counter,
                          enum bench_set on)
{
    const char *names[MODEL_EVENT_COUNT] = {NULL};
    _Static_assert((int)PMU_EVENTS <= (int)MODEL_EVENT_COUNT, "room for both");
    const unsigned count = on == BENCH_QEMU ? (unsigned)MODEL_EVENT_COUNT : (unsigned)PMU_EVENTS;
    unsigned index;
    for (unsigned i = 0; i < count; i++)
        names[i] =
            on == BENCH_QEMU ? model_event_name((enum model_event)i) : pmu_event_name((enum pmu_event)i);
    return yamldoc_word(doc, err, path, counter, names, count, &index);
}

/* "bounds[2].key", in a buffer of the caller's. */
static const char *key_path(char *buffer, size_t size, unsigned index, const char *key)
{
    snprintf(buffer, size, "bounds[%u].%s", index + 1, key);
    return buffer;
}

static bool take_permille(const struct yamldoc *doc, struct error *err, const char *path, const char *text,
                          enum bound_kind kind, uint32_t *permille)
{
    const uint32_t most = kind == BOUND_COUNTER ? MOST_PERMILLE_COUNTER : 1000;
    return yamldoc_number(doc, err, path, text, kind == BOUND_COUNTER ? 0 : 1, most, permille);
}

/* Sizes for the model: what is not there is as natively, within limits. */
static bool take_model(const struct yamldoc *doc, struct error *err, const struct raw_model *raw, unsigned i,
                       struct bound_spec *bound)
{
    struct bound_model *model = &bound->model;
    char path[80];
    *model = (struct bound_model){.elements = bound->elements, .calls = bound->calls, .warm_up = true};
    if (model->elements > BOUND_MODEL_ELEMENTS)
        model->elements = BOUND_MODEL_ELEMENTS;
    if (model->calls > BOUND_MODEL_CALLS)
        model->calls = BOUND_MODEL_CALLS;
    if (model->calls == 0)
        model->calls = 1;
    if (!raw)
        return true;
#define AT(KEY) key_path(path, sizeof path, i, KEY)
    return (!raw->elements || yamldoc_number(doc, err, AT("model.elements"), raw->elements, 1, MOST_ELEMENTS,
                                             &model->elements)) &&
           (!raw->calls ||
            yamldoc_number(doc, err, AT("model.calls"), raw->calls, 1, MOST_CALLS, &model->calls)) &&
           (!raw->warm_up || yamldoc_bool(doc, err, AT("model.warm-up"), raw->warm_up, &model->warm_up));
#undef AT
}

static bool take_bound(const struct yamldoc *doc, struct error *err, struct raw_bound *raw, unsigned i,
                       const struct exercise *exercise, struct bound_spec *bound)
{
    char path[80];
    unsigned word = 0;
#define AT(KEY) key_path(path, sizeof path, i, KEY)
    if (!take(doc, err, AT("name"), raw->name, &kebab, &bound->name) ||
        !take(doc, err, AT("says"), raw->says, &some_text, &bound->says) ||
        !take(doc, err, AT("missed"), raw->missed, &some_text, &bound->missed) ||
        !take(doc, err, AT("case"), raw->case_name, &kebab, &bound->case_name))
        return false;
    for (unsigned j = 0; j < i; j++)
        if (strcmp(bound->name, exercise->bounds[j].name) == 0)
            return yamldoc_wrong(doc, err, AT("name"), "`%.80s` is bounds[%u] already", bound->name, j + 1);

    if (!yamldoc_word(doc, err, AT("kind"), raw->kind, kinds, BOUND_COUNTER + 1, &word))
        return false;
    bound->kind = (enum bound_kind)word;
    word = BENCH_ANY;
    if (raw->on && !yamldoc_word(doc, err, AT("on"), raw->on, benches, BENCH_QEMU + 1, &word))
        return false;
    bound->on = (enum bench_set)word;
    if (raw->cores && *raw->cores && !yamldoc_word(doc, err, AT("cores"), raw->cores, core_kinds, 2, &word))
        return false;
    bound->cores = strdup(raw->cores ? raw->cores : "");

    if (bound->kind == BOUND_COUNTER && !check_counter(doc, err, AT("counter"), raw->counter, bound->on))
        return false;
    if (bound->kind != BOUND_COUNTER && raw->counter && *raw->counter)
        return yamldoc_wrong(doc, err, AT("counter"), "expected with `kind: counter` only");
    bound->counter = strdup(raw->counter ? raw->counter : "");
    if (!bound->cores || !bound->counter)
        return error_set(err, "out of memory");

    if (!exercise->baseline && (bound->kind == BOUND_SPEEDUP || bound->kind == BOUND_NO_SLOWER))
        return yamldoc_wrong(doc, err, AT("kind"),
                             "`%s` is taken against a baseline: expected `baseline: true`", raw->kind);
    return take_permille(doc, err, AT("permille"), raw->permille, bound->kind, &bound->permille) &&
           yamldoc_number(doc, err, AT("elements"), raw->elements, 1, MOST_ELEMENTS, &bound->elements) &&
           (!raw->calls || yamldoc_number(doc, err, AT("calls"), raw->calls, 0, MOST_CALLS, &bound->calls)) &&
           yamldoc_number(doc, err, AT("points"), raw->points, 0, MOST_POINTS, &bound->points) &&
           (!raw->floor || yamldoc_number(doc, err, AT("floor"), raw->floor, 0, MOST_FLOOR, &bound->floor)) &&
           take_model(doc, err, raw->model, i, bound);
#undef AT
}

static bool take_bounds(const struct yamldoc *doc, struct error *err, struct raw *raw, struct exercise *e)
{
    e->bounds = calloc(raw->bounds_count + 1, sizeof *e->bounds);
    if (!e->bounds)
        return error_set(err, "out of memory");
    for (unsigned i = 0; i < raw->bounds_count; i++) {
        e->bounds_count = i + 1; /* before it is filled: what there is of it is freed with the rest */
        if (!take_bound(doc, err, &raw->bounds[i], i, e, &e->bounds[i]))
            return false;
    }
    return true;
}

/* ---- the sweep ---- */

static bool take_values(const struct yamldoc *doc, struct error *err, const struct raw_sweep *raw,
                        struct sweep_spec *sweep)
{
    if (raw->values_count < LEAST_VALUES || raw->values_count > MOST_VALUES)
        return yamldoc_wrong(doc, err, "sweep.values", "expected %d to %d numbers, found %u", LEAST_VALUES,
                             MOST_VALUES, raw->values_count);
    sweep->values = calloc(raw->values_count, sizeof *sweep->values);
    if (!sweep->values)
        return error_set(err, "out of memory");
    for (unsigned i = 0; i < raw->values_count; i++) {
        char path[80];
        snprintf(path, sizeof path, "sweep.values[%u]", i + 1);
        if (!yamldoc_number(doc, err, path, raw->values[i], i ? sweep->values[i - 1] + 1 : 0, MOST_ELEMENTS,
                            &sweep->values[i]))
            return false;
    }
    sweep->values_count = raw->values_count;
    return true;
}

static bool take_class(const struct yamldoc *doc, struct error *err, const struct raw_sweep *raw,
                       struct sweep_spec *sweep)
{
    const char *names[OP_CLASS_COUNT];
    unsigned index;
    for (unsigned i = 0; i < OP_CLASS_COUNT; i++)
        names[i] = op_class_name((enum op_class)i);
    if (sweep->formula == SWEEP_LATENCY_THROUGHPUT &&
        !yamldoc_word(doc, err, "sweep.class", raw->op_class, names, OP_CLASS_COUNT, &index))
        return false;
    if (sweep->formula != SWEEP_LATENCY_THROUGHPUT && raw->op_class)
        return yamldoc_wrong(doc, err, "sweep.class", "expected with `formula: latency-throughput` only");
    sweep->op_class = strdup(raw->op_class ? raw->op_class : "");
    return sweep->op_class || error_set(err, "out of memory");
}

static bool take_sweep(const struct yamldoc *doc, struct error *err, const struct raw_sweep *raw,
                       struct exercise *e)
{
    const char *names[MOST_BOUNDS] = {NULL};
    unsigned word, formula = SWEEP_NO_FORMULA;
    if (!raw)
        return true;
    struct sweep_spec *sweep = e->sweep = calloc(1, sizeof *sweep);
    if (!sweep)
        return error_set(err, "out of memory");
    unsigned count = e->bounds_count < MOST_BOUNDS ? e->bounds_count : MOST_BOUNDS;
    for (unsigned i = 0; i < count; i++)
        names[i] = e->bounds[i].name;
    if (!take(doc, err, "sweep.parameter", raw->parameter, &identifier, &sweep->parameter) ||
        !take(doc, err, "sweep.says", raw->says, &some_text, &sweep->says) ||
        !take_values(doc, err, raw, sweep) ||
        !yamldoc_word(doc, err, "sweep.bound", raw->bound, names, count, &word) ||
        !take(doc, err, "sweep.bound", raw->bound, &kebab, &sweep->bound) ||
        (raw->formula && !yamldoc_word(doc, err, "sweep.formula", raw->formula, formulas,
                                       SWEEP_MEMORY_LATENCY + 1, &formula)))
        return false;
    sweep->formula = (enum sweep_formula)formula;
    return take_class(doc, err, raw, sweep);
}

/* ---- the whole ---- */

static bool take_all(const struct yamldoc *doc, struct error *err, struct raw *raw, struct exercise *e)
{
    struct raw_correctness none = {0}, *c = raw->correctness ? raw->correctness : &none;
    unsigned core;

    e->baseline = true;
    return take(doc, err, "title", raw->title, &some_text, &e->title) &&
           take(doc, err, "goal", raw->goal, &some_text, &e->goal) &&
           yamldoc_word(doc, err, "core", raw->core, exercise_cores, EXERCISE_CORES, &core) &&
           (e->core = strdup(raw->core)) &&
           take_list(doc, err, "sources", (struct list){raw->sources, raw->sources_count}, 1, true, &stem,
                     &e->sources, &e->sources_count) &&
           take_list(doc, err, "functions", (struct list){raw->functions, raw->functions_count}, 1, true,
                     &identifier, &e->functions, &e->functions_count) &&
           take_list(doc, err, "cflags", (struct list){raw->cflags, raw->cflags_count}, 1, false, &flag,
                     &e->cflags, &e->cflags_count) &&
           yamldoc_number(doc, err, "correctness.points", c->points, 0, MOST_POINTS,
                          &e->correctness_points) &&
           yamldoc_number(doc, err, "correctness.largest", c->largest, LEAST_LARGEST, MOST_LARGEST,
                          &e->largest) &&
           take_list(doc, err, "correctness.cases", (struct list){c->cases, c->cases_count}, 1, true, &kebab,
                     &e->cases, &e->cases_count) &&
           (!raw->baseline || yamldoc_bool(doc, err, "baseline", raw->baseline, &e->baseline)) &&
           take_bounds(doc, err, raw, e) && take_sweep(doc, err, raw->sweep, e) &&
           take_list(doc, err, "hints", (struct list){raw->hints, raw->hints_count}, 1, false, &some_text,
                     &e->hints, &e->hints_count) &&
           (exercise_points(e) > 0 ||
            yamldoc_wrong(doc, err, "correctness.points", "expected points somewhere, found none in all"));
}

static bool set_folders(struct exercise *e, const char *root, const char *id)
{
    char *exercises = textfile_join(root, "exercises"), *solutions = textfile_join(root, "solutions");
    e->number = (unsigned)strtoul(id, NULL, 10);
    e->id = strdup(id);
    e->slug = strdup(id + 3);
    e->folder = exercises ? textfile_join(exercises, id) : NULL;
    e->solution = solutions ? textfile_join(solutions, id) : NULL;
    free(exercises);
    free(solutions);
    return e->id && e->slug && e->folder && e->solution;
}

static bool read_file(struct exercise *e, struct error *err)
{
    char *file = textfile_join(e->folder, "exercise.yml");
    struct yamldoc *doc = file ? yamldoc_open(file, err) : NULL;
    void *raw = NULL;
    bool ok = doc && yamldoc_load(doc, &schema, &raw, err);
    if (ok) {
        error_set(err, "%s: out of memory", file); /* unless something better is known */
        ok = take_all(doc, err, raw, e);
        yamldoc_free(&schema, raw);
    }
    yamldoc_close(doc);
    free(file);
    return ok;
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
        if (read_file(e, err))
            return e;
    } else {
        error_set(err, "out of memory");
    }
    exercise_free(e);
    return NULL;
}

static void free_list(char **items, unsigned count)
{
    for (unsigned i = 0; items && i < count; i++)
        free(items[i]);
    free(items);
}

void exercise_free(struct exercise *e)
{
    if (!e)
        return;
    free(e->id);
    free(e->slug);
    free(e->folder);
    free(e->solution);
    free(e->title);
    free(e->goal);
    free(e->core);
    free_list(e->sources, e->sources_count);
    free_list(e->functions, e->functions_count);
    free_list(e->cflags, e->cflags_count);
    free_list(e->cases, e->cases_count);
    free_list(e->hints, e->hints_count);
    for (unsigned i = 0; e->bounds && i < e->bounds_count; i++) {
        struct bound_spec *b = &e->bounds[i];
        free(b->name);
        free(b->says);
        free(b->missed);
        free(b->case_name);
        free(b->cores);
        free(b->counter);
    }
    free(e->bounds);
    if (e->sweep) {
        free(e->sweep->parameter);
        free(e->sweep->says);
        free(e->sweep->values);
        free(e->sweep->bound);
        free(e->sweep->op_class);
    }
    free(e->sweep);
    free(e);
}

uint32_t exercise_points(const struct exercise *exercise)
{
    uint32_t points = exercise->correctness_points;
    for (unsigned i = 0; i < exercise->bounds_count; i++)
        points += exercise->bounds[i].points;
    return points;
}
