/* exercise.yml, which authors write by hand. */
#include <string.h>

#include "ci/fuzz/fuzz.h"
#include "grader/exercise/exercise.h"
#include "grader/base/strings.h"

static void look_at_bound(const struct bound_spec *bound)
{
    fuzz_must(strings_is_kebab(bound->name) && strings_is_kebab(bound->case_name), "a bound's names");
    fuzz_must(*bound->where && *bound->advice && bound->cores && bound->counter, "a bound's texts");
    char goal[BOUND_GOAL];
    bound_goal(bound, goal);
    fuzz_printable(goal);
    fuzz_must(bound->limit <= (bound->kind == BOUND_COUNTER ? 1000000 : 1000), "what a bound asks");
    fuzz_must(bound->elements > 0 && bound->calls <= 256, "a bound's sizes");
    fuzz_must(bound->model.elements > 0 && bound->model.calls > 0, "a bound's sizes on a model");
    fuzz_must((bound->kind == BOUND_COUNTER) == (*bound->counter != '\0'), "a counter where there is one");
}

static void look_at_sweep(const struct exercise *e)
{
    bool known = false;
    for (unsigned i = 0; i < e->bounds_count; i++)
        known = known || strcmp(e->bounds[i].name, e->sweep->bound) == 0;
    fuzz_must(known && *e->sweep->parameter && *e->sweep->says && e->sweep->op_class, "a sweep's words");
    for (unsigned i = 1; i < e->sweep->values_count; i++)
        fuzz_must(e->sweep->values[i - 1] < e->sweep->values[i], "a sweep's values rise");
}

static void look_at(const struct exercise *e)
{
    fuzz_must(*e->title && *e->goal && e->core, "the texts");
    fuzz_must(e->sources_count > 0 && e->functions_count > 0 && e->cases_count > 0, "the lists");
    fuzz_must(e->largest >= 8 && e->largest <= 256 && exercise_points(e) > 0, "sizes and points");
    for (unsigned i = 0; i < e->sources_count; i++)
        fuzz_must(*e->sources[i] && !strpbrk(e->sources[i], "/."), "a source's stem");
    for (unsigned i = 0; i < e->cases_count; i++)
        fuzz_must(strings_is_kebab(e->cases[i]), "a case's name");
    for (unsigned i = 0; i < e->bounds_count; i++)
        look_at_bound(&e->bounds[i]);
    if (e->sweep)
        look_at_sweep(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err = {""};
    static bool ready;
    if (!ready) {
        fuzz_make_folder("exercises/01-fuzz");
        fuzz_make_folder("harness/model/cores");
        fuzz_write("harness/model/cores/cortex-a55.yml", (const uint8_t *)"", 0);
    }
    ready = true;
    fuzz_write("exercises/01-fuzz/exercise.yml", data, size);
    struct exercise *e = exercise_read(fuzz_folder(), "01-fuzz", &err);
    fuzz_must(e || strstr(err.text, "exercise.yml:"), "an error that names the file");
    if (e)
        look_at(e);
    exercise_free(e);
    return 0;
}
