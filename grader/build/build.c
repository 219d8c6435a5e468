#include "grader/build/build_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "grader/base/spawn.h"

static const char *runner_folder;

const char *variant_name(enum variant variant)
{
    static const char *const names[VARIANT_COUNT] = {"baseline", "student", "reference"};
    return names[variant];
}

void build_set_runner_folder(const char *folder)
{
    runner_folder = folder;
}

char *runner_object(enum isa isa, const char *name)
{
    char self[4096], *object = NULL;
    int length;
    if (runner_folder)
        length = asprintf(&object, "%s/%s/%s", runner_folder, isa_name(isa), name);
    else {
        ssize_t got = readlink("/proc/self/exe", self, sizeof self - 1);
        if (got < 0)
            return NULL;
        self[got] = '\0';
        *(strrchr(self, '/') + 1) = '\0';
        length = asprintf(&object, "%srunner/%s/%s", self, isa_name(isa), name);
    }
    return length < 0 ? NULL : object;
}

void build_set(struct build_result *result, enum build_outcome outcome, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    free(result->diagnostics);
    if (vasprintf(&result->diagnostics, format, args) < 0)
        result->diagnostics = NULL;
    result->outcome = outcome;
    va_end(args);
}

static void baseline_sources(const struct exercise *exercise, enum isa isa, struct strings *sources)
{
    for (unsigned i = 0; i < exercise->sources_count; i++)
        strings_add(sources, "%s/baseline/%s/%s.S", exercise->folder, isa_name(isa), exercise->sources[i]);
}

/* What is made of a variant's sources: a runner in so many places, or a replay program. */
struct product {
    const char *const *defines;
    unsigned places;
    const struct build_replay *replay; /* NULL: a runner */
};

static void build_from(struct workdir *workdir, const char *root, const struct exercise *exercise,
                       enum variant variant, char *const *sources, unsigned count, enum isa isa,
                       const struct product *product, struct build_result *result)
{
    struct stage stage;
    struct error err;
    enum build_outcome outcome;
    if (stage_fill(&stage, workdir, root, exercise, variant, isa, sources, count, &outcome, &err) &&
        (!product->replay || stage_add_plan(&stage, isa, product->replay, &err)))
        stage_build(&stage, exercise, variant, isa, product->defines, product->places, result);
    else
        build_set(result, outcome, "%s", err.text);
    stage_free(&stage);
}

/* gcc for this machine, a cross compiler for another. */
static bool has_compiler(enum isa isa, struct build_result *result)
{
    static const char *const packages[ISA_COUNT] = {"gcc-x86-64-linux-gnu", "gcc-aarch64-linux-gnu"};
    char name[64];
    compiler_name(isa, name, sizeof name);
    if (spawn_finds(name))
        return true;
    build_set(result, BUILD_NO_COMPILER,
              "there is no compiler for %s here: %s was not found; install the package %s", isa_name(isa),
              name, isa == isa_native() ? "gcc" : packages[isa]);
    return false;
}

static void build_product(struct workdir *workdir, const char *root, const struct exercise *exercise,
                          enum variant variant, const struct selection *selection, enum isa isa,
                          const struct product *product, struct build_result *result)
{
    *result = (struct build_result){.outcome = BUILD_ERROR};
    if (!has_compiler(isa, result))
        return;
    struct selection reference = {0};
    struct strings baseline = {0};
    switch (variant) {
    case VARIANT_BASELINE:
        if (!exercise->baseline) {
            build_set(result, BUILD_ERROR, "%s has no baseline", exercise->id);
            return;
        }
        baseline_sources(exercise, isa, &baseline);
        build_from(workdir, root, exercise, variant, baseline.item, (unsigned)baseline.count, isa, product,
                   result);
        strings_free(&baseline);
        return;
    case VARIANT_REFERENCE:
        build_select_reference(exercise, isa, &reference);
        selection = &reference;
        break;
    case VARIANT_STUDENT:
    case VARIANT_COUNT:
        break;
    }
    if (selection->count == 0)
        build_set(result, variant == VARIANT_STUDENT ? BUILD_FAILED : BUILD_ERROR, "%s", selection->note);
    else
        build_from(workdir, root, exercise, variant, selection->paths, selection->count, isa, product,
                   result);
    selection_free(&reference);
}

void build_in_places(struct workdir *workdir, const char *root, const struct exercise *exercise,
                     enum variant variant, const struct selection *selection, enum isa isa,
                     const char *const *defines, unsigned places, struct build_result *result)
{
    const struct product product = {.defines = defines, .places = places};
    build_product(workdir, root, exercise, variant, selection, isa, &product, result);
}

void build_variant(struct workdir *workdir, const char *root, const struct exercise *exercise,
                   enum variant variant, const struct selection *selection, enum isa isa,
                   const char *const *defines, struct build_result *result)
{
    build_in_places(workdir, root, exercise, variant, selection, isa, defines, 1, result);
}

void build_replay(struct workdir *workdir, const char *root, const struct exercise *exercise,
                  enum variant variant, const struct selection *selection, enum isa isa,
                  const struct build_replay *replay, struct build_result *result)
{
    const struct product product = {.places = 1, .replay = replay};
    build_product(workdir, root, exercise, variant, selection, isa, &product, result);
}

char *build_place(const char *program, unsigned place)
{
    char *path = NULL;
    if (place == 0)
        return strdup(program);
    return asprintf(&path, "%s-%u", program, place) < 0 ? NULL : path;
}

void build_result_free(struct build_result *result)
{
    free(result->program);
    free(result->diagnostics);
    *result = (struct build_result){0};
}
